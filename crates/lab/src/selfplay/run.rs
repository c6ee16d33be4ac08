//! Games on many threads, handed on in the order of their numbers.

use super::{Player, Settings, Stop};
use eval::AnyEvaluator;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// Games that a thread plays before it hands them on: a block of a file.
pub const GAMES_PER_TASK: u64 = crate::data::file::BLOCK_GAMES as u64;

/// Stack of a thread that searches, in bytes.
const STACK: usize = 64 << 20;

/// Does tasks on threads, each with a player of its own. `work` gives none where it was stopped: `stop`
/// says so, the user's and the end of the run. `sink` takes the results in the order of the tasks and
/// says whether more are wanted; it may fail.
pub fn in_order<T: Send>(
    threads: usize,
    tasks: Range<u64>,
    settings: &Settings,
    evaluator: &(dyn Fn() -> AnyEvaluator + Sync),
    stop: &Stop<'_>,
    work: &(impl Fn(&mut Player, u64, &Stop<'_>) -> Option<T> + Sync),
    mut sink: impl FnMut(T) -> Result<bool, String>,
) -> Result<(), String> {
    let (next, over) = (AtomicU64::new(tasks.start), AtomicBool::new(false));
    let stopped = || over.load(Relaxed) || stop();
    let one = |results: &mpsc::Sender<(u64, T)>| -> Result<(), String> {
        let mut player = Player::new(settings, evaluator())?;
        loop {
            let task = next.fetch_add(1, Relaxed);
            if task >= tasks.end || stopped() {
                return Ok(());
            }
            let Some(result) = work(&mut player, task, &stopped) else { return Ok(()) };
            if results.send((task, result)).is_err() {
                return Ok(());
            }
        }
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        let mut running = Vec::new();
        for _ in 0..threads.max(1) {
            let (one, sender) = (&one, sender.clone());
            let spawned =
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || one(&sender));
            match spawned {
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
            thread.join().unwrap_or_else(|_| Err("a game failed: please report it".to_owned()))?;
        }
        handed_on
    })
}

/// Gives results to the sink in their order, until it wants no more or there are none.
fn hand_on<T>(
    results: &mpsc::Receiver<(u64, T)>,
    first: u64,
    sink: &mut impl FnMut(T) -> Result<bool, String>,
) -> Result<(), String> {
    let (mut early, mut next) = (BTreeMap::new(), first);
    for (task, result) in results {
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
    use search::Profile;

    fn run(threads: usize, fails_at: u64) -> (Vec<u64>, Result<(), String>) {
        let settings = Settings {
            seed: 1,
            nodes: 1,
            random_plies: 1,
            largest_opening_score: 1,
            hash_mb: 1,
            evaluation: String::new(),
        };
        let mut seen = Vec::new();
        let result = in_order(
            threads,
            5..40,
            &settings,
            &|| Profile::Modern.evaluator(),
            &|| false,
            &|_, task, _| {
                // The earlier ones take longer.
                let _ = (0..(40 - task) * 20_000)
                    .fold(0, |sum, number| std::hint::black_box(sum ^ number));
                Some(task)
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
    }
}
