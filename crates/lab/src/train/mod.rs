//! The small trainer, for machines without a GPU: the network, loss and schedule of `training/train.py`.
//!
//! [`net`] is the network in floating-point numbers and its gradient, [`export`](mod@export) writes it in the engine's
//! integers. A batch is cut into a fixed number of parts, whose gradients are added in their order: the
//! weights depend on the samples and the settings alone, not on the number of threads.

mod export;
mod net;

use crate::data::Sample;
use crate::data::samples::NO_OUTCOME;
use board::random::SplitMix;
use std::thread;

pub use export::{CENTIPAWNS, bytes};
pub use net::{Inputs, Net};

/// Parts of a batch.
const PARTS: usize = 16;
/// Weights stay within this, so that fine integers have room.
const LARGEST_WEIGHT: f32 = 1.98;
/// AdamW: how fast the means forget, what keeps a step finite, and how weights decay.
const FIRST_DECAY: f64 = 0.9;
const SECOND_DECAY: f64 = 0.999;
const TINY: f32 = 1e-8;
const WEIGHT_DECAY: f64 = 0.01;

/// How to train.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Passes over the samples.
    pub epochs: f64,
    /// The learning rate at the beginning; at the end it is a hundredth of it.
    pub rate: f64,
    /// The weight of a game's outcome, from 0 to 1; the rest is the score.
    pub outcome: f32,
    /// Samples of a step.
    pub batch: usize,
    /// Another seed, another order of the samples.
    pub seed: u64,
    /// Threads that share a batch.
    pub threads: usize,
}

