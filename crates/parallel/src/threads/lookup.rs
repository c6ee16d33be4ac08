//! The table as a thread sees it: shared by all, with the marks beside it.

use super::marks::Marks;
use super::pump::Spread;
use search::{Asker, Lookup};
use table::{Entry, Policy, Probe, Slot, Table};

/// The table and the marks.
pub(super) struct Shared<'a, P: Policy> {
    pub table: &'a Table<P>,
    pub marks: &'a Marks,
    /// Where other processes are told.
    pub spread: Option<Spread<'a>>,
}

impl<P: Policy> Shared<'_, P> {
    /// Tells other processes what has been found so far.
    pub fn flush(&mut self) {
        if let Some(spread) = &mut self.spread {
            spread.flush();
        }
    }
}

impl<P: Policy> Lookup for Shared<'_, P> {
    #[inline(always)]
    fn probe(&mut self, key: u64, _: Asker) -> Probe {
        self.table.probe(key)
    }

    #[inline(always)]
    fn store(&mut self, slot: Slot, entry: Entry) {
        self.table.store(slot, entry);
        if let Some(spread) = &mut self.spread {
            spread.tell(slot.key(), entry);
        }
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        self.table.prefetch(key);
    }

    #[inline(always)]
    fn peek(&self, key: u64) -> Option<Entry> {
        self.table.probe(key).entry()
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
