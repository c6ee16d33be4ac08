//! The phases of a node: `enter`, `next`, `absorb`, `leave`.
//!
//! A driver calls them in that order and carries children in between; it knows nothing of chess. A
//! strategy that spreads the tree over processors calls the same four. See `recursive.rs` for the
//! shortest driver. The steps of a node, in order
//! (docs/design/search.md says more about them, by the same numbers):
//!
//! - `enter`
//!   1. draws, the end of the stack, mates that cannot matter any more (`enter.rs`)
//!   2. known endings: tables and recognisers (`known.rs`)
//!   3. at depth 0, the quiescence search (`quiesce.rs`)
//!   4. the transposition table (`enter.rs`)
//!   5. the static evaluation, with what was learned about it (`enter.rs`)
//!   6. reverse futility and razoring (`razoring.rs`)
//!   7. a ply less, or a look at the captures, where the table has no move (`deepening.rs`)
//! - `next`
//!   8. the null move, and its verification (`null.rs`)
//!   9. probcut (`probcut.rs`)
//!   10. internal deepening (`deepening.rs`)
//!   11. the moves in order (`next.rs`, `picker.rs`)
//!   12. leaving out late, futile and losing moves (`futility.rs`)
//!   13. the singular test of the table move, extensions (`singular.rs`, `extensions.rs`)
//!   14. the reduction of late moves (`reductions.rs`)
//! - `absorb`
//!   15. another attempt: deeper, with an open window (`reductions.rs`)
//!   16. a better move, a cut, the principal variation (`absorb.rs`)
//! - `leave`
//!   17. mate and stalemate, what the table and the histories learn (`leave.rs`)

mod absorb;
mod deepening;
mod enter;
mod futility;
mod known;
mod leave;
mod next;
mod null;
#[cfg(test)]
mod papers;
mod probcut;
mod razoring;
mod reductions;
mod singular;
#[cfg(test)]
mod synthetic;

use crate::histories::Histories;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::node::{NO_EVAL, Node, Plan, PlanKind};
use crate::observer::{FIRST_ITERATION, Limits, Observer, POLL_INTERVAL, Progress};
use crate::root::Root;
use crate::statistics::Statistics;
use crate::switches::{Ordering, Rules, Switches};
use crate::variation::Variation;
use crate::{corrections::Corrections, refutations::Refutations};
use board::{Color, History, Move};
use endgame::Oracle;
use eval::Evaluator;
use eval::score::{MATE_LIMIT, MAX_PLY};
use std::sync::Arc;
use table::{Bound, Entry};

/// Nodes on the stack: a singular test or a verification adds a level to a ply.
pub const MAX_LEVEL: usize = MAX_PLY as usize * 2;

/// What a worker keeps from node to node and from search to search.
pub struct Memory {
    /// Histories of moves.
    pub histories: Histories,
    /// What was learned about the evaluation.
    pub corrections: Corrections,
    /// Killers by ply.
    pub killers: Vec<Killers>,
    /// The best replies of the last iteration (M15).
    pub refutations: Refutations,
    /// The stack of nodes.
    pub nodes: Vec<Node>,
    /// The best line below each node of the stack.
    pub variations: Vec<Variation>,
    /// What is known about endings, if anything.
    pub oracle: Option<Arc<Oracle>>,
    /// Who was to move in the last search of the game, and the value that it found.
    pub previous: Option<(Color, i32)>,
}

/// What several workers can learn together: histories by earlier moves and by pawns, and corrections.
pub struct SharedHistories {
    histories: Histories,
    corrections: Corrections,
}

impl SharedHistories {
    /// Nothing learned yet.
    pub fn new(switches: &Switches) -> SharedHistories {
        let modern = switches.ordering == Ordering::Modern;
        SharedHistories {
            histories: if modern { Histories::new() } else { Histories::small() },
            corrections: match switches.corrections {
                true => Corrections::new(),
                false => Corrections::none(),
            },
        }
    }

    fn sharing(&self) -> SharedHistories {
        SharedHistories {
            histories: self.histories.sharing(),
            corrections: self.corrections.sharing(),
        }
    }
}

/// Levels of the papers' profiles: their trees are shallow.
const CLASSICAL_LEVELS: usize = 160;

impl Memory {
    /// Fresh memory for a profile. The papers' programs remember less: a simulated machine has a
    /// thousand such memories.
    pub fn new(switches: &Switches) -> Memory {
        Memory::with(switches, SharedHistories::new(switches))
    }

    /// Fresh memory but for what it learns together with others.
    pub fn sharing(switches: &Switches, shared_histories: &SharedHistories) -> Memory {
        Memory::with(switches, shared_histories.sharing())
    }

    /// Levels of the stack.
    pub fn levels(switches: &Switches) -> usize {
        if switches.ordering == Ordering::Modern { MAX_LEVEL + 2 } else { CLASSICAL_LEVELS }
    }

    /// Bytes of such a memory.
    pub fn bytes(switches: &Switches) -> usize {
        let level = size_of::<Node>() + size_of::<Variation>();
        let corrections = if switches.corrections { Corrections::BYTES } else { 0 };
        let histories = Histories::bytes(switches.ordering != Ordering::Modern);
        Memory::levels(switches) * level + histories + corrections
    }

    fn with(switches: &Switches, shared_histories: SharedHistories) -> Memory {
        let levels = Memory::levels(switches);
        let SharedHistories { histories, corrections } = shared_histories;
        Memory {
            histories,
            corrections,
            killers: vec![Killers::NONE; MAX_PLY as usize + 2],
            refutations: Refutations::new(),
            nodes: vec![Node::new(); levels],
            variations: vec![Variation::new(); levels],
            oracle: None,
            previous: None,
        }
    }

