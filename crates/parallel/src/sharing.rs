//! How processors or processes that have no memory in common share a table (Z33 to Z37, F13): the kinds, and
//! the filters that decide what is worth a message. The simulated machine and the cluster follow the same.

use board::Key;
use search::{Asker, Depth};
use table::{Bound, Entry};

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
    /// With this filter: a node under search is asked for when something is found for the node above it late.
    pub late_reads: bool,
    /// Whether nodes of depth 1 are worth a message where a cut-off is expected, or came: they are small.
    pub shallow_cuts: bool,
    /// A late answer that names another first move begins the node anew even when that move is done (Z34).
    pub restart_late: bool,
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
            late_reads: false,
            shallow_cuts: true,
            restart_late: false,
            write_from: 2,
            batch: 1,
            cache_kilobytes: 0,
        }
    }
}

impl TableSettings {
    /// Zugzwang's table of this size: spread out, read by Z35 without waiting, restarted by Z34, written by Z36.
    pub fn zugzwang(kilobytes: u64) -> TableSettings {
        TableSettings {
            kind: TableKind::Asynchronous,
            kilobytes,
            read_from: 1,
            read_below_known: true,
            late_reads: true,
            restart_late: true,
            ..TableSettings::default()
        }
    }

    /// A distributed table of this size as young brothers use it best: shallow nodes are worth a message too,
    /// since their transpositions are searched by others, unless a cut-off makes them small.
    pub fn for_young_brothers(kind: TableKind, kilobytes: u64) -> TableSettings {
        TableSettings {
            kind,
            kilobytes,
            read_from: 1,
            write_from: 1,
            shallow_cuts: false,
            cache_kilobytes: 256,
            ..TableSettings::default()
        }
    }

    /// Whether a node is worth a question to the home of its position (Z35).
    #[inline]
    pub fn asks(&self, asker: Asker) -> bool {
        let known = !self.read_below_known || asker.ply == 0 || asker.parent_known;
        let large = self.shallow_cuts || asker.depth > 1 || !asker.cut;
        asker.depth >= self.read_from && known && large
    }

    /// Whether others are told of an entry (Z36).
    #[inline]
    pub fn tells(&self, entry: &Entry) -> bool {
        let large = self.shallow_cuts || entry.depth > 1 || entry.bound != Bound::Lower;
        i32::from(entry.depth) >= self.write_from && large
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
    use board::Move;

    fn asker(depth: i32, ply: i32, parent_known: bool, cut: bool) -> Asker {
        Asker { depth, ply, parent_known, cut }
    }

    fn entry(depth: i16, bound: Bound) -> Entry {
        Entry { mv: Move::NONE, score: 0, eval: None, depth, bound, pv: false }
    }

    #[test]
    fn z33_a_position_lives_with_the_processor_that_its_key_names() {
        assert_eq!([home(130, 64), home(64, 64), home(63, 64), home(7, 1)], [2, 0, 63, 0]);
    }

    #[test]
    fn z35_the_root_is_read_and_what_has_a_known_parent() {
        let paper = TableSettings::zugzwang(1024);
        assert!(paper.asks(asker(5, 0, false, false)) && paper.asks(asker(1, 3, true, true)));
        assert!(!paper.asks(asker(5, 1, false, false)) && !paper.asks(asker(0, 3, true, false)));
    }

    #[test]
    fn z36_what_has_more_than_one_ply_below_it_is_written() {
        let paper = TableSettings::zugzwang(1024);
        assert!(paper.tells(&entry(2, Bound::Lower)) && !paper.tells(&entry(1, Bound::Upper)));
    }

    #[test]
    fn young_brothers_send_nothing_about_shallow_nodes_that_are_cut_off() {
        let ours = TableSettings::for_young_brothers(TableKind::Asynchronous, 1024);
        assert!(ours.asks(asker(1, 3, false, false)) && !ours.asks(asker(1, 3, false, true)));
        assert!(ours.asks(asker(2, 3, false, true)) && ours.tells(&entry(2, Bound::Lower)));
        assert!(ours.tells(&entry(1, Bound::Upper)) && !ours.tells(&entry(1, Bound::Lower)));
    }

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
