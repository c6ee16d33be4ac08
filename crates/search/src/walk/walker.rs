//! The walk of a processor as its strategy sees it: one interface without types, called for a job or a
//! message and never inside a node.
//!
//! The first half steers tasks on the stack. The second half is for strategies whose nodes stay where they
//! are while their children are searched elsewhere (D83): these open nodes, ask them for plans, turn plans
//! into jobs, give them values and close them.

use super::frame::State;
use super::share::leads;
use super::{
    Absorbed, Detached, Effect, HistoryDelta, Job, JobResult, Killers, Opened, Plan, RootSearch,
    Session, SplitPoint, SplitRule, TaskId,
};
use crate::Depth;
use crate::histories::Butterfly;
use crate::iterate;
use crate::lookup::{Asker, Lookup};
use crate::switches::Rules;
use board::Key;
use eval::Evaluator;
use eval::score::Score;
use table::Entry;

/// A walk through a part of the tree, at the table of a search.
pub trait Walker {
    /// Begins the search of the root as task [`TaskId::ROOT`]. A `helper` other than 0 in a search that all
    /// share should not do the same as the others: it takes the root moves in another order and, if odd,
    /// begins one iteration later.
    fn start_root(&mut self, root: &RootSearch, helper: usize);

    /// Begins a job as a task on top of the others; false if there is no room.
    fn start_job(&mut self, task: TaskId, job: Box<Job>) -> bool;

    /// The next open node from a level on whose children others may search, where only those of at least
    /// the depth `grain` are worth it. Lower levels have larger subtrees.
    fn split_point(&self, from: usize, grain: Depth) -> Option<SplitPoint>;

    /// The next child of the node on a level, to be searched elsewhere under this name.
    fn split(&mut self, level: usize, task: TaskId, rule: SplitRule) -> Option<Job>;

    /// Takes the result of a child that was split off; false if it is of no use any more.
    fn absorb(&mut self, task: TaskId, job_result: &JobResult) -> bool;

    /// Takes back a child that was split off and not searched; false if it is of no use any more.
    fn take_back(&mut self, task: TaskId) -> bool;

    /// Narrows the window of a task; false if it is not here.
    fn narrow(&mut self, task: TaskId, alpha: Score, beta: Score) -> bool;

    /// Drops a task and those above it; false if it is not here.
    fn cancel(&mut self, task: TaskId) -> bool;

    /// The table's late answer (Z34): whether a node began anew because of it. The table must give this
    /// answer when the node probes again.
    fn answer(&mut self, key: Key, entry: Entry) -> bool;

    /// The next message to a processor that searches one of our children.
    fn effect(&mut self) -> Option<Effect>;

    /// Whether there is such a message.
    fn has_effects(&self) -> bool;

    /// The level on which a task begins, if it is on the stack.
    fn base(&self, task: TaskId) -> Option<usize>;

    /// Whether a task is on the stack.
    fn has(&self, task: TaskId) -> bool {
        self.base(task).is_some()
    }

    /// The key of the node that is to be entered next, if one is.
    fn entering(&self) -> Option<u64>;

    /// Nodes searched since the statistics were last taken.
    fn nodes(&self) -> u64;

    /// Bytes of histories that were read to find what has changed ([`Walker::history_delta`]).
    fn scanned(&self) -> u64;

    /// The children that the node on top waits for; none if it does not wait.
    fn awaited(&self) -> Vec<TaskId>;

    /// The children of a task, and of those above it, that others search.
    fn outside(&self, within: TaskId) -> Vec<TaskId>;

    /// Whether the walk stops wherever children can be given away (teams).
    fn set_watch(&mut self, watch: bool);

    /// The level on top, if the walk has stopped there or waits.
    fn watched(&self) -> Option<usize>;

    /// Takes the next step where the walk has stopped.
    fn proceed(&mut self);

    /// Whether others may search further children of an open node by the table's rule (F9): at once, or
    /// after the first child where that one leads.
    fn is_free(&self, split_point: &SplitPoint) -> bool;

    /// Whether there is no task.
    fn is_idle(&self) -> bool;

    /// Whether the node on top waits for others.
    fn is_waiting(&self) -> bool;

    /// Lets the killers of this processor serve the nodes that are opened apart from the stack, instead of
    /// those that come with a job and go back with its value (D91).
    fn keep_killers(&mut self, keep: bool);

