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

/// The squares a bishop attacks: for code that is not hot. Hot code is a [`Kernel`].
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Portable.bishop(square, occupied)
}

/// The squares a rook attacks: for code that is not hot. Hot code is a [`Kernel`].
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Portable.rook(square, occupied)
}

/// The squares a queen attacks: for code that is not hot. Hot code is a [`Kernel`].
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    Portable.queen(square, occupied)
}
