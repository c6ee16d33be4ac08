//! The table as a thread sees it: shared by all, with the marks beside it.

use super::far::Far;
use super::marks::Marks;
use search::{Asker, Lookup};
use table::{Entry, Probe, Slot};

/// The table and the marks.
pub(super) struct Shared<'a, T> {
    pub table: T,
    pub marks: &'a Marks,
    /// Where there are other processes.
    pub far: Option<Far<'a>>,
}

impl<T> Shared<'_, T> {
    /// Tells other processes what has been found so far.
    pub fn flush(&mut self) {
        if let Some(far) = &mut self.far {
            far.flush();
        }
    }

    /// Lets a search ask the tables of other processes, or not.
    pub fn set_asking(&mut self, asks: bool) {
        if let Some(far) = &mut self.far {
            far.asks = asks;
        }
    }
}

impl<T: Lookup> Lookup for Shared<'_, T> {
    #[inline(always)]
    fn probe(&mut self, key: u64, asker: Asker) -> Probe {
        let here = self.table.probe(key, asker);
        match &mut self.far {
            Some(far) => far.probe(key, asker, here),
            None => here,
        }
    }

    #[inline(always)]
    fn must_wait(&mut self, key: u64, asker: Asker) -> bool {
        let known = || self.table.peek(key);
        self.far.as_ref().is_some_and(|far| far.must_wait(key, asker, known))
    }

    #[inline(always)]
    fn store(&mut self, slot: Slot, entry: Entry) {
        self.table.store(slot, entry);
        if let Some(far) = &mut self.far {
            far.tell(slot.key(), entry);
        }
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        self.table.prefetch(key);
    }

    #[inline(always)]
    fn peek(&self, key: u64) -> Option<Entry> {
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
