//! Which squares a man attacks: tables for the leapers, look-ups by occupancy for the sliders.

mod geometry;
mod isa;
mod leapers;
mod magics;
mod sliders;

pub use geometry::{between, diagonals, line, lines};
pub use isa::{Isa, Kernel, Portable, cpu_path, dispatch, prefetch};
pub use leapers::{king, knight, pawn, pawn_attacks_of};

use crate::{Bitboard, Square};

/// One look-up by itself.
struct Look<const ROOK: bool>(Square, Bitboard);

impl<const ROOK: bool> Kernel for Look<ROOK> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Bitboard {
        if ROOK { isa.rook(self.0, self.1) } else { isa.bishop(self.0, self.1) }
    }
}

/// The squares a bishop attacks: for code that is not hot. Hot code is a [`Kernel`].
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    dispatch(Look::<false>(square, occupied))
}

/// The squares a rook attacks: for code that is not hot. Hot code is a [`Kernel`].
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    dispatch(Look::<true>(square, occupied))
}

/// The squares a queen attacks: for code that is not hot. Hot code is a [`Kernel`].
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}
