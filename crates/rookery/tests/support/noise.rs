//! Noise for readers that must survive it.

/// Pseudo-random bytes (xorshift), the same in every run.
pub fn noise(length: usize, mut state: u64) -> Vec<u8> {
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(next).collect()
}
