//! Pieces of work on several threads.

use crate::engine::STACK;
use crate::failure::Failure;
use crate::interrupt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often Ctrl-C is looked for.
pub const REFRESH: Duration = Duration::from_millis(50);

/// What [`each`] tells.
pub enum Event<U, A> {
    /// A piece of work is done.
    Done(U, A),
    /// Ctrl-C: what is there is to be shown now.
    Interrupted,
}

/// Does pieces of work on several threads, and tells of each when it is done. The first that fails ends
/// it. After Ctrl-C the program ends as soon as that has been told: a simulation cannot be stopped in the
/// middle, and may take minutes.
pub fn each<U: Copy + Send + Sync, A: Send>(
    threads: u16,
    units: &[U],
    work: impl Fn(U) -> Result<A, String> + Sync,
    mut tell: impl FnMut(Event<U, A>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let (next, work) = (&next, &work);
        for _ in 0..usize::from(threads).min(units.len()) {
            let sender = sender.clone();
            let worker = move || {
                while let Some(&unit) = units.get(next.fetch_add(1, Relaxed)) {
                    if sender.send((unit, work(unit))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker)
                .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))?;
        }
        drop(sender);
        loop {
            let received = receiver.recv_timeout(REFRESH);
            // What was being searched then may have been cut off.
            if interrupt::requested() {
                let _ = tell(Event::Interrupted);
                std::process::exit(i32::from(interrupt::STATUS));
            }
            let (unit, result) = match received {
                Ok(done) => done,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let told = result.map_err(Failure::Work);
            let told = told.and_then(|found| tell(Event::Done(unit, found)));
            if told.is_err() {
                next.store(units.len(), Relaxed);
                return told;
            }
        }
    })
}
