//! Simultaneous perturbation stochastic approximation (Spall 1992): all parameters are moved at once in
//! a random direction and its opposite, the two settings play each other, and everything takes a step
//! towards the winner. One comparison tells about all parameters, however many there are.
//!
//! In iteration k of N a parameter lies `c_k · step` above or below its present value, and the step
//! towards the winner is `a_k / c_k · score`, where `c_k = c / k^γ` and `a_k = a / (A + k)^α`. The
//! constants are chosen by what they are at the end, as chess engines have made it usual: there the
//! perturbation is the parameter's step itself, and `rate = a_N / c_N²` is how much of a perturbation one
//! won game is worth.
//!
//! Nothing here plays or reads a clock; [`state`] keeps a run in a file.

pub mod state;

use board::random::SplitMix;
use serde::{Deserialize, Serialize};

/// Spall's exponent of the gain.
const ALPHA: f64 = 0.602;
/// Spall's exponent of the perturbation.
const GAMMA: f64 = 0.101;
/// The part of all iterations during which the gain is held down.
const STABILITY: f64 = 0.1;

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tunable {
    /// Its name.
    pub name: String,
    /// Where it began.
    pub start: i32,
    /// Where it is.
    pub value: f64,
    /// The least it may be.
    pub min: i32,
    /// The most.
    pub max: i32,
    /// How far it is moved in the last iteration.
    pub step: i32,
}

impl Tunable {
    /// The nearest whole number.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }
}

/// How gains and perturbations shrink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Iterations in all.
    pub iterations: u64,
    /// What one won game moves a parameter at the end, as a part of its step.
    pub rate: f64,
}

impl Schedule {
    /// c_k over c_N: how much wider than at the end the perturbation is.
    fn width(&self, iteration: u64) -> f64 {
        (self.iterations.max(1) as f64 / iteration.max(1) as f64).powf(GAMMA)
    }

    /// a_k over c_N², the gain in units of the last perturbation.
    fn gain(&self, iteration: u64) -> f64 {
        let all = self.iterations.max(1) as f64;
        let held = STABILITY * all;
        self.rate * ((held + all) / (held + iteration as f64)).powf(ALPHA)
    }
}

/// Two settings that are to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The iteration, beginning with 1.
    pub iteration: u64,
    /// The values that went up where the other's went down, in the order of the parameters.
    pub plus: Vec<i32>,
    /// The opposite.
    pub minus: Vec<i32>,
    /// In which direction each parameter of `plus` went: 1 or −1.
    signs: Vec<f64>,
}

/// A run of the method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    /// What is tuned.
    pub tunables: Vec<Tunable>,
    /// How fast.
    pub schedule: Schedule,
    /// Trials whose outcome is known.
    pub finished: u64,
    /// Where the random numbers come from.
    pub seed: u64,
}

impl Spsa {
    /// Two settings for an iteration. The same iteration of the same run gets the same directions.
    ///
    /// Engines take whole numbers. A value is rounded up with a chance equal to its fraction, in both
    /// settings alike, so that their mean stays where the parameter is.
    pub fn propose(&self, iteration: u64) -> Trial {
        let mut random = SplitMix::stream(self.seed, iteration);
        let mut trial = Trial { iteration, plus: vec![], minus: vec![], signs: vec![] };
        for tunable in &self.tunables {
            let sign = if random.next() >> 63 == 1 { 1.0 } else { -1.0 };
            let far = sign * self.schedule.width(iteration) * f64::from(tunable.step);
            let shift = random.unit();
            let whole = |value: f64| {
                let value = value.clamp(f64::from(tunable.min), f64::from(tunable.max));
                ((value + shift).floor() as i32).clamp(tunable.min, tunable.max)
            };
            trial.plus.push(whole(tunable.value + far));
            trial.minus.push(whole(tunable.value - far));
            trial.signs.push(sign);
        }
        trial
    }

