//! A move's score and its place in a list as one number.
//!
//! The greatest of such keys is the best move, and among equals the first. It is found without a branch
//! that depends on the scores: those are hard to predict (docs/lab/speed.md).

use board::MAX_MOVES;
use board::attacks::{Isa, Kernel};

/// The bits of a key that hold the place, counted from the end.
const PLACE_BITS: u32 = 9;
const LAST: i32 = (1 << PLACE_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << PLACE_BITS);

/// The key of a score, which must lie between −2²² and 2²², at a place.
#[inline(always)]
pub fn key(score: i32, place: usize) -> i32 {
    score << PLACE_BITS | (LAST - place as i32)
}

/// The key of a score that is greater by `by`, at the same place.
#[inline(always)]
pub fn raised(old: i32, by: i32) -> i32 {
    old + (by << PLACE_BITS)
}

/// The place that a key holds.
#[inline(always)]
pub fn place(key: i32) -> usize {
    (LAST - (key & LAST)) as usize
}

/// The key of the same score at another place.
#[inline(always)]
pub fn moved(old: i32, place: usize) -> i32 {
    key(old >> PLACE_BITS, place)
}

/// Keys compared at a time; as many that are less than any stand behind the last one.
pub const LANES: usize = 8;

/// Less than any key.
pub const NONE: i32 = i32::MIN;

/// Finds the greatest key from a place on, up to the first group that begins after the last.
pub struct Greatest<'a> {
    /// The keys, and behind them [`LANES`] times [`NONE`].
    pub keys: &'a [i32],
    /// The first to be compared.
    pub from: usize,
    /// One after the last.
    pub to: usize,
}

impl Kernel for Greatest<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> i32 {
        let mut best = [NONE; LANES];
        let mut at = self.from;
        while at < self.to {
            let Some(keys) = self.keys.get(at..at + LANES) else { break };
            let mut lane = 0;
            while lane < LANES {
                best[lane] = if keys[lane] > best[lane] { keys[lane] } else { best[lane] };
                lane += 1;
            }
            at += LANES;
        }
        let [a, b, c, d, e, f, g, h] = best;
        a.max(b).max(c.max(d)).max(e.max(f).max(g.max(h)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::attacks::dispatch;

    #[test]
    fn the_greatest_key_is_the_first_of_the_best_scores() {
        let scores = [-40_000, 7, -1, 120_000, 0, 120_000, 3, 2, 1, 119_999];
        let mut keys: Vec<i32> =
            scores.iter().enumerate().map(|(place, &score)| key(score, place)).collect();
        keys.extend([NONE; LANES]);
        let greatest = |keys: &[i32], from, to| dispatch(Greatest { keys, from, to });
        assert_eq!(place(greatest(&keys, 0, 10)), 3);
        keys[3] = key(-5, 3);
        keys[0] = moved(keys[0], 0);
        assert_eq!(place(greatest(&keys, 0, 10)), 5);
        assert_eq!(place(greatest(&keys, 6, 10)), 9);
        assert_eq!(greatest(&keys, 10, 10), NONE);
        assert_eq!(moved(key(-77, 415), 2), key(-77, 2));
        assert_eq!(raised(key(-77, 415), 100), key(23, 415));
    }
}
