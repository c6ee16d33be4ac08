//! Ctrl-C, or SIGTERM, in commands that have something to show for the work so far.
//!
//! A command calls [`listen`] before its work, asks [`requested`] at every place where it can stop, and
//! ends with [`crate::failure::Failure::Interrupted`] after it has shown what it has. A second Ctrl-C
//! ends the program at once.

use crate::failure::Failure;
use search::{Iteration, Observer, Progress, Report};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The exit status of a program that Ctrl-C has ended, as shells have it.
pub const STATUS: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is a request that the work asks for. Without this it ends the program at once.
pub fn listen() {
    // Where no handler can be set, Ctrl-C does what it always did.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Relaxed) {
            std::process::exit(i32::from(STATUS));
        }
    });
}

/// Whether the user has asked for the end.
pub fn requested() -> bool {
    REQUESTED.load(Relaxed)
}

/// How a command ends that has shown what it has.
pub fn status() -> Result<ExitCode, Failure> {
    if requested() { Err(Failure::Interrupted) } else { Ok(ExitCode::SUCCESS) }
}

/// The observer of a search that shows nothing and ends when it is told to.
pub struct Until<F>(pub F);

/// The observer of a search that shows nothing and that Ctrl-C ends.
pub fn unwatched() -> Until<impl FnMut() -> bool> {
    Until(requested)
}

/// The same that ends after a time, if there is one.
pub fn until(time: Option<Duration>) -> Until<impl FnMut() -> bool> {
    let begun = Instant::now();
    Until(move || requested() || time.is_some_and(|time| begun.elapsed() >= time))
}

impl<F: FnMut() -> bool> Observer for Until<F> {
    fn should_stop(&mut self, _: &Progress) -> bool {
        (self.0)()
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        !(self.0)()
    }
}
