//! What the search asks of its surroundings: when to stop, and who listens.
//!
//! The search reads no clock, starts no thread and prints nothing. Its caller implements
//! [`Observer`] and passes time in that way.

use crate::Depth;
use board::Move;
use eval::score::Score;

/// A line of play with its value, as reported while searching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move at the root, in the bands of [`crate::score`].
    pub score: Score,
    /// Whether the value is exact, or only a bound because the window failed.
    pub bound: Bound,
    /// The moves, beginning with the root move. Never past mate or a draw by rule.
    pub moves: Vec<Move>,
}

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is it.
    Exact,
}

/// The state of a search, whenever something is worth telling.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest ply reached.
    pub selective_depth: Depth,
    /// 1 for the best line, 2 for the second … (MultiPV).
    pub rank: usize,
    /// The line.
    pub line: &'a Line,
    /// Nodes searched so far by this worker.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// Nodes about which endgame tables or recognisers knew something.
    pub tbhits: u64,
}

/// Where a search stands between reports.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest ply reached.
    pub selective_depth: Depth,
    /// Nodes searched so far by this worker.
    pub nodes: u64,
    /// The root move under search and its number, beginning with 1.
    pub root_move: Option<(Move, usize)>,
}

/// A finished iteration: what time management decides by.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Its depth.
    pub depth: Depth,
    /// The best move's value, for the side to move.
    pub score: Score,
    /// The value one iteration earlier.
    pub previous_score: Option<i32>,
    /// The best move.
    pub best: Move,
    /// For how many iterations it has been the best one (1: it is new).
    pub stable_for: u32,
    /// The share of this search's nodes that were spent below the best move, 0 to 1.
    pub node_share: f64,
    /// Nodes searched so far by this worker.
    pub nodes: u64,
}

/// The surroundings of a search.
pub trait Observer {
    /// Whether to stop at once; asked every [`Observer::nodes_until_asked`] nodes.
    fn should_stop(&mut self, progress: &Progress) -> bool;

    /// Whether reports are of any use; they are not made otherwise.
    fn listens(&self) -> bool {
        true
    }

    /// After how many nodes it wants to be asked next, at most [`POLL_INTERVAL`]. One who looks at a clock
    /// wants to be asked sooner where nodes are slow (see [`crate::Pacer`]); one whose answer depends on the
    /// nodes alone always wants the same number, so that searches can be repeated.
    fn nodes_until_asked(&self) -> u64 {
        POLL_INTERVAL
    }

    /// A line was found, or a window failed.
    fn report(&mut self, report: &Report<'_>);

    /// Whether to begin another iteration after this one.
    fn go_on(&mut self, iteration: &Iteration) -> bool;
}

/// The most nodes between two questions to [`Observer::should_stop`]: about half a millisecond.
pub const POLL_INTERVAL: u64 = 1024;

/// Nodes of a first iteration that no observer can stop: whatever is wanted at once must still know its move.
pub const FIRST_ITERATION: u64 = 256;

/// An observer that never stops and does not listen: the limits alone end the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        true
    }
}

/// What ends a search, apart from its observer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration.
    pub depth: Option<i32>,
    /// Nodes of this worker after which it stops at once.
    pub nodes: Option<u64>,
    /// Stop as soon as a mate in that many moves is proven.
    pub mate: Option<i32>,
    /// Search these root moves only, first in this order; all if empty.
    pub root_moves: Vec<Move>,
    /// How many best lines are wanted (0 counts as 1).
    pub lines: usize,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best lines, best first; empty only if there is no legal move.
    pub lines: Vec<Line>,
    /// The last finished iteration.
    pub depth: Depth,
    /// The deepest ply reached.
    pub selective_depth: Depth,
    /// Nodes searched.
    pub nodes: u64,
}

impl Outcome {
    /// The move to play.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// The reply to ponder on.
    pub fn ponder(&self) -> Option<Move> {
        self.lines.first()?.moves.get(1).copied()
    }
}
