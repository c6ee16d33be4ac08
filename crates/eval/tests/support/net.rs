//! Networks of any weights, and the formula of `docs/reference/networks.md` in wide integers.

#![allow(dead_code, reason = "each of the two files of tests needs a part")]

use board::random::SplitMix;
use board::{Color, Position};
use eval::nnue::Network;
use std::sync::Arc;

pub const HEADER: usize = 40;
pub const TEXT: &str = "a test";

/// The scales of the first format, of the hidden layer and of the output, and finer ones.
pub const COARSE: [usize; 2] = [255, 64];
pub const FINE: [usize; 2] = [1_023, 1_000];

/// The bytes of a network: the trainer's shape, any weights.
pub fn bytes(
    hidden: usize,
    scales: [usize; 2],
    mut weight: impl FnMut(usize) -> i16,
    output: impl Fn(usize) -> i16,
) -> Vec<u8> {
    let mut bytes = b"ROOKNNUE".to_vec();
    let version = if scales == COARSE { 1 } else { 2 };
    for number in [version, 768, hidden, 8, scales[0], scales[1], 400, TEXT.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(TEXT.as_bytes());
    (0..769 * hidden).for_each(|index| bytes.extend(weight(index).to_le_bytes()));
    (0..16 * hidden).for_each(|index| bytes.extend(output(index).to_le_bytes()));
    (0..8).for_each(|bucket| bytes.extend((bucket * 1_000 - 3_500i32).to_le_bytes()));
    seal(bytes)
}

pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(files::crc32(0, &bytes).to_le_bytes());
    bytes
}

/// Weights as large as a trainer's, of both signs.
pub fn random_bytes(hidden: usize, scales: [usize; 2]) -> Vec<u8> {
    let mut random = SplitMix(hidden as u64);
    let mut upto = |most: usize| random.below(2 * most as u64 + 1) as i16 - most as i16;
    let outputs: Vec<i16> = (0..16 * hidden).map(|_| upto(scales[1])).collect();
    // Rather more than less than nothing, so that most lanes are awake.
    let most = (scales[0] * 3 / 5).min(900);
    bytes(hidden, scales, |_| upto(most) + most as i16 / 15, |index| outputs[index])
}

pub fn network(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::read(bytes).expect("a good network"))
}

/// What the page says.
pub struct Reference {
    hidden: usize,
    scales: [i64; 2],
    weights: Vec<i64>,
    biases: Vec<i64>,
}

impl Reference {
    pub fn new(bytes: &[u8]) -> Reference {
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let (hidden, text) = (number(16) as usize, number(36) as usize);
        let start = HEADER + text;
        let count = hidden * (769 + 16);
        let weight = |index| {
            let at = start + 2 * index;
            i64::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]))
        };
        let biases = (0..8).map(|bucket| i64::from(number(start + 2 * count + 4 * bucket) as i32));
        let scales = [24, 28].map(|at| i64::from(number(at)));
        let weights = (0..count).map(weight).collect();
        Reference { hidden, scales, weights, biases: biases.collect() }
    }

    pub fn value(&self, position: &Position) -> i32 {
        let hidden = self.hidden;
        let [one, output_one] = self.scales;
        // A square is divided by the power of two that leaves it 14 bits.
        let divisor = ((one + 1) / 128).pow(2);
        let us = position.side_to_move();
        let bucket = (position.occupied().count() as usize - 2) / 4;
        let mut total = 0;
        for (half, side) in [us, !us].into_iter().enumerate() {
            let mirror = if position.king(side).file() >= 4 { 7 } else { 0 };
            let turn = if side == Color::Black { 56 } else { 0 };
            for lane in 0..hidden {
                let mut sum = self.weights[768 * hidden + lane];
                for square in position.occupied() {
                    let piece = position.piece_on(square).expect("it is occupied");
                    let enemy = usize::from(piece.color() != side);
                    let seen = square.index() ^ mirror ^ turn;
                    let input = 384 * enemy + 64 * piece.kind().index() + seen;
                    sum += self.weights[input * hidden + lane];
                }
                let square = sum.clamp(0, one).pow(2) / divisor;
                total += square * self.weights[(769 + 2 * bucket + half) * hidden + lane];
            }
        }
        ((total * divisor + self.biases[bucket] * one) * 400 / (one * one * output_one)) as i32
    }
}
