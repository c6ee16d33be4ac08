//! Where the messages for a thread lie until it looks.
//!
//! Whoever searches asks a flag, which costs a load; the lock is taken only where there is something.
//! Whoever has nothing to do sleeps on it and takes no processor away from the others. The flag is
//! written under the lock alone, so that it is never false while a letter lies there for good; it may be
//! read a moment too late, and then the letter is found at the next look.

use super::sync::{AtomicBool, Condvar, Mutex, MutexGuard, Ordering};
use std::sync::PoisonError;
use std::time::Duration;

/// The letters of one receiver. It lies in cache lines of its own: the receiver looks at every node, and
/// letters for its neighbours must not disturb that.
#[repr(align(128))]
pub struct Mailbox<M> {
    mail: AtomicBool,
    state: Mutex<State<M>>,
    bell: Condvar,
}

struct State<M> {
    letters: Vec<M>,
    room: usize,
    sleeping: bool,
    closed: bool,
}

impl<M> Mailbox<M> {
    /// An empty one for at most so many letters.
    pub fn new(room: usize) -> Mailbox<M> {
        let state = State { letters: Vec::new(), room, sleeping: false, closed: false };
        Mailbox { mail: AtomicBool::new(false), state: Mutex::new(state), bell: Condvar::new() }
    }

    /// A panic elsewhere leaves a list of letters as it was: nothing is half done under the lock.
    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a letter in and wakes the receiver; the letter comes back where there is no room. It never
    /// waits: two who wait for room at each other's would wait for ever.
    pub fn post(&self, letter: M) -> Result<(), M> {
        let mut state = self.lock();
        if state.letters.len() >= state.room {
            return Err(letter);
        }
        state.letters.push(letter);
        self.mail.store(true, Ordering::Release);
        let sleeping = std::mem::take(&mut state.sleeping);
        drop(state);
        if sleeping {
            self.bell.notify_one();
        }
        Ok(())
    }

    /// Whether there are letters.
    #[inline]
    pub fn has_mail(&self) -> bool {
        self.mail.load(Ordering::Acquire)
    }

    /// Takes all letters, in the order in which they came.
    pub fn take(&self, letters: &mut Vec<M>) {
        let mut state = self.lock();
        self.mail.store(false, Ordering::Release);
        letters.append(&mut state.letters);
    }

    /// Sleeps until there is a letter, or it is closed, or the time is over; now and then for no reason.
    pub fn sleep(&self, longest: Option<Duration>) {
        let mut state = self.lock();
        if !state.letters.is_empty() || state.closed {
            return;
        }
        state.sleeping = true;
        let mut state = match longest {
            None => self.bell.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(time) => {
                self.bell.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
            }
        };
        state.sleeping = false;
    }

    /// Wakes the receiver for good: nobody sleeps here any more.
    pub fn close(&self) {
        self.lock().closed = true;
        self.bell.notify_one();
    }
}
