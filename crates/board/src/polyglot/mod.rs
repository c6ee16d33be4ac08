//! Opening books in Polyglot's format: keys, entries, reading and writing.
//!
//! A book is a sequence of entries of 16 bytes, all numbers with the highest byte first, in the order
//! of their keys. The format and its 781 random numbers are described in "Polyglot book format" by
//! Michel Van den Bergh (the page book_format.html of Polyglot's documentation), with reference keys.
//! A book knows positions, not games: it is met on every order of moves that leads there (M19, M33).
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
//! at that: a game meets it hardly ever, and never by a wrong move.

mod book;
mod choice;
mod entry;
mod key;
mod writer;

pub use book::{Book, BookError, Entries};
pub use choice::{BookMove, best, choose};
pub use entry::{ENTRY_BYTES, Entry};
pub use key::key;
pub use writer::BookWriter;
