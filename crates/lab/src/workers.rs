//! Tasks on many threads, each with a worker of its own.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// Stack of a thread that searches, in bytes. The tree is at most a few hundred plies deep, but the
/// quiescence search and lists of moves lie on top of each other.
pub const STACK: usize = 64 << 20;

/// Says whether to stop; any thread may ask.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Does tasks on a thread for each of the workers, which are made there. `work` gives none where it was
/// stopped: `stop` says so, the user's and the end of the run; that worker does no more then. `take` gets
/// the results with the numbers of their tasks as they come, and says whether more are wanted. All three
/// may fail, which ends the run.
pub fn as_they_come<W, T: Send, E: From<String>>(
    workers: impl IntoIterator<Item = impl FnOnce() -> Result<W, String> + Send>,
    tasks: Range<u64>,
    stop: &Stop<'_>,
    work: &(impl Fn(&mut W, u64, &Stop<'_>) -> Result<Option<T>, String> + Sync),
    mut take: impl FnMut(u64, T) -> Result<bool, E>,
) -> Result<(), E> {
    let (next, over) = (AtomicU64::new(tasks.start), AtomicBool::new(false));
    let stopped = || over.load(Relaxed) || stop();
    let one = |mut worker: Result<W, String>, results: &mpsc::Sender<_>| {
        loop {
            let task = next.fetch_add(1, Relaxed);
            if task >= tasks.end || stopped() {
                return;
            }
            let result = match &mut worker {
                Ok(worker) => work(worker, task, &stopped).transpose(),
                Err(reason) => Some(Err(std::mem::take(reason))),
            };
            let Some(result) = result else { return };
            let failed = result.is_err();
            if results.send(result.map(|result| (task, result))).is_err() || failed {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        let mut running = Vec::new();
        for worker in workers {
            let (one, sender) = (&one, sender.clone());
            let thread = thread::Builder::new().stack_size(STACK);
            match thread.spawn_scoped(scope, move || one(worker(), &sender)) {
                Ok(thread) => running.push(thread),
                Err(error) => {
                    over.store(true, Relaxed);
                    return Err(format!("the system gives no thread: {error}").into());
                }
            }
        }
        drop(sender);
        let mut taken = Ok(true);
        while let (Ok(true), Ok(result)) = (&taken, results.recv()) {
            taken = result.map_err(E::from).and_then(|(task, result)| take(task, result));
        }
        over.store(true, Relaxed);
        for thread in running {
            thread.join().map_err(|_| "a search failed: please report it".to_owned())?;
        }
        taken.map(|_| ())
    })
}

/// The same with the results in the order of their tasks.
pub fn in_order<W, T: Send, E: From<String>>(
    workers: impl IntoIterator<Item = impl FnOnce() -> Result<W, String> + Send>,
    tasks: Range<u64>,
    stop: &Stop<'_>,
    work: &(impl Fn(&mut W, u64, &Stop<'_>) -> Result<Option<T>, String> + Sync),
    mut take: impl FnMut(T) -> Result<bool, E>,
) -> Result<(), E> {
    let (mut early, mut next) = (BTreeMap::new(), tasks.start);
    as_they_come(workers, tasks, stop, work, |task, result| {
        early.insert(task, result);
        while let Some(result) = early.remove(&next) {
            next += 1;
            if !take(result)? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, fails_at: u64) -> (Vec<u64>, Result<(), String>) {
        let mut seen = Vec::new();
        let result = in_order(
            (0..threads).map(|number| move || Ok(number)),
            5..40,
            &|| false,
            &|number, task, _| {
                assert!(*number < threads);
                // The earlier ones take longer.
                let _ = (0..(40 - task) * 20_000)
                    .fold(0, |sum, number| std::hint::black_box(sum ^ number));
                Ok(Some(task))
            },
            |task| {
                seen.push(task);
                if task == fails_at { Err("no room".to_owned()) } else { Ok(task != 30) }
            },
        );
        (seen, result)
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks_until_no_more_are_wanted() {
        for threads in [1, 4] {
            assert_eq!(run(threads, 99), ((5..=30).collect(), Ok(())));
        }
    }

    #[test]
    fn an_error_ends_the_run() {
        assert_eq!(run(3, 7), (vec![5, 6, 7], Err("no room".to_owned())));
        let fail = |at: usize| {
            let work = |number: &mut usize, task, _: &Stop<'_>| match *number == at {
                true => Err("no game".to_owned()),
                false => Ok(Some(task)),
            };
            let worker =
                |number| move || if number == 2 { Err("no memory".to_owned()) } else { Ok(number) };
            in_order((0..3).map(worker), 0..u64::MAX, &|| false, &work, |_: u64| Ok(true))
        };
        assert_eq!(fail(2), Err("no memory".to_owned()));
        assert!(fail(1).is_err());
    }
}
