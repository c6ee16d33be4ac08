//! The network in floating-point numbers: what it says of a sample, and how that depends on its weights.

use crate::data::Sample;
use board::random::SplitMix;

/// Inputs of each side, and outputs of which the number of men chooses one.
pub const INPUTS: usize = 768;
pub const BUCKETS: usize = 8;
/// Men on a board, at most.
const MEN: usize = 32;

/// The inputs that a sample sets, for the side to move and for the other.
pub struct Inputs {
    sides: [[u16; MEN]; 2],
    men: usize,
}

impl Inputs {
    /// Those of a sample, by the page `docs/reference/networks.md`.
    pub fn new(sample: &Sample) -> Inputs {
        let mut occupied = sample.occupied();
        let mut men = [(0u16, 0u16, false); MEN];
        let mut mirrors = [0; 2];
        let mut count = 0;
        while occupied != 0 && count < MEN {
            let square = occupied.trailing_zeros() as u16;
            occupied &= occupied - 1;
            let (kind, enemy) = sample.man(count);
            if kind == 5 && square & 7 > 3 {
                mirrors[usize::from(enemy)] = 7;
            }
            men[count] = (square, u16::from(kind), enemy);
            count += 1;
        }
        let mut sides = [[0; MEN]; 2];
        for (index, &(square, kind, enemy)) in men[..count].iter().enumerate() {
            let input = |enemy: bool, square: u16| 384 * u16::from(enemy) + 64 * kind + square;
            sides[0][index] = input(enemy, square ^ mirrors[0]);
            sides[1][index] = input(!enemy, square ^ 56 ^ mirrors[1]);
        }
        Inputs { sides, men: count }
    }

    fn bucket(&self) -> usize {
        (self.men.saturating_sub(2) / 4).min(BUCKETS - 1)
    }
}

/// The weights in one row: those of the inputs, the biases, the output weights, the output biases.
#[derive(Clone)]
pub struct Net {
    /// The width of the hidden layer.
    pub hidden: usize,
    /// All weights and biases.
    pub numbers: Vec<f32>,
}

/// Whether no board sets an input: pawns on the first and last rank, the own king on the files e to h. Nothing
/// teaches such a row: it would stay random and only make the file larger.
fn is_never_set(input: usize) -> bool {
    let (kind, square) = (input / 64, input % 64);
    match kind {
        0 | 6 => !(8..56).contains(&square),
        5 => square % 8 > 3,
        _ => false,
    }
}

impl Net {
    /// Random weights; the same for the same seed.
    pub fn new(hidden: usize, seed: u64) -> Net {
        let mut net =
            Net { hidden, numbers: vec![0.0; (INPUTS + 1 + 2 * BUCKETS) * hidden + BUCKETS] };
        let mut random = SplitMix::stream(seed, hidden as u64);
        let mut fill = |numbers: &mut [f32], inputs: usize| {
            let bound = 1.0 / (inputs as f64).sqrt();
            numbers.iter_mut().for_each(|it| *it = (bound * (2.0 * random.unit() - 1.0)) as f32);
        };
        // About 32 inputs are set at once.
        fill(&mut net.numbers[..INPUTS * hidden], MEN);
        for row in (0..INPUTS).filter(|&input| is_never_set(input)) {
            net.numbers[row * hidden..(row + 1) * hidden].fill(0.0);
        }
        let output = net.output(0);
        fill(&mut net.numbers[output..output + 2 * BUCKETS * hidden], 2 * hidden);
        net
    }

    /// Where the biases begin.
    pub fn biases(&self) -> usize {
        INPUTS * self.hidden
    }

    /// Where the weights of an output begin.
    pub fn output(&self, bucket: usize) -> usize {
        (INPUTS + 1 + 2 * bucket) * self.hidden
    }

