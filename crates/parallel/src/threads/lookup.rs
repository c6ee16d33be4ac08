//! The table as a thread sees it: shared by all, with the marks beside it.

use super::marks::Marks;
use super::remote_table::RemoteTable;
use board::Key;
use search::{Asker, Lookup};
use table::{Entry, Probe, Slot};

/// The table and the marks.
pub(super) struct Shared<'a, T> {
    pub table: T,
    pub marks: &'a Marks,
    /// Where there are other processes.
    pub remote: Option<RemoteTable<'a>>,
}

impl<T> Shared<'_, T> {
    /// Tells other processes what has been found so far.
    pub fn flush(&mut self) {
        if let Some(remote) = &mut self.remote {
            remote.flush();
        }
    }

    /// Lets a search ask the tables of other processes, or not.
    pub fn set_asking(&mut self, asks: bool) {
        if let Some(remote) = &mut self.remote {
            remote.asks = asks;
        }
    }
}

impl<T: Lookup> Lookup for Shared<'_, T> {
    #[inline(always)]
    fn probe(&mut self, key: Key, asker: Asker) -> Probe {
        let here = self.table.probe(key, asker);
        match &mut self.remote {
            Some(remote) => remote.probe(key, asker, here),
            None => here,
        }
    }

    #[inline(always)]
    fn must_wait(&mut self, key: Key, asker: Asker) -> bool {
        let known = || self.table.peek(key);
        self.remote.as_ref().is_some_and(|remote| remote.must_wait(key, asker, known))
    }

    #[inline(always)]
    fn store(&mut self, slot: Slot, entry: Entry) {
        self.table.store(slot, entry);
        if let Some(remote) = &mut self.remote {
            remote.tell(slot.key(), entry);
        }
    }

    #[inline(always)]
    fn prefetch(&self, key: Key) {
        self.table.prefetch(key);
    }

    #[inline(always)]
    fn peek(&self, key: Key) -> Option<Entry> {
        self.table.peek(key)
    }

    fn hashfull(&self) -> u16 {
        self.table.hashfull()
    }

    #[inline]
    fn is_taken(&mut self, child: u64) -> bool {
        self.marks.is_taken(child)
    }

    #[inline]
    fn release(&mut self, child: u64) {
        self.marks.release(child);
    }
}
