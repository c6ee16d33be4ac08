//! Squares, files and ranks. a1 is 0, h1 is 7, h8 is 63.

use crate::{Bitboard, Color};

/// One of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of a number below 64; the bits above are dropped.
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square where a file (0 = a) and a rank (0 = first) cross.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }

    /// Its number. The mask lets the compiler drop every bounds check on tables of 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set that holds this square alone.
    #[inline(always)]
    pub const fn bb(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// 0 for the a-file … 7 for the h-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank … 7 for the eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The rank as `color` counts it: 0 is its own back rank.
    #[inline(always)]
    pub const fn rank_for(self, color: Color) -> u8 {
        self.relative(color).rank()
    }

    /// The square as `color` sees it: mirrored top to bottom for Black.
    #[inline(always)]
    pub const fn relative(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    /// Mirrored top to bottom: a1 becomes a8.
    #[inline(always)]
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// Mirrored left to right: a1 becomes h1.
    #[inline(always)]
    pub const fn mirror(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// The square `delta` steps of the numbering away; the caller knows that it is on the board.
    #[inline(always)]
    pub const fn offset(self, delta: i8) -> Square {
        Square(self.0.wrapping_add_signed(delta) & 63)
    }

    /// King moves between two squares (Chebyshev distance).
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// Reads `e4`.
    pub const fn parse(text: &[u8]) -> Option<Square> {
        match text {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Square::at(*file - b'a', *rank - b'1'))
            }
            _ => None,
        }
    }

    /// The letter of its file.
    pub const fn file_letter(self) -> char {
        (b'a' + self.file()) as char
    }

    /// The digit of its rank.
    pub const fn rank_digit(self) -> char {
        (b'1' + self.rank()) as char
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank_digit())
    }
}

impl std::fmt::Debug for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}
