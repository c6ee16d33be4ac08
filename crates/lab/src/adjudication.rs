//! Games that are decided by their scores: clear or level for long enough.

use crate::data::Outcome;

/// Which scores decide a game, and for how long they must hold.
#[derive(Clone, Copy, Debug)]
pub struct ScoreLimits {
    /// Centipawns at which a game counts as won, if both sides see them for long enough.
    pub win_score: i32,
    /// For how many half-moves in a row.
    pub win_plies: u32,
    /// Centipawns up to which a game counts as level.
    pub draw_score: i32,
    /// For how many half-moves in a row.
    pub draw_plies: u32,
}

/// What the scores of a game have said so far.
pub struct Adjudicator {
    limits: ScoreLimits,
    /// Half-moves in a row with a clear score for one side, and White's sign of it.
    clear: u32,
    sign: i32,
    /// Half-moves in a row with a level score.
    level: u32,
}

impl Adjudicator {
    /// Before the first score of a game.
    pub fn new(limits: ScoreLimits) -> Adjudicator {
        Adjudicator { limits, clear: 0, sign: 0, level: 0 }
    }

    /// Takes White's score at a half-move; the outcome if the game is over by it. Scores count as level only
    /// where the game `may_be_level`.
    pub fn see(&mut self, score: i32, may_be_level: bool) -> Option<Outcome> {
        let ScoreLimits { win_score, win_plies, draw_score, draw_plies } = self.limits;
        self.level = if may_be_level && score.abs() <= draw_score { self.level + 1 } else { 0 };
        let sign = if score.abs() >= win_score { score.signum() } else { 0 };
        self.clear = if sign != 0 && sign == self.sign { self.clear + 1 } else { 1 };
        self.sign = sign;
        match sign {
            0 if self.level >= draw_plies => Some(Outcome::Draw),
            1 if self.clear >= win_plies => Some(Outcome::White),
            -1 if self.clear >= win_plies => Some(Outcome::Black),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ScoreLimits =
        ScoreLimits { win_score: 2000, win_plies: 4, draw_score: 8, draw_plies: 12 };

    #[test]
    fn scores_decide_only_if_they_hold() {
        let mut clear = Adjudicator::new(LIMITS);
        let scores = [2500, 2500, 2500, 100, -2500, -2500, 2500, -2500, -2500, -2500];
        assert!(scores.iter().all(|&score| clear.see(score, true).is_none()));
        assert_eq!(clear.see(-2000, true), Some(Outcome::Black));
    }

    #[test]
    fn a_game_is_level_only_where_it_may_be() {
        let mut level = Adjudicator::new(LIMITS);
        assert!((0..30).all(|_| level.see(-8, false).is_none()));
        assert!((0..11).all(|_| level.see(8, true).is_none()));
        assert_eq!(level.see(0, true), Some(Outcome::Draw));
    }
}
