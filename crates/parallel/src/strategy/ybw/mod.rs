//! Young brothers wait: Zugzwang's distributed search (Z22 to Z32, Z38 to Z40).
//!
//! The first processor gets the root; all others ask for work. Whoever is asked gives a right brother
//! of its current variation, if the node's type allows, or passes the request on. The helper returns the
//! value to its owner, and the return is a request again. Bounds that change are sent to those who use
//! them; work that has become useless is cancelled. See docs/design/ybw.md for the table of messages and for
//! where this departs from the paper.
//!
//! `work.rs` gives and takes work, `steal_request.rs` asks for it and watches over those who have it.

mod steal_request;
mod work;

use super::{Action, Answer, Strategy};
use crate::{Chance, Message, Peer, RootOrder, Searcher, TaskId, Time};
use search::walk::{Effect, JobResult, SplitPoint};
use std::collections::VecDeque;
use steal_request::StealRequest;

/// The choices of the strategy. The defaults are for a machine whose nodes take a millisecond.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct YbwSettings {
    /// Unpromising children of a type-2 node that are searched before others may help (Z39: 0).
    pub wait_more: u32,
    /// Moves after which the brothers at a type-2 node are free, promising or not; never for `None` (Z39).
    pub free_after: Option<u32>,
    /// How often a request is passed on before it goes back (Z31).
    pub hop_limit: u32,
    /// Whether a first request goes to a neighbour (Z30); else to anybody.
    pub local: bool,
    /// Whether a return is also a request (Z32).
    pub return_requests: bool,
    /// Whether a processor that waits for its helpers asks them for work.
    pub helpful: bool,
    /// Whether killers go with the work.
    pub killers: bool,
    /// How long nobody is asked after a refusal.
    pub retry: Time,
    /// How often that doubles while there are only refusals.
    pub back_off: u32,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience: Option<Time>,
}

impl Default for YbwSettings {
    fn default() -> YbwSettings {
        YbwSettings {
            wait_more: 1,
            free_after: None,
            hop_limit: 4,
            local: false,
            return_requests: true,
            helpful: true,
            killers: true,
            retry: 2_000_000,
            back_off: 2,
            patience: None,
        }
    }
}

/// Somebody who searches one of our children.
#[derive(Clone, Copy, Debug)]
struct Helper {
    task: TaskId,
    peer: Peer,
    /// When it was last heard of, or asked.
    since: Time,
    asked: bool,
}

/// A processor of the search.
pub struct Ybw {
    me: Peer,
    peers: u32,
    neighbours: Vec<Peer>,
    settings: YbwSettings,
    chance: Chance,
    actions: VecDeque<Action>,
    last_task: u32,
    helpers: Vec<Helper>,
    /// Tasks under way and to whom they belong.
    owners: Vec<(TaskId, Peer)>,
    steal_request: StealRequest,
    over: bool,
    // Lists that are kept for their memory.
    split_points: Vec<SplitPoint>,
    awaited: Vec<TaskId>,
}

impl Ybw {
    /// One of so many, with its neighbours in the network.
    pub fn new(
        me: Peer,
        peers: u32,
        neighbours: Vec<Peer>,
        settings: YbwSettings,
        seed: u64,
    ) -> Ybw {
        Ybw {
            me,
            peers,
            neighbours,
            settings,
            chance: Chance::new(seed, u64::from(me.0)),
            actions: VecDeque::new(),
            last_task: 0,
            helpers: Vec::new(),
            owners: Vec::new(),
            steal_request: StealRequest::default(),
            over: false,
            split_points: Vec::new(),
            awaited: Vec::new(),
        }
    }

    fn send(&mut self, to: Peer, message: Message) {
        self.actions.push_back(Action::Send(to, message));
    }

    /// Tells helpers what has become of their work.
    fn tell_slaves(&mut self, searcher: &mut dyn Searcher) {
        while let Some(effect) = searcher.effect() {
            match effect {
                Effect::Cancel(id) => {
                    let task = TaskId(id);
                    if let Some(helper) = self.forget_slave(task) {
                        self.send(helper.peer, Message::Cancel { task });
                    }
                }
                Effect::Narrow(id, alpha, beta) => {
                    let task = TaskId(id);
                    if let Some(helper) = self.helpers.iter().find(|helper| helper.task == task) {
                        let peer = helper.peer;
                        self.send(peer, Message::Narrow { task, alpha, beta });
                    }
                }
            }
        }
    }

    fn forget_slave(&mut self, task: TaskId) -> Option<Helper> {
        let index = self.helpers.iter().position(|helper| helper.task == task)?;
        Some(self.helpers.swap_remove(index))
    }

    /// After anything has happened: tells helpers, and asks for work if there is none here.
    fn settle(&mut self, now: Time, searcher: &mut dyn Searcher) {
        self.tell_slaves(searcher);
        if !self.over {
            self.look_for_work(now, searcher);
            self.watch(now, searcher);
        }
    }
}

impl Strategy for Ybw {
    fn begin(&mut self, now: Time, order: Option<&RootOrder>, searcher: &mut dyn Searcher) {
        self.over = false;
        // One that comes back after a crash must not use the old names again: tasks are rarer than
        // microseconds.
        self.last_task = (now / 1000) as u32;
        if let Some(order) = order {
            searcher.start_root(order, 0);
        }
        self.settle(now, searcher);
    }

    fn handle(&mut self, now: Time, from: Peer, message: Message, searcher: &mut dyn Searcher) {
        match message {
            Message::Request { origin, ticket, hops, within } => {
                self.requested(now, origin, ticket, hops, within, searcher);
            }
            Message::Refused { ticket } => self.refused(now, ticket),
            Message::Work { task, ticket, job } => {
                self.work_came(from, task, ticket, job, searcher);
            }
            Message::Declined { task } => {
                self.forget_slave(task);
                searcher.take_back(task);
            }
            Message::Return { task, job_result, ticket } => {
                self.returned(now, from, task, &job_result, ticket, searcher);
            }
            Message::Narrow { task, alpha, beta } => {
                searcher.narrow(task, alpha, beta);
            }
            Message::Cancel { task } => {
                searcher.cancel(task);
            }
            Message::Ask { task } => {
                let working = searcher.has(task);
                self.send(from, Message::Alive { task, working });
            }
            Message::Alive { task, working } => self.heard_of(now, task, working, searcher),
            Message::Stop if from == Peer::FIRST => {
                self.over = true;
                self.owners.iter().for_each(|&(task, _)| {
                    searcher.cancel(task);
                });
                self.helpers.clear();
            }
            _ => (),
        }
        self.settle(now, searcher);
    }

    fn finished(
        &mut self,
        now: Time,
        task: TaskId,
        job_result: JobResult,
        searcher: &mut dyn Searcher,
    ) {
        if task == TaskId::ROOT {
            self.over = true;
            let answer = Answer { value: job_result.value, line: job_result.line };
            self.actions.push_back(Action::Report(answer));
            for peer in 1..self.peers {
                self.send(Peer(peer), Message::Stop);
            }
        } else {
            self.give_back(now, task, job_result, searcher);
        }
        self.settle(now, searcher);
    }

    fn paused(&mut self, now: Time, searcher: &mut dyn Searcher) {
        self.settle(now, searcher);
    }

    fn timeout(&mut self, now: Time, searcher: &mut dyn Searcher) {
        self.settle(now, searcher);
    }

    fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    fn could_give(&mut self, searcher: &mut dyn Searcher) -> bool {
        !self.over && self.has_free_node(searcher)
    }
}
