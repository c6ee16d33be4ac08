//! The curve through the steps: the share of the points follows a logistic curve of ln k, fitted by weighted least
//! squares with the variance of the pairs. How steep the curve is the early steps know; where they know little,
//! the usual gain of strength by time ([`USUAL_SLOPE`]) helps.

use super::report::Step;
use crate::arena::elo::elo_of_share;
use lab::statistics::TWO_SIDED_95;
use serde::Serialize;

/// By how much the logit of the share falls when ln k grows by one, and how far that may be off: 84 ± 42 Elo for
/// twice the time.
const USUAL_SLOPE: (f64, f64) = (0.7, 0.35);
/// The bounds are widened by this: where the next k follows from the results, the fit believes in too steep a curve.
/// With it 84 to 99 % of simulated matches have the truth inside, from 48 to 180 Elo for twice the time.
const WIDER: f64 = 1.25;
/// The least variance of a pair's share that is believed: that of one odd pair in twenty.
const LEAST_VARIANCE: f64 = 0.003;

/// An equal-strength factor and its bounds with 95 % confidence.
#[derive(Clone, Copy, Serialize, Debug, PartialEq)]
pub struct Equal {
    pub odds: f64,
    pub low: f64,
    pub high: f64,
    /// What twice the time is worth by the fit, in Elo.
    pub doubling_elo: f64,
}

impl Equal {
    /// By how many Elo points the first engine is stronger by the fit where the second has `odds` times the time.
    pub fn elo_at(&self, odds: f64) -> f64 {
        -self.doubling_elo * (odds / self.odds).log2()
    }
}

/// Fits share = 1 / (1 + e^(slope · ln k - level)) to the steps, by Gauss and Newton. The curve is at one half
/// where ln k = level / slope. Steps of fewer pairs than say anything do not count: their variance is not known.
pub fn fit(steps: &[Step]) -> Option<Equal> {
    let points: Vec<(f64, f64, f64)> = steps
        .iter()
        .filter(|step| step.results.are_enough())
        .map(|step| {
            let variance = step.results.variance().max(LEAST_VARIANCE);
            (step.odds.ln(), step.results.share(), step.results.total() as f64 / variance)
        })
        .collect();
    let middle = points.iter().map(|&(x, ..)| x).sum::<f64>() / points.len() as f64;
    let (usual, deviation) = USUAL_SLOPE;
    let (mut slope, mut level) = (usual, usual * middle);
    let mut information = [[0.0; 2]; 2];
    for _ in 0..100 {
        // For the slope there is something like an observation: its usual value.
        information = [[deviation.powi(-2), 0.0], [0.0, 0.0]];
        let mut push = [(usual - slope) * deviation.powi(-2), 0.0];
        for &(x, share, weight) in &points {
            let expected = 1.0 / (1.0 + (slope * x - level).exp());
            let steep = (expected * (1.0 - expected)).max(1e-3);
            let gradient = [-steep * x, steep];
            for (row, one) in gradient.into_iter().enumerate() {
                push[row] += weight * one * (share - expected);
                for (column, other) in gradient.into_iter().enumerate() {
                    information[row][column] += weight * one * other;
                }
            }
        }
        let [[a, b], [_, d]] = information;
        let determinant = a * d - b * b;
        if points.is_empty() || determinant <= 0.0 {
            return None;
        }
        let change =
            [(d * push[0] - b * push[1]) / determinant, (a * push[1] - b * push[0]) / determinant];
        // Half steps at most: far from the solution the curve is flat.
        slope = (slope + change[0].clamp(-0.5, 0.5)).max(0.05);
        level += change[1].clamp(-0.5, 0.5);
    }
    let [[a, b], [_, d]] = information;
    let determinant = a * d - b * b;
    let centre = level / slope;
    // The variance of level / slope, from those of both.
    let gradient = [-centre / slope, 1.0 / slope];
    let variance = (gradient[0].powi(2) * d - 2.0 * gradient[0] * gradient[1] * b
        + gradient[1].powi(2) * a)
        / determinant;
    let reach = WIDER * TWO_SIDED_95 * variance.max(0.0).sqrt();
    let doubling_elo = elo_of_share(1.0 / (1.0 + (-slope * std::f64::consts::LN_2).exp()));
    let [odds, low, high] = [centre, centre - reach, centre + reach].map(f64::exp);
    Some(Equal { odds, low, high, doubling_elo })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tally::Duel;
    use board::random::SplitMix;

    /// A step of games between players whose strength is equal at k = `truth`.
    fn step(odds: f64, truth: f64, slope: f64, pairs: u64, random: &mut SplitMix) -> Step {
        let share = 1.0 / (1.0 + (slope * (odds / truth).ln()).exp());
        let mut duel = Duel::default();
        for _ in 0..pairs {
            let games = [random.unit(), random.unit()].map(|chance| usize::from(chance < share));
            duel.pairs.add(2 * games.iter().sum::<usize>());
        }
        Step::new(odds, &duel, Vec::new())
    }

    #[test]
    fn the_bounds_hold_the_truth_about_as_often_as_they_say() {
        let mut random = SplitMix(7);
        let (runs, truth) = (200, 5.0);
        let mut held = 0;
        for _ in 0..runs {
            let (mut low, mut high) = (1.0_f64, 16.0);
            let mut steps = Vec::new();
            for _ in 0..6 {
                let odds = (low * high).sqrt();
                let step = step(odds, truth, 0.6, 100, &mut random);
                match step.results.share() > 0.5 {
                    true => low = odds,
                    false => high = odds,
                }
                steps.push(step);
            }
            let equal = fit(&steps).expect("pairs were played");
            assert!(equal.low < equal.odds && equal.odds < equal.high);
            assert!((1.5..20.0).contains(&equal.odds), "{equal:?}");
            held += u32::from(equal.low < truth && truth < equal.high);
        }
        assert!(held >= 183, "{held} of {runs}");
    }

    #[test]
    fn a_match_that_is_won_throughout_has_a_factor_beyond_the_range() {
        let mut random = SplitMix(1);
        let steps: Vec<Step> =
            [4.0, 8.0, 11.3].iter().map(|&odds| step(odds, 1e9, 2.0, 20, &mut random)).collect();
        let equal = fit(&steps).expect("pairs were played");
        assert!(equal.odds > 11.3 && equal.high > 30.0, "{equal:?}");
        assert_eq!(fit(&[]), None);
    }
}
