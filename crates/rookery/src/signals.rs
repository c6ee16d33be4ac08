//! Signals that would end the program where an error is better.

/// A file that reaches the limit of the user (`ulimit -f`) is from now on an error of the write, as a full
/// disk is. Without this the system ends the program before it can say anything.
///
/// For the thread that calls it and all that are started by it: the signal goes to the thread that writes.
#[cfg(unix)]
pub fn outlive_full_files() {
    use nix::sys::signal::{SigSet, Signal};
    // Where it cannot be held back, the system does what it always did.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

/// There is no such signal.
#[cfg(not(unix))]
pub fn outlive_full_files() {}