/// What the network should say of a sample.
fn target(sample: &Sample, outcome: f32) -> f32 {
    let score = sigmoid(f32::from(sample.score()) / CENTIPAWNS as f32);
    match sample.outcome() {
        NO_OUTCOME => score,
        known => outcome * f32::from(known) / 2.0 + (1.0 - outcome) * score,
    }
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The mean squared error on samples.
pub fn loss(net: &Net, samples: &[Sample], outcome: f32, threads: usize) -> f64 {
    let part = |samples: &[Sample]| {
        let mut sums = vec![0.0; 2 * net.hidden];
        let error = |sample: &Sample| {
            let value = net.value(&Inputs::new(sample), &mut sums);
            f64::from(sigmoid(value) - target(sample, outcome)).powi(2)
        };
        samples.iter().map(error).sum::<f64>()
    };
    let size = samples.len().div_ceil(threads.max(1)).max(1);
    let total: f64 = thread::scope(|scope| {
        let parts: Vec<_> = samples.chunks(size).map(|it| scope.spawn(move || part(it))).collect();
        parts.into_iter().map(|part| part.join().unwrap_or(f64::NAN)).sum()
    });
    total / samples.len().max(1) as f64
}

/// A part of a batch: its gradient, its loss, and room to compute.
struct Part {
    gradient: Vec<f32>,
    loss: f64,
    sums: Vec<f32>,
}

/// Trains a network. `tell` hears the share that is done and the loss of the last batch.
pub fn train(net: &mut Net, samples: &[Sample], plan: &Plan, tell: &mut dyn FnMut(f64, f64)) {
    let count = net.numbers.len();
    let part = |_| Part { gradient: vec![0.0; count], loss: 0.0, sums: vec![0.0; 2 * net.hidden] };
    let mut parts: Vec<Part> = (0..PARTS).map(part).collect();
    let (mut first, mut second) = (vec![0.0f32; count], vec![0.0f32; count]);
    let batch = plan.batch.clamp(1, samples.len().max(1));
    let per_epoch = samples.len() / batch;
    let steps = (plan.epochs * per_epoch as f64).round() as usize;
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut random = SplitMix::stream(plan.seed, 1);
    for step in 0..steps {
        let place = step % per_epoch;
        if place == 0 {
            random.shuffle(&mut order);
        }
        let chosen = &order[place * batch..(place + 1) * batch];
        gradients(net, samples, chosen, plan, &mut parts);
        let share = step as f64 / steps as f64;
        let cosine = 0.5 * (1.0 + (std::f64::consts::PI * share).cos());
        let rate = plan.rate * (0.01 + 0.99 * cosine);
        descend(net, &parts, (&mut first, &mut second), (step, rate), plan.threads);
        let loss = parts.iter().map(|part| part.loss).sum::<f64>() / batch as f64;
        tell((step + 1) as f64 / steps as f64, loss);
    }
}

/// Works the gradients of a batch's parts out.
fn gradients(net: &Net, samples: &[Sample], chosen: &[u32], plan: &Plan, parts: &mut [Part]) {
    let size = chosen.len().div_ceil(PARTS);
    let scale = 2.0 / chosen.len() as f32;
    let one = |part: &mut Part, chosen: &[u32]| {
        part.gradient.fill(0.0);
        part.loss = 0.0;
        for &number in chosen {
            let sample = &samples[number as usize];
            let inputs = Inputs::new(sample);
            let said = sigmoid(net.value(&inputs, &mut part.sums));
            let error = said - target(sample, plan.outcome);
            part.loss += f64::from(error * error);
            let slope = scale * error * said * (1.0 - said);
            net.learn(&inputs, &mut part.sums, slope, &mut part.gradient);
        }
    };
    let each = PARTS.div_ceil(plan.threads.clamp(1, PARTS));
    thread::scope(|scope| {
        for (index, parts) in parts.chunks_mut(each).enumerate() {
            let one = &one;
            scope.spawn(move || {
                for (offset, part) in parts.iter_mut().enumerate() {
                    let from = ((index * each + offset) * size).min(chosen.len());
                    one(part, &chosen[from..(from + size).min(chosen.len())]);
                }
            });
        }
    });
}

/// A step of AdamW (Loshchilov and Hutter, 2019) by the sum of the parts' gradients.
fn descend(
    net: &mut Net,
    parts: &[Part],
    (first, second): (&mut [f32], &mut [f32]),
    (step, rate): (usize, f64),
    threads: usize,
) {
    let power = step as i32 + 1;
    let length = (rate / (1.0 - FIRST_DECAY.powi(power))) as f32;
    let unbias = (1.0 / (1.0 - SECOND_DECAY.powi(power))) as f32;
    let kept = (1.0 - rate * WEIGHT_DECAY) as f32;
    let (slow, fast) = (FIRST_DECAY as f32, SECOND_DECAY as f32);
    let clipped = net.output(net::BUCKETS);
    let one = |from: usize, numbers: &mut [f32], first: &mut [f32], second: &mut [f32]| {
        for (index, number) in numbers.iter_mut().enumerate() {
            let slope: f32 = parts.iter().map(|part| part.gradient[from + index]).sum();
            first[index] = slow * first[index] + (1.0 - slow) * slope;
            second[index] = fast * second[index] + (1.0 - fast) * slope * slope;
            *number =
                *number * kept - length * first[index] / ((second[index] * unbias).sqrt() + TINY);
            // The output biases are free.
            if from + index < clipped {
                *number = number.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
            }
        }
    };
    let size = net.numbers.len().div_ceil(threads.max(1));
    let pieces =
        net.numbers.chunks_mut(size).zip(first.chunks_mut(size)).zip(second.chunks_mut(size));
    thread::scope(|scope| {
        for (piece, ((numbers, first), second)) in pieces.enumerate() {
            let one = &one;
            scope.spawn(move || one(piece * size, numbers, first, second));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{Color, PieceKind, Position};
    use eval::Evaluator;
    use eval::nnue::{Network, Nnue};
    use std::sync::Arc;

    /// Positions of random games, worth their material.
    fn positions(count: usize) -> Vec<(Position, Sample)> {
        let values = [100, 300, 320, 500, 900];
        let mut random = SplitMix(3);
        let mut all = Vec::new();
        while all.len() < count {
            let mut position = Position::chess960(random.below(960) as u16);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len() as u64) as usize]);
                // Few of a game: its positions are much alike.
                if random.below(10) > 0 {
                    continue;
                }
                let men = |side, kind| position.men(side, kind).count() as i32;
                let us = position.side_to_move();
                let worth = |side: Color| -> i32 {
                    let kinds = PieceKind::ALL.into_iter().zip(values);
                    kinds.map(|(kind, value)| men(side, kind) * value).sum()
                };
                let score = (worth(us) - worth(!us)).clamp(-2_000, 2_000) as i16;
                all.push((position, Sample::new(&position, score, (random.below(4)) as u8)));
            }
        }
        all.truncate(count);
        all
    }

    fn plan(threads: usize) -> Plan {
        Plan { epochs: 5.0, rate: 0.005, outcome: 0.0, batch: 100, seed: 5, threads }
    }

    #[test]
    fn a_network_learns_the_same_on_any_number_of_threads_and_its_integers_are_its_floats() {
        let all = positions(10_400);
        let samples: Vec<Sample> = all.iter().map(|(_, sample)| *sample).collect();
        let (seen, held_out) = samples.split_at(10_000);
        let trained = |threads| {
            let mut net = Net::new(32, 1);
            let before = loss(&net, held_out, 0.0, threads);
            let mut told = 0.0;
            train(&mut net, seen, &plan(threads), &mut |share, _| told = share);
            assert_eq!(told, 1.0);
            (net, before)
        };
        let ((net, before), (other, _)) = (trained(1), trained(3));
        assert_eq!(net.numbers, other.numbers);
        let after = loss(&net, held_out, 0.0, 2);
        let learnt = loss(&net, seen, 0.0, 2);
        assert!(after < before / 2.0 && learnt < before / 3.0, "{before} {after} {learnt}");
        let bytes = bytes(&net, "a test").expect("it can be written");
        let network = Arc::new(Network::read(&bytes).expect("the engine reads it"));
        assert_eq!((network.hidden(), network.description()), (32, "a test"));
        let (mut nnue, mut sums) = (Nnue::new(network), vec![0.0; 64]);
        let mut errors = 0.0;
        for (position, sample) in &all[10_000..] {
            nnue.reset(position);
            let float = 400.0 * net.value(&Inputs::new(sample), &mut sums);
            errors += (f64::from(nnue.raw(position)) - f64::from(float)).abs();
        }
        assert!(errors / 400.0 < 2.0, "{}", errors / 400.0);
    }

    #[test]
    fn an_unknown_outcome_has_no_weight() {
        let sample = |outcome| Sample::new(&Position::startpos(), 400, outcome);
        let score = sigmoid(1.0);
        assert_eq!(target(&sample(2), 0.25), 0.25 + 0.75 * score);
        assert_eq!(target(&sample(0), 0.25), 0.75 * score);
        assert_eq!(target(&sample(NO_OUTCOME), 0.25), score);
    }
}
