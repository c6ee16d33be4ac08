//! Several brothers in one message, where one is not worth it.
//!
//! Most children of a selective search end after a few nodes, and a message between threads takes as long
//! as some tens of them. So a master gives as many brothers at once as should take the time that he is
//! told, going by what such children took before. The slave searches one after the other and answers when
//! all are done, or at once where a value is not the expected one. Where one of them turns out to be large
//! and somebody wants work, the rest goes back to the master.

use super::Ybw;
use crate::{Message, Peer, Searcher, TaskId};
use search::walk::{Job, Verdict};
use std::collections::VecDeque;

/// Depths that are told apart.
const DEPTHS: usize = 32;

/// Brothers in a packet, at most.
const MOST: usize = 16;

/// A search counts as a large one after so many questions whether there is something to give.
const PATIENCE: u32 = 8;

/// How many nodes a child of a depth took, on average.
#[derive(Clone, Debug)]
pub(super) struct Sizes([f32; DEPTHS]);

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes(std::array::from_fn(|depth| 2.0 * 1.6f32.powi(depth as i32)))
    }
}

impl Sizes {
    fn of(&self, depth: i32) -> f32 {
        self.0[(depth.max(0) as usize).min(DEPTHS - 1)]
    }

    fn learn(&mut self, depth: i32, nodes: u64) {
        let size = &mut self.0[(depth.max(0) as usize).min(DEPTHS - 1)];
        *size += (nodes as f32 - *size) / 64.0;
    }
}

/// The brothers that a slave has not begun yet, and what came of those that are done.
#[derive(Debug, Default)]
pub(super) struct Queue {
    master: Option<Peer>,
    jobs: VecDeque<(TaskId, Box<Job>)>,
    done: Vec<(TaskId, Verdict)>,
    /// The one under way, its depth, and a value that is expected of it at least.
    current: Option<(TaskId, i32, i32)>,
    questions: u32,
}

impl Queue {
    pub fn holds(&self, task: TaskId) -> bool {
        self.jobs.iter().any(|&(queued, _)| queued == task)
    }

    pub fn cancel(&mut self, task: TaskId) {
        self.jobs.retain(|&(queued, _)| queued != task);
    }

    pub fn narrow(&mut self, task: TaskId, alpha: i32, beta: i32) {
        if let Some((_, job)) = self.jobs.iter_mut().find(|&&mut (queued, _)| queued == task) {
            (job.alpha, job.beta) = (alpha, beta);
        }
    }

    pub fn clear(&mut self) {
        *self = Queue::default();
    }

    /// Whether the rest should go back: somebody asks again and again, and the one under way takes long.
    pub fn is_late(&mut self) -> bool {
        self.questions += 1;
        !self.jobs.is_empty() && self.questions > PATIENCE
    }
}

impl Ybw {
    /// More brothers from a level, to go with a first one of that depth.
    pub(super) fn more_brothers(
        &mut self,
        level: usize,
        first: (TaskId, Job),
        searcher: &mut dyn Searcher,
    ) -> Vec<(TaskId, Box<Job>)> {
        let wanted = self.settings.packet as f32;
        let mut size = self.sizes.of(first.1.depth);
        let mut jobs = vec![(first.0, Box::new(first.1))];
        while size < wanted && jobs.len() < MOST {
            let task = TaskId::new(self.me, self.last_task + 1);
            let Some(job) = searcher.hand_out(level, task) else { break };
            self.last_task += 1;
            size += self.sizes.of(job.depth);
            jobs.push((task, Box::new(job)));
        }
        jobs
    }

    /// A packet has come, asked for or not.
    pub(super) fn packet_came(
        &mut self,
        from: Peer,
        ticket: u32,
        jobs: Vec<(TaskId, Box<Job>)>,
        searcher: &mut dyn Searcher,
    ) {
        if jobs.iter().any(|&(task, _)| searcher.has(task) || self.queue.holds(task)) {
            return;
        }
        // Only below a packet there is nothing: who waits for slaves is given single children.
        if self.wish.fulfil(ticket) && !self.over && searcher.is_idle() {
            self.queue.clear();
            (self.queue.master, self.queue.jobs) = (Some(from), jobs.into());
        } else {
            for (task, _) in jobs {
                self.send(from, Message::Declined { task });
            }
        }
    }

    /// Begins the next brother of a packet, or answers when all are done.
    pub(super) fn next_brother(&mut self, searcher: &mut dyn Searcher) {
        while searcher.is_idle()
            && let Some(master) = self.queue.master
        {
            let Some((task, job)) = self.queue.jobs.pop_front() else {
                self.queue.master = None;
                self.queue.current = None;
                let verdicts = std::mem::take(&mut self.queue.done);
                if !verdicts.is_empty() || self.settings.return_requests {
                    self.answer(master, verdicts);
                }
                return;
            };
            self.queue.questions = 0;
            self.queue.current = Some((task, job.depth, job.beta));
            if searcher.start_job(task, job) {
                self.masters.push((task, master));
            } else {
                self.send(master, Message::Declined { task });
            }
        }
    }

    fn answer(&mut self, master: Peer, verdicts: Vec<(TaskId, Verdict)>) {
        let asks = self.queue.master.is_none() && self.settings.return_requests;
        let ticket = (asks && !self.wish.is_open()).then(|| self.wish.open(self.now));
        self.send(master, Message::Returns { verdicts, ticket });
    }

    /// A brother of a packet is done; false if the task is none.
    pub(super) fn brother_is_done(&mut self, task: TaskId, verdict: &Verdict) -> bool {
        let Some((_, depth, expected)) = self.queue.current.take_if(|&mut (id, ..)| id == task)
        else {
            return false;
        };
        let Some(master) = self.queue.master else { return false };
        self.masters.retain(|&(known, _)| known != task);
        self.sizes.learn(depth, verdict.nodes);
        let surprise = verdict.value < expected;
        self.queue.done.push((task, verdict.clone()));
        if surprise && !self.queue.jobs.is_empty() {
            let verdicts = std::mem::take(&mut self.queue.done);
            self.answer(master, verdicts);
        }
        true
    }

    /// Gives the rest of a packet back to the master, who may find somebody for it.
    pub(super) fn return_queue(&mut self) {
        let Some(master) = self.queue.master else { return };
        for (task, _) in std::mem::take(&mut self.queue.jobs) {
            self.send(master, Message::Declined { task });
        }
    }
}
