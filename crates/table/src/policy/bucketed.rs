//! The policy for play: buckets of one cache line, with aging.
//!
//! A position may stand at any of the five places of its line. A new one displaces the entry that
//! is worth least: depth counts for it, and every search since it was written counts as much against
//! it as eight plies. So the deep entries of the present search stay, and what earlier moves of the
//! game left behind goes first.
//!
//! An entry of the same position is brought up to date instead, and so a position stands in a line
//! once only (unless two threads store it at the same moment).

use super::{PolicyKind, Rules};
use crate::entry::{Bound, Word};
use crate::line::{Line, Packed};
use board::Key;

/// Lines of five entries with aging, for tables of any size.
#[derive(Clone, Copy, Debug)]
pub struct Bucketed;

/// How many plies of depth one generation of age weighs.
const AGE_WEIGHT: i32 = 8;

/// An entry that is not exact may be this much shallower than the one it replaces, less one.
const SHALLOWER: i32 = 4;

/// Nodes of the principal variation may be shallower by this in addition.
const SHALLOWER_PV: i32 = 2;

impl Rules for Bucketed {
    type Line = Packed;

    const KIND: PolicyKind = PolicyKind::Bucketed;

    fn lines(at_most: usize) -> usize {
        at_most
    }

    /// The high half of a product: the key's place between 0 and 2⁶⁴, scaled to the lines. It needs
    /// no power of two and uses the high bits of the key; the low ones are the lock.
    #[inline(always)]
    fn line(key: Key, lines: usize) -> usize {
        ((u128::from(key) * lines as u128) >> 64) as usize
    }

    #[inline(always)]
    fn find(line: &Packed, key: Key) -> Option<Word> {
        (0..Packed::PLACES).find_map(|place| line.get(place, key))
    }

    #[inline]
    fn store(line: &Packed, key: Key, new: Word) {
        let (mut cheapest, mut least) = (0, i32::MAX);
        for place in 0..Packed::PLACES {
            if let Some(old) = line.get(place, key) {
                return line.set(place, key, updated(old, new));
            }
            let worth = worth(line.word(place), new.generation());
            if worth < least {
                (cheapest, least) = (place, worth);
            }
        }
        line.set(cheapest, key, new);
    }
}

/// What an entry is worth in a generation; an empty place is worth least.
#[inline(always)]
fn worth(word: Word, generation: u8) -> i32 {
    if word.is_empty() {
        return i32::MIN;
    }
    word.draft() - AGE_WEIGHT * age(word, generation)
}

/// How many searches ago an entry was written; generations go round.
#[inline(always)]
fn age(word: Word, generation: u8) -> i32 {
    i32::from(generation.wrapping_sub(word.generation()) % Word::GENERATIONS)
}

