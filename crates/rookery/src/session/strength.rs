//! Playing below its strength: `Skill Level`, and `UCI_Elo` where `UCI_LimitStrength` is on.
//!
//! A weak player sees less and does not always find the best of the moves it looks at. So the search
//! ends after a number of nodes that grows by a constant factor from level to level, at least
//! [`CANDIDATES`] lines are searched, and the one is played that is best after a random number has
//! been added to each value: up to [`LARGEST_ERROR`] centipawns at level 0, nothing at level 20. The
//! numbers are others in every session, unless a seed is set (`Skill Seed`): the session can be repeated
//! then.
//!
//! So few nodes take no time. Where the game has a clock, the answer waits for a part of what a full search
//! would take ([`Strength::thinking_time`]), as people want to see the other side think.
//!
//! Nodes rather than plies: strength grows smoothly with them, in the endgame as in the opening, and
//! does not depend on the machine. What rating a level plays at was measured by matches
//! ([`RATING_OF_LEVEL`], docs/lab/strength.md).

use board::random::SplitMix;
use search::Line;
use search::time::Budget;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The level at which nothing is held back.
pub const FULL_LEVEL: f64 = 20.0;
/// Ratings that can be asked for: those that were measured.
pub const RATINGS: (i64, i64) =
    (RATING_OF_LEVEL[0].1 as i64, RATING_OF_LEVEL[RATING_OF_LEVEL.len() - 1].1 as i64);
/// Lines to choose from.
pub const CANDIDATES: usize = 4;
/// The largest error of a move's value at level 0, in centipawns.
const LARGEST_ERROR: f64 = 250.0;
/// Nodes of a search at level 0.
const FEWEST_NODES: f64 = 60.0;
/// How many times more they are at the next level.
const NODES_PER_LEVEL: f64 = 1.6;
/// The part of the planned time that a move takes, at least and at most.
const THINKING_PART: (f64, f64) = (0.15, 0.6);
/// No move takes longer, however much time there is.
const LONGEST_THOUGHT: Duration = Duration::from_secs(8);
/// The rating at some levels, in rising order; straight lines between them.
pub const RATING_OF_LEVEL: [(f64, f64); 8] = [
    (0.0, 415.0),
    (2.0, 725.0),
    (4.0, 1170.0),
    (6.0, 1520.0),
    (8.0, 1720.0),
    (10.0, 2160.0),
    (12.0, 2680.0),
    (14.0, 2960.0),
];

/// How weak to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    level: f64,
}

impl Strength {
    /// A level from 0 to 20; none at full strength.
    pub fn of_level(level: f64) -> Option<Strength> {
        (level < FULL_LEVEL).then_some(Strength { level: level.max(0.0) })
    }

    /// The level for a rating; ratings beyond those measured count as the last ones.
    pub fn of_rating(rating: i64) -> Option<Strength> {
        let rating = rating.clamp(RATINGS.0, RATINGS.1) as f64;
        let piece = RATING_OF_LEVEL.windows(2).find(|piece| rating <= piece[1].1);
        let level = piece.map_or(FULL_LEVEL, |piece| {
            let [(low, at_low), (high, at_high)] = [piece[0], piece[1]];
            low + (high - low) * (rating - at_low) / (at_high - at_low)
        });
        Strength::of_level(level)
    }

    /// The nodes of a search.
    pub fn nodes(self) -> u64 {
        (FEWEST_NODES * NODES_PER_LEVEL.powf(self.level)) as u64
    }

    /// How long to think about a move that has such a budget: a random part of it.
    pub fn thinking_time(self, budget: &Budget, random: &mut SplitMix) -> Duration {
        let (least, most) = THINKING_PART;
        let part_ms = budget.soft_ms() * (least + (most - least) * random.unit());
        // Such a budget is below a year; what is none (a bug) is no reason to wait.
        let time = Duration::try_from_secs_f64(part_ms / 1e3).unwrap_or_default();
        time.min(LONGEST_THOUGHT)
    }

