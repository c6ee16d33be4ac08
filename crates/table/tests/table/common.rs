//! Keys that share few lines, and entries that can be told from their keys.

use board::Move;
pub use board::random::SplitMix;
use table::{Bound, Entry};

/// Scatters the bits of a number.
pub fn mix(number: u64) -> u64 {
    SplitMix(number).next()
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
