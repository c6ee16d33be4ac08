//! The walk through one's own part of the tree.

use super::child::{child_type, is_promising_child, mark_of, refreshed, used};
use super::frame::{Effect, Frame, Out, State, WalkTask, Work};
use super::job::{Job, JobResult};
use super::{NodeType, Pause, TaskId};
use crate::Depth;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Entered, Node, Plan, PlanKind};
use crate::observer::POLL_INTERVAL;
use crate::phases::Search;
use crate::switches::Rules;
use eval::Evaluator;
use eval::score::Score;

/// Levels that a new task must find free above it.
const ROOM: usize = 64;

/// The tasks of a walk.
pub(super) struct Stack {
    pub frames: Vec<Frame>,
    pub top: usize,
    pub state: State,
    pub tasks: Vec<WalkTask>,
    pub outs: Vec<Out>,
    pub effects: Vec<Effect>,
    /// The smallest depth of a child that another processor may get.
    pub grain: Depth,
    pub deferral: Option<i32>,
    /// Whether a helper leaves out iterations of the root.
    pub skips: bool,
    /// The next iteration of the root is at least this deep.
    pub ahead: Depth,
    /// Nodes of at most this depth are searched by recursion.
    pub recursion: Depth,
    /// By how many plies iterations deepen.
    pub step: i32,
    /// Whether the walk stops where children can be given away, and whether it may go on this once.
    pub watch: bool,
    pub pass: bool,
    /// The last finished iteration.
    pub reached: Depth,
    /// The killers that the last finished job has come to, from its ply on.
    pub learnt: Vec<Killers>,
    /// Whether detached nodes use the processor's own killers.
    pub local_killers: bool,
    /// Whether a late answer of the table restarts a node whenever its first move was another (Z34), not only
    /// while that is searched.
    pub restart_late: bool,
    /// Whether what the table knows of a node overrules the type that its parent expects.
    pub expected_types: bool,
    /// A node on which jobs are put together.
    pub scratch: Box<Node>,
}

impl Stack {
    pub fn new(levels: usize) -> Stack {
        Stack {
            frames: vec![Frame::new(); levels],
            top: 0,
            state: State::Idle,
            tasks: Vec::new(),
            outs: Vec::new(),
            effects: Vec::new(),
            grain: 1,
            deferral: None,
            skips: false,
            ahead: 0,
            recursion: Depth::MIN,
            step: 1,
            watch: false,
            pass: false,
            reached: 0,
            learnt: Vec::new(),
            local_killers: false,
            restart_late: false,
            expected_types: false,
            scratch: Box::new(Node::new()),
        }
    }

