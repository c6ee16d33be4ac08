//! Which position may displace which: the replacement policies.
//!
//! A policy is a type without values. The trait [`Policy`] is what others may name; how a policy
//! works is in [`Rules`], which stays in this crate, so that no other policy can come from outside.

mod bucketed;
mod direct;
mod two_deep;

use board::Key;
use std::fmt;

use crate::entry::Word;
use crate::line::Line;
use crate::memory::Zeroed;

pub use bucketed::Bucketed;
pub use direct::Direct;
pub use two_deep::TwoDeep;

/// A replacement policy: [`Bucketed`], [`TwoDeep`] or [`Direct`].
pub trait Policy: Rules {}

impl<P: Rules> Policy for P {}

/// The policies by name, for options and files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum PolicyKind {
    /// [`Bucketed`].
    Bucketed = 1,
    /// [`TwoDeep`].
    TwoDeep = 2,
    /// [`Direct`].
    Direct = 3,
}

impl PolicyKind {
    /// All of them.
    pub const ALL: [PolicyKind; 3] =
        [PolicyKind::Bucketed, PolicyKind::TwoDeep, PolicyKind::Direct];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            PolicyKind::Bucketed => "bucketed",
            PolicyKind::TwoDeep => "two-deep",
            PolicyKind::Direct => "direct",
        }
    }
}

impl fmt::Display for PolicyKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// How a policy works.
pub trait Rules: Send + Sync + 'static {
    /// The lines that it fills.
    type Line: Zeroed;

    /// Its name.
    const KIND: PolicyKind;

    /// How many lines it uses of a number that there is memory for.
    fn lines(at_most: usize) -> usize;

    /// The line of a key, less than the number of lines.
    fn line(key: Key, lines: usize) -> usize;

    /// What the line knows about a key.
    fn find(line: &Self::Line, key: Key) -> Option<Word>;

    /// Puts an entry of the present generation into the line, if the rule lets it in.
    fn store(line: &Self::Line, key: Key, new: Word);

    /// How many entries of a generation the line holds.
    fn used(line: &Self::Line, generation: u8) -> usize {
        let of_generation =
            |word: Word| usize::from(!word.is_empty() && word.generation() == generation);
        (0..Self::Line::PLACES).map(|place| of_generation(line.word(place))).sum()
    }
}

/// The largest power of two that is not greater: the sizes of D26.
fn power_of_two(at_most: usize) -> usize {
    match at_most.checked_ilog2() {
        Some(bits) => 1 << bits,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Entry};
    use board::Move;

    /// An entry to be recognised by its depth and score.
    pub fn word(depth: i16, score: i16, bound: Bound, generation: u8) -> Word {
        let mv = Move::from_bits(0x0123);
        Word::pack(Entry { mv, score, eval: Some(score), depth, bound, pv: false }, generation)
    }

    fn keys_fill_all_lines_alike<P: Policy>(memory: usize) {
        let lines = P::lines(memory);
        let mut count = vec![0; lines];
        let mut key = 1u64;
        for _ in 0..lines * 100 {
            key = key.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            count[P::line(key ^ key >> 29, lines)] += 1;
        }
        assert!(count.iter().all(|&hits| (50..160).contains(&hits)), "{} lines: {count:?}", lines);
        assert!(P::line(u64::MAX, lines) < lines);
    }

    #[test]
    fn every_line_is_some_keys_line() {
        for memory in [1, 2, 3, 7, 100, 1000] {
            keys_fill_all_lines_alike::<Bucketed>(memory);
            keys_fill_all_lines_alike::<TwoDeep>(memory);
            keys_fill_all_lines_alike::<Direct>(memory);
        }
    }

    #[test]
    fn lines_of_hundreds_of_gigabytes_are_reached() {
        let lines = 3 << 33; // 1.5 TB
        assert_eq!(Bucketed::lines(lines), lines);
        assert_eq!(Bucketed::line(u64::MAX, lines), lines - 1);
        assert_eq!(TwoDeep::lines(lines), 1 << 34);
        assert_eq!(TwoDeep::line(u64::MAX, 1 << 34), (1 << 34) - 1);
    }

    #[test]
    fn d26_the_index_is_the_last_bits_of_the_key() {
        // Two slots share a line of TwoDeep and four one of Direct: the last bits choose the slot.
        let slot = |key| (TwoDeep::line(key, 8), key & 1);
        assert_eq!(slot(0xabc0), slot(0x1230));
        assert_ne!(slot(0xabc0), slot(0xabc1));
        assert_eq!(TwoDeep::line(0b1111, 8), 0b111);
        assert_eq!(Direct::line(0b1_1111, 8), 0b111);
    }
}
