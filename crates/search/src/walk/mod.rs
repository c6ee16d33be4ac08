//! The driver of the parallel strategies: a walk that can stop at any node, hand out right brothers,
//! take results from outside, and unwind to a cut (Z22 to Z27).
//!
//! A [`Walk`] owns all that a search needs but the table. It keeps tasks one above the other on one
//! stack of nodes: a processor that waits for its helpers may help them meanwhile, and goes on where it
//! was when that is done. Start with `stack.rs`, the recursion of `recursive.rs` over an explicit stack with a
//! memory for the children that are out; `share.rs` hands out, `outside.rs` takes back.

mod child;
mod detached;
mod foresight;
mod frame;
mod history_delta;
mod job;
mod node_type;
mod outside;
mod plans;
mod share;
mod stack;
mod watch;
mod wire;

pub use crate::killers::Killers;
pub use crate::node::{Absorbed, Attempt, Plan, PlanKind};
pub use detached::{Detached, Opened};
pub use frame::{Effect, SplitPoint};
pub use history_delta::HistoryDelta;
pub use job::{Job, JobResult};
pub use node_type::NodeType;

use crate::iterate;
use crate::lookup::Lookup;
use crate::observer::{Limits, Observer, Outcome, Progress, Quiet};
use crate::phases::{Memory, Search};
use crate::root::Root;
use crate::statistics::Statistics;
use crate::switches::Rules;
use board::{History, Position};
use endgame::Oracle;
use eval::{CacheCounters, Evaluator};
use frame::State;
use stack::Stack;
use std::sync::Arc;
use table::Entry;

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
    Finished(u64, JobResult),
    /// There is no task.
    Idle,
}

