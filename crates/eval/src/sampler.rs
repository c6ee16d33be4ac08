//! The classical evaluation with a memory of some of what it was asked: a network learns from it first.

use crate::modern::cache::CacheCounters;
use crate::modern::finish::FREE_PLIES;
use crate::{Classical, Evaluator, endgame};
use board::{Move, Position};

/// Evaluates as [`Classical`] does, and keeps one position of many with its value.
pub struct Sampler {
    classical: Classical,
    one_in: u64,
    /// A linear congruential generator: which positions are kept must be cheap to decide.
    random: u64,
    kept: Vec<(Position, i16)>,
}

impl Sampler {
    /// Keeps one position of `one_in`, on average.
    pub fn new(one_in: u64) -> Sampler {
        Sampler { classical: Classical::new(), one_in: one_in.max(1), random: 0, kept: Vec::new() }
    }

    /// Begins anew: the same seed and the same searches keep the same positions.
    pub fn seed(&mut self, seed: u64) {
        self.random = seed;
        self.kept.clear();
    }

    /// What was kept since the last call. Positions whose ending is known exactly are left out.
    pub fn take(&mut self) -> std::vec::Drain<'_, (Position, i16)> {
        self.kept.drain(..)
    }
}

impl Evaluator for Sampler {
    fn reset(&mut self, position: &Position) {
        self.classical.reset(position);
    }

    fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        self.classical.push(before, mv, after);
    }

    fn push_null(&mut self, before: &Position, after: &Position) {
        self.classical.push_null(before, after);
    }

    fn pop(&mut self) {
        self.classical.pop();
    }

    fn evaluate(&mut self, position: &Position) -> i16 {
        let value = self.classical.evaluate(position);
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let wanted = ((self.random >> 32) * self.one_in) >> 32 == 0;
        // Near the fifty-move rule the value depends on more than the board.
        let plain = position.halfmove_clock() <= FREE_PLIES && !position.in_check();
        if wanted && plain && endgame::known(position).is_none() {
            self.kept.push((*position, value));
        }
        value
    }

    fn counters(&self) -> CacheCounters {
        self.classical.counters()
    }

    fn clear(&mut self) {
        self.classical.clear();
    }
}
