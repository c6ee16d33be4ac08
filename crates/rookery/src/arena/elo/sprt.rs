//! The sequential probability ratio test on pentanomial counts.
//!
//! The generalised test (GSPRT) of Michel Van den Bergh: under each hypothesis the five probabilities
//! are those that make the counts most likely among all that fit the hypothesis, and the logarithm of
//! the ratio of the two likelihoods is compared with Wald's bounds.
//!
//! Finding these probabilities. To be maximised is Σ nᵢ ln pᵢ where Σ pᵢ fᵢ = 0, with fᵢ the distance of
//! a result from what the hypothesis says. Lagrange's multipliers give pᵢ = p̂ᵢ / (1 + θ fᵢ), p̂ being the
//! frequencies, with the one θ that solves Σ p̂ᵢ fᵢ / (1 + θ fᵢ) = 0 and leaves all pᵢ positive.

use super::pentanomial::{Pentanomial, SHARES};
use super::{NORMALISED_PER_DEVIATION, share_of_elo};

/// In which Elo the hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Elo of the share of points: what players mean by it.
    Logistic,
    /// Elo in deviations of a game's result: the length of the test hardly depends on the openings.
    Normalised,
}

impl Model {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalised => "normalised",
        }
    }
}

/// Which hypothesis was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The difference is `elo0` rather than `elo1`.
    Lower,
    /// The difference is `elo1` rather than `elo0`.
    Upper,
}

/// A test between two differences in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The lower hypothesis.
    pub elo0: f64,
    /// The upper hypothesis.
    pub elo1: f64,
    /// The probability to accept the upper one when the lower one holds.
    pub alpha: f64,
    /// The probability to accept the lower one when the upper one holds.
    pub beta: f64,
    /// What the hypotheses are stated in.
    pub model: Model,
}

/// Counts of 0 count a little: a result that has not occurred yet is not impossible. The same amount
/// as Fishtest takes, so that the numbers can be compared.
const REGULARISATION: f64 = 1e-3;

impl Sprt {
    /// The bounds between which the test goes on: below the first `elo0` is accepted, above the second
    /// `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The logarithm of the likelihood ratio of the two hypotheses; 0 before the first pair.
    pub fn log_likelihood_ratio(&self, counts: &Pentanomial) -> f64 {
        if counts.total() == 0 {
            return 0.0;
        }
        let counts = counts.pairs.map(|count| (count as f64).max(REGULARISATION));
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => with_mean(&frequencies, share_of_elo(elo)),
            // A pair's deviation is that of a game divided by √2.
            Model::Normalised => {
                with_ratio(&frequencies, elo / NORMALISED_PER_DEVIATION * std::f64::consts::SQRT_2)
            }
        };
        let (lower, upper) = (likeliest(self.elo0), likeliest(self.elo1));
        (0..5).map(|i| counts[i] * (upper[i] / lower[i]).ln()).sum()
    }

    /// What the test decides, if it can yet.
    pub fn decide(&self, counts: &Pentanomial) -> Option<Decision> {
        let ratio = self.log_likelihood_ratio(counts);
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Some(Decision::Upper)
        } else if ratio <= lower {
            Some(Decision::Lower)
        } else {
            None
        }
    }
}

/// The likeliest probabilities whose mean share is given.
fn with_mean(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    constrained(frequencies, &SHARES.map(|share| share - mean))
}

