//! The moves of each kind of man.

use super::{GenerationContext, Sink, Stage};
use crate::attacks::{self, Isa, between, line};
use crate::position::castling_targets;
use crate::{Bitboard, Color, Move, PieceKind, Square};

impl<I: Isa> GenerationContext<'_, I> {
    /// The king goes where no enemy attacks once it has left its square.
    #[inline(always)]
    pub fn king_moves<S: Sink, const WHITE: bool>(&self, wanted: Bitboard, sink: &mut S) {
        let them = Color::from_white(!WHITE);
        let mut targets = attacks::king(self.king) & wanted;
        let without_king = self.occupied ^ self.king.bb();
        for to in targets {
            if self.position.is_attacked(self.isa, to, them, without_king) {
                targets ^= to.bb();
            }
        }
        sink.man::<WHITE>(PieceKind::King, self.king, targets);
    }

    /// Castling, in the form that covers Chess960: all squares that king and rook cross or enter must
    /// be free of other men, those of the king also unattacked. The rook may have been the king's
    /// shield on the back rank, so the target square is looked at without it, also where the king
    /// already stands on it.
    #[inline(always)]
    pub fn castling<S: Sink, const WHITE: bool>(&self, sink: &mut S) {
        let us = Color::from_white(WHITE);
        for rook in self.position.castling_rooks(us) {
            let (king_to, rook_to) = castling_targets(self.king, rook);
            let others = self.occupied ^ self.king.bb() ^ rook.bb();
            let king_path = between(self.king, king_to) | king_to.bb();
            let path = king_path | between(rook, rook_to) | rook_to.bb();
            if others.meets(path) {
                continue;
            }
            let mut attacked = false;
            for square in king_path {
                attacked |= self.position.is_attacked(self.isa, square, !us, others);
            }
            if !attacked {
                sink.one(Move::castling(self.king, rook));
            }
        }
    }

    #[inline(always)]
    pub fn knight_moves<S: Sink, const WHITE: bool>(&self, sink: &mut S) {
        let us = Color::from_white(WHITE);
        // A pinned knight can never stay on its line.
        for from in self.position.men(us, PieceKind::Knight).without(self.position.pinned()) {
            sink.man::<WHITE>(PieceKind::Knight, from, attacks::knight(from) & self.targets);
        }
    }

    #[inline(always)]
    pub fn slider_moves<S: Sink, const WHITE: bool>(&self, sink: &mut S) {
        let us = Color::from_white(WHITE);
        let men = self.position.color(us);
        let free = men.without(self.position.pinned());
        for kind in [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            for from in free & self.position.kind(kind) {
                sink.man::<WHITE>(kind, from, self.slider_attacks(kind, from) & self.targets);
            }
        }
        let pinned = men & self.position.pinned();
        if pinned.is_empty() {
            return;
        }
        for kind in [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            for from in pinned & self.position.kind(kind) {
                let along = self.targets & line(self.king, from);
                sink.man::<WHITE>(kind, from, self.slider_attacks(kind, from) & along);
            }
        }
    }

    #[inline(always)]
    fn slider_attacks(&self, kind: PieceKind, from: Square) -> Bitboard {
        match kind {
            PieceKind::Bishop => self.isa.bishop(from, self.occupied),
            PieceKind::Rook => self.isa.rook(from, self.occupied),
            _ => self.isa.queen(from, self.occupied),
        }
    }

    /// Pawns move as sets. A pinned pawn on the king's file may only push, one on a diagonal of the
    /// king may only capture along that diagonal: each direction has its own set of free pawns.
    #[inline(always)]
    pub fn pawn_moves<S: Sink, const WHITE: bool>(&self, sink: &mut S) {
        let us = Color::from_white(WHITE);
        let pawns = self.position.men(us, PieceKind::Pawn);
        let promoting = Bitboard::rank(if WHITE { 6 } else { 1 });
        let pinned = self.position.pinned();
        let free = |line: Bitboard| pawns & (!pinned | line);
        let (up, west, east) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let king_file = Bitboard::file(self.king.file());
        let (rising, falling) = attacks::diagonals(self.king);
        let (west_line, east_line) = if WHITE { (falling, rising) } else { (rising, falling) };
        let pushers = free(king_file);
        let westward = free(west_line).without(Bitboard::FILE_A);
        let eastward = free(east_line).without(Bitboard::FILE_H);
        let enemies = self.position.color(!us) & self.resolving;
        let empty = !self.occupied;

        if self.stage != Stage::Captures {
            let single = pushers.without(promoting).shift(up) & empty;
            let double_rank = Bitboard::rank(if WHITE { 3 } else { 4 });
            let double = single.shift(up) & empty & double_rank;
            sink.pawns::<WHITE>(single & self.resolving, up);
            sink.pawns::<WHITE>(double & self.resolving, up * 2);
        }
        if self.stage == Stage::Quiets {
            return;
        }
        sink.pawns::<WHITE>(westward.without(promoting).shift(west) & enemies, west);
        sink.pawns::<WHITE>(eastward.without(promoting).shift(east) & enemies, east);
        if pawns.meets(promoting) {
            sink.promotions((westward & promoting).shift(west) & enemies, west);
            sink.promotions((eastward & promoting).shift(east) & enemies, east);
            sink.promotions((pushers & promoting).shift(up) & empty & self.resolving, up);
        }
        if let Some(target) = self.position.en_passant() {
            self.en_passant_moves::<S, WHITE>(pawns, target, sink);
        }
    }

    #[inline(always)]
    fn en_passant_moves<S: Sink, const WHITE: bool>(
        &self,
        pawns: Bitboard,
        target: Square,
        sink: &mut S,
    ) {
        let them = Color::from_white(!WHITE);
        for from in attacks::pawn(them, target) & pawns {
            if self.position.en_passant_is_safe(self.isa, from, target) {
                sink.one(Move::en_passant(from, target));
            }
        }
    }
}
