//! Pieces on squares: a weight by the half of the board that the own king is on, and one by the enemy
//! king's. Both are added in a table beforehand: an evaluation looks once instead of twice.

use crate::Tapered;
use crate::weights::*;
use board::{Color, Square};

/// The pieces that stand in the table.
#[derive(Clone, Copy)]
pub(crate) enum Placed {
    Knight,
    Bishop,
    Rook,
    Queen,
}

/// The first weights of a piece's squares, by the own king's half and by the enemy king's.
const TABLES: [[usize; 2]; 4] = [
    [KNIGHT_SQUARES, KNIGHT_AIM],
    [BISHOP_SQUARES, BISHOP_AIM],
    [ROOK_SQUARES, ROOK_AIM],
    [QUEEN_SQUARES, QUEEN_AIM],
];

/// Places of a piece: 64 squares as its side sees them, for four pairs of halves.
const PLACES: usize = 256;

static SUMS: [[Tapered; PLACES]; 4] = {
    let mut sums = [[Tapered::ZERO; PLACES]; 4];
    let mut index = 0;
    while index < 4 * PLACES {
        let [own, enemy] = weights_at(index / PLACES, index % PLACES);
        sums[index / PLACES][index % PLACES] = WEIGHTS[own].plus(WEIGHTS[enemy]);
        index += 1;
    }
    sums
};

/// What to flip in a square's number to have its place: the ends of the board for Black, and the pair of
/// halves that the own king and the enemy king are on.
#[inline(always)]
pub(crate) fn view(us: Color, own: Square, enemy: Square) -> usize {
    let ends = match us {
        Color::White => 0,
        Color::Black => 56,
    };
    let left = |king: Square| (king.file() < 4) as usize;
    left(own) << 7 | left(enemy) << 6 | ends
}

/// The two weights of a piece at a place. A king on the left half mirrors the files.
const fn weights_at(piece: usize, place: usize) -> [usize; 2] {
    let (square, halves) = (place % 64, place / 64);
    let [own, enemy] = TABLES[piece];
    let mirrored = [square ^ (7 * (halves >> 1)), square ^ (7 * (halves & 1))];
    [own + mirrored[0], enemy + mirrored[1]]
}

/// The two weights of a piece at a place.
pub(crate) fn weights(piece: Placed, place: usize) -> [usize; 2] {
    weights_at(piece as usize, place % PLACES)
}

/// Their sum.
#[inline(always)]
pub(crate) fn sum(piece: Placed, place: usize) -> Tapered {
    SUMS[piece as usize][place % PLACES]
}
