//! A move's score and its place in a list as one number.
//!
//! The greatest of such keys is the best move, and among equals the first. It is found without a branch
//! that depends on the scores: those are hard to foresee (docs/strength.md).

use board::MAX_MOVES;

/// The bits of a key that hold the place, counted from the end.
const PLACE_BITS: u32 = 9;
const LAST: i32 = (1 << PLACE_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << PLACE_BITS);

/// The key of a score, which must lie between −2²² and 2²², at a place.
#[inline(always)]
pub fn key(score: i32, place: usize) -> i32 {
    score << PLACE_BITS | (LAST - place as i32)
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

/// The greatest key, if there is one.
#[inline(always)]
pub fn greatest(keys: &[i32]) -> Option<i32> {
    match keys {
        [] => None,
        _ => Some(keys.iter().fold(i32::MIN, |best, &key| best.max(key))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_key_is_the_first_of_the_best_scores() {
        let scores = [-40_000, 7, -1, 120_000, 0, 120_000];
        let mut keys: Vec<i32> =
            scores.iter().enumerate().map(|(place, &score)| key(score, place)).collect();
        assert_eq!(greatest(&keys).map(place), Some(3));
        keys[3] = key(-5, 3);
        keys[0] = moved(keys[0], 0);
        assert_eq!(greatest(&keys).map(place), Some(5));
        assert_eq!(greatest(&keys[..1]).map(place), Some(0));
        assert_eq!(greatest(&[]), None);
        assert_eq!(moved(key(-77, 415), 2), key(-77, 2));
    }
}