    /// Begins the search of the root as a detached node; the value if there is nothing to search.
    fn open_root(&mut self, root: &RootSearch) -> Opened;

    /// The root's children are done: opens it for its next search, or tells what was found.
    fn advance_root(&mut self, root: &mut Detached) -> Option<JobResult>;

    /// Opens the node of a job apart from the stack. There must be room.
    fn open(&mut self, job: &Job) -> Opened;

    /// The next plan of a detached node; `None` when there is nothing left to search.
    fn plan(&mut self, node: &mut Detached) -> Option<Plan>;

    /// The child of a plan; `fresh` if it is the first attempt.
    fn child(&mut self, node: &mut Detached, plan: &Plan, fresh: bool) -> Job;

    /// Gives a detached node the value of a child.
    fn settle(&mut self, node: &mut Detached, plan: &Plan, job_result: &JobResult) -> Absorbed;

    /// Leaves a detached node whose children are done: what was found, and the killers from its ply on.
    fn close(&mut self, node: Box<Detached>) -> (JobResult, Vec<Killers>);

    /// The killers that the job that was last done has come to, from its ply on.
    fn learnt(&self) -> &[Killers];

    /// Whether a node can be opened or a job begun on top of what is there.
    fn has_room(&self) -> bool;

    /// What is known here about a position.
    fn peek(&self, key: Key) -> Option<Entry>;

    /// Stores what another processor has found out about a position.
    fn note(&mut self, key: Key, entry: Entry);

    /// Changes of the history of at least `least` that a receiver does not have yet.
    fn history_delta(&mut self, receiver: usize, least: i32) -> HistoryDelta;

    /// Merges a history delta; receivers up to `known` already have it.
    fn merge_history_delta(&mut self, history_delta: &HistoryDelta, known: usize);
}

