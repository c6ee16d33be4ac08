//! The position: what is where, who moves, and what the rules must remember.
//!
//! A position is a value of 192 bytes, three cache lines, and playing a move copies it. The copy was
//! measured against make and unmake in place and is faster here (docs/lab/board.md), needs no undo
//! records, and lets a search hand a node to another processor by sending it.
//!
//! **Invariants**, established by [`Builder::build`] and kept by [`Position::make`]: each side has one
//! king and at most sixteen men (more only through [`Builder::build_crowded`], as many as
//! lists of moves have room for), the kings do not touch, no pawn stands on a back rank, the side that
//! is not to move is not in check, castling rooks stand on their back rank beside a king on it, and an
//! en passant square is set only where a legal capture exists.

mod build;
mod checks;
mod error;
mod make;
mod material;

pub use build::Builder;
pub use error::PositionError;
pub(crate) use make::castling_targets;
pub use material::Material;

use crate::{Bitboard, Color, Key, Move, Piece, PieceKind, Square, zobrist};

/// A position that can arise under the rules; see the module for its invariants.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    squares: [Option<Piece>; 64],
    keys: Keys,
    material: Material,
    checkers: Bitboard,
    pinned: Bitboard,
    halfmove_clock: u16,
    fullmove_number: u16,
    /// The files of the rooks that may still castle; see [`rook_files`].
    castling: u16,
    en_passant: Option<EnPassant>,
    side: Color,
}

const _: () = assert!(size_of::<Position>() == 192);

/// The incremental keys. The position's own key is put together from them when it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Keys {
    /// Pawns of both sides; kings and pieces of White; kings and pieces of Black.
    parts: [u64; 3],
    /// Knights and bishops of both sides.
    minor: u64,
}

impl Keys {
    /// Takes the change of one piece's number into the keys it belongs to.
    #[inline(always)]
    fn toggle(&mut self, color: Color, piece: Piece, numbers: u64) {
        // Look-ups instead of a match: a jump table here costs a fifth of a move's time.
        const IS_MINOR: [u64; 6] = [0, !0, !0, 0, 0, 0];
        let kind = piece.kind_index();
        let part = if kind == PieceKind::Pawn.index() { 0 } else { 1 + color.index() };
        self.parts[part] ^= numbers;
        self.minor ^= numbers & IS_MINOR[kind];
    }
}

/// The two back ranks of a set in 16 bits: Black's in the low byte, White's in the high one, so that
/// a rotation by eight makes squares of them again.
#[inline(always)]
const fn rook_files(rooks: Bitboard) -> u16 {
    rooks.0.rotate_left(8) as u16
}

/// An en passant square in one byte with a niche: the square's number plus one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct EnPassant(std::num::NonZeroU8);

impl EnPassant {
    #[inline(always)]
    fn new(square: Square) -> Option<EnPassant> {
        std::num::NonZeroU8::new(square.index() as u8 + 1).map(EnPassant)
    }

    #[inline(always)]
    fn square(self) -> Square {
        Square::new(self.0.get() - 1)
    }
}

impl Position {
    /// The position every game of classical chess begins with.
    pub fn startpos() -> Position {
        Position::chess960(518)
    }

    /// The men of one kind, both colours.
    #[inline(always)]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The men of one colour.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The men of one colour and kind.
    #[inline(always)]
    pub fn men(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// Bishops and queens of one colour.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen))
    }

    /// Rooks and queens of one colour.
    #[inline(always)]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen))
    }

    /// All men.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The king's square.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.men(color, PieceKind::King).lowest()
    }

    /// What stands on a square.
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Who is to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// The men that give check to the side to move.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.non_empty()
    }

    /// The men of the side to move that may not leave the line to their king.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The rooks with which a side may still castle, as far as king and rook have not moved.
    #[inline(always)]
    pub const fn castling_rooks(&self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.all_castling_rooks().0 & 0xff),
            Color::Black => Bitboard(self.all_castling_rooks().0 & !0xff),
        }
    }

    /// The castling rooks of both sides.
    #[inline(always)]
    const fn all_castling_rooks(&self) -> Bitboard {
        Bitboard((self.castling as u64).rotate_right(8))
    }

    /// The square behind a pawn that has just made a double step, if it can legally be taken.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant.map(EnPassant::square)
    }

    /// Half-moves since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the full move, beginning with 1.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// How many of each man there are (recognisers and history tables look here).
    #[inline(always)]
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The key of the whole position: men, side, castling rights and a possible en passant capture.
    #[inline(always)]
    pub fn key(&self) -> Key {
        let [pawns, white, black] = self.keys.parts;
        let mut key = pawns ^ white ^ black ^ zobrist::castling(self.castling);
        if self.side == Color::Black {
            key ^= zobrist::black_to_move();
        }
        match self.en_passant {
            Some(square) => key ^ zobrist::en_passant(square.square()),
            None => key,
        }
    }

    /// What [`Position::key`] will be after a move, as far as it can be told without playing it: lost
    /// castling rights, promotions and new en passant captures are not seen. Right often enough to ask
    /// for memory early, and for nothing else.
    #[inline(always)]
    pub fn likely_key_after(&self, mv: Move) -> Key {
        let mut key = self.key() ^ zobrist::black_to_move();
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.square());
        }
        if let Some(piece) = self.piece_on(mv.from()) {
            key ^= zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, mv.to());
        }
        if let Some(piece) = self.piece_on(mv.to()) {
            key ^= zobrist::piece(piece, mv.to());
        }
        key
    }

    /// The key of the pawns alone (M16).
    #[inline(always)]
    pub const fn pawn_key(&self) -> Key {
        self.keys.parts[0]
    }

    /// The key of one side's king and pieces.
    #[inline(always)]
    pub const fn non_pawn_key(&self, color: Color) -> Key {
        self.keys.parts[1 + color.index()]
    }

    /// The key of the knights and bishops.
    #[inline(always)]
    pub const fn minor_key(&self) -> Key {
        self.keys.minor
    }

    /// Puts a man on an empty square.
    fn put(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind_index()] |= square.bb();
        self.colors[piece.color().index()] |= square.bb();
        self.squares[square.index()] = Some(piece);
        self.keys.toggle(piece.color(), piece, zobrist::piece(piece, square));
    }

    /// Takes a man off its square.
    fn lift(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind_index()] ^= square.bb();
        self.colors[piece.color().index()] ^= square.bb();
        self.squares[square.index()] = None;
        self.keys.toggle(piece.color(), piece, zobrist::piece(piece, square));
    }
}
