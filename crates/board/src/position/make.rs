//! Playing a move (D12): a new position with every set, key and flag brought up to date.

use super::{Position, rook_files};
use crate::attacks::{self, Isa, Kernel, dispatch};
use crate::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Square, zobrist};

/// A position, a legal move in it, and where the new position goes, which is a copy already.
struct Make<'a>(&'a Position, Move, &'a mut Position);

/// The same, where the new position's place holds anything.
struct MakeInto<'a>(&'a Position, Move, &'a mut Position);

impl Kernel for MakeInto<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        *self.2 = *self.0;
        self.0.make_on(isa, self.1, self.2);
    }
}

impl Kernel for Make<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        self.0.make_on(isa, self.1, self.2);
    }
}

impl Position {
    /// The position after a legal move.
    ///
    /// The move must come from this position's generator or have passed [`Position::is_legal`];
    /// anything else gives a position that breaks the invariants (but no undefined behaviour).
    #[must_use]
    #[inline(always)]
    pub fn make(&self, mv: Move) -> Position {
        let mut next = *self;
        self.make_on_copy(mv, &mut next);
        next
    }

    /// Writes the position after a legal move to a place of the caller's: one copy less than
    /// [`Position::make`], where the place is not a fresh one.
    #[inline(always)]
    pub fn make_into(&self, mv: Move, next: &mut Position) {
        dispatch(MakeInto(self, mv, next));
    }

