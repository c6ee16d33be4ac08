//! Who takes the generated moves: a list, a counter, or one who wants checks only.

use super::CheckInfo;
use crate::attacks::line;
use crate::{Bitboard, Move, MoveList, PieceKind, Position, Square};

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

/// Lets through the quiet moves that give check, as sets: few are left to be written down.
pub struct Checks<'a, S> {
    /// Where the moves are made.
    pub position: &'a Position,
    /// Which of them give check.
    pub checks: CheckInfo,
    /// Who takes those.
    pub sink: &'a mut S,
}

impl<S> Checks<'_, S> {
    /// Where a man of a kind gives check from, or by leaving its square.
    #[inline(always)]
    fn checking(&self, kind: PieceKind, from: Square) -> Bitboard {
        let direct = self.checks.squares[kind.index()];
        match self.checks.discoverers.has(from) {
            true => direct | !line(from, self.checks.king),
            false => direct,
        }
    }
}

impl<S: Sink> Sink for Checks<'_, S> {
    #[inline(always)]
    fn man<const WHITE: bool>(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        let targets = targets & self.checking(kind, from);
        self.sink.man::<WHITE>(kind, from, targets);
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: Bitboard, delta: i8) {
        let mut checking = targets & self.checks.squares[PieceKind::Pawn.index()];
        for from in targets.shift(-delta) & self.checks.discoverers {
            checking |= targets & from.offset(delta).bb() & self.checking(PieceKind::Pawn, from);
        }
        self.sink.pawns::<WHITE>(checking, delta);
    }

    #[inline(always)]
    fn promotions(&mut self, _: Bitboard, _: i8) {}

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        if self.position.gives_check(&self.checks, mv) {
            self.sink.one(mv);
        }
    }
}
