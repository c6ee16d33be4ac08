//! The five results of pairs of games, and what they say about the difference in strength.

use super::{NORMALISED_PER_DEVIATION, elo_of_share, probability_below};
use lab::statistics::TWO_SIDED_95;

/// The share of the points that each result of a pair gives.
pub(super) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Pairs below which nothing should be said about strength: not even the error is known well enough.
pub const FEWEST_PAIRS: u64 = 10;

/// How often a pair of games ended with 0, ½, 1, 1½ and 2 points for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pentanomial {
    /// The counts, worst result first.
    pub pairs: [u64; 5],
}

/// A value and how far it may be off, either way, with 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// Half the width of the interval; infinite where the results do not bound it.
    pub margin: f64,
}

impl Pentanomial {
    /// Counts one pair, by the half-points it gave to the first player (0 to 4).
    ///
    /// # Panics
    /// If there are more than four.
    pub fn add(&mut self, half_points: usize) {
        self.pairs[half_points] += 1;
    }

    /// The same pairs seen by the second player.
    pub fn reversed(self) -> Pentanomial {
        let [a, b, c, d, e] = self.pairs;
        Pentanomial { pairs: [e, d, c, b, a] }
    }

    /// These pairs and others together.
    pub fn plus(self, other: Pentanomial) -> Pentanomial {
        let mut pairs = self.pairs;
        pairs.iter_mut().zip(other.pairs).for_each(|(sum, more)| *sum += more);
        Pentanomial { pairs }
    }

