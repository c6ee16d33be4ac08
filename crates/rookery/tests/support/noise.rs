//! Noise for readers that must survive it.

use board::random::SplitMix;

/// Random bytes, the same in every run.
pub fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut random = SplitMix(seed);
    (0..length).map(|_| random.next() as u8).collect()
}
