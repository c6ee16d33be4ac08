//! Requests for work that anybody may fulfil.
//!
//! On a network a request is sent to somebody and passed on. Threads have memory in common: the request is
//! put up where all see it, and whoever has a child to give takes it down. So nobody is asked in vain, and
//! who has nothing to give is not disturbed.

use super::campaign::Letter;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The requests that wait. The count lies in cache lines of its own: all look at it at every node.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Board {
    waiting: AtomicUsize,
    requests: Mutex<VecDeque<Letter>>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Letter>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a request up.
    pub fn put(&self, request: Letter) {
        let mut requests = self.lock();
        requests.push_back(request);
        self.waiting.store(requests.len(), Ordering::Relaxed);
    }

    /// Whether somebody wants work; it may be out of date by a moment.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Takes the oldest request down.
    pub fn take(&self) -> Option<Letter> {
        let mut requests = self.lock();
        let request = requests.pop_front();
        self.waiting.store(requests.len(), Ordering::Relaxed);
        request
    }
}