    /// Plays a legal move in place; what was before is gone. See [`Position::make`].
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        let before = *self;
        before.make_on_copy(mv, self);
    }

    /// Inlined, each crate would have a copy of it; what is hot calls [`Position::make_into`].
    #[inline(never)]
    fn make_on_copy(&self, mv: Move, next: &mut Position) {
        dispatch(Make(self, mv, next));
    }

    /// The position after a null move; the side to move must not be in check.
    #[must_use]
    #[inline]
    pub fn make_null(&self) -> Position {
        debug_assert!(!self.in_check());
        let mut next = *self;
        next.pass_turn(self, self.side);
        next.update_checks(!self.side, Bitboard::EMPTY);
        next
    }

    /// What every move does to the clocks and flags. They are read from the old position: a load of
    /// bytes that were just stored in pieces would have to wait for the stores.
    #[inline(always)]
    fn pass_turn(&mut self, before: &Position, us: Color) {
        self.en_passant = None;
        self.halfmove_clock = before.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            self.fullmove_number = before.fullmove_number.saturating_add(1);
        }
        self.side = !us;
    }

    /// Writes the position after a legal move into `next`, which is a copy of this one.
    #[inline(always)]
    pub(crate) fn make_on<I: Isa>(&self, isa: I, mv: Move, next: &mut Position) {
        match self.side {
            Color::White => next.play_as::<I, true>(isa, self, mv),
            Color::Black => next.play_as::<I, false>(isa, self, mv),
        }
    }

    #[inline(always)]
    fn play_as<I: Isa, const WHITE: bool>(&mut self, isa: I, before: &Position, mv: Move) {
        let us = Color::from_white(WHITE);
        // A legal move has a mover; without one the answer is wrong, but nothing worse.
        debug_assert!(before.piece_on(mv.from()).is_some(), "no man on {}", mv.from());
        let mover = before.piece_on(mv.from()).unwrap_or(Piece::WhitePawn);
        if mv.kind() == MoveKind::Normal {
            self.play_normal(isa, before, us, mover, mv.from(), mv.to());
        } else {
            self.play_special(before, us, mover, mv);
        }
    }

    /// Moves a man and takes what stands on the target. What the caller knows about `us` and `mover`
    /// at compile time makes this shorter.
    #[inline(always)]
    pub(crate) fn play_normal<I: Isa>(
        &mut self,
        isa: I,
        before: &Position,
        us: Color,
        mover: Piece,
        from: Square,
        to: Square,
    ) {
        self.pass_turn(before, us);
        self.drop_castling_rights(before, us, mover, from.bb() | to.bb());
        if let Some(captured) = before.piece_on(to) {
            self.capture(!us, captured, to);
        }
        self.shift(us, mover, from, to);
        if mover.kind_index() == PieceKind::Pawn.index() {
            self.halfmove_clock = 0;
            if from.index() ^ to.index() == 16 {
                self.double_step(isa, us, to);
            }
        }
        self.update_checks(!us, direct_check(us, mover, to, self.king(!us)));
    }

    /// Promotions, en passant captures and castling: rare, and kept out of the way of the others.
    #[inline(never)]
    pub(crate) fn play_special(&mut self, before: &Position, us: Color, mover: Piece, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        self.pass_turn(before, us);
        self.drop_castling_rights(before, us, mover, from.bb() | to.bb());
        match mv.kind() {
            MoveKind::Castling => self.castle(us, from, to),
            MoveKind::EnPassant => {
                let captured = Square::at(to.file(), from.rank());
                self.capture(!us, Piece::new(!us, PieceKind::Pawn), captured);
                self.squares[captured.index()] = None;
                self.shift(us, mover, from, to);
            }
            _ => self.promote(us, mv),
        }
        self.update_checks(!us, self.leaper_checks(!us));
    }

    /// Moves a man to a square that is empty in all sets. Its colour is passed as well, since the
    /// caller knows it at compile time.
    #[inline(always)]
    fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let both = from.bb() | to.bb();
        self.kinds[piece.kind_index()] ^= both;
        self.colors[color.index()] ^= both;
        self.squares[from.index()] = None;
        self.squares[to.index()] = Some(piece);
        self.keys.toggle(color, piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
    }

    /// Takes a captured man out of the sets and keys; its square is about to be overwritten.
    #[inline(always)]
    fn capture(&mut self, color: Color, piece: Piece, square: Square) {
        self.kinds[piece.kind_index()] ^= square.bb();
        self.colors[color.index()] ^= square.bb();
        self.keys.toggle(color, piece, zobrist::piece(piece, square));
        self.material = self.material.minus(piece);
        self.halfmove_clock = 0;
    }

    /// A right is lost when its rook moves or is taken, and both when the king moves.
    #[inline(always)]
    fn drop_castling_rights(&mut self, before: &Position, us: Color, mover: Piece, both: Bitboard) {
        if before.all_castling_rooks().meets(both) {
            self.castling = before.castling & rook_files(!both);
        }
        if mover.kind_index() == PieceKind::King.index() {
            self.castling &= rook_files(Bitboard::rank(if us == Color::White { 7 } else { 0 }));
        }
    }

    /// After a double step: is there an en passant capture?
    #[inline(always)]
    fn double_step<I: Isa>(&mut self, isa: I, us: Color, to: Square) {
        let target = Square::new(to.index() as u8 ^ 8);
        if attacks::pawn(us, target).meets(self.men(!us, PieceKind::Pawn)) {
            self.set_en_passant(isa, target);
        }
    }

    fn promote(&mut self, us: Color, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        if let Some(captured) = self.piece_on(to) {
            self.capture(!us, captured, to);
        }
        let pawn = Piece::new(us, PieceKind::Pawn);
        let piece = Piece::new(us, mv.promoted().unwrap_or(PieceKind::Queen));
        self.lift(pawn, from);
        self.put(piece, to);
        self.material = self.material.minus(pawn).plus(piece);
        self.halfmove_clock = 0;
    }

    /// King and rook leave before either arrives: in Chess960 their squares may overlap.
    fn castle(&mut self, us: Color, king_from: Square, rook_from: Square) {
        let (king_to, rook_to) = castling_targets(king_from, rook_from);
        self.lift(Piece::new(us, PieceKind::King), king_from);
        self.lift(Piece::new(us, PieceKind::Rook), rook_from);
        self.put(Piece::new(us, PieceKind::King), king_to);
        self.put(Piece::new(us, PieceKind::Rook), rook_to);
    }
}

/// The mover as a set if it is a pawn or a knight and attacks the king from its new square.
#[inline(always)]
fn direct_check(us: Color, mover: Piece, to: Square, king: Square) -> Bitboard {
    let attacks = match mover.kind_index() {
        0 => attacks::pawn(us, to),
        1 => attacks::knight(to),
        _ => return Bitboard::EMPTY,
    };
    if attacks.has(king) { to.bb() } else { Bitboard::EMPTY }
}

/// Where king and rook stand after castling: on the g- and f-file, or on the c- and d-file.
#[inline(always)]
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
    (Square::at(king_file, king.rank()), Square::at(rook_file, king.rank()))
}
