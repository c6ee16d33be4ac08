//! Chances to win, draw and lose: a logistic model of the score and the material.
//!
//! The chance to win is `1 / (1 + e^((a - score) / b))`, the chance to lose the same with the score's
//! sign turned, the rest are draws. `a` is the score with which every second game is won, `b` the
//! slope; both are straight lines in the material on the board. `lab fit-wdl` fits the four numbers to
//! games (docs/lab/strength.md).

use crate::score;
use board::{Color, PieceKind, Position};

/// Points of the men for the model: pawn, knight, bishop, rook, queen.
const POINTS: [(PieceKind, f64); 5] = [
    (PieceKind::Pawn, 1.0),
    (PieceKind::Knight, 3.0),
    (PieceKind::Bishop, 3.0),
    (PieceKind::Rook, 5.0),
    (PieceKind::Queen, 9.0),
];
/// The points of all men at the start.
const FULL: f64 = 78.0;

/// The four numbers, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The score with which every second game is won, on an empty board.
    pub half_won: f64,
    /// What a full board adds to it.
    pub half_won_full: f64,
    /// The slope on an empty board.
    pub slope: f64,
    /// What a full board adds to it.
    pub slope_full: f64,
}

/// Fitted to 34,753 scores of the network in 622 games at 5,000 nodes a move; those at 20,000 nodes agree.
pub const MODEL: Model =
    Model { half_won: 359.0, half_won_full: -258.6, slope: 96.7, slope_full: 118.8 };

impl Model {
    /// `a` and `b` for this share of a full board's material.
    pub fn line(&self, material: f64) -> (f64, f64) {
        let half_won = self.half_won + self.half_won_full * material;
        (half_won, (self.slope + self.slope_full * material).max(1.0))
    }

    /// The chances to win and to lose with a score.
    pub fn win_and_loss(&self, score: f64, material: f64) -> (f64, f64) {
        let (half_won, slope) = self.line(material);
        let chance = |score: f64| 1.0 / (1.0 + ((half_won - score) / slope).exp());
        (chance(score), chance(-score))
    }
}

/// How much material is on the board, from 0 (kings alone) to 1.
pub fn material(position: &Position) -> f64 {
    let men =
        |kind| position.men(Color::White, kind).count() + position.men(Color::Black, kind).count();
    let points: f64 = POINTS.iter().map(|&(kind, value)| f64::from(men(kind)) * value).sum();
    (points / FULL).min(1.0)
}

/// Wins, draws and losses of the side to move in a thousand games.
pub fn chances(score: i32, position: &Position) -> [u32; 3] {
    if score > i32::from(score::EVAL_LIMIT) {
        return [1000, 0, 0];
    }
    if score < -i32::from(score::EVAL_LIMIT) {
        return [0, 0, 1000];
    }
    let (win, loss) = MODEL.win_and_loss(f64::from(score), material(position));
    let (win, loss) = ((win * 1000.0) as u32, (loss * 1000.0) as u32);
    [win, 1000u32.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_make_a_thousand_and_follow_the_score() {
        let start = Position::startpos();
        let mut last = 0;
        for score in (-10_000..=10_000).step_by(25) {
            let [win, draw, loss] = chances(score, &start);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last);
            assert_eq!(chances(-score, &start), [loss, draw, win]);
            last = win;
        }
        assert!(last > 990);
        assert_eq!(chances(i32::from(score::MATE), &start), [1000, 0, 0]);
        assert_eq!(chances(-20_000, &start), [0, 0, 1000]);
    }

    #[test]
    fn every_second_game_is_won_with_the_score_that_says_so() {
        for material in [0.1, 0.5, 1.0] {
            let (half_won, slope) = MODEL.line(material);
            assert!(half_won > 0.0 && slope > 1.0);
            let (win, _) = MODEL.win_and_loss(half_won, material);
            assert!((win - 0.5).abs() < 1e-9);
        }
    }
}
