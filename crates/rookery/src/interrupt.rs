//! Ctrl-C in commands that have something to show for the work so far.
//!
//! A command calls [`listen`] before its work, asks [`requested`] at every place where it can stop, and
//! ends with [`crate::failure::Failure::Interrupted`] after it has shown what it has. A second Ctrl-C
//! ends the program at once.

use search::{Iteration, Observer, Progress, Report};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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

/// The observer of a search that shows nothing and that Ctrl-C ends.
pub struct Unwatched;

impl Observer for Unwatched {
    fn should_stop(&mut self, _: &Progress) -> bool {
        requested()
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        !requested()
    }
}