    /// How many pairs there are.
    pub fn total(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The first player's share of the points; one half where nothing was played.
    pub fn share(&self) -> f64 {
        match self.total() {
            0 => 0.5,
            total => self.weighted(|share| share) / total as f64,
        }
    }

    /// The variance of a pair's share of the points.
    pub fn variance(&self) -> f64 {
        let mean = self.share();
        match self.total() {
            0 => 0.0,
            total => self.weighted(|share| (share - mean).powi(2)) / total as f64,
        }
    }

    fn weighted(&self, of_share: impl Fn(f64) -> f64) -> f64 {
        SHARES.iter().zip(self.pairs).map(|(&share, count)| of_share(share) * count as f64).sum()
    }

    /// The standard error of the share.
    fn share_error(&self) -> f64 {
        (self.variance() / self.total().max(1) as f64).sqrt()
    }

    /// The difference in Elo points: logistic, of the share of points alone.
    pub fn elo(&self) -> Estimate {
        let (low, high) = self.elo_interval();
        Estimate { value: elo_of_share(self.share()), margin: 0.5 * (high - low) }
    }

    /// Whether there are enough pairs to say something about strength.
    pub fn are_enough(&self) -> bool {
        self.total() >= FEWEST_PAIRS
    }

    /// Between which differences in Elo points the true one lies, with 95 % confidence; infinite where
    /// the results set no bound.
    pub fn elo_interval(&self) -> (f64, f64) {
        let total = self.total();
        let (share, reach) = (self.share(), TWO_SIDED_95 * self.share_error());
        // Of a player who has won every pair it is known that it does not win them seldom (Clopper and
        // Pearson 1934): with any other share all wins would be too unlikely.
        let least = || 0.025_f64.powf(1.0 / total as f64);
        match (reach > 0.0, share) {
            (true, _) => (elo_of_share(share - reach), elo_of_share(share + reach)),
            (false, 1.0) => (elo_of_share(least()), f64::INFINITY),
            (false, 0.0) => (f64::NEG_INFINITY, elo_of_share(1.0 - least())),
            (false, _) => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The difference in normalised Elo: the share's distance from one half in deviations of a game,
    /// which says how many games it takes to see it, whatever the opening and the rate of draws.
    pub fn normalised_elo(&self) -> Estimate {
        // A pair's share is the mean of two games: the deviation of one game is √2 times as large.
        let game_deviation = (2.0 * self.variance()).sqrt();
        if game_deviation == 0.0 {
            let value = match self.share() {
                share if share > 0.5 => f64::INFINITY,
                share if share < 0.5 => f64::NEG_INFINITY,
                _ => 0.0,
            };
            return Estimate { value, margin: f64::INFINITY };
        }
        let scale = NORMALISED_PER_DEVIATION / game_deviation;
        Estimate {
            value: (self.share() - 0.5) * scale,
            margin: TWO_SIDED_95 * self.share_error() * scale,
        }
    }

    /// The likelihood that the first player is the stronger one.
    pub fn superiority(&self) -> f64 {
        let (lead, error) = (self.share() - 0.5, self.share_error());
        match error > 0.0 {
            true => probability_below(lead / error),
            false if lead == 0.0 => 0.5,
            false => f64::from(u8::from(lead > 0.0)),
        }
    }

    /// The share of pairs that neither player won.
    pub fn even_share(&self) -> f64 {
        self.pairs[2] as f64 / self.total().max(1) as f64
    }

    /// Pairs won for each pair lost.
    pub fn ratio(&self) -> f64 {
        let [a, b, _, d, e] = self.pairs;
        match (d + e, a + b) {
            (0, 0) => 1.0,
            (won, lost) => won as f64 / lost as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value}, expected {expected}");
    }

    /// Published with their counts: github.com/aronpetko/integral, pull request 144.
    #[test]
    fn published_matches_have_the_published_elo() {
        let short = Pentanomial { pairs: [28, 890, 1998, 1061, 40] };
        close(short.elo().value, 8.43, 0.005);
        close(short.elo().margin, 3.99, 0.02);
        let long = Pentanomial { pairs: [16, 2519, 5868, 2729, 17] };
        close(long.elo().value, 3.30, 0.005);
        close(long.elo().margin, 2.24, 0.02);
    }

    /// Four pairs with 1½, 1½, 1 and 1 points, by hand: share 5/8, variance 1/64, error 1/16.
    #[test]
    fn four_pairs_by_hand() {
        let counts = Pentanomial { pairs: [0, 0, 2, 2, 0] };
        assert_eq!((counts.share(), counts.variance()), (0.625, 1.0 / 64.0));
        close(counts.superiority(), probability_below(2.0), 1e-15);
        close(counts.elo().value, 88.739_499, 1e-6);
        close(counts.normalised_elo().value, 245.674_06, 1e-5);
        assert_eq!((counts.even_share(), counts.ratio()), (0.5, f64::INFINITY));
    }

    #[test]
    fn the_other_player_sees_the_opposite() {
        let counts = Pentanomial { pairs: [3, 20, 40, 31, 6] };
        let other = counts.reversed();
        close(counts.elo().value, -other.elo().value, 1e-9);
        close(counts.normalised_elo().margin, other.normalised_elo().margin, 1e-9);
        close(counts.superiority(), 1.0 - other.superiority(), 1e-12);
        assert_eq!(counts.plus(other).share(), 0.5);
    }

    #[test]
    fn who_wins_every_pair_is_better_by_something_that_grows() {
        let won = |pairs| Pentanomial { pairs: [0, 0, 0, 0, pairs] };
        let least = |pairs| won(pairs).elo_interval().0;
        // 0.025^(1/10) is 69.15 % of the points.
        close(least(10), 140.2, 0.1);
        assert!(least(1) < 0.0 && least(10) < least(100));
        assert_eq!(won(10).elo_interval().1, f64::INFINITY);
        let (low, high) = won(10).reversed().elo_interval();
        assert_eq!(low, f64::NEG_INFINITY);
        close(high, -least(10), 1e-9);
        let even = Pentanomial { pairs: [0, 0, 50, 0, 0] };
        assert_eq!(even.elo_interval(), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(won(10).are_enough() && !won(9).are_enough());
    }

    #[test]
    fn nothing_played_and_everything_won_are_numbers_too() {
        let mut counts = Pentanomial::default();
        assert_eq!((counts.share(), counts.superiority(), counts.ratio()), (0.5, 0.5, 1.0));
        assert_eq!(counts.elo().margin, f64::INFINITY);
        counts.add(4);
        assert_eq!((counts.elo().value, counts.superiority()), (f64::INFINITY, 1.0));
        assert_eq!(counts.normalised_elo().value, f64::INFINITY);
    }
}
