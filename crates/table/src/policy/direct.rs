//! Marsland's table (M13, M5): one position per slot, one probe.
//!
//! A new entry is stored only if the old one's height is at most its depth. There is no aging: clear
//! the table between games. The slot is chosen by the last bits of the key (D26).

use super::{PolicyKind, Rules, power_of_two};
use crate::entry::Word;
use crate::line::{Line, Pairs};
use board::Key;

/// One position per slot, the deeper one stays (M5, M13); the size is a power of two (D26).
#[derive(Clone, Copy, Debug)]
pub struct Direct;

/// The place of a key in its line, which holds four slots.
#[inline(always)]
fn place(key: Key) -> usize {
    (key & 3) as usize
}

impl Rules for Direct {
    type Line = Pairs;

    const KIND: PolicyKind = PolicyKind::Direct;

    fn lines(at_most: usize) -> usize {
        power_of_two(at_most)
    }

    #[inline(always)]
    fn line(key: Key, lines: usize) -> usize {
        (key >> 2) as usize & (lines - 1)
    }

    #[inline(always)]
    fn find(line: &Pairs, key: Key) -> Option<Word> {
        line.get(place(key), key)
    }

    #[inline]
    fn store(line: &Pairs, key: Key, new: Word) {
        if line.word(place(key)).draft() <= new.draft() {
            line.set(place(key), key, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::word;
    use super::*;
    use crate::memory::Memory;
    use crate::{Bound, TableError};

    #[test]
    fn m5_an_entry_is_stored_only_over_one_that_is_not_deeper() -> Result<(), TableError> {
        let memory = Memory::new(1)?;
        let (a, b) = (0x1000, 0x2000);
        let store = |key, depth| {
            Direct::store(&memory[0], key, word(depth, 0, Bound::Lower, 0));
            [a, b].map(|key| Direct::find(&memory[0], key).map(|word| word.entry().depth))
        };
        assert_eq!(store(a, 5), [Some(5), None]);
        assert_eq!(store(b, 4), [Some(5), None]);
        assert_eq!(store(a, 4), [Some(5), None]);
        assert_eq!(store(b, 5), [None, Some(5)]);
        assert_eq!(store(b, 6), [None, Some(6)]);
        Ok(())
    }
}
