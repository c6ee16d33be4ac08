//! Who attacks a square; checks and pins.

use super::{EnPassant, Position};
use crate::attacks::{self, Isa, between};
use crate::{Bitboard, Color, PieceKind, Square};

impl Position {
    #[inline(always)]
    pub(crate) fn attackers<I: Isa>(&self, isa: I, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen);
        let straight = self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        let white = self.color(Color::White) & attacks::pawn(Color::Black, square);
        let black = self.color(Color::Black) & attacks::pawn(Color::White, square);
        (white | black) & self.kind(PieceKind::Pawn)
            | attacks::knight(square) & self.kind(PieceKind::Knight)
            | attacks::king(square) & self.kind(PieceKind::King)
            | isa.bishop(square, occupied) & diagonal
            | isa.rook(square, occupied) & straight
    }

    /// Whether a side attacks a square, given what stands in the way.
    #[inline(always)]
    pub(crate) fn is_attacked<I: Isa>(
        &self,
        isa: I,
        square: Square,
        by: Color,
        occupied: Bitboard,
    ) -> bool {
        (attacks::pawn(!by, square) & self.men(by, PieceKind::Pawn)
            | attacks::knight(square) & self.men(by, PieceKind::Knight)
            | attacks::king(square) & self.men(by, PieceKind::King)
            | isa.bishop(square, occupied) & self.diagonal_sliders(by)
            | isa.rook(square, occupied) & self.straight_sliders(by))
        .non_empty()
    }

    /// Finds the checkers and the pinned men of the side to move, which the caller names because it
    /// knows it at compile time.
    ///
    /// Only sliders on a line with the king matter, and there are few of them: walking through those
    /// is cheaper than four look-ups by occupancy. A pawn or knight can only give check by moving, so
    /// the caller knows those checkers too.
    #[inline(always)]
    pub(super) fn update_checks(&mut self, us: Color, leapers: Bitboard) {
        let them = !us;
        let king = self.king(us);
        let occupied = self.occupied();
        self.checkers = leapers;
        self.pinned = Bitboard::EMPTY;
        let (diagonal, straight) = attacks::lines(king);
        let aligned =
            diagonal & self.diagonal_sliders(them) | straight & self.straight_sliders(them);
        for slider in aligned {
            let blockers = between(king, slider) & occupied;
            if blockers.is_empty() {
                self.checkers |= slider.bb();
            } else if !blockers.several() {
                self.pinned |= blockers & self.color(us);
            }
        }
    }

    /// The pawns and knights that give check to a side.
    #[inline(always)]
    pub(super) fn leaper_checks(&self, us: Color) -> Bitboard {
        let king = self.king(us);
        attacks::knight(king) & self.men(!us, PieceKind::Knight)
            | attacks::pawn(us, king) & self.men(!us, PieceKind::Pawn)
    }

    /// Whether the side to move has a legal en passant capture on `target`.
    ///
    /// Both pawns leave the capturer's rank at once, so no pin sees every case: the board after the
    /// capture is looked at instead. Only a slider can attack the king there.
    #[inline(always)]
    pub(super) fn can_take_en_passant<I: Isa>(&self, isa: I, target: Square) -> bool {
        // A loop, not `any`: closures of iterators are compiled outside the kernel.
        for from in attacks::pawn(!self.side, target) & self.men(self.side, PieceKind::Pawn) {
            if self.en_passant_is_safe(isa, from, target) {
                return true;
            }
        }
        false
    }

    /// Whether the king is safe from sliders after `from` takes en passant on `target`.
    #[inline(always)]
    pub(crate) fn en_passant_is_safe<I: Isa>(&self, isa: I, from: Square, target: Square) -> bool {
        let us = self.side;
        let king = self.king(us);
        let captured = Square::at(target.file(), from.rank());
        let after = (self.occupied() ^ from.bb() ^ captured.bb()) | target.bb();
        !(isa.bishop(king, after).meets(self.diagonal_sliders(!us))
            || isa.rook(king, after).meets(self.straight_sliders(!us)))
    }

    /// Sets the en passant square if it can be taken.
    #[inline(always)]
    pub(super) fn set_en_passant<I: Isa>(&mut self, isa: I, target: Square) {
        if self.can_take_en_passant(isa, target) {
            self.en_passant = EnPassant::new(target);
        }
    }
}
