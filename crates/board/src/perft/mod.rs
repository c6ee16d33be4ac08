//! Counting the leaves of the tree of legal moves: the test of every generator (D13).
//!
//! [`perft`] and [`perft_playing_all`] are the plain counts. [`Counting`] counts the same on several
//! threads and with a shared table of counts; [`suite`] reads files of expected counts.

mod counting;
mod hashed;
mod playing;
pub mod suite;
mod table;

pub use counting::Counting;
pub use table::{CountTable, TableError};

use playing::Single;

use crate::attacks::{Isa, Kernel, dispatch};
use crate::generate::{Counter, generate};
use crate::{MoveList, Position, Stage};

/// The deepest count that the tools accept. No position that is not locked up gets near it, and a
/// recursion of this depth fits on the stack of any thread.
pub const MAX_DEPTH: u32 = 255;

/// The number of legal lines of `depth` half-moves; the last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    dispatch(Bulk(position, depth))
}

/// As [`perft`], but every move of every ply is played.
pub fn perft_playing_all(position: &Position, depth: u32) -> u64 {
    dispatch(Single(position, depth))
}

struct Bulk<'a>(&'a Position, u32);

impl Kernel for Bulk<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Bulk(position, depth) = self;
        match depth {
            0 => 1,
            1 => {
                let mut counter = Counter::default();
                generate(isa, position, Stage::All, &mut counter);
                u64::from(counter.count())
            }
            _ => {
                let mut moves = MoveList::new();
                generate(isa, position, Stage::All, &mut moves);
                let mut leaves = 0;
                for &mv in moves.iter() {
                    let mut next = *position;
                    position.make_on(isa, mv, &mut next);
                    leaves += isa.call(Bulk(&next, depth - 1));
                }
                leaves
            }
        }
    }
}