    /// What it says of a position, where 1 is 400 centipawns. `sums` takes the hidden layer of both sides.
    pub fn value(&self, inputs: &Inputs, sums: &mut [f32]) -> f32 {
        let (hidden, bucket) = (self.hidden, inputs.bucket());
        let biases = &self.numbers[self.biases()..self.biases() + hidden];
        let mut output = self.numbers[self.output(BUCKETS) + bucket];
        let weights = &self.numbers[self.output(bucket)..self.output(bucket) + 2 * hidden];
        for (side, sums) in sums.chunks_exact_mut(hidden).take(2).enumerate() {
            sums.copy_from_slice(biases);
            for &input in &inputs.sides[side][..inputs.men] {
                let row = &self.numbers[usize::from(input) * hidden..][..hidden];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            output += products(sums, &weights[side * hidden..(side + 1) * hidden]);
        }
        output
    }

    /// Adds to `gradient` how `slope` times the value changes with each weight; `sums` is the hidden layer
    /// that [`Net::value`] has left.
    pub fn learn(&self, inputs: &Inputs, sums: &mut [f32], slope: f32, gradient: &mut [f32]) {
        let (hidden, bucket) = (self.hidden, inputs.bucket());
        gradient[self.output(BUCKETS) + bucket] += slope;
        for (side, sums) in sums.chunks_exact_mut(hidden).take(2).enumerate() {
            let output = self.output(bucket) + side * hidden;
            let weights = &self.numbers[output..output + hidden];
            let changes = &mut gradient[output..output + hidden];
            for ((sum, weight), change) in sums.iter_mut().zip(weights).zip(changes) {
                let clipped = sum.clamp(0.0, 1.0);
                *change += slope * clipped * clipped;
                let inside = *sum > 0.0 && *sum < 1.0;
                *sum = if inside { slope * weight * 2.0 * clipped } else { 0.0 };
            }
            let rows = inputs.sides[side][..inputs.men].iter().map(|&input| usize::from(input));
            for row in rows.chain([INPUTS]) {
                let changes = &mut gradient[row * hidden..(row + 1) * hidden];
                changes.iter_mut().zip(&*sums).for_each(|(change, sum)| *change += sum);
            }
        }
    }
}

/// The sum of clamp(sum, 0, 1)² · weight, in lanes that the compiler can make vectors of.
fn products(sums: &[f32], weights: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut totals = [0.0f32; LANES];
    for (sums, weights) in sums.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let clipped = sums[lane].clamp(0.0, 1.0);
            totals[lane] += clipped * clipped * weights[lane];
        }
    }
    totals.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    fn sample(fen: &str) -> Sample {
        Sample::new(&Position::from_fen(fen).expect(fen), 0, 1)
    }

    #[test]
    fn inputs_are_those_of_the_page() {
        // Own king b1, own pawn c2, enemy king g8, enemy queen h5.
        let inputs = Inputs::new(&sample("6k1/8/8/7q/8/8/2P5/1K6 w - - 0 1"));
        let sorted = |side: usize| {
            let mut all = inputs.sides[side][..inputs.men].to_vec();
            all.sort_unstable();
            all
        };
        assert_eq!(sorted(0), [10, 5 * 64 + 1, 384 + 4 * 64 + 39, 384 + 5 * 64 + 62]);
        // The other side turns the board (g8 becomes g1) and mirrors it (b1).
        assert_eq!(sorted(1), [4 * 64 + 24, 5 * 64 + 1, 384 + 53, 384 + 5 * 64 + 62]);
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        let mut net = Net::new(32, 7);
        let inputs = Inputs::new(&sample("4k3/pppp3q/8/8/8/8/PPPP4/Q3K3 w - - 0 1"));
        let mut sums = vec![0.0; 64];
        net.value(&inputs, &mut sums);
        let mut gradient = vec![0.0; net.numbers.len()];
        net.learn(&inputs, &mut sums, 1.0, &mut gradient);
        let (mut moved, step) = (0, 1e-2);
        for index in (0..net.numbers.len()).step_by(3) {
            let weight = net.numbers[index];
            let mut at = |weight: f32| {
                net.numbers[index] = weight;
                f64::from(net.value(&inputs, &mut sums))
            };
            let slope = (at(weight + step) - at(weight - step)) / (2.0 * f64::from(step));
            at(weight);
            // A bend of the clipped square lies within the step now and then.
            assert!((slope - f64::from(gradient[index])).abs() < 0.03, "{index}: {slope}");
            moved += usize::from(slope.abs() > 0.03);
        }
        assert!(moved > 30, "{moved}");
    }
}
