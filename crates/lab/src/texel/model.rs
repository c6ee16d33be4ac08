//! The evaluation as arithmetic on counts, its loss and its gradient.

use super::data::{Count, Sample, Samples};
use eval::trace::{DANGER_LINE, DANGER_SQUARE, MOST_DANGER};
use eval::weights::{COUNT, group_of};

/// The weights while they are tuned: the middlegame's, then the endgame's.
pub struct Parameters {
    /// Twice as many as there are weights.
    pub values: Vec<f64>,
}

impl Parameters {
    /// The weights that the engine has now.
    pub fn current() -> Parameters {
        let pairs = eval::trace::current_weights();
        let middlegame = pairs.iter().map(|pair| f64::from(pair.0));
        let endgame = pairs.iter().map(|pair| f64::from(pair.1));
        Parameters { values: middlegame.chain(endgame).collect() }
    }

    /// How many numbers they are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Moves every weight into the range of its group.
    pub fn keep_in_range(&mut self) {
        for (index, value) in self.values.iter_mut().enumerate() {
            if let Some(group) = group_of(index % COUNT) {
                *value = value.clamp(f64::from(group.least), f64::from(group.most));
            }
        }
    }

    /// To whole centipawns.
    pub fn round(&mut self) {
        for value in &mut self.values {
            *value = value.round();
        }
    }

    /// As the table of weights has them.
    pub fn pairs(&self) -> Vec<(i16, i16)> {
        (0..COUNT).map(|at| (self.values[at] as i16, self.values[at + COUNT] as i16)).collect()
    }
}

/// The samples and how they are evaluated.
pub struct Model<'a> {
    samples: &'a Samples,
    threads: usize,
    /// The `K` of the expectation.
    pub scale: f64,
}

/// A position's value and what its gradient needs.
struct Evaluated {
    value: f64,
    /// The slopes of White's and Black's danger penalty, middlegame and endgame.
    danger: [[f64; 2]; 2],
    /// The slopes of the endgame's half by itself and by the winnable sum.
    endgame: f64,
    winnable: f64,
}

impl<'a> Model<'a> {
    /// With a scale still to be fitted.
    pub fn new(samples: &'a Samples, threads: usize) -> Model<'a> {
        Model { samples, threads, scale: 0.004 }
    }

    fn part(&self, sample: &Sample, part: usize) -> &'a [Count] {
        &self.samples.counts[sample.bounds[part] as usize..sample.bounds[part + 1] as usize]
    }

    fn dot(values: &[f64], counts: &[Count]) -> [f64; 2] {
        let (middlegame, endgame) = values.split_at(COUNT);
        let mut sums = [0.0; 2];
        for count in counts {
            let times = f64::from(count.times);
            sums[0] += middlegame[usize::from(count.weight)] * times;
            sums[1] += endgame[usize::from(count.weight)] * times;
        }
        sums
    }

