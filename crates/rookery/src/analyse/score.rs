//! Scores from White's point of view: how they are written, and what chances they mean.
//!
//! The chance to win is a logistic function of the score, `100 / (1 + e^(-k · centipawns))`, with the
//! constant that lichess.org fitted to the games of its players (its page on accuracy, "Win%"): what
//! its readers know. Beyond ten pawns a difference no longer matters, and a mate is certain.

use board::{Color, Outcome};
use eval::score;
use serde::Serialize;

/// The slope of the chance to win, per centipawn.
const SLOPE: f64 = 0.003_682_08;
/// Centipawns beyond which a difference no longer counts.
const DECIDED: i32 = 1000;

/// A value from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// A forced mate.
    Mate {
        /// Who mates.
        winner: Color,
        /// In how many moves; 0 on the board.
        moves: i32,
    },
}

/// As JSON: `{"cp": 17}` or `{"mate": -3}`, both White's.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Plain {
    /// Centipawns.
    Cp(i32),
    /// Moves to the mate, negative where Black mates.
    Mate(i32),
}

impl Score {
    /// A search's value for the side to move.
    pub fn new(value: i32, side: Color) -> Score {
        let (mate, limit) = (i32::from(score::MATE), i32::from(score::MATE_LIMIT));
        let moves = (mate - value.abs() + 1) / 2;
        match value {
            value if value >= limit => Score::Mate { winner: side, moves },
            value if value <= -limit => Score::Mate { winner: !side, moves },
            value => Score::Centipawns(if side == Color::White { value } else { -value }),
        }
    }

    /// The value of a game that is over.
    pub fn of_end(outcome: Outcome) -> Score {
        match outcome.winner() {
            Some(winner) => Score::Mate { winner, moves: 0 },
            None => Score::Centipawns(0),
        }
    }

    /// As lichess.org writes it into games: `0.17`, `-1.2`, `0.0`, `#3`, `#-3`.
    pub fn pgn(self) -> String {
        match self {
            Score::Centipawns(centipawns) => {
                let sign = if centipawns < 0 { "-" } else { "" };
                let (whole, part) = (centipawns.abs() / 100, centipawns.abs() % 100);
                match part % 10 {
                    0 => format!("{sign}{whole}.{}", part / 10),
                    _ => format!("{sign}{whole}.{part:02}"),
                }
            }
            Score::Mate { .. } => self.text(),
        }
    }

    /// In columns: `+0.17`, `#-3`.
    pub fn text(self) -> String {
        match self {
            Score::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
            Score::Mate { winner: Color::White, moves } => format!("#{moves}"),
            Score::Mate { winner: Color::Black, moves } => format!("#-{moves}"),
        }
    }

    /// What it means.
    pub fn words(self) -> String {
        let centipawns = match self {
            Score::Mate { winner, moves: 1 } => return format!("{winner} mates in one move"),
            Score::Mate { winner, moves } => return format!("{winner} mates in {moves} moves"),
            Score::Centipawns(centipawns) => centipawns,
        };
        let side = if centipawns > 0 { Color::White } else { Color::Black };
        match centipawns.abs() {
            0..25 => "the game is even".to_owned(),
            25..75 => format!("{side} is slightly better"),
            75..200 => format!("{side} is better"),
            _ => format!("{side} is winning"),
        }
    }

    /// The chance of a side to win, in hundredths.
    pub fn chance(self, color: Color) -> f64 {
        let white = match self {
            Score::Mate { winner: Color::White, .. } => 100.0,
            Score::Mate { winner: Color::Black, .. } => 0.0,
            Score::Centipawns(_) => {
                let centipawns = f64::from(self.bounded(Color::White));
                100.0 / (1.0 + (-SLOPE * centipawns).exp())
            }
        };
        if color == Color::White { white } else { 100.0 - white }
    }

    /// Centipawns for a side, at most [`DECIDED`].
    pub fn bounded(self, color: Color) -> i32 {
        let white = match self {
            Score::Mate { winner: Color::White, .. } => DECIDED,
            Score::Mate { winner: Color::Black, .. } => -DECIDED,
            Score::Centipawns(centipawns) => centipawns.clamp(-DECIDED, DECIDED),
        };
        if color == Color::White { white } else { -white }
    }

    /// For JSON.
    pub fn plain(self) -> Plain {
        match self {
            Score::Centipawns(centipawns) => Plain::Cp(centipawns),
            Score::Mate { winner: Color::White, moves } => Plain::Mate(moves),
            Score::Mate { winner: Color::Black, moves } => Plain::Mate(-moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_whites_and_written_as_games_have_them() {
        for (value, side, pgn, text) in [
            (17, Color::White, "0.17", "+0.17"),
            (17, Color::Black, "-0.17", "-0.17"),
            (120, Color::White, "1.2", "+1.20"),
            (-105, Color::White, "-1.05", "-1.05"),
            (0, Color::Black, "0.0", "+0.00"),
            (31_997, Color::White, "#2", "#2"),
            (31_999, Color::Black, "#-1", "#-1"),
            (-31_996, Color::White, "#-2", "#-2"),
            (-31_996, Color::Black, "#2", "#2"),
        ] {
            let score = Score::new(value, side);
            assert_eq!((score.pgn().as_str(), score.text().as_str()), (pgn, text));
        }
    }

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let mut last = -1.0;
        for centipawns in (-2000..=2000).step_by(50) {
            let score = Score::Centipawns(centipawns);
            let (white, black) = (score.chance(Color::White), score.chance(Color::Black));
            assert!((white + black - 100.0).abs() < 1e-9 && white >= last);
            last = white;
        }
        assert!((Score::Centipawns(0).chance(Color::White) - 50.0).abs() < 1e-9);
        let mate = Score::Mate { winner: Color::Black, moves: 4 };
        assert_eq!((mate.chance(Color::Black), mate.bounded(Color::White)), (100.0, -DECIDED));
    }
}