/// The likeliest probabilities whose mean share lies `ratio` deviations above one half.
///
/// The deviation depends on the probabilities, so the condition is not linear. It is replaced by its
/// tangent at the solution so far, mean − ½ − ratio · deviation = Σ pᵢ fᵢ with the fᵢ below, until
/// nothing changes any more; a few rounds are enough.
fn with_ratio(frequencies: &[f64; 5], ratio: f64) -> [f64; 5] {
    const ROUNDS: usize = 50;
    const STILL: f64 = 1e-12;
    let mut solution = *frequencies;
    for _ in 0..ROUNDS {
        let mean: f64 = (0..5).map(|i| solution[i] * SHARES[i]).sum();
        let variance: f64 = (0..5).map(|i| solution[i] * (SHARES[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let distances = SHARES.map(|share| {
            let spread = 1.0 + ((share - mean) / deviation).powi(2);
            share - 0.5 - 0.5 * ratio * deviation * spread
        });
        let next = constrained(frequencies, &distances);
        let change = (0..5).map(|i| (next[i] - solution[i]).abs()).fold(0.0, f64::max);
        solution = next;
        if change < STILL {
            break;
        }
    }
    solution
}

/// The likeliest probabilities under which the mean of the distances is 0.
fn constrained(frequencies: &[f64; 5], distances: &[f64; 5]) -> [f64; 5] {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let most = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No probabilities fit: a hypothesis of a thousand points. The frequencies are the nearest.
        return *frequencies;
    }
    // The sum falls as θ rises between the poles, from +∞ to −∞: bisection cannot miss.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let theta = 0.5 * (low + high);
        let sum: f64 =
            (0..5).map(|i| frequencies[i] * distances[i] / (1.0 + theta * distances[i])).sum();
        match sum > 0.0 {
            true => low = theta,
            false => high = theta,
        }
    }
    let theta = 0.5 * (low + high);
    std::array::from_fn(|i| frequencies[i] / (1.0 + theta * distances[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// Ratio as printed (two digits) by Fishtest in the pull requests of official-stockfish/Stockfish.
    fn check(sprt: Sprt, pairs: [u64; 5], published: f64, request: u32) {
        let ratio = sprt.log_likelihood_ratio(&Pentanomial { pairs });
        assert!((ratio - published).abs() < 0.02, "{request}: {ratio}, published {published}");
    }

    #[test]
    fn published_tests_in_logistic_elo_have_their_ratios() {
        let logistic = |elo0, elo1| test(elo0, elo1, Model::Logistic);
        check(logistic(-0.25, 1.25), [491, 7345, 29693, 7670, 465], 2.96, 3098);
        check(logistic(0.25, 1.25), [53, 2220, 21459, 2445, 47], 2.97, 3098);
        check(logistic(-0.5, 1.5), [17, 253, 1042, 337, 39], 2.96, 2971);
        check(logistic(0.25, 1.75), [11, 407, 3238, 513, 11], 2.93, 2971);
        check(logistic(-0.25, 1.25), [253, 4282, 17604, 4431, 286], 2.94, 3209);
    }

    #[test]
    fn published_tests_in_normalised_elo_have_their_ratios() {
        let normalised = |elo0, elo1| test(elo0, elo1, Model::Normalised);
        check(normalised(0.0, 2.0), [81, 3695, 8408, 3914, 126], 2.95, 6284);
        check(normalised(0.5, 2.5), [37, 7908, 20659, 8271, 52], 2.95, 6284);
        check(normalised(0.0, 2.0), [5, 4924, 16754, 5212, 6], 2.95, 6284);
    }

    #[test]
    fn the_usual_bounds() {
        let (lower, upper) = test(0.0, 2.0, Model::Logistic).bounds();
        assert!((upper - 2.944_439).abs() < 1e-6 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn a_test_ends_where_the_evidence_points() {
        for model in [Model::Logistic, Model::Normalised] {
            let sprt = test(0.0, 10.0, model);
            let good = Pentanomial { pairs: [10, 300, 1000, 500, 30] };
            assert_eq!(sprt.decide(&good), Some(Decision::Upper));
            assert_eq!(sprt.decide(&good.reversed()), Some(Decision::Lower));
            assert_eq!(sprt.decide(&Pentanomial { pairs: [0, 2, 5, 3, 0] }), None);
            assert_eq!(sprt.decide(&Pentanomial::default()), None);
        }
    }

    /// The constrained probabilities sum to 1 and satisfy their condition.
    #[test]
    fn the_likeliest_probabilities_fit_the_hypothesis() {
        let frequencies = [0.05, 0.2, 0.5, 0.2, 0.05];
        let mean = |p: &[f64; 5]| (0..5).map(|i| p[i] * SHARES[i]).sum::<f64>();
        let shifted = with_mean(&frequencies, 0.6);
        assert!((shifted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((mean(&shifted) - 0.6).abs() < 1e-9);
        let shifted = with_ratio(&frequencies, 0.3);
        let mean = mean(&shifted);
        let variance: f64 = (0..5).map(|i| shifted[i] * (SHARES[i] - mean).powi(2)).sum();
        assert!((mean - 0.5 - 0.3 * variance.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn extreme_counts_and_hypotheses_give_numbers() {
        for pairs in
            [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 100_000, 0, 0], [0, 0, 0, 0, 100_000]]
        {
            for (elo0, elo1) in [(0.0, 5.0), (-5.0, 0.0), (-2000.0, 2000.0)] {
                for model in [Model::Logistic, Model::Normalised] {
                    let ratio =
                        test(elo0, elo1, model).log_likelihood_ratio(&Pentanomial { pairs });
                    assert!(!ratio.is_nan(), "{pairs:?} {elo0} {elo1} {model:?}");
                }
            }
        }
    }
}