/// The search of a position, to be begun.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The task's number.
    pub id: u64,
    /// The position.
    pub position: &'a Position,
    /// The keys of the game before it.
    pub game: &'a History,
    /// When to stop.
    pub limits: &'a Limits,
    /// 0, or the number of one who helps in a search that all share and should not do the same as the
    /// others: it takes the root moves in another order and, if odd, begins one iteration later.
    pub helper: usize,
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
    /// What listeners were told of the history.
    told: history_delta::Told,
}

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// A walk that has not begun.
    pub fn new(rules: R, evaluator: E) -> Walk<R, E> {
        let memory = Memory::new(&rules.switches());
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
            told: Vec::new(),
        }
    }

    #[inline(always)]
    fn with<T: Lookup, A>(
        &mut self,
        table: &mut T,
        work: impl FnOnce(&mut Stack, &mut Search<'_, R, E, &mut T>) -> A,
    ) -> A {
        self.with_host(table, &mut Quiet, work)
    }

    /// Puts the pieces together for the time of a call.
    #[inline(always)]
    fn with_host<T: Lookup, A>(
        &mut self,
        table: &mut T,
        observer: &mut dyn Observer,
        work: impl FnOnce(&mut Stack, &mut Search<'_, R, E, &mut T>) -> A,
    ) -> A {
        let mut search = Search {
            rules: self.rules,
            table,
            observer,
            limits: &self.limits,
            memory: &mut self.memory,
            evaluator: &mut self.evaluator,
            history: self.history.take().unwrap_or_default(),
            root: std::mem::take(&mut self.root),
            statistics: std::mem::take(&mut self.statistics),
            until_poll: u64::MAX,
            stopped: false,
        };
        let answer = work(&mut self.stack, &mut search);
        self.history = Some(search.history);
        self.root = search.root;
        self.statistics = search.statistics;
        answer
    }

    /// Sends the history of moves along with jobs of at least this depth.
    pub fn set_history_from(&mut self, depth: i32) {
        self.stack.history_from = depth;
    }

    /// Iterations deepen by so many plies: small ones cannot keep many processors busy.
    pub fn set_step(&mut self, plies: i32) {
        self.stack.step = plies.max(1);
    }

    /// Only children of at least this depth are handed out.
    pub fn set_grain(&mut self, depth: i32) {
        self.stack.grain = depth;
    }

    /// Searches nodes of at most this depth by recursion, which is faster but cannot stop: for machines on
    /// which some tens of nodes are a moment.
    pub fn set_recursion(&mut self, depth: i32) {
        self.stack.recursion = depth;
    }

    /// Puts off children that the table says others are searching, where at least so deep (ABDADA).
    pub fn set_deferral(&mut self, depth: Option<i32>) {
        self.stack.deferral = depth;
    }

    /// Begins the search of a position as a task.
    pub fn start_root<T: Lookup>(&mut self, table: &mut T, start: &Start<'_>) {
        self.limits = start.limits.clone();
        self.root = iterate::root_moves(start.position, &start.limits.root_moves);
        let moves = self.root.moves.len().max(1);
        self.root.moves.rotate_left(start.helper % moves);
        self.statistics.iterations.clear();
        self.stack.reached = 0;
        self.history = Some(start.game.clone());
        self.memory.killers.fill(crate::killers::Killers::NONE);
        self.memory.refutations.clear();
        self.evaluator.reset(start.position);
        self.with(table, |stack, search| {
            stack.start_root(search, start.id, start.position, start.helper);
        });
    }

    /// Begins a job as a task on top of the others. False if the stack is too high for it.
    pub fn start_job<T: Lookup>(&mut self, table: &mut T, id: u64, job: Box<Job>) -> bool {
        self.with(table, |stack, search| stack.start_job(search, id, job))
    }

    /// Lets somebody who knows endings answer at the nodes of the search; nobody for `None`.
    pub fn set_oracle(&mut self, oracle: Option<Arc<Oracle>>) {
        self.memory.forget_known();
        self.memory.oracle = oracle;
    }

    /// Goes on until at least so many nodes were searched, or there is something to tell.
    pub fn run<T: Lookup>(&mut self, table: &mut T, nodes: u64) -> Pause {
        self.run_for(table, nodes, &mut Quiet, || false)
    }

    /// The same for an observer that hears of lines and decides about iterations of the root. It is not
    /// asked whether to stop: the caller does that. `interrupted` is asked at every node.
    pub fn run_for<T: Lookup>(
        &mut self,
        table: &mut T,
        nodes: u64,
        observer: &mut dyn Observer,
        interrupted: impl Fn() -> bool,
    ) -> Pause {
        self.with_host(table, observer, |stack, search| {
            let end = search.statistics.nodes + nodes;
            loop {
                if let Some(pause) = stack.step(search) {
                    return pause;
                }
                let enough = search.statistics.nodes >= end || interrupted();
                if enough || !stack.effects.is_empty() {
                    return Pause::Budget;
                }
            }
        })
    }

    /// The open nodes of the stack, those with the largest subtrees first.
    pub fn split_points(&self) -> impl Iterator<Item = SplitPoint> + '_ {
        self.stack.split_points(&self.memory)
    }

    /// The next child of the node on a level, to be searched elsewhere under this number.
    pub fn split<T: Lookup>(&mut self, table: &mut T, level: usize, id: u64) -> Option<Job> {
        self.with(table, |stack, search| stack.split(search, level, id))
    }

    /// What came of a child that was handed out. False if nobody waits for it any more.
    pub fn absorb<T: Lookup>(&mut self, table: &mut T, id: u64, job_result: &JobResult) -> bool {
        self.with(table, |stack, search| stack.absorb_outside(search, id, job_result))
    }

    /// A child that was handed out will not come back: it is to be searched again by somebody.
    pub fn take_back(&mut self, id: u64) -> bool {
        self.stack.take_back(id)
    }

    /// Narrows the window of a task.
    pub fn narrow<T: Lookup>(&mut self, table: &mut T, id: u64, alpha: i32, beta: i32) -> bool {
        self.with(table, |stack, search| stack.narrow_task(search, id, alpha, beta))
    }

    /// Drops a task and all those above it on the stack. False if it is not there.
    pub fn cancel<T: Lookup>(&mut self, table: &mut T, id: u64) -> bool {
        self.with(table, |stack, search| stack.cancel(search, id))
    }

    /// The table's late answer (Z34): whether a node began anew because of it. The table must give
    /// this answer when the node probes again.
    pub fn answer<T: Lookup>(&mut self, table: &mut T, key: u64, entry: Entry) -> bool {
        self.with(table, |stack, search| stack.answer(search, key, entry))
    }

    /// What others must be told, since the last time.
    pub fn effects(&mut self) -> &mut Vec<Effect> {
        &mut self.stack.effects
    }

    /// The numbers of the tasks on the stack, the topmost last.
    pub fn tasks(&self) -> impl Iterator<Item = u64> + '_ {
        self.stack.tasks.iter().map(|task| task.id)
    }

    /// The level on which a task begins, if it is on the stack.
    pub fn base(&self, id: u64) -> Option<usize> {
        self.stack.tasks.iter().find(|task| task.id == id).map(|task| task.base)
    }

    /// The numbers of the children of nodes from a level on that others search.
    pub fn outside(&self, lowest: usize) -> impl Iterator<Item = u64> + '_ {
        self.stack.outs.iter().filter(move |out| out.level >= lowest).map(|out| out.id)
    }

    /// Those of the node on top, which waits for them; none if it does not wait.
    pub fn awaited(&self) -> impl Iterator<Item = u64> + '_ {
        let level = match self.stack.state {
            State::Wait => Some(self.stack.top),
            _ => None,
        };
        self.stack.outs.iter().filter(move |out| Some(out.level) == level).map(|out| out.id)
    }

    /// The key of the node that is to be entered next, if one is.
    pub fn entering(&self) -> Option<u64> {
        let node = &self.memory.nodes[self.stack.top];
        (self.stack.state == State::Enter).then(|| node.position.key())
    }

    /// Whether there is no task.
    pub fn is_idle(&self) -> bool {
        self.stack.state == State::Idle
    }

    /// Whether the node on top waits for others.
    pub fn is_waiting(&self) -> bool {
        self.stack.state == State::Wait
    }

    /// Ends the search of the root where it is: what it has found counts, as far as it went.
    pub fn stop(&mut self) -> Outcome {
        self.root.sort();
        self.root.sort_lines(self.root.rank + 1);
        self.root.rank = 0;
        self.outcome()
    }

    /// Drops all tasks, and tells nobody.
    pub fn clear<T: Lookup>(&mut self, table: &mut T) {
        while let Some(id) = self.stack.tasks.first().map(|task| task.id) {
            self.cancel(table, id);
        }
        self.stack.outs.clear();
        self.stack.effects.clear();
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

    /// The last finished iteration of the root.
    pub fn reached(&self) -> i32 {
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
