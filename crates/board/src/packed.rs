//! A position in 32 bytes, for messages and data files.
//!
//! The layout is the same on every machine; numbers are little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–7 | the occupied squares: bit n of the number is square n (a1 = 0, h8 = 63) |
//! | 8–23 | the men on them in the order of the squares, four bits each, low half first: [`Piece::index`]; unused halves are 0 |
//! | 24–25 | half-move clock |
//! | 26–27 | full-move number, at least 1 |
//! | 28, 29 | the files of the rooks that may castle, White's and Black's, one bit each (a = 1) |
//! | 30 | en passant: 0, or the square's number plus one where a legal capture exists |
//! | 31 | side to move: 0 White, 1 Black |
//!
//! Packed forms and positions stand in one-to-one correspondence: what is not the form of a position
//! is an error, so packed forms can be compared and hashed in place of positions.

use crate::{Bitboard, Builder, Color, Piece, Position, PositionError, Square};

/// A position in 32 bytes; the module describes the layout.
///
/// ```
/// use board::{Packed, Position};
/// let packed = Position::startpos().pack();
/// let again = Packed::from_bytes(packed.to_bytes());
/// assert_eq!(again.unpack(), Ok(Position::startpos()));
/// assert_eq!(Packed::from_bytes([0; 32]).unpack().unwrap_err().to_string(),
///     "packed position, byte 26: the full-move number is 0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Packed([u8; Packed::SIZE]);

const MEN: usize = 8;
const HALFMOVES: usize = 24;
const FULLMOVES: usize = 26;
const CASTLING: usize = 28;
const EN_PASSANT: usize = 30;
const SIDE: usize = 31;

/// The men that fit: no position has more.
pub(crate) const MOST_MEN: usize = 32;

/// Why 32 bytes are not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedError {
    /// More occupied squares than men can be.
    Men(u32),
    /// A number that names no man, for the man on this square.
    Piece(Square, u8),
    /// Bits are set behind the last man; the byte.
    Padding(usize),
    /// The full-move number is 0.
    Fullmoves,
    /// An en passant byte that names no square, or one without a legal capture.
    EnPassant(u8),
    /// A side that is neither 0 nor 1.
    Side(u8),
    /// The parts do not fit together.
    Position(PositionError),
}

impl std::fmt::Display for PackedError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("packed position, ")?;
        match self {
            PackedError::Men(count) => write!(f, "byte 0: {count} men, more than {MOST_MEN}"),
            PackedError::Piece(square, number) => {
                write!(f, "byte {MEN}: {number} on {square} is no man")
            }
            PackedError::Padding(byte) => write!(f, "byte {byte}: set, but behind the last man"),
            PackedError::Fullmoves => write!(f, "byte {FULLMOVES}: the full-move number is 0"),
            PackedError::EnPassant(byte) => {
                write!(f, "byte {EN_PASSANT}: {byte} is no square with a legal en passant capture")
            }
            PackedError::Side(byte) => write!(f, "byte {SIDE}: {byte} is neither 0 nor 1"),
            PackedError::Position(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PackedError {}

impl Packed {
    /// How many bytes it has.
    pub const SIZE: usize = 32;

    /// Any bytes; [`Packed::unpack`] says whether they are a position.
    pub const fn from_bytes(bytes: [u8; Packed::SIZE]) -> Packed {
        Packed(bytes)
    }

    /// The bytes.
    pub const fn to_bytes(self) -> [u8; Packed::SIZE] {
        self.0
    }

    /// The position: the exact inverse of [`Position::pack`].
    pub fn unpack(&self) -> Result<Position, PackedError> {
        if self.number(FULLMOVES) == 0 {
            return Err(PackedError::Fullmoves);
        }
        let en_passant = match self.0[EN_PASSANT] {
            0 => None,
            byte @ 1..=64 => Some(Square::new(byte - 1)),
            byte => return Err(PackedError::EnPassant(byte)),
        };
        let side = match self.0[SIDE] {
            0 => Color::White,
            1 => Color::Black,
            byte => return Err(PackedError::Side(byte)),
        };
        let builder = Builder {
            squares: self.squares()?,
            side,
            castling: [self.0[CASTLING], self.0[CASTLING + 1]],
            en_passant,
            halfmove_clock: self.number(HALFMOVES),
            fullmove_number: self.number(FULLMOVES),
        };
        let position = builder.build_crowded().map_err(PackedError::Position)?;
        match position.en_passant() == en_passant {
            true => Ok(position),
            false => Err(PackedError::EnPassant(self.0[EN_PASSANT])),
        }
    }

    fn squares(&self) -> Result<[Option<Piece>; 64], PackedError> {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        let occupied = Bitboard(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        let count = occupied.count();
        if count as usize > MOST_MEN {
            return Err(PackedError::Men(count));
        }
        let mut squares = [None; 64];
        for (index, square) in occupied.enumerate() {
            let number = self.half(index);
            let piece = Piece::ALL.get(number as usize).copied();
            squares[square.index()] = Some(piece.ok_or(PackedError::Piece(square, number))?);
        }
        match (count as usize..MOST_MEN).find(|&index| self.half(index) != 0) {
            Some(index) => Err(PackedError::Padding(MEN + index / 2)),
            None => Ok(squares),
        }
    }

    /// The four bits of a man by its place in the order of the squares.
    fn half(&self, index: usize) -> u8 {
        self.0[MEN + index / 2] >> (index % 2 * 4) & 15
    }

    fn number(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }
}

impl Position {
    /// The position in 32 bytes.
    pub fn pack(&self) -> Packed {
        let mut bytes = [0; Packed::SIZE];
        bytes[..MEN].copy_from_slice(&self.occupied().0.to_le_bytes());
        for (index, square) in self.occupied().enumerate() {
            if let Some(piece) = self.piece_on(square) {
                bytes[MEN + index / 2] |= (piece.index() as u8) << (index % 2 * 4);
            }
        }
        bytes[HALFMOVES..FULLMOVES].copy_from_slice(&self.halfmove_clock().to_le_bytes());
        bytes[FULLMOVES..CASTLING].copy_from_slice(&self.fullmove_number().to_le_bytes());
        for color in Color::ALL {
            let rooks = self.castling_rooks(color).0;
            bytes[CASTLING + color.index()] = (rooks | rooks >> 56) as u8;
        }
        bytes[EN_PASSANT] = self.en_passant().map_or(0, |square| square.index() as u8 + 1);
        bytes[SIDE] = self.side_to_move().index() as u8;
        Packed(bytes)
    }
}
