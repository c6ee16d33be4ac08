//! Who takes the generated moves: a list, or a counter.

use crate::{Bitboard, Move, MoveList, PieceKind, Square};

/// Takes moves in sets, as the generator finds them.
pub trait Sink {
    /// A man on `from` may go to each of `targets`; `kind` is a constant at every call.
    fn man<const WHITE: bool>(&mut self, kind: PieceKind, from: Square, targets: Bitboard);

    /// Pawns `delta` squares behind each of `targets` may go there.
    fn pawns<const WHITE: bool>(&mut self, targets: Bitboard, delta: i8);

    /// Pawns `delta` squares behind each of `targets` promote there.
    fn promotions(&mut self, targets: Bitboard, delta: i8);

    /// A single special move.
    fn one(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline(always)]
    fn man<const WHITE: bool>(&mut self, _: PieceKind, from: Square, targets: Bitboard) {
        self.extend(targets.map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: Bitboard, delta: i8) {
        self.extend(targets.map(|to| Move::normal(to.offset(-delta), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS.into_iter().rev() {
                self.push(Move::promotion(to.offset(-delta), to, kind));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without writing them down.
#[derive(Default)]
pub struct Counter(u32);

impl Counter {
    /// How many moves came.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0
    }
}

impl Sink for Counter {
    #[inline(always)]
    fn man<const WHITE: bool>(&mut self, _: PieceKind, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: Bitboard, _: i8) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * targets.count();
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}
