//! The evaluation that `modern` plays with: the classical one, or a network.

use crate::modern::cache::CacheCounters;
use crate::nnue::{Network, Nnue};
use crate::{Classical, Evaluator};
use board::{Move, Position};
use std::sync::Arc;

/// One of the two. The fast search is compiled once for both: a branch that is always taken the same way
/// costs less than a second copy of the search would.
pub enum MainEvaluator {
    /// The tuned terms.
    Classical(Classical),
    /// A network.
    Net(Nnue),
}

impl MainEvaluator {
    /// By a network, or by the classical terms where there is none.
    pub fn new(network: Option<&Arc<Network>>) -> MainEvaluator {
        match network {
            Some(network) => MainEvaluator::Net(Nnue::new(Arc::clone(network))),
            None => MainEvaluator::Classical(Classical::new()),
        }
    }
}

impl Evaluator for MainEvaluator {
    #[inline(always)]
    fn reset(&mut self, position: &Position) {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.reset(position),
            MainEvaluator::Net(evaluator) => evaluator.reset(position),
        }
    }

    #[inline(always)]
    fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.push(before, mv, after),
            MainEvaluator::Net(evaluator) => evaluator.push(before, mv, after),
        }
    }

    #[inline(always)]
    fn push_null(&mut self, before: &Position, after: &Position) {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.push_null(before, after),
            MainEvaluator::Net(evaluator) => evaluator.push_null(before, after),
        }
    }

    #[inline(always)]
    fn pop(&mut self) {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.pop(),
            MainEvaluator::Net(evaluator) => evaluator.pop(),
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> i16 {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.evaluate(position),
            MainEvaluator::Net(evaluator) => evaluator.evaluate(position),
        }
    }

    fn counters(&self) -> CacheCounters {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.counters(),
            MainEvaluator::Net(evaluator) => evaluator.counters(),
        }
    }

    fn clear(&mut self) {
        match self {
            MainEvaluator::Classical(evaluator) => evaluator.clear(),
            MainEvaluator::Net(evaluator) => evaluator.clear(),
        }
    }
}