    /// Which of the lines (best first) is played.
    pub fn choose<'a>(self, lines: &'a [Line], random: &mut SplitMix) -> Option<&'a Line> {
        let error = LARGEST_ERROR * (1.0 - self.level / FULL_LEVEL);
        let blurred =
            lines.iter().map(|line| (f64::from(line.score) + error * random.unit(), line));
        // The first of equal ones, so that level 20 would be exact.
        blurred
            .reduce(|best, other| if other.0 > best.0 { other } else { best })
            .map(|(_, line)| line)
    }
}

/// Random numbers: the same for the same seed; 0: others each time.
pub fn random(seed: u64) -> SplitMix {
    SplitMix(if seed == 0 { RandomState::new().hash_one(0) } else { seed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;
    use search::Bound;

    fn lines() -> Vec<Line> {
        let moves = Position::startpos().legal_moves();
        let line = |(&mv, score)| Line { score, bound: Bound::Exact, moves: vec![mv] };
        moves.iter().zip([30, 0, -40, -400]).map(line).collect()
    }

    /// How often the best line is chosen in a thousand tries.
    fn best_chosen(level: f64) -> usize {
        let (lines, mut random) = (lines(), SplitMix(7));
        let strength = Strength::of_level(level).expect("a level below 20");
        let mut choose = |_: &usize| strength.choose(&lines, &mut random) == lines.first();
        (0..1000).filter(|number| choose(number)).count()
    }

    #[test]
    fn a_lower_level_errs_more_often_but_never_by_more_than_its_error() {
        let chosen = [0.0, 10.0, 15.0, 19.9].map(best_chosen);
        assert!(chosen.is_sorted() && chosen[0] < 600 && chosen[3] == 1000, "{chosen:?}");
        let (lines, mut random) = (lines(), SplitMix(1));
        let weakest = Strength::of_level(0.0).expect("a level");
        assert!((0..1000).all(|_| weakest.choose(&lines, &mut random) != lines.last()));
    }

    #[test]
    fn a_weak_player_thinks_for_a_part_of_its_time() {
        let clock = |remaining_ms| search::time::Clock { remaining_ms, ..Default::default() };
        let strength = Strength::of_level(3.0).expect("a level below 20");
        let mut random = SplitMix(3);
        for remaining_ms in [-50, 0, 5, 60_000, i64::MAX] {
            let budget = Budget::of_clock(&clock(remaining_ms), 10);
            for _ in 0..100 {
                let time = strength.thinking_time(&budget, &mut random);
                assert!(time <= LONGEST_THOUGHT && time.as_secs_f64() * 1e3 <= budget.soft_ms());
            }
        }
        let minute = Budget::of_clock(&clock(60_000), 10);
        assert!(strength.thinking_time(&minute, &mut random) > Duration::from_millis(100));
    }

    #[test]
    fn a_seed_repeats_and_none_does_not() {
        let first = |seed| random(seed).next();
        assert_eq!(first(7), first(7));
        assert!((0..3).any(|_| first(0) != first(0)));
    }

    #[test]
    fn ratings_are_levels_between_those_measured() {
        assert!(RATING_OF_LEVEL.is_sorted_by(|one, other| one.0 < other.0 && one.1 < other.1));
        for (level, rating) in RATING_OF_LEVEL {
            let strength = Strength::of_rating(rating as i64).expect("below full strength");
            assert!((strength.level - level).abs() < 0.02, "{strength:?} for {rating}");
        }
        let levels = (RATINGS.0..=RATINGS.1).map(Strength::of_rating);
        assert!(levels.map(|strength| strength.map_or(20.0, |it| it.level)).is_sorted());
        assert_eq!(Strength::of_rating(i64::MIN), Strength::of_level(0.0));
        assert_eq!(Strength::of_rating(i64::MAX), Strength::of_rating(RATINGS.1));
    }

    #[test]
    fn a_higher_level_sees_more_and_the_highest_everything() {
        assert_eq!(Strength::of_level(20.0), None);
        let nodes =
            [0.0, 5.0, 10.0, 19.0].map(|level| Strength::of_level(level).map(Strength::nodes));
        assert!(nodes.is_sorted() && nodes[0] == Some(60) && nodes[3] > Some(400_000), "{nodes:?}");
    }
}
