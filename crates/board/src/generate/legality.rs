//! Questions about single moves: is it legal here, does it give check?

use crate::attacks::{self, Isa, Kernel, between, dispatch, line};
use crate::position::castling_targets;
use crate::{Bitboard, Move, MoveKind, PieceKind, Position, Square};

/// What is needed to see quickly which moves give check; the same for all moves of a position.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// From where a man of each kind attacks the opponent's king.
    pub squares: [Bitboard; 6],
    /// Our men that uncover an attack on the opponent's king when they leave its line.
    pub discoverers: Bitboard,
    /// The opponent's king.
    pub king: Square,
}

impl Position {
    /// Prepares [`Position::gives_check`].
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        struct Prepare<'a>(&'a Position);
        impl Kernel for Prepare<'_> {
            type Output = CheckInfo;
            #[inline(always)]
            fn run<I: Isa>(self, isa: I) -> CheckInfo {
                self.0.check_info_on(isa)
            }
        }
        dispatch(Prepare(self))
    }

    #[inline(always)]
    pub(crate) fn check_info_on<I: Isa>(&self, isa: I) -> CheckInfo {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let (bishop, rook) = (isa.bishop(king, occupied), isa.rook(king, occupied));
        let own = self.color(us);
        let behind = isa.bishop(king, occupied ^ (bishop & own)) & self.diagonal_sliders(us)
            | isa.rook(king, occupied ^ (rook & own)) & self.straight_sliders(us);
        let discoverers = behind
            .fold(Bitboard::EMPTY, |found, slider| found | between(king, slider))
            & own
            & (bishop | rook);
        CheckInfo {
            squares: [
                attacks::pawn(!us, king),
                attacks::knight(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ],
            discoverers,
            king,
        }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, checks: &CheckInfo, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };
        match mv.kind() {
            MoveKind::Normal => {
                checks.squares[piece.kind().index()].has(to)
                    || checks.discoverers.has(from) && !line(from, to).has(checks.king)
            }
            _ => self.special_gives_check(checks, mv),
        }
    }

    /// Promotions, en passant and castling change several squares: look at the board afterwards.
    #[cold]
    fn special_gives_check(&self, checks: &CheckInfo, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side_to_move();
        let occupied = self.occupied();
        let sliders_see = |after: Bitboard, new_diagonal: Bitboard, new_straight: Bitboard| {
            let diagonal = self.diagonal_sliders(us) & after | new_diagonal;
            let straight = self.straight_sliders(us) & after | new_straight;
            attacks::bishop(checks.king, after).meets(diagonal)
                || attacks::rook(checks.king, after).meets(straight)
        };
        match mv.kind() {
            MoveKind::Normal => false,
            MoveKind::Promotion => {
                let after = occupied.without(from.bb()) | to.bb();
                let becomes = |kinds: &[PieceKind]| match mv.promoted() {
                    Some(kind) if kinds.contains(&kind) => to.bb(),
                    _ => Bitboard::EMPTY,
                };
                becomes(&[PieceKind::Knight]).meets(attacks::knight(checks.king))
                    || sliders_see(
                        after,
                        becomes(&[PieceKind::Bishop, PieceKind::Queen]),
                        becomes(&[PieceKind::Rook, PieceKind::Queen]),
                    )
            }
            MoveKind::EnPassant => {
                let captured = Square::at(to.file(), from.rank());
                let after = occupied.without(from.bb() | captured.bb()) | to.bb();
                checks.squares[PieceKind::Pawn.index()].has(to)
                    || sliders_see(after, Bitboard::EMPTY, Bitboard::EMPTY)
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                let after = occupied.without(from.bb() | to.bb()) | king_to.bb() | rook_to.bb();
                sliders_see(after, Bitboard::EMPTY, rook_to.bb())
            }
        }
    }

    /// Whether any 16 bits are a legal move here. A move from a table may belong to another position
    /// with the same key, or be damaged: it is asked before it is played (D28).
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        struct Ask<'a>(&'a Position, Move);
        impl Kernel for Ask<'_> {
            type Output = bool;
            #[inline(always)]
            fn run<I: Isa>(self, isa: I) -> bool {
                self.0.is_legal_on(isa, self.1)
            }
        }
        dispatch(Ask(self, mv))
    }

    #[inline(always)]
    fn is_legal_on<I: Isa>(&self, isa: I, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if mv.kind() != MoveKind::Normal || mv.bits() >> 12 != 0 {
            // Rare: let the generator decide, which knows every rule.
            return self.legal_moves().contains(&mv);
        }
        if self.color(us).has(to) {
            return false;
        }
        let occupied = self.occupied();
        let reaches = match piece.kind() {
            PieceKind::Pawn => return self.is_legal_pawn_move(from, to),
            PieceKind::King => {
                return attacks::king(from).has(to)
                    && !self.is_attacked(isa, to, !us, occupied ^ from.bb());
            }
            PieceKind::Knight => attacks::knight(from),
            PieceKind::Bishop => isa.bishop(from, occupied),
            PieceKind::Rook => isa.rook(from, occupied),
            PieceKind::Queen => isa.queen(from, occupied),
        };
        reaches.has(to) && self.keeps_king_safe(from, to)
    }

    /// Whether a man other than the king may go from here to there as far as checks and pins go.
    #[inline(always)]
    pub(crate) fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side_to_move());
        let checkers = self.checkers();
        let resolves = checkers.is_empty()
            || !checkers.several() && (between(king, checkers.lowest()) | checkers).has(to);
        resolves && (!self.pinned().has(from) || line(king, from).has(to))
    }

    /// A pawn move that is neither a promotion nor en passant.
    fn is_legal_pawn_move(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move();
        if to.rank_for(us) == 7 {
            return false;
        }
        let forward = if us == crate::Color::White { 8 } else { -8 };
        let empty = !self.occupied();
        let reaches = if attacks::pawn(us, from).has(to) {
            self.color(!us).has(to)
        } else {
            let single = from.bb().shift(forward) & empty;
            let double = single.shift(forward) & empty;
            single.has(to) || from.rank_for(us) == 1 && double.has(to)
        };
        reaches && self.keeps_king_safe(from, to)
    }
}
