//! Which processes search together: all, or the first so many of them, to see what more are worth.

use crate::Link;
use std::sync::atomic::Ordering::Relaxed;

impl Link {
    /// How many processes search together: the first so many. 0 for all.
    pub fn share_search(&self, processes: u32) {
        self.set_active(processes);
        self.order(&format!("link active {processes}"));
    }

    pub(crate) fn set_active(&self, processes: u32) {
        self.active.store(processes, Relaxed);
    }

    /// The processes that search together, from the first on.
    pub(crate) fn searchers(&self) -> u32 {
        match self.active.load(Relaxed) {
            0 => self.place.processes,
            some => some.min(self.place.processes),
        }
    }

    /// The others of them that are not lost.
    pub(crate) fn companions(&self) -> impl Iterator<Item = u32> {
        let searchers = self.searchers();
        self.others().filter(move |&process| process < searchers)
    }
}