/// What is known about a position after an old entry and a new one.
///
/// A much deeper score of the same search stays, unless the new one is exact. The newest move is the
/// best guess in any case, and what the new entry does not know is taken from the old one.
#[inline(always)]
fn updated(old: Word, new: Word) -> Word {
    let allowance = SHALLOWER + if new.entry().pv { SHALLOWER_PV } else { 0 };
    let replaces = new.bound() == Bound::Exact
        || new.draft() + allowance > old.draft()
        || age(old, new.generation()) > 0;
    let (mut kept, other) = if replaces { (new, old) } else { (old, new) };
    let mover = if new.mv().is_none() { old } else { new };
    kept = kept.with_move_of(mover);
    if kept.has_eval() { kept } else { kept.with_eval_of(other) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::word;
    use super::*;
    use crate::memory::Memory;
    use crate::{Entry, TableError};
    use board::Move;

    fn depths(line: &Packed) -> Vec<i16> {
        (0..Packed::PLACES).map(|place| line.word(place).entry().depth).collect()
    }

    fn filled(generations: [u8; 5], depths: [i16; 5]) -> Result<Memory<Packed>, TableError> {
        let memory = Memory::new(1)?;
        for (place, (generation, depth)) in generations.into_iter().zip(depths).enumerate() {
            let entry = word(depth, 0, Bound::Lower, generation);
            Bucketed::store(&memory[0], place as u64, entry);
        }
        Ok(memory)
    }

    #[test]
    fn empty_places_are_filled_first() -> Result<(), TableError> {
        let memory = filled([0; 5], [9, 1, 8, 2, 7])?;
        assert_eq!(depths(&memory[0]), [9, 1, 8, 2, 7]);
        Ok(())
    }

    #[test]
    fn the_shallowest_entry_of_one_search_goes_first() -> Result<(), TableError> {
        let memory = filled([3; 5], [9, 4, 8, 2, 7])?;
        Bucketed::store(&memory[0], 77, word(1, 0, Bound::Upper, 3));
        assert_eq!(depths(&memory[0]), [9, 4, 8, 1, 7]);
        assert_eq!(Bucketed::find(&memory[0], 3), None);
        assert!(Bucketed::find(&memory[0], 77).is_some());
        Ok(())
    }

    #[test]
    fn an_old_entry_goes_before_a_new_one_that_is_less_deep() -> Result<(), TableError> {
        // 9 − 8 · 1 is less than 2; ages go round from 31 to 0.
        for (old, new) in [(3, 4), (31, 0)] {
            let memory = filled([new, new, old, new, new], [5, 4, 9, 2, 7])?;
            Bucketed::store(&memory[0], 77, word(1, 0, Bound::Upper, new));
            assert_eq!(depths(&memory[0]), [5, 4, 1, 2, 7]);
        }
        Ok(())
    }

    #[test]
    fn a_very_deep_old_entry_outlives_a_shallow_new_one() -> Result<(), TableError> {
        let memory = filled([4, 4, 3, 4, 4], [5, 4, 30, 2, 7])?;
        Bucketed::store(&memory[0], 77, word(1, 0, Bound::Upper, 4));
        assert_eq!(depths(&memory[0]), [5, 4, 30, 1, 7]);
        Ok(())
    }

    #[test]
    fn a_position_stands_in_its_line_once() -> Result<(), TableError> {
        let memory = filled([0; 5], [9, 1, 8, 2, 7])?;
        Bucketed::store(&memory[0], 2, word(12, 0, Bound::Lower, 0));
        assert_eq!(depths(&memory[0]), [9, 1, 12, 2, 7]);
        Ok(())
    }

    #[test]
    fn a_much_deeper_bound_of_the_same_search_stays() {
        let old = word(10, 1, Bound::Lower, 0);
        let score = |new| updated(old, new).entry().score;
        assert_eq!(score(word(6, 2, Bound::Upper, 0)), 1);
        assert_eq!(score(word(7, 2, Bound::Upper, 0)), 2);
        assert_eq!(score(word(1, 2, Bound::Exact, 0)), 2);
        assert_eq!(score(word(1, 2, Bound::Upper, 1)), 2);
        let pv = Entry { pv: true, ..word(5, 2, Bound::Upper, 0).entry() };
        assert_eq!(score(Word::pack(pv, 0)), 2);
    }

    #[test]
    fn what_the_new_entry_does_not_know_is_kept() {
        let old = word(10, 1, Bound::Lower, 0);
        let unknowing =
            Entry { mv: Move::NONE, eval: None, ..word(12, 2, Bound::Upper, 0).entry() };
        let kept = updated(old, Word::pack(unknowing, 0)).entry();
        assert_eq!((kept.mv, kept.eval, kept.score), (old.mv(), Some(1), 2));
    }

    #[test]
    fn a_deeper_score_takes_the_newer_move() {
        let old = word(20, 1, Bound::Lower, 0);
        let newer = Entry { mv: Move::from_bits(0x0456), ..word(2, 2, Bound::Lower, 0).entry() };
        let kept = updated(old, Word::pack(newer, 0)).entry();
        assert_eq!((kept.mv, kept.score, kept.depth), (newer.mv, 1, 20));
    }
}
