//! How a game ends: mate, stalemate, and the draws of the rules (M30).
//!
//! Some endings come by themselves (FIDE's Laws of Chess 5.1, 5.2, 9.6): mate, stalemate, a dead
//! position, five occurrences of a position, 75 moves of each side without a capture or a pawn move.
//! Others a player must claim (9.2, 9.3): three occurrences, 50 moves. [`History::outcome`] tells the
//! former, [`History::claimable_draw`] the latter.
//!
//! A position is called dead here if the material alone says that no sequence of legal moves ends in
//! mate ([`Position::is_insufficient_material`]). Positions that are dead for another reason, such as
//! walls of blocked pawns, are not recognised; the other rules end them.

use crate::{Bitboard, Color, History, PieceKind, Position};

/// Half-moves after which a draw can be claimed.
const FIFTY_MOVES: u16 = 100;
/// Half-moves after which the game is drawn.
const SEVENTY_FIVE_MOVES: u16 = 150;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Mate; who won.
    Checkmate(Color),
    /// A draw; why.
    Draw(Draw),
}

/// Why a game is, or can be, drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate any more.
    InsufficientMaterial,
    /// Each side has made 75 moves without a capture or a pawn move.
    SeventyFiveMoves,
    /// The position has occurred five times.
    FivefoldRepetition,
    /// Each side has made 50 moves without a capture or a pawn move: can be claimed.
    FiftyMoves,
    /// The position has occurred three times: can be claimed.
    ThreefoldRepetition,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate(winner) => Some(winner),
            Outcome::Draw(_) => None,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Checkmate(winner) => write!(f, "{winner} mates"),
            Outcome::Draw(draw) => write!(f, "draw by {draw}"),
        }
    }
}

impl std::fmt::Display for Draw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Draw::Stalemate => "stalemate",
            Draw::InsufficientMaterial => "insufficient material",
            Draw::SeventyFiveMoves => "the 75-move rule",
            Draw::FivefoldRepetition => "fivefold repetition",
            Draw::FiftyMoves => "the 50-move rule",
            Draw::ThreefoldRepetition => "threefold repetition",
        })
    }
}

impl Position {
    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move has no legal move without being in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Whether the material is such that no sequence of legal moves, however bad, ends in mate.
    ///
    /// These are: bare kings, one knight or one bishop alone beside the kings, and any number of
    /// bishops of either side that all go on squares of one colour. Everything else allows a mate at
    /// least with the loser's help, such as two knights against a king, or knight against bishop.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let heavy =
            self.kind(PieceKind::Pawn) | self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        if heavy.non_empty() {
            return false;
        }
        let bishops = self.kind(PieceKind::Bishop);
        let minors = self.kind(PieceKind::Knight) | bishops;
        let on_one_color = !bishops.meets(Bitboard::DARK) || !bishops.meets(!Bitboard::DARK);
        !minors.several() || minors == bishops && on_one_color
    }

    /// How the game has ended, as far as the position alone tells: mate, stalemate or insufficient
    /// material.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(match self.in_check() {
                true => Outcome::Checkmate(!self.side_to_move()),
                false => Outcome::Draw(Draw::Stalemate),
            });
        }
        self.is_insufficient_material().then_some(Outcome::Draw(Draw::InsufficientMaterial))
    }
}

impl History {
    /// How the game has ended by itself with this position, if it has. Mate goes before all others.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome().or_else(|| {
            if position.halfmove_clock() >= SEVENTY_FIVE_MOVES {
                Some(Outcome::Draw(Draw::SeventyFiveMoves))
            } else if self.occurrences(position) >= 4 {
                Some(Outcome::Draw(Draw::FivefoldRepetition))
            } else {
                None
            }
        })
    }

    /// The draw that the side to move can claim in this position, if the game goes on at all.
    pub fn claimable_draw(&self, position: &Position) -> Option<Draw> {
        let by_clock = position.halfmove_clock() >= FIFTY_MOVES;
        let draw = match by_clock {
            true => Draw::FiftyMoves,
            false if self.occurrences(position) >= 2 => Draw::ThreefoldRepetition,
            false => return None,
        };
        position.has_legal_move().then_some(draw)
    }
}
