//! What the search asks of an evaluation, and the modern classical one behind it.
//!
//! The search is generic over [`Evaluator`] (static dispatch). It tells the evaluator of every move it
//! makes and takes back, so that one which keeps sums or a network's accumulators up to date can take
//! over without a change in the search.

use crate::endgame;
use crate::modern::Evaluate;
use crate::modern::cache::{CacheCounters, PawnCache};
use crate::score::clamp_eval;
use board::attacks::dispatch;
use board::{Move, Position};

/// An evaluation that follows a walk through the tree.
pub trait Evaluator {
    /// Begins anew at a position; everything pushed is forgotten.
    fn reset(&mut self, position: &Position);

    /// A move was made.
    fn push(&mut self, before: &Position, mv: Move, after: &Position);

    /// The right to move was passed.
    fn push_null(&mut self, before: &Position, after: &Position);

    /// The last move, or the last pass, was taken back.
    fn pop(&mut self);

    /// What the position is worth to the side to move, in centipawns within ±[`crate::EVAL_LIMIT`].
    /// It must be the one that the pushes led to. A side in check is evaluated like any other.
    fn evaluate(&mut self, position: &Position) -> i16;

    /// How the caches did.
    fn counters(&self) -> CacheCounters {
        CacheCounters::default()
    }

    /// Forgets what caches hold, as for a new game: the same calls then give the same counts.
    fn clear(&mut self) {}
}

/// The modern classical evaluation with the caches of one thread. It is worked out anew at each
/// call: a push only asks for the memory of its pawns, and a pop costs nothing.
#[derive(Clone)]
pub struct Classical {
    cache: PawnCache,
}

impl Classical {
    /// Pawn structures that a thread remembers: half a megabyte.
    pub const DEFAULT_PAWN_ENTRIES: usize = 8_192;

    /// With the usual cache.
    pub fn new() -> Classical {
        Classical::with_pawn_entries(Classical::DEFAULT_PAWN_ENTRIES)
    }

    /// With room for at least this number of pawn structures of 64 bytes.
    pub fn with_pawn_entries(entries: usize) -> Classical {
        endgame::prepare();
        Classical { cache: PawnCache::new(entries) }
    }

    /// Exchanges what is remembered.
    pub(crate) fn swap_caches(&mut self, other: &mut Classical) {
        std::mem::swap(&mut self.cache, &mut other.cache);
    }
}

impl Default for Classical {
    fn default() -> Classical {
        Classical::new()
    }
}

impl Evaluator for Classical {
    #[inline(always)]
    fn reset(&mut self, _: &Position) {}

    #[inline(always)]
    fn push(&mut self, _: &Position, _: Move, after: &Position) {
        self.cache.prefetch(after);
    }

    #[inline(always)]
    fn push_null(&mut self, _: &Position, _: &Position) {}

    #[inline(always)]
    fn pop(&mut self) {}

    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> i16 {
        let value = match endgame::known(position) {
            Some(value) => value,
            None => tapered(position, &mut self.cache),
        };
        for_side_to_move(position, value)
    }

    fn counters(&self) -> CacheCounters {
        self.cache.counters
    }

    fn clear(&mut self) {
        self.cache.clear();
    }
}

/// The whole evaluation. It is compiled in this crate, where the weights are constants that the compiler
/// sees: elsewhere they would be loads, an eighth more instructions.
#[inline(never)]
fn tapered(position: &Position, cache: &mut PawnCache) -> i32 {
    dispatch(Evaluate { position, cache })
}

/// White's advantage as the side to move sees it, in the band of evaluations.
#[inline(always)]
pub(crate) fn for_side_to_move(position: &Position, value: i32) -> i16 {
    // A product, as a branch on the side to move would be mispredicted often.
    clamp_eval(value * (1 - 2 * position.side_to_move().index() as i32))
}
