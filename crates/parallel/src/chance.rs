//! Chance that can be repeated.

use board::random::SplitMix;

/// A sequence of numbers that follows from a seed.
#[derive(Clone, Debug)]
pub struct Chance(SplitMix);

impl Chance {
    /// The sequence of a seed and of one who draws from it.
    pub fn new(seed: u64, who: u64) -> Chance {
        let mut chance = Chance(SplitMix(seed ^ who.wrapping_mul(0xd134_2543_de82_ef95)));
        chance.draw();
        chance
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below another; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            _ => self.0.below(end as u64) as usize,
        }
    }

    /// True with this chance.
    pub fn happens(&mut self, in_a_million: u32) -> bool {
        in_a_million > 0 && self.below(1_000_000) < in_a_million as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_gives_others() {
        let draw = |seed, who| {
            let mut chance = Chance::new(seed, who);
            [chance.draw(), chance.draw(), chance.draw()]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn numbers_below_an_end_reach_all_of_them() {
        let mut chance = Chance::new(7, 0);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[chance.below(5)] += 1;
        }
        assert!(seen.iter().all(|&times| times > 150), "{seen:?}");
        assert_eq!(chance.below(0), 0);
        assert!(!chance.happens(0) && chance.happens(1_000_000));
    }
}
