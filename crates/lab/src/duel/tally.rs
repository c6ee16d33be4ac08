//! The score of a match, pair by pair, and what it says about the difference in strength.
//!
//! The two games of a pair share an opening and are not independent; pairs are. So the error is
//! computed from the pairs' scores.

use crate::statistics::TWO_SIDED_95;
use std::fmt;

/// How many pairs gave 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [u64; 5],
}

impl Tally {
    /// Adds a pair with its points, 0 to 2.
    pub fn add(&mut self, points: f64) {
        let place = (points * 2.0).round().clamp(0.0, 4.0) as usize;
        self.counts[place] += 1;
    }

    /// Pairs so far.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of the points, 0 to 1; ½ before anything was played.
    pub fn share(&self) -> f64 {
        let points: f64 =
            (0u32..).zip(self.counts).map(|(n, count)| f64::from(n) * count as f64).sum();
        if self.pairs() == 0 { 0.5 } else { points / (4.0 * self.pairs() as f64) }
    }

    /// The standard error of [`Tally::share`].
    pub fn error(&self) -> f64 {
        let (pairs, share) = (self.pairs() as f64, self.share());
        if pairs < 2.0 {
            return 0.5;
        }
        let squares = (0u32..).zip(self.counts).map(|(n, count)| {
            let away = f64::from(n) / 4.0 - share;
            away * away * count as f64
        });
        (squares.sum::<f64>() / (pairs - 1.0) / pairs).sqrt()
    }

    /// The difference in Elo, and the half-width of its 95 % interval.
    pub fn elo(&self) -> (f64, f64) {
        let (share, margin) = (self.share(), TWO_SIDED_95 * self.error());
        let half = (elo(share + margin) - elo(share - margin)) / 2.0;
        (elo(share), half)
    }
}

/// The logistic curve; ±1200 stands for everything beyond.
fn elo(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    -400.0 * (1.0 / share - 1.0).log10()
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, half) = self.elo();
        let counts = self.counts.map(|count| count.to_string()).join(" ");
        write!(
            out,
            "{} games, {:.2} %, pairs [{counts}], Elo {elo:+.1} ± {half:.1} (95 %)",
            2 * self.pairs(),
            100.0 * self.share()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_comes_from_the_pairs() {
        let mut tally = Tally::default();
        (0..50).for_each(|_| tally.add(1.0));
        assert_eq!((tally.share(), tally.error()), (0.5, 0.0));
        (0..25).for_each(|_| tally.add(2.0));
        (0..25).for_each(|_| tally.add(0.5));
        assert_eq!(tally.pairs(), 100);
        assert!((tally.share() - 0.5625).abs() < 1e-9);
        // Variance of the shares ½ (50), 1 (25), ¼ (25): 7.4219/99.
        assert!((tally.error() - (7.421_875f64 / 99.0 / 100.0).sqrt()).abs() < 1e-9);
        let (elo, half) = tally.elo();
        assert!((elo - 43.66).abs() < 0.1 && (half - 38.0).abs() < 1.0, "{elo} ± {half}");
        assert!(
            tally.to_string().starts_with("200 games, 56.25 %, pairs [0 25 50 0 25], Elo +43.7")
        );
    }
}