impl<R: Rules, E: Evaluator, T: Lookup> Walker for Session<'_, R, E, T> {
    fn start_root(&mut self, root: &RootSearch, helper: usize) {
        self.begin(root);
        let moves = self.walk.root.moves.len().max(1);
        self.walk.root.moves.rotate_left(helper % moves);
        self.walk.history = Some(root.game.clone());
        self.walk.memory.killers.fill(Killers::NONE);
        self.walk.evaluator.reset(&root.position);
        self.with(|stack, search| stack.start_root(search, &root.position, helper));
    }

    fn start_job(&mut self, task: TaskId, job: Box<Job>) -> bool {
        self.with(|stack, search| stack.start_job(search, task, job))
    }

    fn split_point(&self, from: usize, grain: Depth) -> Option<SplitPoint> {
        self.walk.stack.split_point(&self.walk.memory, from, grain)
    }

    fn split(&mut self, level: usize, task: TaskId, rule: SplitRule) -> Option<Job> {
        let job = self.with(|stack, search| stack.split(search, level, task, rule))?;
        // To find the cells that are worth sending, all are read.
        if job.history.is_some() {
            self.walk.scanned += size_of::<Butterfly>() as u64;
        }
        Some(job)
    }

    fn absorb(&mut self, task: TaskId, job_result: &JobResult) -> bool {
        self.with(|stack, search| stack.absorb_outside(search, task, job_result))
    }

    fn take_back(&mut self, task: TaskId) -> bool {
        self.walk.stack.take_back(task)
    }

    fn narrow(&mut self, task: TaskId, alpha: Score, beta: Score) -> bool {
        self.with(|stack, search| stack.narrow_task(search, task, alpha, beta))
    }

    fn cancel(&mut self, task: TaskId) -> bool {
        self.with(|stack, search| stack.cancel(search, task))
    }

    fn answer(&mut self, key: Key, entry: Entry) -> bool {
        self.with(|stack, search| stack.answer(search, key, entry))
    }

    fn effect(&mut self) -> Option<Effect> {
        self.walk.stack.effects.pop()
    }

    fn has_effects(&self) -> bool {
        !self.walk.stack.effects.is_empty()
    }

    fn entering(&self) -> Option<u64> {
        let (walk, switches) = (&self.walk, self.walk.rules.switches());
        let history = walk.history.as_ref().filter(|_| walk.stack.state == State::Enter)?;
        Some(walk.memory.nodes[walk.stack.top].table_key(&switches, history, history.len()))
    }

    fn nodes(&self) -> u64 {
        self.walk.statistics.nodes
    }

    fn scanned(&self) -> u64 {
        self.walk.scanned
    }

    fn base(&self, task: TaskId) -> Option<usize> {
        self.walk.stack.tasks.iter().find(|it| it.id == task).map(|it| it.base)
    }

    fn awaited(&self) -> Vec<TaskId> {
        let stack = &self.walk.stack;
        let awaited = stack.outs.iter().filter(|out| out.level == stack.top && self.is_waiting());
        awaited.map(|out| out.id).collect()
    }

    fn outside(&self, within: TaskId) -> Vec<TaskId> {
        let lowest = self.base(within).unwrap_or(usize::MAX);
        let outside = self.walk.stack.outs.iter().filter(|out| out.level >= lowest);
        outside.map(|out| out.id).collect()
    }

    fn set_watch(&mut self, watch: bool) {
        self.walk.stack.watch = watch;
    }

    fn watched(&self) -> Option<usize> {
        (self.walk.stack.watch && self.is_waiting()).then_some(self.walk.stack.top)
    }

    fn proceed(&mut self) {
        if self.is_waiting() {
            (self.walk.stack.state, self.walk.stack.pass) = (State::Next, true);
        }
    }

    fn is_free(&self, split_point: &SplitPoint) -> bool {
        let node = &self.walk.memory.nodes[split_point.level];
        split_point.settled > 0 || !leads(node, self.walk.rules.switches().scout)
    }

    fn is_idle(&self) -> bool {
        self.walk.stack.state == State::Idle
    }

    fn is_waiting(&self) -> bool {
        self.walk.stack.state == State::Wait
    }

    fn keep_killers(&mut self, keep: bool) {
        self.walk.stack.local_killers = keep;
        self.walk.memory.killers.fill(Killers::NONE);
    }

    fn open_root(&mut self, root: &RootSearch) -> Opened {
        self.begin(root);
        self.with(|stack, search| Detached::root(stack, search, root))
    }

    fn advance_root(&mut self, root: &mut Detached) -> Option<JobResult> {
        self.with(|stack, search| root.advance(stack, search))
    }

    fn open(&mut self, job: &Job) -> Opened {
        self.with(|stack, search| Detached::open(stack, search, job))
    }

    fn plan(&mut self, node: &mut Detached) -> Option<Plan> {
        self.with(|_, search| node.on_desk(search, |search, level| search.next(level)))
    }

    fn child(&mut self, node: &mut Detached, plan: &Plan, fresh: bool) -> Job {
        node.child(&mut self.walk.stack.scratch, plan, fresh, &self.walk.rules)
    }

    fn settle(&mut self, node: &mut Detached, plan: &Plan, job_result: &JobResult) -> Absorbed {
        self.with(|_, search| node.settle(search, plan, job_result))
    }

    fn close(&mut self, mut node: Box<Detached>) -> (JobResult, Vec<Killers>) {
        self.with(|_, search| node.leave(search))
    }

    fn learnt(&self) -> &[Killers] {
        &self.walk.stack.learnt
    }

    fn has_room(&self) -> bool {
        self.walk.stack.has_room()
    }

    fn peek(&self, key: Key) -> Option<Entry> {
        self.table.peek(key)
    }

    fn note(&mut self, key: Key, entry: Entry) {
        let asker = Asker { depth: 0, ply: 0, parent_known: false, cut: false };
        let slot = self.table.probe(key, asker).slot();
        self.table.store(slot, entry);
    }

    fn history_delta(&mut self, receiver: usize, least: i32) -> HistoryDelta {
        self.walk.history_delta(receiver, least)
    }

    fn merge_history_delta(&mut self, history_delta: &HistoryDelta, known: usize) {
        self.walk.merge_history_delta(history_delta, known);
    }
}

impl<R: Rules, E: Evaluator, T: Lookup> Session<'_, R, E, T> {
    /// What begins with every search of a root.
    fn begin(&mut self, root: &RootSearch) {
        self.walk.limits = root.limits.clone();
        self.walk.root = iterate::root_moves(&root.position, &root.limits.root_moves);
        self.walk.statistics.iterations.clear();
        self.walk.stack.reached = 0;
        self.walk.memory.refutations.clear();
    }
}
