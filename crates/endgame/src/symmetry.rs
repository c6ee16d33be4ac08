//! The symmetries of the board: which placements of the two kings are told apart.
//!
//! Without pawns all eight mirror images of a position are one: White's king is brought into the
//! triangle a1–d1–d4 and, if it stands on the long diagonal, Black's king below it. 462 pairs are left.
//! With pawns only left and right can be exchanged: White's king is brought to the files a to d, and
//! 1806 pairs are left.

use board::{Square, attacks};
use std::sync::LazyLock;

/// Pairs of kings without pawns.
pub const PAIRS: usize = 462;
/// Pairs of kings with pawns.
pub const PAIRS_WITH_PAWNS: usize = 1806;
/// The bit of a transformation that mirrors at the long diagonal, after the others.
pub const DIAGONAL: usize = 4;
/// No pair: the kings touch.
const NONE: u16 = u16::MAX;

/// Where the pair of kings belongs.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The number of the pair.
    pub number: u16,
    /// The transformation that brings it there.
    pub transformation: u8,
    /// Whether both kings stand on the long diagonal then, so that its mirroring is still free.
    pub on_diagonal: bool,
}

/// All tables of this module.
pub struct Symmetry {
    pairs: Box<[[Pair; 64]; 64]>,
    squares: Vec<[u8; 2]>,
    pairs_with_pawns: Box<[[u16; 64]; 64]>,
    squares_with_pawns: Vec<[u8; 2]>,
    /// Where each of the eight transformations takes a square.
    pub images: [[u8; 64]; 8],
}

/// The tables, computed at first use.
pub static SYMMETRY: LazyLock<Symmetry> = LazyLock::new(Symmetry::new);

/// Mirrors left to right for bit 0, top to bottom for bit 1, then at the diagonal for bit 2.
fn image(transformation: usize, square: u8) -> u8 {
    let flipped = square
        ^ if transformation & 1 != 0 { 7 } else { 0 }
        ^ if transformation & 2 != 0 { 56 } else { 0 };
    if transformation & DIAGONAL != 0 { flipped >> 3 | (flipped & 7) << 3 } else { flipped }
}

/// Whether a square lies on the long diagonal a1–h8.
pub const fn is_on_diagonal(square: u8) -> bool {
    square >> 3 == square & 7
}

fn touch(one: u8, other: u8) -> bool {
    one == other || attacks::king(Square::new(one)).has(Square::new(other))
}

impl Symmetry {
    fn new() -> Symmetry {
        let images = std::array::from_fn(|transformation| {
            std::array::from_fn(|square| image(transformation, square as u8))
        });
        let nowhere = Pair { number: NONE, transformation: 0, on_diagonal: false };
        let mut symmetry = Symmetry {
            pairs: Box::new([[nowhere; 64]; 64]),
            squares: Vec::new(),
            pairs_with_pawns: Box::new([[NONE; 64]; 64]),
            squares_with_pawns: Vec::new(),
            images,
        };
        symmetry.number_pairs();
        for white in 0..64u8 {
            for black in 0..64u8 {
                if !touch(white, black) {
                    symmetry.find_pair(white, black);
                }
            }
        }
        symmetry
    }

    /// Numbers the pairs that stand for all others.
    fn number_pairs(&mut self) {
        for white in 0..64u8 {
            let (file, rank) = (white & 7, white >> 3);
            for black in (0..64u8).filter(|&black| !touch(white, black)) {
                if file < 4 && rank <= file {
                    let below = black >> 3 <= black & 7;
                    if rank < file || below {
                        let pair = &mut self.pairs[usize::from(white)][usize::from(black)];
                        pair.number = self.squares.len() as u16;
                        pair.on_diagonal = is_on_diagonal(white) && is_on_diagonal(black);
                        self.squares.push([white, black]);
                    }
                }
                if file < 4 {
                    self.pairs_with_pawns[usize::from(white)][usize::from(black)] =
                        self.squares_with_pawns.len() as u16;
                    self.squares_with_pawns.push([white, black]);
                }
            }
        }
    }

    /// Finds the transformation that takes a pair to one that has a number.
    fn find_pair(&mut self, white: u8, black: u8) {
        for transformation in 0..8 {
            let map = &self.images[transformation];
            let (to_white, to_black) = (map[usize::from(white)], map[usize::from(black)]);
            let target = self.pairs[usize::from(to_white)][usize::from(to_black)];
            // Pairs with a number of their own map to themselves by transformation 0.
            let is_representative = self
                .squares
                .get(usize::from(target.number))
                .is_some_and(|pair| *pair == [to_white, to_black]);
            if is_representative {
                let pair = &mut self.pairs[usize::from(white)][usize::from(black)];
                *pair = Pair { transformation: transformation as u8, ..target };
                return;
            }
        }
    }

    /// Where a pair belongs, without pawns. The kings must not touch.
    #[inline(always)]
    pub fn pair(&self, white: u8, black: u8) -> Pair {
        self.pairs[usize::from(white & 63)][usize::from(black & 63)]
    }

    /// The number of a pair, with pawns; White's king stands on the files a to d and the kings do not
    /// touch.
    #[inline(always)]
    pub fn pair_with_pawns(&self, white: u8, black: u8) -> u16 {
        self.pairs_with_pawns[usize::from(white & 63)][usize::from(black & 63)]
    }

    /// The squares of the kings of a pair, White's first.
    #[inline(always)]
    pub fn kings(&self, pair: usize, pawns: bool) -> [u8; 2] {
        if pawns { self.squares_with_pawns[pair] } else { self.squares[pair] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_and_1806_pairs_of_kings() {
        assert_eq!(SYMMETRY.squares.len(), PAIRS);
        assert_eq!(SYMMETRY.squares_with_pawns.len(), PAIRS_WITH_PAWNS);
    }

    #[test]
    fn every_pair_is_taken_to_its_representative() {
        for white in 0..64u8 {
            for black in (0..64u8).filter(|&black| !touch(white, black)) {
                let pair = SYMMETRY.pair(white, black);
                let map = &SYMMETRY.images[usize::from(pair.transformation)];
                let image = [map[usize::from(white)], map[usize::from(black)]];
                assert_eq!(SYMMETRY.kings(usize::from(pair.number), false), image);
                assert!(!pair.on_diagonal || pair.transformation & 4 == 0);
            }
        }
    }
}
