//! Keys that meet in few lines, and entries that can be told from their keys.

use board::Move;
use table::{Bound, Entry};

/// A pseudo-random sequence.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Scatters the bits of a number.
pub fn mix(number: u64) -> u64 {
    let once = (number ^ number >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let twice = (once ^ once >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    twice ^ twice >> 31
}

/// The key number `id` of those that share the line or slot number `slot` in a table of 1 MB,
/// whether that is chosen by the first bits of the key or by the last.
pub fn key(slot: u64, id: u64) -> u64 {
    assert!(slot < 1 << 14 && id < 1 << 12);
    slot << 50 | id << 20 | slot
}

/// The entry of a key in one of several versions; a foreign entry is recognised by it.
pub fn entry_of(key: u64, version: u64, depth: i16) -> Entry {
    let bits = mix(key ^ version << 56);
    Entry {
        mv: Move::from_bits(version as u16 + 1),
        score: bits as i16,
        eval: Some((mix(key) >> 48) as i16 | 1),
        depth,
        bound: if bits >> 16 & 1 == 0 { Bound::Lower } else { Bound::Upper },
        pv: bits >> 17 & 1 == 0,
    }
}

/// Whether an entry is one of the versions of a key's entry.
pub fn belongs_to(entry: Entry, key: u64) -> bool {
    let version = u64::from(entry.mv.bits()).wrapping_sub(1);
    entry == entry_of(key, version, entry.depth)
}
