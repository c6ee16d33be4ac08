//! What a score means in games won, drawn and lost: the numbers of [`eval::chances`], fitted.
//!
//! A sample is a score that an engine gave to its move, the material on the board, and the result for
//! that engine. The four numbers of the model are those under which the results were most likely
//! (ordinal logistic regression; four unknowns and a smooth function need nothing finer than descent
//! along the coordinates).

mod games;

pub use games::{Reading, read, read_packed};

use eval::chances::Model;

/// A score and what came of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// In centipawns for the engine that moved.
    pub score: f64,
    /// [`eval::chances::material`].
    pub material: f64,
    /// 0 lost, 1 drawn, 2 won.
    pub result: u8,
}

/// The smallest probability that a result is given: one outlier must not decide.
const FLOOR: f64 = 1e-4;
/// Steps of the descent.
const STEPS: usize = 60;

/// The mean surprise about the results, in nats; less is better.
pub fn loss(model: &Model, samples: &[Sample]) -> f64 {
    let surprise = |sample: &Sample| {
        let (win, loss) = model.win_and_loss(sample.score, sample.material);
        let chance = [loss, 1.0 - win - loss, win][usize::from(sample.result.min(2))];
        -chance.max(FLOOR).ln()
    };
    samples.iter().map(surprise).sum::<f64>() / samples.len().max(1) as f64
}

/// The model that fits best, beginning from another.
pub fn fit(start: Model, samples: &[Sample]) -> Model {
    let mut numbers = [start.half_won, start.half_won_full, start.slope, start.slope_full];
    let mut steps = [16.0; 4];
    let mut best = loss(&of(numbers), samples);
    // Coordinate descent with steps that double on success and halve on failure.
    for _ in 0..STEPS {
        for index in 0..numbers.len() {
            let mut improved = false;
            for direction in [1.0, -1.0] {
                let mut other = numbers;
                other[index] += direction * steps[index];
                let value = loss(&of(other), samples);
                if value < best {
                    (numbers, best, improved) = (other, value, true);
                    break;
                }
            }
            steps[index] *= if improved { 1.5 } else { 0.5 };
        }
        if steps.iter().all(|&step| step < 0.05) {
            break;
        }
    }
    of(numbers)
}

fn of([half_won, half_won_full, slope, slope_full]: [f64; 4]) -> Model {
    Model { half_won, half_won_full, slope, slope_full }
}

/// One row of a comparison: what was predicted and what came, for scores of a band.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Band {
    /// The lower end of the band, in centipawns.
    pub from: i32,
    /// Samples in it.
    pub samples: usize,
    /// Shares of wins, draws and losses as the model has them.
    pub predicted: [f64; 3],
    /// The same as they were.
    pub seen: [f64; 3],
}

/// Compares the model with the samples, in bands of `width` centipawns.
pub fn compare(model: &Model, samples: &[Sample], width: i32) -> Vec<Band> {
    let mut bands = std::collections::BTreeMap::<i32, Band>::new();
    for sample in samples {
        let from = (sample.score / f64::from(width)).floor() as i32 * width;
        let empty = Band { from, samples: 0, predicted: [0.0; 3], seen: [0.0; 3] };
        let band = bands.entry(from).or_insert(empty);
        let (win, loss) = model.win_and_loss(sample.score, sample.material);
        for (sum, part) in band.predicted.iter_mut().zip([win, 1.0 - win - loss, loss]) {
            *sum += part;
        }
        band.seen[2 - usize::from(sample.result.min(2))] += 1.0;
        band.samples += 1;
    }
    let mean = |band: &mut Band| {
        let count = band.samples as f64;
        band.predicted.iter_mut().chain(&mut band.seen).for_each(|share| *share /= count);
    };
    bands.values_mut().for_each(mean);
    bands.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::random::SplitMix;

    /// Results drawn from a known model.
    fn drawn(model: &Model, count: usize) -> Vec<Sample> {
        let mut random = SplitMix(5);
        let mut unit = move || random.unit();
        let one = |_| {
            let (score, material) = (unit() * 1000.0 - 500.0, unit());
            let (win, loss) = model.win_and_loss(score, material);
            let fate = unit();
            let result = if fate < win { 2 } else { u8::from(fate < 1.0 - loss) };
            Sample { score, material, result }
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn the_model_that_made_the_games_is_found_again() {
        let truth = Model { half_won: 150.0, half_won_full: 60.0, slope: 50.0, slope_full: 40.0 };
        let samples = drawn(&truth, 20_000);
        let found = fit(eval::chances::MODEL, &samples);
        assert!(loss(&found, &samples) <= loss(&truth, &samples));
        for material in [0.2, 0.8] {
            let ((a, b), (c, d)) = (truth.line(material), found.line(material));
            assert!((a - c).abs() < 12.0 && (b - d).abs() < 8.0, "{found:?}");
        }
    }

    #[test]
    fn a_fitted_model_predicts_what_was_seen() {
        let truth = Model { half_won: 200.0, half_won_full: 0.0, slope: 60.0, slope_full: 0.0 };
        let samples = drawn(&truth, 20_000);
        for band in compare(&truth, &samples, 100) {
            let off = band.predicted.iter().zip(band.seen).map(|(one, other)| (one - other).abs());
            assert!(band.samples < 500 || off.fold(0.0, f64::max) < 0.05, "{band:?}");
        }
    }
}
