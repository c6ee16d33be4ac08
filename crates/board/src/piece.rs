//! Men: the six kinds, and the twelve coloured pieces.

use crate::Color;

/// A kind of man, whatever its colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum PieceKind {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

impl PieceKind {
    /// All six, from pawn to king.
    pub const ALL: [PieceKind; 6] = {
        use PieceKind::*;
        [Pawn, Knight, Bishop, Rook, Queen, King]
    };

    /// What a pawn may become, in the order of the move's two promotion bits.
    pub const PROMOTIONS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

    /// 0 for a pawn … 5 for a king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter in lower case, as in FEN for Black and in UCI promotions.
    pub const fn letter(self) -> char {
        b"pnbrqk"[self as usize] as char
    }

    /// The kind that a letter of either case names.
    pub const fn from_letter(letter: u8) -> Option<PieceKind> {
        Some(match letter.to_ascii_lowercase() {
            b'p' => PieceKind::Pawn,
            b'n' => PieceKind::Knight,
            b'b' => PieceKind::Bishop,
            b'r' => PieceKind::Rook,
            b'q' => PieceKind::Queen,
            b'k' => PieceKind::King,
            _ => return None,
        })
    }

    /// The English name, for messages.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// A man with its colour. Numbered kind × 2 + colour, so that both halves are one shift or mask away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum Piece {
    WhitePawn = 0,
    BlackPawn = 1,
    WhiteKnight = 2,
    BlackKnight = 3,
    WhiteBishop = 4,
    BlackBishop = 5,
    WhiteRook = 6,
    BlackRook = 7,
    WhiteQueen = 8,
    BlackQueen = 9,
    WhiteKing = 10,
    BlackKing = 11,
}

impl Piece {
    /// All twelve in the order of their numbers.
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::BlackPawn,
        Piece::WhiteKnight,
        Piece::BlackKnight,
        Piece::WhiteBishop,
        Piece::BlackBishop,
        Piece::WhiteRook,
        Piece::BlackRook,
        Piece::WhiteQueen,
        Piece::BlackQueen,
        Piece::WhiteKing,
        Piece::BlackKing,
    ];

    /// The piece of a colour and a kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece::ALL[kind.index() * 2 + color.index()]
    }

    /// Its number, 0 to 11.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its colour.
    #[inline(always)]
    pub const fn color(self) -> Color {
        Color::from_white(self as u8 & 1 == 0)
    }

    /// The number of its kind, 0 to 5.
    #[inline(always)]
    pub const fn kind_index(self) -> usize {
        self as usize >> 1
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        match self as u8 >> 1 {
            0 => PieceKind::Pawn,
            1 => PieceKind::Knight,
            2 => PieceKind::Bishop,
            3 => PieceKind::Rook,
            4 => PieceKind::Queen,
            _ => PieceKind::King,
        }
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    /// The piece that a FEN letter names.
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Piece::new(Color::from_white(letter.is_ascii_uppercase()), kind)),
            None => None,
        }
    }
}