    fn evaluate(&self, values: &[f64], sample: &Sample) -> Evaluated {
        let [mut middlegame, mut endgame] = Model::dot(values, self.part(sample, 0));
        let mut danger = [[0.0; 2]; 2];
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let most = f64::from(MOST_DANGER);
            let (square, line) = (f64::from(DANGER_SQUARE), f64::from(DANGER_LINE));
            let [early, late] = Model::dot(values, self.part(sample, 1 + side));
            let (early_in, late_in) = (early.clamp(0.0, most), late.clamp(0.0, most));
            middlegame += sign * early_in * early_in / square;
            endgame += sign * late_in / line;
            let slope = |sum: f64| if sum > 0.0 && sum < most { sign } else { 0.0 };
            danger[side] = [slope(early) * 2.0 * early / square, slope(late) / line];
        }
        let [_, winnable] = Model::dot(values, self.part(sample, 3));
        let free = winnable > -endgame.abs();
        let shift = endgame.signum() * winnable.max(-endgame.abs());
        let value = middlegame * f64::from(sample.middlegame)
            + (endgame + shift) * f64::from(sample.endgame);
        let slope = if free { 1.0 } else { 0.0 };
        Evaluated { value, danger, endgame: slope, winnable: slope * endgame.signum() }
    }

    /// White's advantage by the arithmetic, for the test against the engine.
    #[cfg(test)]
    pub fn value(&self, parameters: &Parameters, number: usize) -> f64 {
        self.evaluate(&parameters.values, &self.samples.samples[number]).value
    }

    fn expectation(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-self.scale * value).exp())
    }

    /// The mean squared error over some samples.
    pub fn loss(&self, parameters: &Parameters, numbers: &[u32]) -> f64 {
        let part = |numbers: &[u32]| -> f64 {
            numbers
                .iter()
                .map(|&number| {
                    let sample = &self.samples.samples[number as usize];
                    let value = self.evaluate(&parameters.values, sample).value;
                    (self.expectation(value) - f64::from(sample.label)).powi(2)
                })
                .sum()
        };
        self.shared(numbers, part).into_iter().sum::<f64>() / numbers.len().max(1) as f64
    }

    /// The gradient of the loss over some samples.
    pub fn gradient(&self, parameters: &Parameters, numbers: &[u32]) -> Vec<f64> {
        let part = |numbers: &[u32]| {
            let mut gradient = vec![0.0; parameters.len()];
            for &number in numbers {
                self.add_slopes(&parameters.values, number, &mut gradient);
            }
            gradient
        };
        let mut sum = vec![0.0; parameters.len()];
        for gradient in self.shared(numbers, part) {
            for (total, slope) in sum.iter_mut().zip(gradient) {
                *total += slope / numbers.len().max(1) as f64;
            }
        }
        sum
    }

    fn add_slopes(&self, values: &[f64], number: u32, gradient: &mut [f64]) {
        let sample = &self.samples.samples[number as usize];
        let evaluated = self.evaluate(values, sample);
        let expected = self.expectation(evaluated.value);
        let outer =
            2.0 * (expected - f64::from(sample.label)) * expected * (1.0 - expected) * self.scale;
        let early = outer * f64::from(sample.middlegame);
        let late = outer * f64::from(sample.endgame);
        let inner = late * evaluated.endgame;
        let mut add = |counts: &[Count], slopes: [f64; 2]| {
            for count in counts {
                let times = f64::from(count.times);
                gradient[usize::from(count.weight)] += slopes[0] * times;
                gradient[usize::from(count.weight) + COUNT] += slopes[1] * times;
            }
        };
        add(self.part(sample, 0), [early, inner]);
        for side in 0..2 {
            let [first, second] = evaluated.danger[side];
            add(self.part(sample, 1 + side), [early * first, inner * second]);
        }
        add(self.part(sample, 3), [0.0, late * evaluated.winnable]);
    }

    /// Finds the scale that makes the present weights predict best, by golden section.
    pub fn fit_scale(&mut self, parameters: &Parameters, numbers: &[u32]) {
        let some: Vec<u32> = numbers.iter().copied().take(100_000).collect();
        let (mut low, mut high) = (0.0005, 0.02);
        for _ in 0..30 {
            let third = (high - low) / 3.0;
            let losses = [low + third, high - third].map(|scale| {
                self.scale = scale;
                self.loss(parameters, &some)
            });
            if losses[0] < losses[1] {
                high -= third;
            } else {
                low += third;
            }
        }
        self.scale = (low + high) / 2.0;
    }

    /// Cuts the work into one piece per thread; the results come in the order of the pieces.
    fn shared<T: Send>(&self, numbers: &[u32], work: impl Fn(&[u32]) -> T + Sync) -> Vec<T> {
        let piece = numbers.len().div_ceil(self.threads).max(1);
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                numbers.chunks(piece).map(|piece| scope.spawn(|| work(piece))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        })
    }
}
