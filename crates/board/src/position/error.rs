//! Why parts do not make a position.

use super::build::MOST_ALIKE;
use crate::packed::MOST_MEN;
use crate::{Color, MAX_MOVES, PieceKind, Square};

/// Why parts do not make a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// A side has no king, or several.
    Kings(Color, u32),
    /// A side has more than sixteen men.
    Men(Color, u32),
    /// A side has more than eight pawns.
    Pawns(Color, u32),
    /// Both sides together have more men than a packed position holds.
    MenInAll(u32),
    /// A side has more men than a list of moves has room for moves of theirs.
    Crowd(Color),
    /// A side has, or can get by promotion, more men of a kind than the material signature counts.
    Alike(Color, PieceKind),
    /// A pawn stands on the first or eighth rank.
    PawnOnBackRank(Color, Square),
    /// The kings stand on neighbouring squares: one of them cannot have gone there.
    AdjacentKings(Square, Square),
    /// The side that has just moved left its king in check.
    OpponentInCheck(Color),
    /// A castling right without a king on its back rank, or with several rooks on one wing.
    CastlingKing(Color),
    /// A castling right without a rook where the right says.
    CastlingRook(Color, Square),
    /// More than one castling rook on one side of the king.
    CastlingWing(Color),
    /// An en passant square on a rank where none can be.
    EnPassantRank(Square),
    /// An en passant square without a pawn that can just have passed it.
    EnPassantPawn(Square),
}

impl std::fmt::Display for PositionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use PositionError::*;
        match *self {
            Kings(color, 0) => write!(f, "{color} has no king"),
            Kings(color, count) => write!(f, "{color} has {count} kings"),
            Men(color, count) => write!(f, "{color} has {count} men, more than sixteen"),
            Pawns(color, count) => write!(f, "{color} has {count} pawns, more than eight"),
            MenInAll(count) => {
                write!(f, "{count} men on the board, more than the {MOST_MEN} there is room for")
            }
            Crowd(color) => write!(
                f,
                "{color} has too many men: with its pawns promoted they could have more than \
                 {MAX_MOVES} moves"
            ),
            Alike(color, kind) => write!(
                f,
                "{color} has, or could have by promotion, more than {MOST_ALIKE} men {}",
                kind.letter().to_ascii_uppercase()
            ),
            PawnOnBackRank(color, square) => {
                write!(f, "a pawn of {color} stands on {square}, where no pawn can be")
            }
            AdjacentKings(white, black) => {
                write!(f, "the kings on {white} and {black} stand beside each other")
            }
            OpponentInCheck(color) => {
                write!(f, "{color} is in check, but it is {}'s move", !color)
            }
            CastlingKing(color) => {
                write!(f, "{color} may castle, but its king is not on its back rank")
            }
            CastlingRook(color, square) => {
                write!(f, "{color} may castle with a rook on {square}, but none is there")
            }
            CastlingWing(color) => {
                write!(f, "{color} may castle with two rooks on the same wing")
            }
            EnPassantRank(square) => {
                write!(
                    f,
                    "{square} is not on the rank of an en passant capture for the side to move"
                )
            }
            EnPassantPawn(square) => {
                write!(f, "no pawn can just have passed {square} with a double step")
            }
        }
    }
}

impl std::error::Error for PositionError {}
