//! The work queue in sequential order (D81) and the waiting lists (D84).
//!
//! A state whose transposition is being searched here waits for it, if that one comes earlier in
//! sequential order and is not its ancestor. Since each waits only for what comes earlier, none wait in a
//! circle: two lists that wait for each other were the prototype's first fault. What a walk searches alone
//! waits for nothing, so that all may wait for it.

use crate::{Dewey, Peer};
use search::walk::Job;
use std::collections::BTreeMap;

/// A state that is to be searched.
pub(super) struct Pending {
    pub job: Box<Job>,
    pub parent: Peer,
    /// Whether it is opened and held; else the walk searches it alone.
    pub held: bool,
    /// Whether it lives elsewhere.
    pub thief: bool,
}

/// What is to be done, what is being done, and what waits for it.
#[derive(Default)]
pub(super) struct Agenda {
    /// States for the walk.
    queue: BTreeMap<Dewey, Pending>,
    /// States that will be held.
    upper: BTreeMap<Dewey, Pending>,
    /// States under search by their keys, and whether any state may wait for them.
    active: BTreeMap<u64, Vec<(Dewey, bool)>>,
    waiting: BTreeMap<Dewey, (u64, Pending)>,
}

impl Agenda {
    /// A state has come.
    pub fn add(&mut self, path: Dewey, pending: Pending) {
        match pending.held {
            true => self.upper.insert(path, pending),
            false => self.queue.insert(path, pending),
        };
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.upper.is_empty()
    }

    /// The name of the first in sequential order.
    pub fn first(&self) -> Option<&Dewey> {
        [&self.queue, &self.upper].into_iter().filter_map(|it| it.keys().next()).min()
    }

    /// Takes the first in sequential order.
    pub fn take_first(&mut self) -> Option<(Dewey, Pending)> {
        let upper = self.upper.first_key_value().map(|(path, _)| path);
        let queue = self.queue.first_key_value().map(|(path, _)| path);
        match (upper, queue) {
            (Some(upper), Some(queue)) if upper > queue => self.queue.pop_first(),
            (Some(_), _) => self.upper.pop_first(),
            _ => self.queue.pop_first(),
        }
    }

    /// Takes the first of those that will be held.
    pub fn take_upper(&mut self) -> Option<(Dewey, Pending)> {
        self.upper.pop_first()
    }

    /// Takes the first of those for the walk that live here and need not wait, for a thief.
    pub fn take_for_thief(&mut self) -> Option<(Dewey, Pending)> {
        let ready = |(path, pending): &(&Dewey, &Pending)| {
            !pending.thief && !self.must_wait(path, pending.job.position().key())
        };
        let path = self.queue.iter().find(ready)?.0.clone();
        self.queue.remove_entry(&path)
    }

    /// Whether there may be something for a thief.
    pub fn has_for_thief(&self) -> bool {
        self.queue.values().any(|pending| !pending.thief)
    }

    /// Whether a state has to wait for a transposition.
    pub fn must_wait(&self, path: &Dewey, key: u64) -> bool {
        let active = self.active.get(&key);
        active.is_some_and(|active| {
            active.iter().any(|(it, met)| *met || it < path && !path.is_within(it))
        })
    }

    /// Lets a state wait for a transposition.
    pub fn wait(&mut self, path: Dewey, key: u64, pending: Pending) {
        self.waiting.insert(path, (key, pending));
    }

    /// The search of a state begins. One that waits for nothing itself may be `met`: others wait for it
    /// though they come earlier.
    pub fn begin(&mut self, path: &Dewey, key: u64, met: bool) {
        self.active.entry(key).or_default().push((path.clone(), met));
    }

    /// The search of a state is over: those who waited for it are to be looked at again.
    pub fn end(&mut self, path: &Dewey, key: u64) {
        if let Some(active) = self.active.get_mut(&key) {
            active.retain(|(it, _)| it != path);
            if active.is_empty() {
                self.active.remove(&key);
            }
        }
        let waits = |(_, (it, _)): &(&Dewey, &(u64, Pending))| *it == key;
        let waiting: Vec<Dewey> =
            self.waiting.iter().filter(waits).map(|(path, _)| path.clone()).collect();
        for path in waiting {
            if let Some((_, pending)) = self.waiting.remove(&path) {
                self.add(path, pending);
            }
        }
    }

    /// A state that has not begun, to be changed.
    pub fn find(&mut self, path: &Dewey) -> Option<&mut Pending> {
        let waiting = self.waiting.get_mut(path).map(|(_, pending)| pending);
        self.queue.get_mut(path).or_else(|| self.upper.get_mut(path)).or(waiting)
    }

    /// Drops a state that has not begun; whether there was one.
    pub fn drop(&mut self, path: &Dewey) -> bool {
        let queued = self.queue.remove(path).or_else(|| self.upper.remove(path));
        queued.is_some() || self.waiting.remove(path).is_some()
    }

    /// Drops all that have not begun and lie below a state.
    pub fn drop_below(&mut self, path: &Dewey) {
        self.queue.retain(|it, _| !it.is_within(path));
        self.upper.retain(|it, _| !it.is_within(path));
        self.waiting.retain(|it, _| !it.is_within(path));
    }
}
