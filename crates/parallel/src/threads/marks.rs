//! Marks of children under search (ABDADA), shared by all threads without a lock.
//!
//! A mark is a word, and a cell holds one. A mark that finds its cell taken by another child is not set:
//! that costs double work at worst. Nothing is communicated through a mark but the mark itself, so all
//! accesses are relaxed.

use super::sync::{AtomicU64, Ordering::Relaxed};

/// The marks of a search.
pub struct Marks {
    cells: Box<[AtomicU64]>,
}

impl Marks {
    /// None yet, with room for many more than the threads set at once.
    pub fn new(threads: u32) -> Marks {
        let cells = (threads as usize * 1024).next_power_of_two().min(1 << 20);
        Marks { cells: (0..cells).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline(always)]
    fn cell(&self, child: u64) -> &AtomicU64 {
        &self.cells[(child >> 32) as usize % self.cells.len()]
    }

    /// Whether a child is marked; if not, it is now, where its cell is free.
    #[inline]
    pub fn is_taken(&self, child: u64) -> bool {
        // An empty cell is 0, so no mark is.
        let (cell, child) = (self.cell(child), child | 1);
        match cell.load(Relaxed) {
            0 => cell.compare_exchange(0, child, Relaxed, Relaxed) == Err(child),
            marked => marked == child,
        }
    }

    /// Takes the mark of a child away.
    #[inline]
    pub fn release(&self, child: u64) {
        let (cell, child) = (self.cell(child), child | 1);
        if cell.load(Relaxed) == child {
            // Where another has taken it away meanwhile, it is gone all the same.
            let _ = cell.compare_exchange(child, 0, Relaxed, Relaxed);
        }
    }
}
