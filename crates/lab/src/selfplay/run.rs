//! Games on many threads, handed on in the order of their numbers.

use super::Stop;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// Games that a thread plays before it hands them on: a block of a file.
pub const GAMES_PER_TASK: u64 = crate::data::file::BLOCK_GAMES as u64;

/// Stack of a thread that searches, in bytes.
const STACK: usize = 64 << 20;

/// Does tasks on threads, each with a player of its own: `player` makes that of a number. `work` gives none
/// where it was stopped: `stop` says so, the user's and the end of the run. `sink` takes the results in the
/// order of the tasks and says whether more are wanted. All three may fail, which ends the run.
pub fn in_order<P, T: Send>(
    threads: usize,
    tasks: Range<u64>,
    player: &(dyn Fn(usize) -> Result<P, String> + Sync),
    stop: &Stop<'_>,
    work: &(impl Fn(&mut P, u64, &Stop<'_>) -> Result<Option<T>, String> + Sync),
    mut sink: impl FnMut(T) -> Result<bool, String>,
) -> Result<(), String> {
    let (next, over) = (AtomicU64::new(tasks.start), AtomicBool::new(false));
    let stopped = || over.load(Relaxed) || stop();
    let one = |number: usize, results: &mpsc::Sender<Result<(u64, T), String>>| {
        let mut player = player(number);
        loop {
            let task = next.fetch_add(1, Relaxed);
            if task >= tasks.end || stopped() {
                return;
            }
            let result = match &mut player {
                Ok(player) => work(player, task, &stopped).transpose(),
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
        for number in 0..threads.max(1) {
            let (one, sender) = (&one, sender.clone());
            let thread = thread::Builder::new().stack_size(STACK);
            match thread.spawn_scoped(scope, move || one(number, &sender)) {
                Ok(thread) => running.push(thread),
                Err(error) => {
                    over.store(true, Relaxed);
                    return Err(format!("the system gives no thread: {error}"));
                }
            }
        }
        drop(sender);
        let handed_on = hand_on(&results, tasks.start, &mut sink);
        over.store(true, Relaxed);
        for thread in running {
            thread.join().map_err(|_| "a game failed: please report it".to_owned())?;
        }
        handed_on
    })
}

/// Gives results to the sink in their order, until it wants no more or there are none.
fn hand_on<T>(
    results: &mpsc::Receiver<Result<(u64, T), String>>,
    first: u64,
    sink: &mut impl FnMut(T) -> Result<bool, String>,
) -> Result<(), String> {
    let (mut early, mut next) = (BTreeMap::new(), first);
    for result in results {
        let (task, result) = result?;
        early.insert(task, result);
        while let Some(result) = early.remove(&next) {
            next += 1;
            if !sink(result)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, fails_at: u64) -> (Vec<u64>, Result<(), String>) {
        let mut seen = Vec::new();
        let result = in_order(
            threads,
            5..40,
            &Ok,
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
            let player =
                |number| if number == 2 { Err("no memory".to_owned()) } else { Ok(number) };
            in_order(3, 0..u64::MAX, &player, &|| false, &work, |_: u64| Ok(true))
        };
        assert_eq!(fail(2), Err("no memory".to_owned()));
        assert!(fail(1).is_err());
    }
}
