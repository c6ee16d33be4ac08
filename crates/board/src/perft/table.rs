//! A table of counts that many threads share without locks.
//!
//! An entry is two words: the key combined with the count by exclusive or, and the count. A thread
//! that reads the two halves of different writes finds that they do not give its key, and counts
//! again: a torn entry costs time, never a wrong sum. The depth is mixed into the key.

use crate::{Key, Position};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const ENTRIES: usize = 4;

/// One cache line. The first entries keep the largest counts, the last one takes what comes.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; ENTRIES]);

const _: () = assert!(size_of::<Bucket>() == 64);

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    count: AtomicU64,
}

impl Entry {
    #[inline(always)]
    fn store(&self, key: Key, count: u64) {
        self.check.store(key ^ count, Relaxed);
        self.count.store(count, Relaxed);
    }
}

/// Counts of positions at depths, shared by the threads of one or many counts.
pub struct CountTable {
    buckets: Vec<Bucket>,
}

/// Why a table of a given size cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableError {
    megabytes: u64,
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.megabytes {
            0 => f.write_str("a table of 0 MB holds nothing: leave it out instead"),
            size => write!(f, "the system gives no {size} MB for a table of counts"),
        }
    }
}

impl std::error::Error for TableError {}

impl CountTable {
    /// A table of this number of megabytes (of 2^20 bytes), at least one.
    pub fn new(megabytes: u64) -> Result<CountTable, TableError> {
        let error = TableError { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        let count = usize::try_from(bytes).map_err(|_| error)? / size_of::<Bucket>();
        let mut buckets = Vec::new();
        if count == 0 || buckets.try_reserve_exact(count).is_err() {
            return Err(error);
        }
        buckets.resize_with(count, Bucket::default);
        Ok(CountTable { buckets })
    }

    /// The key of a position at a depth.
    #[inline(always)]
    pub(super) fn key(position: &Position, depth: u32) -> Key {
        // The golden ratio spreads the depth over all bits, the key's own bits are random.
        position.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The count that was stored under a key.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<u64> {
        self.bucket(key)?.0.iter().find_map(|entry| {
            let count = entry.count.load(Relaxed);
            (entry.check.load(Relaxed) ^ count == key).then_some(count)
        })
    }

    /// Stores a count: over the smallest of the kept ones if it is no larger, else in the last entry.
    #[inline(always)]
    pub(super) fn put(&self, key: Key, count: u64) {
        let Some(Bucket([kept @ .., last])) = self.bucket(key) else { return };
        let smallest = kept.iter().min_by_key(|entry| entry.count.load(Relaxed));
        match smallest {
            Some(entry) if entry.count.load(Relaxed) <= count => entry.store(key, count),
            _ => last.store(key, count),
        }
    }

    /// The high bits of the key choose the bucket, whatever their number is.
    #[inline(always)]
    fn bucket(&self, key: Key) -> Option<&Bucket> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_comes_back_and_nothing_else() {
        let table = CountTable::new(1).unwrap();
        assert_eq!(table.get(77), None);
        table.put(77, 5);
        table.put(u64::MAX, 0);
        assert_eq!((table.get(77), table.get(u64::MAX)), (Some(5), Some(0)));
        assert_eq!((table.get(78), table.get(77 ^ 5)), (None, None));
    }

    #[test]
    fn large_counts_outlast_small_ones() {
        let table = CountTable::new(1).unwrap();
        table.put(1, 1_000);
        (2..100).for_each(|key| table.put(key, 10));
        assert_eq!((table.get(1), table.get(99)), (Some(1_000), Some(10)));
    }

    #[test]
    fn a_torn_entry_is_no_entry() {
        let table = CountTable::new(1).unwrap();
        table.put(9, 3);
        for entry in &table.buckets[0].0 {
            entry.count.fetch_add(1, Relaxed);
        }
        assert_eq!(table.get(9), None);
    }

    #[test]
    fn absurd_sizes_are_refused_in_one_line() {
        for size in [0, u64::MAX, u64::MAX >> 20, 1 << 30] {
            let error = CountTable::new(size).err().expect("no such table");
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn the_same_position_at_another_depth_is_another_key() {
        let start = Position::startpos();
        let keys: Vec<u64> = (0..40).map(|depth| CountTable::key(&start, depth)).collect();
        let mut distinct = keys.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), keys.len());
    }
}
