//! Where the messages for a thread lie until it looks.
//!
//! A thread that searches asks a flag, which costs a load; the lock is taken only where there is something.
//! A thread that has nothing to do sleeps on it and takes no processor away from the others. The flag is
//! written under the lock alone, so that it is never false while an envelope lies there for good; it may be
//! read a moment too late, and then the envelope is found at the next look.

use super::sync::{AtomicBool, Condvar, Mutex, MutexGuard, Ordering};
use std::sync::PoisonError;
use std::time::Duration;

/// The envelopes of one receiver. It lies in cache lines of its own: the receiver looks at every node, and
/// envelopes for its neighbours must not disturb that.
#[repr(align(128))]
pub struct Mailbox<M> {
    mail: AtomicBool,
    state: Mutex<State<M>>,
    doorbell: Condvar,
}

struct State<M> {
    envelopes: Vec<M>,
    room: usize,
    sleeping: bool,
    closed: bool,
}

impl<M> Mailbox<M> {
    /// An empty one with room for a number of envelopes.
    pub fn new(room: usize) -> Mailbox<M> {
        let state = State { envelopes: Vec::new(), room, sleeping: false, closed: false };
        Mailbox { mail: AtomicBool::new(false), state: Mutex::new(state), doorbell: Condvar::new() }
    }

    /// A panic elsewhere leaves a list of envelopes as it was: nothing is half done under the lock.
    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts an envelope in and wakes the receiver; the envelope comes back where there is no room. It never
    /// waits: two who wait for room at each other's would wait for ever.
    pub fn post(&self, envelope: M) -> Result<(), M> {
        let mut state = self.lock();
        if state.envelopes.len() >= state.room {
            return Err(envelope);
        }
        state.envelopes.push(envelope);
        self.mail.store(true, Ordering::Release);
        let sleeping = std::mem::take(&mut state.sleeping);
        drop(state);
        if sleeping {
            self.doorbell.notify_one();
        }
        Ok(())
    }

    /// Whether there are envelopes.
    #[inline]
    pub fn has_mail(&self) -> bool {
        self.mail.load(Ordering::Acquire)
    }

    /// Takes all envelopes, in the order in which they came.
    pub fn take(&self, envelopes: &mut Vec<M>) {
        let mut state = self.lock();
        self.mail.store(false, Ordering::Release);
        envelopes.append(&mut state.envelopes);
    }

    /// Sleeps until there is an envelope, or it is closed, or the time is over; now and then for no reason.
    pub fn sleep(&self, longest: Option<Duration>) {
        let mut state = self.lock();
        if !state.envelopes.is_empty() || state.closed {
            return;
        }
        state.sleeping = true;
        let mut state = match longest {
            None => self.doorbell.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(time) => {
                self.doorbell.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
            }
        };
        state.sleeping = false;
    }

    /// Wakes the receiver for good: there is no sleep here any more.
    pub fn close(&self) {
        self.lock().closed = true;
        self.doorbell.notify_one();
    }
}
