//! What a walk knows of the nodes on its stack, beside the nodes themselves.

use super::{Job, NodeType, TaskId};
use crate::Depth;
use crate::iterate::Deepening;
use crate::killers::Killers;
use crate::node::{Attempt, Node, Plan, PlanKind};
use board::{Move, Position, prefetch};

/// Where a walk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nothing to do.
    Idle,
    /// The node on top is to be entered.
    Enter,
    /// The node on top is to give a plan.
    Next,
    /// The node on top waits for children that others search.
    Wait,
    /// The node on top has a value.
    Return(i32),
}

/// One level of the stack.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The plan that leads to the level above.
    pub plan: Plan,
    pub node_type: NodeType,
    /// Whether plans can be taken from it.
    pub open: bool,
    /// The lowest of its task.
    pub base: bool,
    /// Moves that were begun, here or elsewhere.
    pub begun: u32,
    /// Those begun here that nothing speaks for in particular (Z39).
    pub young: u32,
    /// Moves that are done.
    pub settled: u32,
    /// Children that others search.
    pub out: u32,
    /// Whether no child is left that could be split off.
    pub spent: bool,
    /// Length of the history when the node was entered.
    pub history: usize,
    /// The mark of the child under search (ABDADA).
    pub mark: Option<u64>,
    /// Plans that came back to be searched again or could not be split off; the last is the next.
    pub queue: Vec<Plan>,
    /// Plans that others were searching, to be taken up after all others; the first is the next.
    pub deferred: Vec<Plan>,
}

impl Frame {
    pub fn new() -> Frame {
        let plan = Plan {
            kind: PlanKind::Move,
            mv: Move::NONE,
            alpha: 0,
            beta: 0,
            depth: 0,
            full_depth: 0,
            fraction: 0,
            attempt: Attempt::Full,
            pv: false,
            cut: false,
        };
        Frame {
            plan,
            node_type: NodeType::One,
            open: false,
            base: false,
            begun: 0,
            young: 0,
            settled: 0,
            out: 0,
            spent: false,
            history: 0,
            mark: None,
            queue: Vec::new(),
            deferred: Vec::new(),
        }
    }

    /// Before its node is entered.
    pub fn reset(&mut self, history: usize) {
        (self.open, self.spent) = (false, false);
        (self.begun, self.young, self.settled, self.out) = (0, 0, 0, 0);
        (self.history, self.mark) = (history, None);
        self.queue.clear();
        self.deferred.clear();
    }
}

impl Node {
    /// Asks the CPU to load what a walk reads of it first.
    pub(super) fn prefetch(&self) {
        prefetch(&self.position);
        prefetch(&self.alpha);
        prefetch(&self.entry);
        prefetch(&self.checks);
        prefetch(&self.best);
        self.picker.prefetch();
    }
}

/// A piece of work on the stack; the topmost is under way, those below wait.
#[derive(Clone, Debug)]
pub(super) struct WalkTask {
    pub id: TaskId,
    pub base: usize,
    /// The level on top before it began.
    pub below: usize,
    /// Length of the history before it began.
    pub history: usize,
    /// Nodes searched before it began.
    pub nodes: u64,
    /// If it began while the one below was not waiting: its state, and the killers from a ply on.
    pub interrupted: Option<(State, usize, Vec<Killers>)>,
    pub work: Work,
}

/// What a task is about.
#[derive(Clone, Debug)]
pub(super) enum Work {
    Root(Box<(Position, Deepening)>),
    Job(Box<Job>),
}

/// A child that another processor searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub id: TaskId,
    pub level: usize,
    pub plan: Plan,
}

/// What the processor that searches one of our children must be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The job is of no use any more.
    Cancel(TaskId),
    /// The job's window has become narrower; its ends for the side to move in it.
    Narrow(TaskId, i32, i32),
}

/// An open node on the stack, as a strategy sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitPoint {
    /// Its level.
    pub level: usize,
    /// Its type.
    pub node_type: NodeType,
    /// Its remaining depth.
    pub depth: Depth,
    /// Moves that were begun.
    pub begun: u32,
    /// Unpromising ones among those that were begun here.
    pub young: u32,
    /// Moves that are done.
    pub settled: u32,
    /// Children that others search.
    pub out: u32,
}
