//! Chances to win, draw and lose (`UCI_ShowWDL`): a logistic model of the score and the material.
//!
//! The chance to win is `1 / (1 + e^((a - score) / b))`, the chance to lose the same with the score's
//! sign turned, the rest are draws. `a` is the score with which every second game is won, `b` the
//! slope; both are straight lines in the material on the board. The numbers are set by hand to what
//! engines of this kind show, until games of our own are there to fit them to.

use board::{Color, PieceKind, Position};
use eval::score;

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
/// `a` in centipawns on an empty board, and what a full board takes away.
const HALF_WON: (f64, f64) = (230.0, -60.0);
/// `b` in centipawns on an empty board, and what a full board adds.
const SLOPE: (f64, f64) = (60.0, 25.0);

/// Wins, draws and losses of the side to move in a thousand games.
pub fn chances(score: i32, position: &Position) -> [u32; 3] {
    if score > i32::from(score::EVAL_LIMIT) {
        return [1000, 0, 0];
    }
    if score < -i32::from(score::EVAL_LIMIT) {
        return [0, 0, 1000];
    }
    let men =
        |kind| position.men(Color::White, kind).count() + position.men(Color::Black, kind).count();
    let points: f64 = POINTS.iter().map(|&(kind, value)| f64::from(men(kind)) * value).sum();
    let material = (points / FULL).min(1.0);
    let half_won = HALF_WON.0 + HALF_WON.1 * material;
    let slope = SLOPE.0 + SLOPE.1 * material;
    let chance = |score: f64| 1000.0 / (1.0 + ((half_won - score) / slope).exp());
    let (win, loss) = (chance(f64::from(score)) as u32, chance(f64::from(-score)) as u32);
    [win, 1000 - win - loss, loss]
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
}
