//! The choice of an evaluation at run time, for the papers' profiles and the simulator.

use crate::modern::cache::CacheCounters;
use crate::{Classical, DarkSight, Evaluator, MainEvaluator, Sampler};
use board::{Move, Position};

/// One of the evaluations. `modern` is compiled for [`MainEvaluator`] itself; the other
/// profiles can spare a branch at each call, and the search is compiled once for all of them.
pub enum AnyEvaluator {
    /// What `modern` plays with.
    Main(Box<MainEvaluator>),
    /// The tuned one.
    Classical(Box<Classical>),
    /// The thesis's.
    DarkSight(Box<DarkSight>),
    /// The tuned one, sampled for training.
    Sampler(Box<Sampler>),
}

/// The same for each evaluation.
macro_rules! each {
    ($any:expr, $evaluator:ident => $body:expr) => {
        match $any {
            AnyEvaluator::Main($evaluator) => $body,
            AnyEvaluator::Classical($evaluator) => $body,
            AnyEvaluator::DarkSight($evaluator) => $body,
            AnyEvaluator::Sampler($evaluator) => $body,
        }
    };
}

impl AnyEvaluator {
    /// Exchanges what is remembered of pawns and material with another of the same kind. No value depends on it:
    /// where many walks take turns on one processor, one memory for all of them stays in its caches.
    pub fn swap_caches(&mut self, other: &mut AnyEvaluator) {
        match (self, other) {
            (AnyEvaluator::Classical(one), AnyEvaluator::Classical(two)) => one.swap_caches(two),
            (AnyEvaluator::DarkSight(one), AnyEvaluator::DarkSight(two)) => one.swap_caches(two),
            (AnyEvaluator::Main(one), AnyEvaluator::Main(two)) => {
                if let (MainEvaluator::Classical(one), MainEvaluator::Classical(two)) =
                    (&mut **one, &mut **two)
                {
                    one.swap_caches(two);
                }
            }
            _ => (),
        }
    }
}

impl Evaluator for AnyEvaluator {
    fn reset(&mut self, position: &Position) {
        each!(self, evaluator => evaluator.reset(position));
    }

    #[inline]
    fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        each!(self, evaluator => evaluator.push(before, mv, after));
    }

    #[inline]
    fn push_null(&mut self, before: &Position, after: &Position) {
        each!(self, evaluator => evaluator.push_null(before, after));
    }

    #[inline]
    fn pop(&mut self) {
        each!(self, evaluator => evaluator.pop());
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i16 {
        each!(self, evaluator => evaluator.evaluate(position))
    }

    fn counters(&self) -> CacheCounters {
        each!(self, evaluator => evaluator.counters())
    }

    fn clear(&mut self) {
        each!(self, evaluator => evaluator.clear());
    }
}
