//! The work queue in sequential order (D81) and the waiting lists (D84).
//!
//! A state whose transposition is being searched here waits for it, if that one comes earlier in
//! sequential order and is not its ancestor. Since everybody waits only for what comes earlier, nobody
//! waits in a circle: two lists that wait for each other were the prototype's first fault.

use crate::{Dewey, Peer};
use search::walk::Job;
use std::collections::BTreeMap;

/// A state that is to be searched.
pub(super) struct Pending {
    pub job: Box<Job>,
    pub parent: Peer,
}

/// What is to be done, what is being done, and what waits for it.
#[derive(Default)]
pub(super) struct Agenda {
    queue: BTreeMap<Dewey, Pending>,
    /// States under search by their keys.
    active: BTreeMap<u64, Vec<Dewey>>,
    waiting: BTreeMap<Dewey, (u64, Pending)>,
}

impl Agenda {
    /// A state has come.
    pub fn add(&mut self, path: Dewey, pending: Pending) {
        self.queue.insert(path, pending);
    }

    /// The name of the first in sequential order.
    pub fn first(&self) -> Option<(&Dewey, &Pending)> {
        self.queue.first_key_value()
    }

    /// Takes the first in sequential order.
    pub fn take_first(&mut self) -> Option<(Dewey, Pending)> {
        self.queue.pop_first()
    }

    /// Whether a state has to wait for a transposition.
    pub fn must_wait(&self, path: &Dewey, key: u64) -> bool {
        let active = self.active.get(&key);
        active.is_some_and(|active| active.iter().any(|it| it < path && !path.is_within(it)))
    }

    /// Lets a state wait for a transposition.
    pub fn wait(&mut self, path: Dewey, key: u64, pending: Pending) {
        self.waiting.insert(path, (key, pending));
    }

    /// The search of a state begins.
    pub fn begin(&mut self, path: &Dewey, key: u64) {
        self.active.entry(key).or_default().push(path.clone());
    }

    /// The search of a state is over: those who waited for it are to be looked at again.
    pub fn end(&mut self, path: &Dewey, key: u64) {
        if let Some(active) = self.active.get_mut(&key) {
            active.retain(|it| it != path);
            if active.is_empty() {
                self.active.remove(&key);
            }
        }
        let waits = |(_, (it, _)): &(&Dewey, &(u64, Pending))| *it == key;
        let waiting: Vec<Dewey> =
            self.waiting.iter().filter(waits).map(|(path, _)| path.clone()).collect();
        for path in waiting {
            if let Some((_, pending)) = self.waiting.remove(&path) {
                self.queue.insert(path, pending);
            }
        }
    }

    /// A state that has not begun, to be changed.
    pub fn find(&mut self, path: &Dewey) -> Option<&mut Pending> {
        match self.queue.get_mut(path) {
            Some(pending) => Some(pending),
            None => self.waiting.get_mut(path).map(|(_, pending)| pending),
        }
    }

    /// Drops a state that has not begun; whether there was one.
    pub fn drop(&mut self, path: &Dewey) -> bool {
        self.queue.remove(path).is_some() || self.waiting.remove(path).is_some()
    }

    /// Drops all that have not begun and lie below a state.
    pub fn drop_below(&mut self, path: &Dewey) {
        self.queue.retain(|it, _| !it.is_within(path));
        self.waiting.retain(|it, _| !it.is_within(path));
    }
}
