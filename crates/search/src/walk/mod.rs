//! The driver of the parallel strategies: a walk that can stop at any node, split off children for
//! other processors, take results from outside, and unwind to a cut (Z22 to Z27).
//!
//! A [`Walk`] owns all that a search needs but the table. It keeps tasks one above the other on one
//! stack of nodes: a processor that waits for its helpers may help them meanwhile, and goes on where it
//! was when that is done. A [`Session`] is a walk together with the table and the observer of one search;
//! strategies see it as a [`Walker`]. Start with `stack.rs`, the recursion of `recursive.rs` over an explicit
//! stack with a memory for the children that are out; `share.rs` splits off children, `outside.rs` takes
//! their results.

mod child;
mod detached;
mod frame;
mod history_delta;
mod job;
mod node_type;
mod outside;
mod root;
mod share;
mod stack;
mod walker;
mod wire;

pub use crate::killers::Killers;
pub use crate::node::{Absorbed, Attempt, Plan, PlanKind};
#[cfg(test)]
pub(crate) use child::is_promising_child;
pub use detached::{Detached, Opened};
pub use frame::{Effect, SplitPoint};
pub use history_delta::HistoryDelta;
pub use job::{Job, JobResult};
pub use node_type::NodeType;
pub use root::FailHigh;
pub use share::SplitRule;
pub use walker::Walker;

use crate::Depth;
use crate::iterate;
use crate::lookup::Lookup;
use crate::observer::{Limits, Observer, Outcome, Progress, Quiet};
pub use crate::phases::SharedHistories;
use crate::phases::{Memory, Search};
use crate::root::Root;
use crate::statistics::Statistics;
use crate::switches::Rules;
use board::{History, Move, Position, prefetch};
use endgame::Oracle;
use eval::score::Ply;
use eval::{CacheCounters, Evaluator};
use frame::Work;
use stack::Stack;
use std::sync::Arc;

/// A task: the processor that gave it out, and a number that it never gives twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId {
    /// Which processor gave it out.
    pub issuer: u32,
    /// Its number there, from 1 on.
    pub number: u32,
}

impl TaskId {
    /// The whole search.
    pub const ROOT: TaskId = TaskId { issuer: 0, number: 0 };
}

/// The search of a position, as every processor of a strategy that shares the root begins it.
#[derive(Clone, Debug)]
pub struct RootSearch {
    /// The position.
    pub position: Position,
    /// The game before it.
    pub game: History,
    /// When to stop.
    pub limits: Limits,
}

/// Where a walk is: the task on top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its name.
    pub task: TaskId,
    /// Its remaining depth; that of the iteration where it is the root.
    pub depth: Depth,
    /// Moves from the root.
    pub ply: Ply,
    /// The move that leads to it; the move under search where it is the root.
    pub mv: Option<Move>,
}

/// Why a walk has stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Pause {
    /// It has searched as many nodes as it was asked to.
    Budget,
    /// The node on top waits for children that others search.
    Waiting,
    /// The table's answer for this key is needed.
    Read(u64),
    /// A window or an iteration at the root is done, and another begins.
    Iteration,
    /// A task is done; what it found.
    Finished(TaskId, JobResult),
    /// There is no task.
    Idle,
}

