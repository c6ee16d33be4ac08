//! What a thread does that has no work: it searches the root by itself.
//!
//! In a tree with many reductions there is not always work for all. A thread that waits for some goes on with
//! a search of the root of its own, as in the lazy strategy, and leaves it at once when work comes: what it
//! finds lies in the table for those that come there later. Should it be the first to finish the last
//! iteration, its answer counts.

use super::extras::Extra;
use super::lookup::Shared;
use super::main_observer::Interrupt;
use super::shared_search::SharedSearch;
use crate::Peer;
use board::Move;
use eval::Evaluator;
use search::switches::Rules;
use search::walk::{Pause, Place, Walk, Walker};
use search::{Depth, Lookup, Outcome};

/// Nodes between two looks at the clock.
const SLICE: u64 = 64;

/// The search of a thread without work.
pub(super) struct IdleSearch<'a, R, E> {
    interrupt: Interrupt<'a>,
    walk: &'a mut Walk<R, E>,
    slice: u64,
    shared: &'a SharedSearch,
    /// How many iterations ahead of the first thread it goes on where it has fallen behind.
    ahead_by: Option<Depth>,
    /// The last iteration that it has finished.
    reached: Depth,
    done: bool,
}

/// The end of an iteration of it.
pub(super) struct Found {
    pub depth: Depth,
    pub last: bool,
    pub outcome: Outcome,
    /// Nodes below each root move.
    pub nodes: Vec<(Move, u64)>,
}

impl<'a, R: Rules, E: Evaluator> IdleSearch<'a, R, E> {
    /// A search that has not begun.
    pub fn new<T: Lookup>(
        shared: &'a SharedSearch,
        me: Peer,
        walk: &'a mut Walk<R, E>,
        table: &mut Shared<'a, T>,
    ) -> IdleSearch<'a, R, E> {
        walk.set_recursion(shared.settings.recursion);
        walk.session(table, None).start_root(&shared.root, me.index());
        let slice = match &shared.remote {
            Some(remote) if remote.distance.near => remote.distance.slice.min(SLICE),
            // What comes from afar has been on its way for long.
            Some(remote) => remote.distance.slice.max(SLICE),
            None => SLICE,
        };
        let interrupt = Interrupt::new(shared, me, true);
        let ahead = shared.settings.extras.has(Extra::Ahead);
        let ahead_by = ahead.then(|| 1 + me.0 as Depth % 2);
        IdleSearch { interrupt, walk, slice, shared, ahead_by, reached: 0, done: false }
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Where it is.
    pub fn place(&self) -> Option<Place> {
        self.walk.place()
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.walk.statistics().nodes
    }

    /// Searches some nodes, fewer if there is mail. What an iteration that ended has found.
    pub fn go_on<T: Lookup>(&mut self, table: &mut Shared<'a, T>) -> Option<Found> {
        let mut session = self.walk.session(table, None);
        if let Some(behind) = self.ahead_by {
            // What the first thread has finished is of no use to any thread: on to what it comes to later.
            let reached = self.shared.first_reached();
            session.walk.set_ahead(reached + behind);
            if session.walk.progress().depth <= reached {
                session.leap(reached + behind);
            }
        }
        let pause = self.interrupt.run(&mut session, self.slice);
        self.done = session.is_idle();
        let last = match pause {
            Pause::Finished(..) => true,
            Pause::Iteration => false,
            _ => return None,
        };
        let depth = self.walk.reached();
        if depth <= self.reached && !last {
            return None;
        }
        self.reached = depth;
        let (outcome, nodes) = (self.walk.outcome(), self.walk.nodes_by_move());
        Some(Found { depth, last, outcome, nodes })
    }

    /// Forgets where it was.
    pub fn end<T: Lookup>(&mut self, table: &mut Shared<'a, T>) {
        self.walk.session(table, None).clear();
    }
}
