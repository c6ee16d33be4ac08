//! Moves in coordinates, as the UCI protocol writes them: `e2e4`, `e7e8q`, `e1g1` or `e1h1`.

use crate::fen::quote;
use crate::position::castling_targets;
use crate::{Color, Move, MoveKind, PieceKind, Position, Square};

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum CastlingStyle {
    /// From the king's square to where the king ends: `e1g1`.
    #[default]
    Standard,
    /// The king takes its own rook: `e1h1`. The only form that is clear in Chess960.
    Chess960,
}

/// Why a text in coordinates is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoordinateError {
    /// It does not have the form of a move; the text.
    Syntax(String),
    /// It is `0000`, the null move.
    NullMove,
    /// It has the form of a move, which is not legal here; the text and the reason.
    Illegal(String, Illegality),
}

/// Why a move is not legal, as far as that is cheap to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Illegality {
    /// Nothing stands where it begins.
    EmptySquare(Square),
    /// What stands there is the opponent's.
    OpponentsMan(Square),
    /// A pawn reaches the last rank, and it is not said what it becomes.
    PromotionMissing,
    /// This side is in check; most often the move does not answer it.
    InCheck(Color),
    /// Any other reason.
    Unspecified,
}

impl std::fmt::Display for CoordinateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CoordinateError::Syntax(text) => {
                write!(f, "{} is not a move in coordinates such as e2e4 or e7e8q", quote(text))
            }
            CoordinateError::NullMove => f.write_str("0000 is the null move, not a legal one"),
            CoordinateError::Illegal(text, why) => write!(f, "{text} is not legal here{why}"),
        }
    }
}

impl std::fmt::Display for Illegality {
    /// What comes after "is not legal here": nothing, or a colon and the reason.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Illegality::EmptySquare(square) => write!(f, ": nothing stands on {square}"),
            Illegality::OpponentsMan(square) => {
                write!(f, ": the man on {square} is the opponent's")
            }
            Illegality::PromotionMissing => {
                f.write_str(": what the pawn becomes (q, r, b or n) is missing")
            }
            Illegality::InCheck(color) => write!(f, ": {color} is in check"),
            Illegality::Unspecified => Ok(()),
        }
    }
}

impl std::error::Error for CoordinateError {}

impl Move {
    /// The move in coordinates; [`Move::NONE`] is `0000`.
    pub fn uci(self, style: CastlingStyle) -> String {
        if self.is_none() {
            return String::from("0000");
        }
        let to = match (self.kind(), style) {
            (MoveKind::Castling, CastlingStyle::Standard) => {
                castling_targets(self.from(), self.to()).0
            }
            _ => self.to(),
        };
        let mut text = String::with_capacity(5);
        for square in [self.from(), to] {
            text.push(square.file_letter());
            text.push(square.rank_digit());
        }
        text.extend(self.promoted().map(PieceKind::letter));
        text
    }
}

impl Position {
    /// Reads a legal move in coordinates. Castling is understood in both styles wherever it is clear.
    ///
    /// ```
    /// use board::{CastlingStyle, Position};
    /// let start = Position::startpos();
    /// let mv = start.parse_uci("e2e4").unwrap();
    /// assert_eq!(mv.uci(CastlingStyle::Standard), "e2e4");
    /// let error = start.parse_uci("e2e5").unwrap_err();
    /// assert_eq!(error.to_string(), "e2e5 is not legal here");
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, CoordinateError> {
        if text == "0000" {
            return Err(CoordinateError::NullMove);
        }
        let (from, to, promotion) =
            read_squares(text.as_bytes()).ok_or_else(|| CoordinateError::Syntax(text.into()))?;
        self.move_between(from, to, promotion)
            .map_err(|why| CoordinateError::Illegal(text.into(), why))
    }

    /// The legal move from one square to another; castling in either style.
    pub(crate) fn move_between(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Result<Move, Illegality> {
        let us = self.side_to_move();
        let kind = match self.piece_on(from) {
            None => return Err(Illegality::EmptySquare(from)),
            Some(piece) if piece.color() != us => return Err(Illegality::OpponentsMan(from)),
            Some(piece) => piece.kind(),
        };
        let mv = match (kind, promotion) {
            (PieceKind::King, None) => match self.castling_rook(from, to) {
                Some(rook) => Move::castling(from, rook),
                None => Move::normal(from, to),
            },
            (PieceKind::Pawn, Some(becomes)) => Move::promotion(from, to, becomes),
            (PieceKind::Pawn, None) if self.takes_en_passant(from, to) => {
                Move::en_passant(from, to)
            }
            (_, None) => Move::normal(from, to),
            (_, Some(_)) => return Err(Illegality::Unspecified),
        };
        let promotes = kind == PieceKind::Pawn && to.rank_for(us) == 7;
        if promotes && promotion.is_none() {
            return Err(match self.is_legal(Move::promotion(from, to, PieceKind::Queen)) {
                true => Illegality::PromotionMissing,
                false => self.vague_illegality(),
            });
        }
        if self.is_legal(mv) { Ok(mv) } else { Err(self.vague_illegality()) }
    }

    fn vague_illegality(&self) -> Illegality {
        match self.in_check() {
            true => Illegality::InCheck(self.side_to_move()),
            false => Illegality::Unspecified,
        }
    }

    fn takes_en_passant(&self, from: Square, to: Square) -> bool {
        self.en_passant() == Some(to) && from.file() != to.file()
    }

    /// The rook with which the king would castle: the one it "takes", or, where the king stands on
    /// the e-file and jumps two squares, the one in the corner.
    fn castling_rook(&self, king: Square, to: Square) -> Option<Square> {
        let rooks = self.castling_rooks(self.side_to_move());
        if rooks.has(to) {
            return Some(to);
        }
        let corner = match (king.file(), to.file()) {
            (4, 6) => 7,
            (4, 2) => 0,
            _ => return None,
        };
        let rook = Square::at(corner, king.rank());
        (king.rank() == to.rank() && rooks.has(rook)).then_some(rook)
    }
}

fn read_squares(text: &[u8]) -> Option<(Square, Square, Option<PieceKind>)> {
    let from = Square::parse(text.get(..2)?)?;
    let to = Square::parse(text.get(2..4)?)?;
    let promotion = match text.get(4..)? {
        [] => None,
        [letter] => {
            let kind = PieceKind::from_letter(*letter)?;
            Some(kind).filter(|kind| PieceKind::PROMOTIONS.contains(kind)).map(Some)?
        }
        _ => return None,
    };
    Some((from, to, promotion))
}
