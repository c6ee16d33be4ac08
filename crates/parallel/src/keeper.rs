//! Nodes that a strategy holds itself, apart from the stack of its walk.
//!
//! A strategy whose nodes stay where they are while their children are searched elsewhere (D83) opens
//! them, asks them for plans, turns plans into jobs, gives them values and closes them. It needs nothing
//! else from the search.

use crate::{Desk, RootOrder, TaskId};
use eval::Evaluator;
use search::switches::Rules;
use search::walk::{
    Absorbed, Detached, HistoryDelta, Job, JobResult, Killers, Opened, Plan, Start,
};
use search::{Asker, Lookup};
use table::Entry;

/// A walk as the keeper of open nodes, without its types.
pub trait Keeper {
    /// Opens the root for its first iteration.
    fn open_root(&mut self, order: &RootOrder) -> Opened;

    /// The root's children are done: opens it for its next search, or tells what was found.
    fn advance_root(&mut self, root: &mut Detached) -> Option<JobResult>;

    /// Opens the node of a job.
    fn open(&mut self, job: &Job) -> Opened;

    /// The next plan of a node.
    fn plan(&mut self, node: &mut Detached) -> Option<Plan>;

    /// The child of a plan; `fresh` if it is the first attempt.
    fn child(&mut self, node: &mut Detached, plan: &Plan, fresh: bool) -> Job;

    /// Gives a node the value of a child.
    fn settle(&mut self, node: &mut Detached, plan: &Plan, job_result: &JobResult) -> Absorbed;

    /// Leaves a node: what was found, and the killers from its ply on.
    fn close(&mut self, node: Box<Detached>) -> (JobResult, Vec<Killers>);

    /// The killers that the job that was last done has come to.
    fn learnt(&self) -> &[Killers];

    /// Whether a node can be opened or a job begun on top of what is there.
    fn has_room(&self) -> bool;

    /// What is known here about a position.
    fn peek(&self, key: u64) -> Option<Entry>;

    /// Takes what somebody else has found out about a position.
    fn note(&mut self, key: u64, entry: Entry);

    /// What a listener has not been told about moves and has changed by at least so much.
    fn tell(&mut self, listener: usize, least: i32) -> HistoryDelta;

    /// Takes what somebody tells; the listeners up to `known` have heard it.
    fn hear(&mut self, history_delta: &HistoryDelta, known: usize);
}

impl<R: Rules, E: Evaluator, T: Lookup> Keeper for Desk<'_, R, E, T> {
    fn open_root(&mut self, order: &RootOrder) -> Opened {
        let start = Start {
            id: TaskId::ROOT.0,
            position: &order.position,
            game: &order.game,
            limits: &order.limits,
            helper: 0,
        };
        self.walk.open_root(self.table, &start)
    }

    fn advance_root(&mut self, root: &mut Detached) -> Option<JobResult> {
        self.walk.advance_root(self.table, root, self.observer)
    }

    fn open(&mut self, job: &Job) -> Opened {
        self.walk.open(self.table, job)
    }

    fn plan(&mut self, node: &mut Detached) -> Option<Plan> {
        self.walk.plan(self.table, node)
    }

    fn child(&mut self, node: &mut Detached, plan: &Plan, fresh: bool) -> Job {
        self.walk.child(node, plan, fresh)
    }

    fn settle(&mut self, node: &mut Detached, plan: &Plan, job_result: &JobResult) -> Absorbed {
        self.walk.settle(self.table, node, plan, job_result)
    }

    fn close(&mut self, node: Box<Detached>) -> (JobResult, Vec<Killers>) {
        self.walk.close(self.table, node)
    }

    fn learnt(&self) -> &[Killers] {
        self.walk.learnt()
    }

    fn has_room(&self) -> bool {
        self.walk.has_room()
    }

    fn peek(&self, key: u64) -> Option<Entry> {
        self.table.peek(key)
    }

    fn note(&mut self, key: u64, entry: Entry) {
        let asker = Asker { depth: 0, ply: 0, father_known: false };
        let slot = self.table.probe(key, asker).slot();
        self.table.store(slot, entry);
    }

    fn tell(&mut self, listener: usize, least: i32) -> HistoryDelta {
        self.walk.tell(listener, least)
    }

    fn hear(&mut self, history_delta: &HistoryDelta, known: usize) {
        self.walk.hear(history_delta, known);
    }
}
