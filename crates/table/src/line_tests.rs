//! Tests of the lines. They stand apart because `line.rs` is also compiled for tests/interleavings.rs,
//! over other primitives.

use crate::entry::Word;
use crate::line::{LINE_BYTES, Line, Packed, Pairs};
use crate::memory::Memory;

#[test]
fn a_line_is_one_cache_line() {
    assert_eq!((size_of::<Packed>(), align_of::<Packed>()), (LINE_BYTES, LINE_BYTES));
    assert_eq!((size_of::<Pairs>(), align_of::<Pairs>()), (LINE_BYTES, LINE_BYTES));
}

#[test]
fn d24_the_papers_entry_of_119_bits_has_room_with_its_whole_key() {
    assert_eq!(LINE_BYTES * 8 / Pairs::PLACES, 128);
}

/// What one line holds with the lock of one write and the content of another.
fn torn<L: Line>(line: &L, mix: impl Fn([u64; 8], [u64; 8]) -> [u64; 8]) {
    let (key, other) = (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210);
    let (word, another) = (Word(0x0009_0000_0011_0777), Word(0x0009_0000_0011_0778));
    line.set(0, key, word);
    let first = line.to_words();
    line.set(0, other, another);
    let second = line.to_words();
    assert_eq!(line.get(0, other), Some(another));
    line.set_words(mix(first, second));
    assert_eq!(line.get(0, key), None);
    assert_eq!(line.get(0, other), None);
}

#[test]
fn a_lock_beside_the_content_of_another_position_is_not_believed() -> Result<(), crate::TableError>
{
    let swap_contents = |place: usize| {
        move |first: [u64; 8], mut second: [u64; 8]| {
            second[place] = first[place];
            second
        }
    };
    torn(&Memory::<Packed>::new(1)?[0], swap_contents(0));
    torn(&Memory::<Pairs>::new(1)?[0], swap_contents(1));
    Ok(())
}

#[test]
fn an_empty_place_is_no_entry_of_key_0() -> Result<(), crate::TableError> {
    assert_eq!(Memory::<Packed>::new(1)?[0].get(0, 0), None);
    assert_eq!(Memory::<Pairs>::new(1)?[0].get(0, 0), None);
    Ok(())
}

#[test]
fn the_words_of_a_line_are_all_of_it() -> Result<(), crate::TableError> {
    fn check<L: Line>(line: &L) {
        let words = std::array::from_fn(|index| 0x0101_0101_0202_0202 * (index as u64 + 1));
        line.set_words(words);
        assert_eq!(line.to_words(), words);
    }
    check(&Memory::<Packed>::new(1)?[0]);
    check(&Memory::<Pairs>::new(1)?[0]);
    Ok(())
}
