//! How a game ended, and why.

use board::{Color, Draw, Outcome, pgn};
use serde::{Deserialize, Serialize};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    Mate,
    Stalemate,
    Repetition,
    FiftyMoves,
    InsufficientMaterial,
    /// Both engines saw nothing in it any more.
    DrawAdjudicated,
    /// One engine saw itself lost, as the rules for resigning say.
    WinAdjudicated,
    /// Syzygy tables know the position.
    TablebaseWin,
    TablebaseDraw,
    /// The longest game that was allowed.
    MaximumLength,
    DrawAgreed,
    Resigned,
    TimeLoss,
    Crash,
    Hang,
    IllegalMove,
    NotStarted,
    /// An engine gave up in another way than the rules know: no move, a false claim, a refusal.
    Forfeit,
}

impl Cause {
    /// Whether an engine is to blame for something that no engine should do.
    pub fn is_failure(self) -> bool {
        self >= Cause::TimeLoss
    }

    /// The value of PGN's tag `Termination`.
    pub fn termination(self) -> &'static str {
        match self {
            Cause::DrawAdjudicated
            | Cause::WinAdjudicated
            | Cause::TablebaseWin
            | Cause::TablebaseDraw
            | Cause::MaximumLength => "adjudication",
            Cause::TimeLoss => "time forfeit",
            Cause::Crash | Cause::Hang | Cause::NotStarted => "abandoned",
            Cause::IllegalMove | Cause::Forfeit => "rules infraction",
            _ => "normal",
        }
    }

    /// A few words.
    pub fn words(self) -> &'static str {
        match self {
            Cause::Mate => "mate",
            Cause::Stalemate => "stalemate",
            Cause::Repetition => "repetition",
            Cause::FiftyMoves => "fifty moves",
            Cause::InsufficientMaterial => "insufficient material",
            Cause::DrawAdjudicated => "draw adjudicated",
            Cause::WinAdjudicated => "win adjudicated",
            Cause::TablebaseWin => "tablebase win",
            Cause::TablebaseDraw => "tablebase draw",
            Cause::MaximumLength => "maximum length",
            Cause::DrawAgreed => "draw agreed",
            Cause::Resigned => "resigned",
            Cause::TimeLoss => "loss on time",
            Cause::Crash => "crash",
            Cause::Hang => "hang",
            Cause::IllegalMove => "illegal move",
            Cause::NotStarted => "not started",
            Cause::Forfeit => "forfeit",
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    pub winner: Option<Color>,
    pub cause: Cause,
    /// What exactly went wrong, where something did.
    pub detail: Option<String>,
}

impl GameEnd {
    /// A draw.
    pub fn draw(cause: Cause) -> GameEnd {
        GameEnd { winner: None, cause, detail: None }
    }

    /// A win.
    pub fn win(winner: Color, cause: Cause) -> GameEnd {
        GameEnd { winner: Some(winner), cause, detail: None }
    }

    /// A side's own fault.
    pub fn fault(loser: Color, cause: Cause, detail: String) -> GameEnd {
        GameEnd { winner: Some(!loser), cause, detail: Some(detail) }
    }

    /// The result for a PGN file.
    pub fn result(&self) -> pgn::Outcome {
        match self.winner {
            Some(Color::White) => pgn::Outcome::White,
            Some(Color::Black) => pgn::Outcome::Black,
            None => pgn::Outcome::Draw,
        }
    }
}

impl From<Outcome> for GameEnd {
    fn from(outcome: Outcome) -> GameEnd {
        match outcome {
            Outcome::Checkmate(winner) => GameEnd::win(winner, Cause::Mate),
            Outcome::Draw(draw) => GameEnd::draw(match draw {
                Draw::Stalemate => Cause::Stalemate,
                Draw::InsufficientMaterial => Cause::InsufficientMaterial,
                Draw::SeventyFiveMoves | Draw::FiftyMoves => Cause::FiftyMoves,
                Draw::FivefoldRepetition | Draw::ThreefoldRepetition => Cause::Repetition,
            }),
        }
    }
}

impl std::fmt::Display for GameEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.winner, self.cause) {
            (Some(winner), Cause::Mate) => write!(f, "{winner} mates"),
            (Some(winner), Cause::WinAdjudicated) => write!(f, "{winner} wins by adjudication"),
            (Some(winner), Cause::TablebaseWin) => write!(f, "{winner} wins by the tables"),
            (Some(winner), cause) => write!(f, "{}: {}", !winner, cause.words()),
            (None, Cause::DrawAdjudicated) => f.write_str("draw by adjudication"),
            (None, Cause::TablebaseDraw) => f.write_str("draw by the tables"),
            (None, cause) => write!(f, "draw: {}", cause.words()),
        }?;
        self.detail.as_ref().map_or(Ok(()), |detail| write!(f, ", {detail}"))
    }
}
