//! Standard algebraic notation: read as it occurs in the wild, written as the PGN standard says.
//!
//! The reader stands under the PGN reader and is built for speed: nothing is allocated and no move
//! list is generated. It looks from the target square back to the men of the named kind.

mod read;
mod write;

use crate::fen::quote;
use crate::{Bitboard, PieceKind, Position, Square, attacks, attacks::Isa};

/// Why a text is no move here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanError {
    /// The text does not have the form of a move.
    Syntax,
    /// It has, but no man can legally make it.
    NoSuchMove,
    /// Two or more men could make it.
    Ambiguous,
    /// A pawn would reach the last rank, and the text does not say what it becomes.
    MissingPromotion,
    /// A null move (`--`, `Z0`, `@@@@`, `null`, `<>` or `0000`): a side passes. Analysis has
    /// them; the caller decides what to do, for instance [`Position::make_null`].
    NullMove,
}

impl SanError {
    /// The message with the text and the position it was read in, still in one line.
    ///
    /// ```
    /// use board::Position;
    /// let start = Position::startpos();
    /// let error = start.parse_san(b"Nd4").unwrap_err();
    /// assert_eq!(
    ///     error.explain(b"Nd4", &start),
    ///     "\"Nd4\": no man can make this move in \
    ///      rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    /// );
    /// ```
    pub fn explain(self, text: &[u8], position: &Position) -> String {
        format!("{}: {self} in {}", quote(&String::from_utf8_lossy(text)), position.fen())
    }
}

impl std::fmt::Display for SanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SanError::Syntax => "not a move in algebraic notation",
            SanError::NoSuchMove => "no man can make this move",
            SanError::Ambiguous => "several men can make this move",
            SanError::MissingPromotion => "what the pawn becomes (Q, R, B or N) is missing",
            SanError::NullMove => "a null move, which is no legal move",
        })
    }
}

impl std::error::Error for SanError {}

impl Position {
    /// The men of a kind, pawns excepted, of the side to move that could go to a square if no king
    /// were in danger.
    #[inline(always)]
    fn men_that_reach<I: Isa>(&self, isa: I, kind: PieceKind, to: Square) -> Bitboard {
        let us = self.side_to_move();
        if self.color(us).has(to) {
            return Bitboard::EMPTY;
        }
        let occupied = self.occupied();
        let reaches = match kind {
            PieceKind::Pawn => Bitboard::EMPTY,
            PieceKind::Knight => attacks::knight(to),
            PieceKind::Bishop => isa.bishop(to, occupied),
            PieceKind::Rook => isa.rook(to, occupied),
            PieceKind::Queen => isa.queen(to, occupied),
            PieceKind::King => attacks::king(to),
        };
        reaches & self.men(us, kind)
    }
}
