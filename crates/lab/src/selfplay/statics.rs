//! Positions from inside searches with their static evaluation, to train a network on first.

use super::{GAMES_PER_TASK, Player, Settings, game};
use crate::data::Sample;
use crate::data::samples::NO_OUTCOME;
use crate::workers::Stop;
use eval::{AnyEvaluator, Sampler};

/// How positions are taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Statics {
    /// The games in which they lie.
    pub games: Settings,
    /// One evaluation of this number is kept.
    pub one_in: u64,
}

impl Statics {
    /// The evaluation of a player whose games are sampled.
    pub fn evaluator(&self) -> AnyEvaluator {
        AnyEvaluator::Sampler(Box::new(Sampler::new(self.one_in)))
    }

    /// The positions of the games of a task; none where it was stopped.
    pub fn take(&self, player: &mut Player, task: u64, stop: &Stop<'_>) -> Option<Vec<Sample>> {
        let mut samples = Vec::new();
        for number in task * GAMES_PER_TASK..(task + 1) * GAMES_PER_TASK {
            if let AnyEvaluator::Sampler(sampler) = player.evaluator_mut() {
                sampler.seed(number ^ self.games.seed << 32);
            }
            game::play(player, &self.games, number, stop)?;
            if let AnyEvaluator::Sampler(sampler) = player.evaluator_mut() {
                let sample = |(position, score)| Sample::new(&position, score, NO_OUTCOME);
                samples.extend(sampler.take().map(sample));
            }
        }
        Some(samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_task_gives_the_same_positions_about_one_in_the_number_asked_for() {
        let games = Settings {
            seed: 3,
            nodes: 30,
            random_plies: 8,
            largest_opening_score: 600,
            hash_mb: 1,
            evaluation: String::new(),
        };
        let take = |one_in| {
            let statics = Statics { games: games.clone(), one_in };
            let mut player = Player::new(&games, statics.evaluator()).expect("a megabyte is there");
            statics.take(&mut player, 1, &|| false).expect("it was not stopped")
        };
        let (all, few) = (take(2), take(16));
        assert_eq!(few, take(16));
        let ratio = all.len() as f64 / few.len() as f64;
        assert!((6.0..10.0).contains(&ratio), "{} and {}", all.len(), few.len());
        assert!(all.iter().all(|one| one.outcome() == NO_OUTCOME));
        assert!(all.iter().any(|one| one.score() != 0));
    }
}
