//! Steal requests that any thread may fulfil.
//!
//! On a network a request is sent to one processor and passed on. Threads have memory in common: the request
//! is put up where all see it, and the first that has a child to give takes it down. So no thread is asked in
//! vain, and one that has nothing to give is not disturbed.

use super::shared_search::Envelope;
use crate::{Message, Peer};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The requests that wait. The count lies in cache lines of its own: all look at it at every node.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct RequestQueue {
    waiting: AtomicUsize,
    /// Each with the time since which it has been here.
    requests: Mutex<VecDeque<(Instant, Envelope)>>,
}

impl RequestQueue {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(Instant, Envelope)>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a request up, in place of an older one of the same processor.
    pub fn put(&self, request: Envelope) {
        let mut requests = self.lock();
        let origin = origin(&request);
        requests.retain(|(_, older)| self::origin(older) != origin);
        requests.push_back((Instant::now(), request));
        self.waiting.store(requests.len(), Ordering::Relaxed);
    }

    /// Whether a thread wants work; it may be out of date by a moment.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Takes the oldest request down.
    pub fn take(&self) -> Option<Envelope> {
        let mut requests = self.lock();
        let request = requests.pop_front();
        self.waiting.store(requests.len(), Ordering::Relaxed);
        request.map(|(_, request)| request)
    }

    /// Who has waited longest.
    pub fn oldest(&self) -> Option<Peer> {
        self.lock().front().map(|(_, request)| origin(request))
    }

    /// Takes down a request that has been here for so long, or that cannot be fulfilled here.
    pub fn take_older(&self, age: Duration, hopeless: impl Fn(Peer) -> bool) -> Option<Envelope> {
        let mut requests = self.lock();
        let is_old = |(since, request): &(Instant, Envelope)| {
            hopeless(origin(request)) || since.elapsed() >= age
        };
        let place = requests.iter().position(is_old)?;
        let request = requests.remove(place);
        self.waiting.store(requests.len(), Ordering::Relaxed);
        request.map(|(_, request)| request)
    }
}

/// Who wants work.
fn origin(request: &Envelope) -> Peer {
    match request.message {
        Message::Request { origin, .. } => origin,
        _ => request.from,
    }
}