/// A search that can stop anywhere, on whatever processor it is.
pub struct Walk<R, E> {
    rules: R,
    evaluator: E,
    memory: Memory,
    /// Always there between two calls.
    history: Option<History>,
    root: Root,
    statistics: Statistics,
    limits: Limits,
    stack: Stack,
    /// What the evaluator had counted when the statistics began.
    counted: CacheCounters,
    /// What receivers of history deltas have by now.
    sent: history_delta::Sent,
    /// Bytes of histories that were read for that.
    scanned: u64,
}

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// A walk that has not begun.
    pub fn new(rules: R, evaluator: E) -> Walk<R, E> {
        let memory = Memory::new(&rules.switches());
        Walk::with_memory(rules, evaluator, memory)
    }

    /// The same, which learns together with others.
    pub fn sharing(rules: R, evaluator: E, shared_histories: &SharedHistories) -> Walk<R, E> {
        let memory = Memory::sharing(&rules.switches(), shared_histories);
        Walk::with_memory(rules, evaluator, memory)
    }

    fn with_memory(rules: R, evaluator: E, memory: Memory) -> Walk<R, E> {
        let stack = Stack::new(memory.nodes.len());
        let counted = evaluator.counters();
        Walk {
            rules,
            evaluator,
            memory,
            history: Some(History::new()),
            root: Root::default(),
            statistics: Statistics::default(),
            limits: Limits::default(),
            stack,
            counted,
            sent: Vec::new(),
            scanned: 0,
        }
    }

    /// Bytes of a walk by these rules, but for its evaluator's.
    pub fn bytes(rules: &R) -> usize {
        let switches = rules.switches();
        let frames = Memory::levels(&switches) * size_of::<frame::Frame>();
        size_of::<Self>() + Memory::bytes(&switches) + frames + size_of::<crate::node::Node>()
    }

    /// The walk at the table of a search, with the observer that gets the root's lines.
    pub fn session<'a, T: Lookup>(
        &'a mut self,
        table: &'a mut T,
        observer: Option<&'a mut dyn Observer>,
    ) -> Session<'a, R, E, T> {
        Session { walk: self, table, observer }
    }

    /// Iterations deepen by this many plies: small ones cannot keep many processors busy.
    pub fn set_step(&mut self, plies: i32) {
        self.stack.step = plies.max(1);
    }

    /// Smaller children than this count neither as waited for nor as worth a stop: they are not split off.
    pub fn set_grain(&mut self, depth: Depth) {
        self.stack.grain = depth;
    }

    /// Searches nodes of at most this depth by recursion, which is faster but cannot stop: for machines on
    /// which some tens of nodes are a moment.
    pub fn set_recursion(&mut self, depth: Depth) {
        self.stack.recursion = depth;
    }

    /// Puts off children of at least this depth that the table says others are searching (ABDADA).
    pub fn set_deferral(&mut self, depth: Option<i32>) {
        self.stack.deferral = depth;
    }

    /// Leaves out iterations in helpers' searches of the root, each others, so that they do not all do the same.
    pub fn set_skipping(&mut self, skips: bool) {
        self.stack.skips = skips;
    }

    /// Begins a node anew whenever a late answer of the table names another first move (Z34); else only while
    /// its first move is searched, and later the table's move comes next.
    pub fn set_restart_late(&mut self, restart: bool) {
        self.stack.restart_late = restart;
    }

    /// Lets what the table knows of a node overrule the type that its parent expects.
    pub fn set_expected_types(&mut self, expected: bool) {
        self.stack.expected_types = expected;
    }

    /// Asks the CPU to load the nodes on top: for machines on which many walks take turns.
    pub fn prefetch(&self) {
        let top = self.stack.top;
        for node in self.memory.nodes.iter().skip(top).take(2) {
            node.prefetch();
        }
        if let Some(frame) = self.stack.frames.get(top) {
            prefetch(frame);
        }
    }

    /// What evaluates.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Sets the oracle that answers for endings at the nodes of the search, or none.
    pub fn set_oracle(&mut self, oracle: Option<Arc<Oracle>>) {
        self.memory.forget_known();
        self.memory.oracle = oracle;
    }

    /// Ends the search of the root where it is: what it has found counts, as far as it went.
    pub fn stop(&mut self) -> Outcome {
        self.root.sort();
        self.root.sort_lines(self.root.rank + 1);
        self.root.rank = 0;
        self.outcome()
    }

    /// Where the search of the root stands.
    pub fn progress(&self) -> Progress {
        Progress {
            depth: self.root.depth,
            selective_depth: self.statistics.selective_depth,
            nodes: self.statistics.nodes,
            root_move: self.root.current,
        }
    }

    /// What is searched, if anything is.
    pub fn place(&self) -> Option<Place> {
        let task = self.stack.tasks.last()?;
        Some(match &task.work {
            Work::Root(_) => {
                let mv = self.root.current.map(|(mv, _)| mv);
                Place { task: task.id, depth: self.root.depth, ply: 0, mv }
            }
            Work::Job(job) => {
                Place { task: task.id, depth: job.depth, ply: job.ply, mv: Some(job.mv) }
            }
        })
    }

    /// What was counted since the walk was made or its statistics were taken.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Takes what was counted; counting begins anew. For the time between searches.
    pub fn take_statistics(&mut self) -> Statistics {
        let after = self.evaluator.counters();
        let before = std::mem::replace(&mut self.counted, after);
        let mut statistics = std::mem::take(&mut self.statistics);
        statistics.pawn_probes = after.pawn_probes - before.pawn_probes;
        statistics.pawn_hits = after.pawn_hits - before.pawn_hits;
        statistics.king_probes = after.king_probes - before.king_probes;
        statistics.king_hits = after.king_hits - before.king_hits;
        statistics
    }

    /// Nodes below each move of the root.
    pub fn nodes_by_move(&self) -> Vec<(Move, u64)> {
        self.root.moves.iter().map(|root_move| (root_move.mv, root_move.nodes)).collect()
    }

    /// The last finished iteration of the root.
    pub fn reached(&self) -> Depth {
        self.stack.reached
    }

    /// What the search of the root has found so far; empty before the first iteration.
    pub fn outcome(&self) -> Outcome {
        let nodes = self.statistics.nodes;
        let selective_depth = self.statistics.selective_depth;
        let lines = self.root.moves.iter().take(self.limits.lines.max(1)).map(iterate::line_of);
        Outcome { lines: lines.collect(), depth: self.stack.reached, selective_depth, nodes }
    }
}