    pub fn start_job<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        id: TaskId,
        job: Box<Job>,
    ) -> bool {
        let nested = !self.tasks.is_empty();
        let below = if nested { self.top } else { 0 };
        // One level stands for the node above the job's.
        let base = below + usize::from(nested) + 1;
        if base + ROOM > self.frames.len() {
            return false;
        }
        let history = if nested { search.history.len() } else { 0 };
        match nested {
            // Nothing of the task below may count as a repetition.
            true => search.history.push_null(0),
            false => search.history.clear(),
        }
        let nodes = search.statistics.nodes;
        let interrupted = (self.state != State::Wait && nested).then(|| {
            let killers = search.memory.killers.get(job.ply as usize..).unwrap_or_default();
            (self.state, job.ply as usize, killers.to_vec())
        });
        let work = Work::Job(job);
        self.push_task(search, WalkTask { id, base, below, history, nodes, interrupted, work });
        true
    }

    /// Whether a job can begin on top of what is there.
    pub fn has_room(&self) -> bool {
        self.top + 2 + ROOM <= self.frames.len()
    }

    fn push_task<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        task: WalkTask,
    ) {
        let Work::Job(job) = &task.work else { return };
        job.keys.iter().for_each(|&key| search.history.push(key));
        search.root.depth = job.root_depth;
        for (killers, &sent) in
            search.memory.killers.iter_mut().skip(job.ply as usize).zip(&job.killers)
        {
            *killers = sent;
        }
        if let Some(history) = &job.history {
            search.memory.histories.adopt(history);
        }
        self.place_job(search, task.base, job);
        self.tasks.push(task);
    }

    /// Puts the root of a job on its level.
    pub fn place_job<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        base: usize,
        job: &Job,
    ) {
        self.frames[base - 1].open = false;
        job.put(search, base);
        self.top = base;
        self.state = State::Enter;
        let frame = &mut self.frames[base];
        (frame.base, frame.node_type) = (true, job.node_type);
        frame.reset(search.history.len());
    }

    /// Goes on until a node has been entered or there is something to tell.
    #[inline(always)]
    pub fn step<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
    ) -> Option<Pause> {
        loop {
            match self.state {
                State::Idle => return Some(Pause::Idle),
                State::Wait => return Some(Pause::Waiting),
                State::Enter if search.memory.nodes[self.top].depth <= self.recursion => {
                    self.frames[self.top].reset(search.history.len());
                    // The walk stops wherever it is told to; in a deep recursion the observer is asked.
                    search.until_poll = if self.recursion > 1 { POLL_INTERVAL } else { u64::MAX };
                    let value = search.recurse(self.top);
                    search.until_poll = u64::MAX;
                    if search.stopped {
                        self.enter_again(search);
                        return Some(Pause::Budget);
                    }
                    self.state = State::Return(value);
                    return None;
                }
                State::Enter => {
                    let key = search.memory.nodes[self.top].table_key(
                        &search.rules.switches(),
                        &search.history,
                        search.history.len(),
                    );
                    let asker = search.asker(self.top);
                    if asker.depth > 0 && search.table.must_wait(key, asker) {
                        return Some(Pause::Read(key));
                    }
                    let frame = &mut self.frames[self.top];
                    frame.reset(search.history.len());
                    match search.enter(self.top) {
                        Entered::Value(value) => self.state = State::Return(value),
                        Entered::Open => {
                            self.frames[self.top].open = true;
                            self.expect_type(&search.memory.nodes[self.top], self.top);
                            self.state = State::Next;
                        }
                    }
                    return None;
                }
                State::Next if self.watch && self.stops_here(search) => self.state = State::Wait,
                State::Next => {
                    let plan = self.next_plan(search);
                    self.pass = false;
                    match plan {
                        Some(plan) => self.follow(search, plan, true),
                        None if self.frames[self.top].out > 0 => self.state = State::Wait,
                        None => self.state = State::Return(search.leave(self.top)),
                    }
                }
                State::Return(value) if self.frames[self.top].base => {
                    return Some(self.finish(search, value));
                }
                State::Return(value) => self.give_back(search, value),
            }
        }
    }

    /// The next plan of the node on top: first what came back, then the node's own, then what others
    /// were searching.
    #[inline(always)]
    fn next_plan<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
    ) -> Option<Plan> {
        let level = self.top;
        let frame = &mut self.frames[level];
        if let Some(plan) = frame.queue.pop() {
            frame.spent = false;
            return Some(refreshed(&search.memory.nodes[level], plan));
        }
        let Some(deferral) = self.deferral else { return search.next(level) };
        while let Some(plan) = search.next(level) {
            let frame = &mut self.frames[level];
            let node = &search.memory.nodes[level];
            if plan.kind != PlanKind::Move || plan.depth < deferral {
                return Some(plan);
            }
            let child = mark_of(node, &plan);
            if search.table.is_taken(child) {
                // The first child is searched in any case: young brothers wait.
                if frame.begun > 0 {
                    frame.deferred.push(plan);
                    continue;
                }
                return Some(plan);
            }
            frame.mark = Some(child);
            return Some(plan);
        }
        let frame = &mut self.frames[level];
        let plan = (!frame.deferred.is_empty()).then(|| frame.deferred.remove(0))?;
        Some(refreshed(&search.memory.nodes[level], plan))
    }

    /// Goes to the child of a plan; `fresh` if it is the move's first attempt here.
    #[inline(always)]
    fn follow<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        plan: Plan,
        fresh: bool,
    ) {
        let level = self.top;
        let frame = &mut self.frames[level];
        let scout = search.rules.switches().scout;
        let node_type = child_type(frame.node_type, frame.begun == 0, &plan, scout);
        frame.plan = plan;
        if fresh && plan.kind == PlanKind::Move {
            let promising = || {
                let node = &search.memory.nodes[level];
                is_promising_child(node, search.memory.killers[node.ply as usize], plan.mv)
            };
            let counts = frame.begun > 0
                && frame.node_type == NodeType::Two
                && plan.depth >= self.grain
                && (frame.young > 0 || !promising());
            frame.young += u32::from(counts);
            frame.begun += 1;
        }
        search.descend(level, &plan);
        self.top = level + 1;
        let child = &mut self.frames[level + 1];
        (child.base, child.node_type) = (false, node_type);
        self.state = State::Enter;
    }

    /// The node below takes the value of its child.
    #[inline(always)]
    fn give_back<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        value: Score,
    ) {
        self.frames[self.top].open = false;
        self.top -= 1;
        let level = self.top;
        let plan = self.frames[level].plan;
        let value = search.ascend(&plan, value);
        if let Some(child) = self.frames[level].mark.take() {
            search.table.release(child);
        }
        match search.absorb(level, &plan, value) {
            Absorbed::Settled => {
                self.frames[level].settled += u32::from(plan.kind == PlanKind::Move);
                self.state = State::Next;
                if self.frames[level].out > 0 {
                    self.narrow_outside(&search.memory.nodes[level], level);
                }
            }
            Absorbed::Again(again) => self.follow(search, again, false),
            Absorbed::Cut => {
                self.cancel_outside(level);
                self.state = State::Return(search.leave(level));
            }
        }
    }

    /// The task on top is done, or its next iteration begins.
    fn finish<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        value: Score,
    ) -> Pause {
        self.frames[self.top].open = false;
        if let Some(WalkTask { work: Work::Root(root), .. }) = self.tasks.last_mut() {
            let (position, deepening) = &mut **root;
            if deepening.next().is_some() {
                deepening.go_ahead(self.ahead);
                search.deepen(deepening, value);
                self.reached = deepening.finished();
            }
            if let Some((alpha, beta, depth)) = deepening.next() {
                search.place_root(position, alpha, beta, depth);
                self.state = State::Enter;
                return Pause::Iteration;
            }
        }
        let line = search.memory.variations[self.top].as_slice().to_vec();
        let Some(task) = self.tasks.pop() else { return Pause::Idle };
        let nodes = search.statistics.nodes - task.nodes;
        if let Work::Job(job) = &task.work {
            let killers = search.memory.killers.get(job.ply as usize..).unwrap_or_default();
            self.learnt.clear();
            self.learnt.extend_from_slice(used(killers));
        }
        self.resume(search, &task);
        Pause::Finished(task.id, JobResult { value, line, nodes })
    }

    /// Goes back to the task below the one that ended.
    pub fn resume<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        ended: &WalkTask,
    ) {
        search.history.truncate(ended.history);
        self.top = ended.below;
        if self.tasks.is_empty() {
            self.state = State::Idle;
            return;
        }
        self.state = State::Next;
        if let Some((state, ply, killers)) = &ended.interrupted {
            self.state = *state;
            search.memory.killers[*ply..].copy_from_slice(killers);
        }
        self.catch_up(search);
    }

    /// Tells the evaluator the line of the task on top anew.
    pub fn catch_up<R: Rules, E: Evaluator, T: Lookup>(&self, search: &mut Search<'_, R, E, T>) {
        let Some(task) = self.tasks.last() else { return };
        search.evaluator.reset(&search.memory.nodes[task.base].position);
        for level in task.base..self.top {
            let (before, after) =
                (&search.memory.nodes[level].position, &search.memory.nodes[level + 1].position);
            let plan = &self.frames[level].plan;
            match plan.kind {
                PlanKind::Move | PlanKind::ProbCut => search.evaluator.push(before, plan.mv, after),
                PlanKind::Null => search.evaluator.push_null(before, after),
                PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular => (),
            }
        }
    }
}