    /// Forgets everything, and keeps those who know endings. The memory stays: fresh pages would cost
    /// more than the search of a small tree. Nodes and variations are written before they are read.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.killers.fill(Killers::NONE);
        self.refutations.clear();
        self.previous = None;
        self.forget_known();
    }

    /// Forgets what was said of endings.
    pub fn forget_known(&mut self) {
        for node in &mut self.nodes {
            (node.known, node.staged) = (NO_EVAL, false);
        }
    }
}

/// A search under way: everything that the phases work on.
pub struct Search<'a, R, E, T> {
    /// The profile.
    pub rules: R,
    /// The transposition table.
    pub table: T,
    /// Who says when to stop. Asked so rarely that a call through a pointer costs nothing.
    pub observer: &'a mut dyn Observer,
    /// When to stop anyway.
    pub limits: &'a Limits,
    /// What is remembered.
    pub memory: &'a mut Memory,
    /// Evaluates positions.
    pub evaluator: &'a mut E,
    /// The keys of the game and of the line.
    pub history: History,
    /// The root's moves.
    pub root: Root,
    /// Counters.
    pub statistics: Statistics,
    /// Nodes until the observer is asked again.
    pub until_poll: u64,
    /// Whether the search is over, whatever is still on the stack.
    pub stopped: bool,
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Counts a node, and asks now and then whether to stop.
    #[inline(always)]
    pub fn count_node(&mut self, ply: i32) {
        self.statistics.nodes += 1;
        self.statistics.selective_depth = self.statistics.selective_depth.max(ply + 1);
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll();
        }
    }

    #[cold]
    fn poll(&mut self) {
        let nodes = self.statistics.nodes;
        let progress = Progress {
            depth: self.root.depth,
            selective_depth: self.statistics.selective_depth,
            nodes,
            root_move: self.root.current,
        };
        let spent = self.limits.nodes.is_some_and(|most| nodes >= most);
        // The first iteration is finished, however soon the answer is wanted: it must know its move.
        let is_first = self.root.depth <= 1 && nodes < FIRST_ITERATION;
        if self.observer.should_stop(&progress) && !is_first || spent {
            self.stopped = true;
        }
        self.until_poll = nodes_until_poll(self.observer, self.limits, nodes);
    }

    /// Puts the child of a plan on the stack.
    #[inline(always)]
    pub fn descend(&mut self, level: usize, plan: &Plan) {
        let Memory { nodes, corrections, .. } = &mut *self.memory;
        let (above, below) = nodes.split_at_mut(level + 1);
        let (node, child) = (&above[level], &mut below[0]);
        let position = &node.position;
        child.begin(node, plan);
        match plan.kind {
            PlanKind::Move | PlanKind::ProbCut => {
                self.history.push(position.key());
                self.evaluator.push(position, plan.mv, &child.position);
                corrections.prefetch(&child.position, child.earlier_moves());
            }
            PlanKind::Null => {
                self.table.prefetch(child.position.key());
                self.history.push_null(position.key());
                self.evaluator.push_null(position, &child.position);
            }
            PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular => (),
        }
    }

    /// Takes the child off the stack, and turns its value to the side to move of the node that planned it.
    #[inline(always)]
    pub fn ascend(&mut self, plan: &Plan, value: i32) -> i32 {
        if plan.kind.stays() {
            return value;
        }
        self.history.pop();
        self.evaluator.pop();
        -value
    }
}

/// Nodes until the observer is asked again, when `nodes` have been searched: never beyond the limit.
pub fn nodes_until_poll(observer: &dyn Observer, limits: &Limits, nodes: u64) -> u64 {
    let left = limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
    observer.nodes_until_asked().min(POLL_INTERVAL).min(left).max(1)
}

/// Stores what was found out about a node.
#[inline(always)]
pub fn store<T: Lookup>(
    table: &mut T,
    node: &Node,
    mv: Move,
    value: i32,
    depth: i32,
    bound: Bound,
) {
    let Some(slot) = node.slot else { return };
    let eval = (node.raw_eval != NO_EVAL).then_some(node.raw_eval as i16);
    let (score, depth) = (to_table(value, node.ply), depth as i16);
    table.store(slot, Entry { mv, score, eval, depth, bound, pv: node.pv });
}

/// A value as the table keeps it: mates are counted from the node, not from the root.
#[inline(always)]
pub fn to_table(value: i32, ply: i32) -> i16 {
    let limit = i32::from(MATE_LIMIT);
    (if value >= limit {
        value + ply
    } else if value <= -limit {
        value - ply
    } else {
        value
    }) as i16
}

/// The node above one that a quiet move led to.
#[inline(always)]
fn above_quiet_move(nodes: &[Node], level: usize) -> Option<&Node> {
    let (above, node) = (&nodes[level.checked_sub(1)?], &nodes[level]);
    let made = above.ply < node.ply && !node.mv.is_none();
    (made && above.position.is_quiet(node.mv)).then_some(above)
}

/// A value from the table, with mates counted from the root again.
#[inline(always)]
pub fn from_table(value: i16, ply: i32) -> i32 {
    let (value, limit) = (i32::from(value), i32::from(MATE_LIMIT));
    if value >= limit {
        value - ply
    } else if value <= -limit {
        value + ply
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_keep_their_distance_from_the_node_in_the_table() {
        let mate = i32::from(eval::score::mate_in(9));
        assert_eq!(from_table(to_table(mate, 5), 5), mate);
        assert_eq!(from_table(to_table(mate, 5), 2), mate + 3);
        assert_eq!(from_table(to_table(-mate, 5), 2), -mate - 3);
        assert_eq!(to_table(123, 40), 123);
    }
}
