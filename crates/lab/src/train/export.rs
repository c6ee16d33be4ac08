//! A trained network as the engine's file, in the finest integers that the engine takes.

use super::net::{BUCKETS, INPUTS, Net};
use eval::nnue::Network;

/// Centipawns of an output of 1.
pub const CENTIPAWNS: u32 = 400;
/// The finest scale of the outputs.
const FINEST: f64 = 4_096.0;

/// The file of a network; the error says why there is none.
pub fn bytes(net: &Net, description: &str) -> Result<Vec<u8>, String> {
    let mut reason = String::new();
    for bits in (7..=14u32).rev() {
        let bytes = in_scale(net, description, bits)?;
        match Network::read(&bytes) {
            Ok(_) => return Ok(bytes),
            Err(refused) => reason = refused,
        }
    }
    Err(format!("the network cannot be written: {reason}"))
}

/// The file with hidden values of this number of bits.
fn in_scale(net: &Net, description: &str, bits: u32) -> Result<Vec<u8>, String> {
    let one = (1i64 << bits) - 1;
    let outputs = &net.numbers[net.output(0)..net.output(BUCKETS)];
    let sum = |weights: &[f32]| weights.iter().map(|weight| f64::from(weight.abs())).sum::<f64>();
    let heaviest = outputs.chunks_exact(2 * net.hidden).map(sum).fold(1e-9, f64::max);
    // Squares have 14 bits, sums of the output 32; rounding adds a half to each weight at most.
    let largest_square = (one * one) >> (2 * bits - 14);
    let room = (i64::from(i32::MAX) / largest_square) as f64 - net.hidden as f64;
    let output_one = (room / heaviest).min(FINEST).floor();
    if output_one < 1.0 {
        return Err("the output weights are too large for the engine's integers".to_owned());
    }
    let mut bytes = Network::MAGIC.to_vec();
    let shape = [2, INPUTS, net.hidden, BUCKETS, one as usize, output_one as usize];
    for number in shape.into_iter().chain([CENTIPAWNS as usize, description.len()]) {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(description.as_bytes());
    let mut put = |numbers: &[f32], scale: f64| {
        for number in numbers {
            // It fits: trained weights are within ±1.98, and what is cut off the reader refuses by its sums.
            bytes.extend(((f64::from(*number) * scale).round() as i16).to_le_bytes());
        }
    };
    put(&net.numbers[..net.output(0)], one as f64);
    put(outputs, output_one);
    for bias in &net.numbers[net.output(BUCKETS)..] {
        let bias = (f64::from(*bias) * one as f64 * output_one).round() as i32;
        bytes.extend(bias.to_le_bytes());
    }
    bytes.extend(::files::crc32(0, &bytes).to_le_bytes());
    Ok(bytes)
}
