//! How processors or processes that have no memory in common share a table (Z33 to Z37, F13): the kinds, and
//! the filters that decide what is worth a message. The simulated machine and the cluster follow the same.

use board::Key;
use search::{Asker, Depth};
use table::Entry;

named! {
    /// How the processors share what they know.
    TableKind, "table" {
        /// One for all, as fast as one's own: an ideal.
        Shared "shared",
        /// Each knows only what it found itself (F14).
        Local "local",
        /// Each has a whole one, and tells all others what it stores.
        Replicated "replicated",
        /// Spread out; a reader waits for the answer (F13).
        Blocking "blocking",
        /// Spread out; a reader goes on and begins anew if need be (Z34).
        Asynchronous "asynchronous",
    }
}

impl TableKind {
    /// Whether it is spread out: every position has a home.
    pub const fn is_apart(self) -> bool {
        matches!(self, TableKind::Blocking | TableKind::Asynchronous)
    }

    /// Whether there are no messages about it.
    pub const fn is_silent(self) -> bool {
        matches!(self, TableKind::Shared | TableKind::Local)
    }
}

/// The choices of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSettings {
    /// How it is shared.
    pub kind: TableKind,
    /// Kilobytes of all processors together.
    pub kilobytes: u64,
    /// Others are asked only at nodes of at least this depth.
    pub read_from: Depth,
    /// Others are asked only at the root and below nodes for which something was found (Z35).
    pub read_below_known: bool,
    /// Others are told only of nodes of at least this depth (Z36: 2).
    pub write_from: Depth,
    /// Writes to one home that are sent together (Z44).
    pub batch: u32,
    /// Kilobytes in which each keeps what it knows about positions that live elsewhere; 0 for none.
    pub cache_kilobytes: u64,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings {
            kind: TableKind::Shared,
            kilobytes: 64 << 10,
            read_from: 2,
            read_below_known: false,
            write_from: 2,
            batch: 1,
            cache_kilobytes: 0,
        }
    }
}

impl TableSettings {
    /// Whether a node is worth a question to the home of its position (Z35).
    #[inline]
    pub fn asks(&self, asker: Asker) -> bool {
        let known = !self.read_below_known || asker.ply == 0 || asker.parent_known;
        asker.depth >= self.read_from && known
    }

    /// Whether others are told of an entry (Z36).
    #[inline]
    pub fn tells(&self, entry: &Entry) -> bool {
        i32::from(entry.depth) >= self.write_from
    }
}

/// Whose position it is, where the table is spread over `owners` (Z33).
#[inline]
pub fn home(key: Key, owners: u64) -> u64 {
    key % owners.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z33_d74_homes_are_spread_evenly_and_use_bits_that_the_place_does_not() {
        let keys = (0..64_000u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for owners in [1, 2, 7, 24, 64, 1000] {
            let mut counts = vec![0u64; owners as usize];
            keys.clone().for_each(|key| counts[home(key, owners) as usize] += 1);
            let mean = 64_000 / owners;
            assert!(counts.iter().all(|&count| count.abs_diff(mean) < mean / 2), "{owners}");
        }
        // Those of one home still reach every place of its table.
        let there = keys.filter(|&key| home(key, 64) == 5).map(|key| (key / 64) % 64);
        assert_eq!(there.collect::<std::collections::BTreeSet<_>>().len(), 64);
    }
}
