//! How good a played move was: its loss, its mark, and a player's accuracy.
//!
//! A move loses what the chance to win (see `score`) falls by it, in hundredths. The limits of the
//! marks are those of lichess.org: from 5 an inaccuracy, from 10 a mistake, from 15 a blunder. The best
//! move of the search loses nothing. Accuracy is lichess.org's curve over that loss, and of a player
//! the plain mean over the moves (lichess.org weighs moves by how sharp the position was).

use super::score::Score;
use board::Color;
use serde::Serialize;

/// A bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// Those that lose the most last, with the least loss that earns them.
    const LIMITS: [(Mark, f64); 3] =
        [(Mark::Inaccuracy, 5.0), (Mark::Mistake, 10.0), (Mark::Blunder, 15.0)];

    /// The mark of a loss, if it earns one.
    fn of(loss: f64) -> Option<Mark> {
        let earned = Mark::LIMITS.iter().rev().find(|&&(_, least)| loss >= least);
        earned.map(|&(mark, _)| mark)
    }

    /// The numeric annotation glyph.
    pub fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// How good a played move was.
#[derive(Clone, Copy, Debug)]
pub struct MoveQuality {
    /// The chance to win that it lost, in hundredths.
    pub loss: f64,
    /// Centipawns that it lost.
    pub centipawns: i32,
    /// Its mark, if it was bad.
    pub mark: Option<Mark>,
}

impl MoveQuality {
    /// The best move.
    pub const BEST: MoveQuality = MoveQuality { loss: 0.0, centipawns: 0, mark: None };

    /// A move of a side that leads from one score to another.
    pub fn new(before: Score, after: Score, mover: Color) -> MoveQuality {
        let loss = (before.chance(mover) - after.chance(mover)).max(0.0);
        let centipawns = (before.bounded(mover) - after.bounded(mover)).max(0);
        MoveQuality { loss, centipawns, mark: Mark::of(loss) }
    }

    /// The accuracy of the move, in hundredths: lichess.org's curve.
    fn accuracy(&self) -> f64 {
        (103.1668 * (-0.043_54 * self.loss).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// How a player did.
#[derive(Clone, Copy, Default, Debug)]
pub struct Performance {
    moves: u32,
    accuracy: f64,
    centipawns: i64,
    marks: [u32; 3],
}

impl Performance {
    /// Takes a move into account.
    pub fn add(&mut self, quality: &MoveQuality) {
        self.moves += 1;
        self.accuracy += quality.accuracy();
        self.centipawns += i64::from(quality.centipawns);
        if let Some(mark) = quality.mark {
            self.marks[mark as usize] += 1;
        }
    }

    /// The mean accuracy, in hundredths; none without moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / f64::from(self.moves))
    }

    /// The mean loss in centipawns; none without moves.
    pub fn mean_loss(&self) -> Option<i64> {
        (self.moves > 0).then(|| self.centipawns / i64::from(self.moves))
    }

    /// Inaccuracies, mistakes, blunders.
    pub fn marks(&self) -> [u32; 3] {
        self.marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_the_chance_that_is_lost_not_the_centipawns() {
        let mark_of = |before, after| {
            MoveQuality::new(Score::Centipawns(before), Score::Centipawns(after), Color::White).mark
        };
        assert_eq!(mark_of(20, 0), None);
        assert_eq!(mark_of(0, -60), Some(Mark::Inaccuracy));
        assert_eq!(mark_of(0, -120), Some(Mark::Mistake));
        assert_eq!(mark_of(0, -200), Some(Mark::Blunder));
        assert_eq!(mark_of(900, 700), None, "a won game stays won");
        assert_eq!(mark_of(0, 300), None, "a gain is no loss");
        let mate = Score::Mate { winner: Color::White, moves: 3 };
        let missed = MoveQuality::new(mate, Score::Centipawns(150), Color::White);
        assert_eq!((missed.mark, missed.centipawns), (Some(Mark::Blunder), 850));
        assert_eq!(MoveQuality::new(mate, mate, Color::Black).mark, None);
    }

    #[test]
    fn a_player_without_faults_is_fully_accurate() {
        let mut player = Performance::default();
        assert_eq!(player.accuracy(), None);
        player.add(&MoveQuality::BEST);
        assert!(player.accuracy().is_some_and(|accuracy| accuracy > 99.9));
        player.add(&MoveQuality { loss: 50.0, centipawns: 500, mark: Mark::of(50.0) });
        assert!(player.accuracy().is_some_and(|accuracy| accuracy < 60.0));
        assert_eq!((player.mean_loss(), player.marks()), (Some(250), [0, 0, 1]));
    }
}
