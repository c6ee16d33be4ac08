//! Opening books in Polyglot's format: keys, entries, reading and writing.
//!
//! A book is a sequence of entries of 16 bytes, all numbers with the highest byte first, in the order
//! of their keys. The format and its 781 random numbers are described in "Polyglot book format" by
//! Michel Van den Bergh (the page book_format.html of Polyglot's documentation), with reference keys.
//! A book knows positions, not games: every order of moves that leads to a position finds its entries
//! (M19, M33).
//!
//! A [`Book`] reads from anything that can seek and holds only one entry at a time, so that a book may
//! be larger than the memory. What it says is checked: moves come out only if they are legal.
//!
//! ```
//! use board::Position;
//! use board::polyglot::{Book, Entry, key};
//! use std::io::Cursor;
//!
//! let start = Position::startpos();
//! let mv = start.parse_uci("e2e4").unwrap();
//! let entry = Entry::new(&start, mv, 7);
//! let mut book = Book::open(Cursor::new(entry.to_bytes())).unwrap();
//! let moves = book.moves(&start).unwrap();
//! assert_eq!((moves.len(), moves[0].mv, moves[0].weight), (1, mv, 7));
//! assert_eq!(key(&start), 0x463b96181691fc9c);
//! ```
//!
//! **En passant.** By the description a double step counts in the key if a pawn of the side to move
//! stands beside it. A [`Position`](crate::Position) keeps the square only where the capture is legal,
//! so where that pawn is pinned our key is another one, and such a position is not found. It is left
//! at that: such positions are rare, and the book never gives a wrong move in them.

mod book;
mod entry;
mod key;
mod writer;

use crate::Move;
pub use book::{Book, BookError, Entries};
pub use entry::{ENTRY_BYTES, Entry};
pub use key::key;
pub use writer::BookWriter;

/// A legal move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How good or how frequent it is beside the others of its position. By the format's custom a
    /// move of weight 0 is known, but not to be played.
    pub weight: u16,
    /// For programs that learn.
    pub learn: u32,
}

/// The move of the greatest weight, the first of equal ones; none if all weights are 0.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let heaviest = moves.iter().map(|one| one.weight).max().filter(|&weight| weight > 0)?;
    moves.iter().find(|one| one.weight == heaviest).map(|one| one.mv)
}

/// A move chosen at random, each with the probability of its weight; none if all weights are 0.
/// `random` is any number of 64 random bits: the same one chooses the same move.
pub fn choose(moves: &[BookMove], random: u64) -> Option<Move> {
    let sum: u64 = moves.iter().map(|one| u64::from(one.weight)).sum();
    // The place of the number between 0 and 2⁶⁴, scaled to the sum: no weight is favoured.
    let mut left = ((u128::from(random) * u128::from(sum)) >> 64) as u64;
    for one in moves {
        match left.checked_sub(u64::from(one.weight)) {
            None => return Some(one.mv),
            Some(rest) => left = rest,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn moves(weights: &[u16]) -> Vec<BookMove> {
        let legal = Position::startpos().legal_moves();
        let book_move = |(&mv, &weight)| BookMove { mv, weight, learn: 0 };
        legal.iter().zip(weights).map(book_move).collect()
    }

    #[test]
    fn a_move_is_chosen_as_often_as_it_weighs() {
        let moves = moves(&[10, 0, 30, 60]);
        let mut counts = [0; 4];
        for step in 0..1000_u64 {
            let random = step * (u64::MAX / 1000);
            let chosen = choose(&moves, random).expect("weights are above 0");
            counts[moves.iter().position(|one| one.mv == chosen).expect("of the list")] += 1;
        }
        assert!(counts[1] == 0 && (99..=101).contains(&counts[0]), "{counts:?}");
        assert!((299..=301).contains(&counts[2]), "{counts:?}");
        assert_eq!(choose(&moves, u64::MAX), Some(moves[3].mv));
        assert_eq!(best(&moves), Some(moves[3].mv));
    }

    #[test]
    fn moves_of_weight_0_are_not_played() {
        for weights in [&[][..], &[0], &[0, 0]] {
            assert_eq!((best(&moves(weights)), choose(&moves(weights), 5)), (None, None));
        }
        let one = moves(&[0, 1]);
        assert!([0, 1, u64::MAX].iter().all(|&random| choose(&one, random) == Some(one[1].mv)));
    }
}
