//! The evaluation of a simulated processor: with small caches, since there are a thousand of them.

use board::{Move, Position};
use eval::{Classical, DarkSight, Evaluator};
use search::Profile;

/// Pawn structures that a processor remembers: 64 kilobytes.
const PAWN_ENTRIES: usize = 1024;

/// Whose evaluation.
pub(super) enum Judge {
    Classical(Box<Classical>),
    DarkSight(Box<DarkSight>),
}

impl Judge {
    pub fn new(profile: Profile) -> Judge {
        match profile {
            Profile::DarkSight => Judge::DarkSight(Box::new(DarkSight::new())),
            _ => Judge::Classical(Box::new(Classical::with_pawn_entries(PAWN_ENTRIES))),
        }
    }
}

impl Evaluator for Judge {
    fn reset(&mut self, position: &Position) {
        match self {
            Judge::Classical(judge) => judge.reset(position),
            Judge::DarkSight(judge) => judge.reset(position),
        }
    }

    #[inline]
    fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        if let Judge::DarkSight(judge) = self {
            judge.push(before, mv, after);
        }
    }

    #[inline]
    fn push_null(&mut self, before: &Position, after: &Position) {
        if let Judge::DarkSight(judge) = self {
            judge.push_null(before, after);
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Judge::DarkSight(judge) = self {
            judge.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i16 {
        match self {
            Judge::Classical(judge) => judge.evaluate(position),
            Judge::DarkSight(judge) => judge.evaluate(position),
        }
    }
}