/// A walk during a search: with the table that it uses and its observer.
pub struct Session<'a, R, E, T> {
    /// The walk.
    pub walk: &'a mut Walk<R, E>,
    /// The table.
    pub table: &'a mut T,
    /// Gets the root's lines and decides about its iterations, where there is one.
    pub observer: Option<&'a mut dyn Observer>,
}

impl<R: Rules, E: Evaluator, T: Lookup> Session<'_, R, E, T> {
    /// Puts the pieces together for the time of a call.
    #[inline(always)]
    fn with<A>(&mut self, work: impl FnOnce(&mut Stack, &mut Search<'_, R, E, &mut T>) -> A) -> A {
        let (walk, mut quiet) = (&mut *self.walk, Quiet);
        let observer: &mut dyn Observer = match &mut self.observer {
            Some(observer) => &mut **observer,
            None => &mut quiet,
        };
        let mut search = Search {
            rules: walk.rules,
            table: &mut *self.table,
            observer,
            limits: &walk.limits,
            memory: &mut walk.memory,
            evaluator: &mut walk.evaluator,
            history: walk.history.take().unwrap_or_default(),
            root: std::mem::take(&mut walk.root),
            statistics: std::mem::take(&mut walk.statistics),
            until_poll: u64::MAX,
            stopped: false,
        };
        let answer = work(&mut walk.stack, &mut search);
        walk.history = Some(search.history);
        walk.root = search.root;
        walk.statistics = search.statistics;
        answer
    }

    /// Goes on until at least this many nodes were searched, or there is something to tell. What the table has
    /// to send waits for the end of a node. The observer is not asked whether to stop: the caller does that.
    /// `interrupted` is asked at every node.
    pub fn run(&mut self, nodes: u64, interrupted: impl Fn() -> bool) -> Pause {
        self.with(|stack, search| {
            let begin = search.statistics.nodes;
            let mut before = begin;
            loop {
                if let Some(pause) = stack.step(search) {
                    return pause;
                }
                let now = search.statistics.nodes;
                let enough = now - begin >= nodes || now > before && search.table.has_mail();
                if enough || interrupted() || !stack.effects.is_empty() {
                    return Pause::Budget;
                }
                before = now;
            }
        })
    }

    /// Drops all tasks without telling those who search their children.
    pub fn clear(&mut self) {
        while let Some(task) = self.walk.stack.tasks.first().map(|task| task.id) {
            self.cancel(task);
        }
        self.walk.stack.outs.clear();
        self.walk.stack.effects.clear();
    }
}