    /// Takes a step: `score` is what `plus` won against `minus`, games won less games lost.
    pub fn learn(&mut self, trial: &Trial, score: f64) {
        let width = self.schedule.width(trial.iteration);
        let gain = self.schedule.gain(trial.iteration) / width;
        for (tunable, sign) in self.tunables.iter_mut().zip(&trial.signs) {
            let moved = tunable.value + gain * score * sign * f64::from(tunable.step);
            tunable.value = moved.clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
        self.finished += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunable(value: i32, min: i32, max: i32, step: i32) -> Tunable {
        Tunable { name: format!("to {max}"), start: value, value: f64::from(value), min, max, step }
    }

    fn run(iterations: u64, rate: f64, tunables: Vec<Tunable>) -> Spsa {
        Spsa { tunables, schedule: Schedule { iterations, rate }, finished: 0, seed: 5 }
    }

    /// Plays a game whose expectation falls with the square of the distance from the best values.
    fn score(best: &[i32], scales: &[f64], trial: &Trial, random: &mut SplitMix) -> f64 {
        let loss = |values: &[i32]| -> f64 {
            let parts = values.iter().zip(best).zip(scales);
            parts.map(|((value, best), scale)| (f64::from(value - best) / scale).powi(2)).sum()
        };
        let difference = loss(&trial.minus) - loss(&trial.plus);
        let expected = 1.0 / (1.0 + (-difference).exp());
        if random.unit() < expected { 1.0 } else { -1.0 }
    }

    #[test]
    fn it_finds_the_minimum_of_a_noisy_quadratic() {
        let best = [70, 400, 7, 1500];
        let scales = [30.0, 150.0, 4.0, 900.0];
        let mut spsa = run(
            8000,
            0.02,
            vec![
                tunable(30, 0, 120, 8),
                tunable(700, 0, 1000, 50),
                tunable(3, 0, 12, 1),
                tunable(3500, 0, 6000, 300),
            ],
        );
        let mut random = SplitMix(3);
        for iteration in 1..=8000 {
            let trial = spsa.propose(iteration);
            let score = score(&best, &scales, &trial, &mut random);
            spsa.learn(&trial, score);
        }
        assert_eq!(spsa.finished, 8000);
        for ((tunable, best), scale) in spsa.tunables.iter().zip(best).zip(scales) {
            let away = (tunable.value - f64::from(best)).abs() / scale;
            assert!(away < 0.35, "{tunable:?} should be {best}");
        }
    }

    #[test]
    fn the_last_perturbation_is_the_step_and_the_first_is_wider() {
        let spsa = run(1000, 0.002, vec![tunable(500, 0, 1000, 20)]);
        let spread = |iteration| {
            let trial = spsa.propose(iteration);
            (trial.plus[0] - trial.minus[0]).abs()
        };
        assert_eq!(spread(1000), 40);
        assert!(spread(1) > 70, "{}", spread(1));
    }

    #[test]
    fn rounding_keeps_the_mean_where_the_parameter_is() {
        let mut spsa = run(1000, 0.002, vec![tunable(3, 0, 10, 1)]);
        spsa.tunables[0].value = 3.3;
        let values = (1..=4000).flat_map(|iteration| {
            let trial = spsa.propose(iteration);
            [trial.plus[0], trial.minus[0]]
        });
        let mean = f64::from(values.sum::<i32>()) / 8000.0;
        assert!((mean - 3.3).abs() < 0.05, "{mean}");
    }

    #[test]
    fn values_stay_in_their_ranges() {
        let mut spsa = run(10, 5.0, vec![tunable(9, 0, 10, 3), tunable(0, 0, 10, 3)]);
        for iteration in 1..=50 {
            let trial = spsa.propose(iteration);
            let range = 0..=10;
            assert!(trial.plus.iter().chain(&trial.minus).all(|value| range.contains(value)));
            spsa.learn(&trial, 1.0);
            assert!(spsa.tunables.iter().all(|tunable| range.contains(&tunable.rounded())));
        }
    }
}
