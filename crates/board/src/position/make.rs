//! Playing a move (D12): a new position with every set, key and flag brought up to date.

use super::Position;
use crate::attacks::{self, Isa, Kernel, dispatch};
use crate::{Color, Move, MoveKind, Piece, PieceKind, Square, zobrist};

/// A position and a legal move in it.
struct Make<'a>(&'a Position, Move);

impl Kernel for Make<'_> {
    type Output = Position;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Position {
        self.0.make_on(isa, self.1)
    }
}

impl Position {
    /// The position after a legal move.
    ///
    /// The move must come from this position's generator or have passed [`Position::is_legal`];
    /// anything else gives a position that breaks the invariants (but no undefined behaviour).
    #[must_use]
    #[inline]
    pub fn make(&self, mv: Move) -> Position {
        dispatch(Make(self, mv))
    }

    /// The position after passing; the side to move must not be in check.
    #[must_use]
    #[inline]
    pub fn make_null(&self) -> Position {
        struct Null<'a>(&'a Position);
        impl Kernel for Null<'_> {
            type Output = Position;
            #[inline(always)]
            fn run<I: Isa>(self, isa: I) -> Position {
                let mut next = *self.0;
                next.pass_turn();
                next.update_checks(isa);
                next
            }
        }
        debug_assert!(!self.in_check());
        dispatch(Null(self))
    }

    /// What every move does to the clocks and flags.
    #[inline(always)]
    fn pass_turn(&mut self) {
        self.en_passant = None;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if self.side == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side = !self.side;
    }

    /// [`Position::make`] inside a kernel.
    #[inline(always)]
    pub(crate) fn make_on<I: Isa>(&self, isa: I, mv: Move) -> Position {
        match self.side {
            Color::White => self.make_as::<I, true>(isa, mv),
            Color::Black => self.make_as::<I, false>(isa, mv),
        }
    }

    #[inline(always)]
    fn make_as<I: Isa, const WHITE: bool>(&self, isa: I, mv: Move) -> Position {
        let us = Color::from_white(WHITE);
        let (from, to) = (mv.from(), mv.to());
        let mut next = *self;
        next.side = us;
        next.pass_turn();
        let Some(mover) = self.piece_on(from) else {
            debug_assert!(false, "no man on {from}");
            return next;
        };
        let mover = Piece::new(us, mover.kind());
        next.drop_castling_rights(us, mover, from, to);
        match mv.kind() {
            MoveKind::Normal => {
                if let Some(captured) = self.piece_on(to) {
                    next.capture(Piece::new(!us, captured.kind()), to);
                }
                next.shift(mover, from, to);
                if mover.kind() == PieceKind::Pawn {
                    next.halfmove_clock = 0;
                    if from.index() ^ to.index() == 16 {
                        next.double_step(isa, us, to);
                    }
                }
            }
            MoveKind::Promotion => next.promote(us, self, mv),
            MoveKind::EnPassant => {
                let captured = Square::at(to.file(), from.rank());
                next.capture(Piece::new(!us, PieceKind::Pawn), captured);
                next.squares[captured.index()] = None;
                next.shift(mover, from, to);
            }
            MoveKind::Castling => next.castle(us, from, to),
        }
        next.update_checks(isa);
        next
    }

    /// Moves a man to a square that is empty in all sets.
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let both = from.bb() | to.bb();
        self.kinds[piece.kind().index()] ^= both;
        self.colors[piece.color().index()] ^= both;
        self.squares[from.index()] = None;
        self.squares[to.index()] = Some(piece);
        let numbers = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.keys.toggle(piece, numbers);
    }

    /// Takes a captured man out of the sets and keys; its square is about to be overwritten.
    #[inline(always)]
    fn capture(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= square.bb();
        self.colors[piece.color().index()] ^= square.bb();
        self.keys.toggle(piece, zobrist::piece(piece, square));
        self.material = self.material.minus(piece);
        self.halfmove_clock = 0;
    }

    /// A right is lost when its rook moves or is taken, and both when the king moves.
    #[inline(always)]
    fn drop_castling_rights(&mut self, us: Color, mover: Piece, from: Square, to: Square) {
        if self.castling == [0, 0] {
            return;
        }
        let rights = self.castling_rooks(Color::White) | self.castling_rooks(Color::Black);
        let kept = rights.without(from.bb() | to.bb());
        self.castling = [kept.0 as u8, (kept.0 >> 56) as u8];
        if mover.kind() == PieceKind::King {
            self.castling[us.index()] = 0;
        }
    }

    /// After a double step: is there a capture in passing?
    #[inline(always)]
    fn double_step<I: Isa>(&mut self, isa: I, us: Color, to: Square) {
        let target = Square::new(to.index() as u8 ^ 8);
        if attacks::pawn(us, target).meets(self.men(!us, PieceKind::Pawn)) {
            self.set_en_passant(isa, target);
        }
    }

    #[inline(always)]
    fn promote(&mut self, us: Color, before: &Position, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        if let Some(captured) = before.piece_on(to) {
            self.capture(Piece::new(!us, captured.kind()), to);
        }
        let pawn = Piece::new(us, PieceKind::Pawn);
        let piece = Piece::new(us, mv.promoted().unwrap_or(PieceKind::Queen));
        self.lift(pawn, from);
        self.put(piece, to);
        self.material = self.material.minus(pawn).plus(piece);
        self.halfmove_clock = 0;
    }

    /// King and rook leave before either arrives: in Chess960 their squares may overlap.
    #[inline(always)]
    fn castle(&mut self, us: Color, king_from: Square, rook_from: Square) {
        let (king_to, rook_to) = castling_targets(king_from, rook_from);
        self.lift(Piece::new(us, PieceKind::King), king_from);
        self.lift(Piece::new(us, PieceKind::Rook), rook_from);
        self.put(Piece::new(us, PieceKind::King), king_to);
        self.put(Piece::new(us, PieceKind::Rook), rook_to);
    }
}

/// Where king and rook stand after castling: on the g- and f-file, or on the c- and d-file.
#[inline(always)]
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
    (Square::at(king_file, king.rank()), Square::at(rook_file, king.rank()))
}
