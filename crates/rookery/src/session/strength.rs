//! Playing below its strength: `Skill Level`, and `UCI_Elo` where `UCI_LimitStrength` is on.
//!
//! A weak player sees less far and does not always find the best of the moves it looks at. So the
//! search ends at a depth that the level allows, at least [`CANDIDATES`] lines are searched, and the
//! one is played that is best after a random number has been added to each value: up to
//! [`LARGEST_ERROR`] centipawns at level 0, nothing at level 20. The numbers come from a generator
//! with a fixed seed: a session repeated is the same game.
//!
//! A rating is turned into a level by a straight line. That line is a guess until matches have
//! calibrated it.

use search::Line;

/// The level at which nothing is held back.
pub const FULL_LEVEL: f64 = 20.0;
/// Ratings that can be asked for.
pub const RATINGS: (i64, i64) = (1000, 2800);
/// Lines to choose from.
pub const CANDIDATES: usize = 4;
/// What level 0 may misjudge a move by, in centipawns.
const LARGEST_ERROR: f64 = 250.0;

/// How weak to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    level: f64,
}

impl Strength {
    /// A level from 0 to 20; none at full strength.
    pub fn of_level(level: f64) -> Option<Strength> {
        (level < FULL_LEVEL).then_some(Strength { level })
    }

    /// The level for a rating.
    pub fn of_rating(rating: i64) -> Option<Strength> {
        let (low, high) = RATINGS;
        let part = (rating - low) as f64 / (high - low) as f64;
        Strength::of_level(part.clamp(0.0, 1.0) * FULL_LEVEL)
    }

    /// The last iteration.
    pub fn depth(self) -> i32 {
        1 + self.level as i32
    }

    /// Which of the lines (best first) is played.
    pub fn choose<'a>(self, lines: &'a [Line], random: &mut Random) -> Option<&'a Line> {
        let error = LARGEST_ERROR * (1.0 - self.level / FULL_LEVEL);
        let judged = lines.iter().map(|line| (f64::from(line.score) + error * random.next(), line));
        // The first of equal ones, so that level 20 would be exact.
        judged
            .reduce(|best, other| if other.0 > best.0 { other } else { best })
            .map(|(_, line)| line)
    }
}

/// Pseudo-random numbers (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, from 0 to 1.
    pub fn next(&mut self) -> f64 {
        self.bits() as f64 / u64::MAX as f64
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
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
        let (lines, mut random) = (lines(), Random::new(7));
        let strength = Strength::of_level(level).expect("a level below 20");
        let mut choose = |_: &usize| strength.choose(&lines, &mut random) == lines.first();
        (0..1000).filter(|number| choose(number)).count()
    }

    #[test]
    fn a_lower_level_errs_more_often_but_never_by_more_than_its_error() {
        let chosen = [0.0, 10.0, 15.0, 19.9].map(best_chosen);
        assert!(chosen.is_sorted() && chosen[0] < 600 && chosen[3] == 1000, "{chosen:?}");
        let (lines, mut random) = (lines(), Random::new(1));
        let weakest = Strength::of_level(0.0).expect("a level");
        assert!((0..1000).all(|_| weakest.choose(&lines, &mut random) != lines.last()));
    }

    #[test]
    fn ratings_are_levels() {
        assert_eq!(Strength::of_rating(2800), None);
        assert_eq!(Strength::of_level(20.0), None);
        assert_eq!(Strength::of_rating(1900), Strength::of_level(10.0));
        assert_eq!(Strength::of_rating(i64::from(i32::MIN)), Strength::of_level(0.0));
        assert_eq!(Strength::of_rating(1000).map(Strength::depth), Some(1));
    }
}
