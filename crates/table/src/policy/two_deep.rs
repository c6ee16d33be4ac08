//! DarkSight's policy "two-deep" (D27): two positions per slot.
//!
//! A new position that was searched deeper than the first one of its slot takes its place, and the
//! first moves to the second; any other new position takes the second place. So the first place
//! keeps what was expensive and the second what is recent. There is no aging. The slot is chosen by
//! the last bits of the key (D26), and so the number of slots is a power of two: memory beyond that
//! stays unused.
//!
//! The rule does not say what happens to a position that is in the first place already. Here the
//! deeper of the two entries stays, and the newer of two equal ones: a second copy would only take
//! the place of another position.

use super::{PolicyKind, Rules, power_of_two};
use crate::entry::Word;
use crate::line::{Line, Pairs};
use board::Key;

/// Two positions per slot, the deeper and the newer (D27); the size is a power of two (D26).
#[derive(Clone, Copy, Debug)]
pub struct TwoDeep;

/// The first place of a key's slot in its line, which holds two slots.
#[inline(always)]
fn first_place(key: Key) -> usize {
    2 * (key & 1) as usize
}

impl Rules for TwoDeep {
    type Line = Pairs;

    const KIND: PolicyKind = PolicyKind::TwoDeep;

    fn lines(at_most: usize) -> usize {
        power_of_two(at_most)
    }

    #[inline(always)]
    fn line(key: Key, lines: usize) -> usize {
        (key >> 1) as usize & (lines - 1)
    }

    #[inline(always)]
    fn find(line: &Pairs, key: Key) -> Option<Word> {
        let first = first_place(key);
        line.get(first, key).or_else(|| line.get(first + 1, key))
    }

    #[inline]
    fn store(line: &Pairs, key: Key, new: Word) {
        let first = first_place(key);
        match line.get(first, key) {
            Some(old) if new.draft() < old.draft() => {}
            Some(_) => line.set(first, key, new),
            None if new.draft() > line.word(first).draft() => {
                line.copy(first, first + 1);
                line.set(first, key, new);
            }
            None => line.set(first + 1, key, new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::word;
    use super::*;
    use crate::memory::Memory;
    use crate::{Bound, TableError};

    const A: u64 = 0x1000;
    const B: u64 = 0x2000;
    const C: u64 = 0x3000;

    /// The depths found for A, B and C after storing in turn.
    fn found(stores: &[(u64, i16)]) -> Result<[Option<i16>; 3], TableError> {
        let memory = Memory::new(1)?;
        for &(key, depth) in stores {
            TwoDeep::store(&memory[0], key, word(depth, 0, Bound::Exact, 0));
        }
        Ok([A, B, C].map(|key| TwoDeep::find(&memory[0], key).map(|word| word.entry().depth)))
    }

    #[test]
    fn d27_a_deeper_position_moves_the_first_to_the_second_place() -> Result<(), TableError> {
        assert_eq!(found(&[(A, 5), (B, 6)])?, [Some(5), Some(6), None]);
        // A has moved to the second place, where the next deeper one pushes it out.
        assert_eq!(found(&[(A, 5), (B, 6), (C, 7)])?, [None, Some(6), Some(7)]);
        Ok(())
    }

    #[test]
    fn d27_any_other_position_takes_the_second_place() -> Result<(), TableError> {
        assert_eq!(found(&[(A, 5), (B, 5)])?, [Some(5), Some(5), None]);
        assert_eq!(found(&[(A, 5), (B, 5), (C, 1)])?, [Some(5), None, Some(1)]);
        Ok(())
    }

    #[test]
    fn d27_a_position_in_the_second_place_may_become_the_first() -> Result<(), TableError> {
        assert_eq!(found(&[(A, 5), (B, 1), (B, 6)])?, [Some(5), Some(6), None]);
        assert_eq!(found(&[(A, 5), (B, 1), (B, 6), (C, 2)])?, [None, Some(6), Some(2)]);
        Ok(())
    }

    #[test]
    fn d27_a_position_is_in_one_place_only() -> Result<(), TableError> {
        assert_eq!(found(&[(A, 5), (B, 3), (A, 4)])?, [Some(5), Some(3), None]);
        assert_eq!(found(&[(A, 5), (B, 3), (A, 9)])?, [Some(9), Some(3), None]);
        Ok(())
    }

    #[test]
    fn d27_the_newer_of_two_equally_deep_entries_stays() -> Result<(), TableError> {
        let memory = Memory::new(1)?;
        for score in [1, 2] {
            TwoDeep::store(&memory[0], A, word(5, score, Bound::Exact, 0));
        }
        assert_eq!(TwoDeep::find(&memory[0], A).map(|word| word.entry().score), Some(2));
        Ok(())
    }

    #[test]
    fn d26_slots_of_one_line_do_not_meet() -> Result<(), TableError> {
        let memory = Memory::new(1)?;
        for key in [A, B, A | 1, B | 1] {
            TwoDeep::store(&memory[0], key, word(5, 0, Bound::Exact, 0));
        }
        assert!([A, B, A | 1, B | 1].iter().all(|&key| TwoDeep::find(&memory[0], key).is_some()));
        Ok(())
    }
}
