//! The walk of a processor as its strategy sees it.

use crate::{Keeper, RootOrder, TaskId};
use eval::Evaluator;
use search::switches::Rules;
use search::walk::{Effect, Job, JobResult, SplitPoint, Start, Walk};
use search::{Lookup, Observer};

/// A walk through a part of the tree, without its types.
pub trait Searcher: Keeper {
    /// Begins the search of the root. The `helper`s of a search that all share take other ways than the
    /// first, each its own.
    fn start_root(&mut self, order: &RootOrder, helper: usize);

    /// Begins a job on top of what is there; false if there is no room.
    fn start_job(&mut self, task: TaskId, job: Box<Job>) -> bool;

    /// Fills a list with the open nodes, those with the largest subtrees first; of one task and those
    /// above it, or of all.
    fn split_points(&self, within: Option<TaskId>, split_points: &mut Vec<SplitPoint>);

    /// The next child of the node on a level, to be searched elsewhere.
    fn split(&mut self, level: usize, task: TaskId) -> Option<Job>;

    /// Takes the result of a child that was handed out; false if it is of no use any more.
    fn absorb(&mut self, task: TaskId, job_result: &JobResult) -> bool;

    /// A child that was handed out comes back unsearched; false if it is of no use any more.
    fn take_back(&mut self, task: TaskId) -> bool;

    /// Narrows the window of a task; false if it is not here.
    fn narrow(&mut self, task: TaskId, alpha: i32, beta: i32) -> bool;

    /// Drops a task and those above it; false if it is not here.
    fn cancel(&mut self, task: TaskId) -> bool;

    /// Something that those who search our children must be told.
    fn effect(&mut self) -> Option<Effect>;

    /// Whether a task is on the stack.
    fn has(&self, task: TaskId) -> bool;

    /// Fills a list with the children that the node on top waits for.
    fn awaited(&self, tasks: &mut Vec<TaskId>);

    /// Fills a list with the children of a task, and of those above it, that others search.
    fn outside(&self, within: TaskId, tasks: &mut Vec<TaskId>);

    /// Whether the walk stops wherever children can be given away (pools).
    fn set_watch(&mut self, watch: bool);

    /// The level on top, if the walk has stopped there or waits.
    fn watched(&self) -> Option<usize>;

    /// Takes the next step where the walk has stopped.
    fn proceed(&mut self);

    /// Whether others may search brothers at an open node: at once, or where the table names a first
    /// move, after that.
    fn is_free(&self, split_point: &SplitPoint) -> bool;

    /// Whether there is no task.
    fn is_idle(&self) -> bool;

    /// Whether the node on top waits for others.
    fn is_waiting(&self) -> bool;
}

/// A walk and the table that it uses now.
pub struct Desk<'a, R, E, T> {
    /// The walk.
    pub walk: &'a mut Walk<R, E>,
    /// The table.
    pub table: &'a mut T,
    /// Who hears of the root, where the strategy keeps it.
    pub observer: &'a mut dyn Observer,
}

impl<R: Rules, E: Evaluator, T: Lookup> Searcher for Desk<'_, R, E, T> {
    fn start_root(&mut self, order: &RootOrder, helper: usize) {
        let start = Start {
            id: TaskId::ROOT.0,
            position: &order.position,
            game: &order.game,
            limits: &order.limits,
            helper,
        };
        self.walk.start_root(self.table, &start);
    }

    fn start_job(&mut self, task: TaskId, job: Box<Job>) -> bool {
        self.walk.start_job(self.table, task.0, job)
    }

    fn split_points(&self, within: Option<TaskId>, split_points: &mut Vec<SplitPoint>) {
        split_points.clear();
        let lowest = match within {
            Some(task) => self.walk.base(task.0).unwrap_or(usize::MAX),
            None => 0,
        };
        split_points
            .extend(self.walk.split_points().filter(|split_point| split_point.level >= lowest));
    }

    fn split(&mut self, level: usize, task: TaskId) -> Option<Job> {
        self.walk.split(self.table, level, task.0)
    }

    fn absorb(&mut self, task: TaskId, job_result: &JobResult) -> bool {
        self.walk.absorb(self.table, task.0, job_result)
    }

    fn take_back(&mut self, task: TaskId) -> bool {
        self.walk.take_back(task.0)
    }

    fn narrow(&mut self, task: TaskId, alpha: i32, beta: i32) -> bool {
        self.walk.narrow(self.table, task.0, alpha, beta)
    }

    fn cancel(&mut self, task: TaskId) -> bool {
        self.walk.cancel(self.table, task.0)
    }

    fn effect(&mut self) -> Option<Effect> {
        self.walk.effects().pop()
    }

    fn has(&self, task: TaskId) -> bool {
        self.walk.tasks().any(|id| id == task.0)
    }

    fn awaited(&self, tasks: &mut Vec<TaskId>) {
        tasks.clear();
        tasks.extend(self.walk.awaited().map(TaskId));
    }

    fn outside(&self, within: TaskId, tasks: &mut Vec<TaskId>) {
        tasks.clear();
        let lowest = self.walk.base(within.0).unwrap_or(usize::MAX);
        tasks.extend(self.walk.outside(lowest).map(TaskId));
    }

    fn set_watch(&mut self, watch: bool) {
        self.walk.set_watch(watch);
    }

    fn watched(&self) -> Option<usize> {
        self.walk.watched()
    }

    fn proceed(&mut self) {
        self.walk.proceed();
    }

    fn is_free(&self, split_point: &SplitPoint) -> bool {
        self.walk.is_free(split_point)
    }

    fn is_idle(&self) -> bool {
        self.walk.is_idle()
    }

    fn is_waiting(&self) -> bool {
        self.walk.is_waiting()
    }
}
