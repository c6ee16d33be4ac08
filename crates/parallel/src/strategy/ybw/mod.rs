//! Young brothers wait: Zugzwang's distributed search (Z22 to Z32, Z38 to Z40).
//!
//! The first processor gets the root; all others ask for work. A processor that is asked gives a right
//! sibling of its current variation, if the node's type allows, or passes the request on. The helper returns
//! the value to its owner, and the return is a request again. Bounds that change are sent to those who use
//! them; work that has become useless is cancelled. See docs/design/ybw.md for the table of messages and for
//! where this departs from the paper.
//!
//! `work.rs` gives and takes work, `steal_request.rs` asks for it and watches over those who have it.

mod steal_request;
mod work;

use super::{Context, SplitRules, Strategy};
use crate::{Chance, Message, Peer, RootSearch, TaskId, Time};
use search::walk::{Effect, JobResult, Walker};
use steal_request::StealRequest;
use work::Request;

/// The choices of the strategy. The defaults are for a machine whose nodes take a millisecond.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct YbwSettings {
    /// Unpromising children of a type-2 node that are searched before others may help (Z39: 0).
    pub wait_more: u32,
    /// As many again at first, one fewer each time that a request is passed on: a cut-off that is expected is worth
    /// waiting for as long as there may be better work elsewhere (Z39: 0).
    pub wait_hops: u32,
    /// Moves after which the siblings at a type-2 node are free, promising or not; never for `None` (Z39).
    pub free_after: Option<u32>,
    /// How often a request is passed on before it goes back (Z31); never for `None`, where passing it on
    /// costs nothing.
    pub hop_limit: Option<u32>,
    /// Whether a first request goes to a neighbour (Z30); else to any processor.
    pub local: bool,
    /// Whether a return is also a request (Z32).
    pub return_requests: bool,
    /// Whether a processor that waits for its helpers asks them for work.
    pub helpful: bool,
    /// Whether killers go with the work.
    pub killers: bool,
    /// Whether what the table knows of a node overrules the type that its parent expects.
    pub expected_types: bool,
    /// Pause after a refusal.
    pub retry_ns: Time,
    /// How often that doubles while there are only refusals.
    pub back_off: u32,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience_ns: Option<Time>,
}

impl Default for YbwSettings {
    fn default() -> YbwSettings {
        YbwSettings {
            wait_more: 1,
            wait_hops: 0,
            free_after: None,
            hop_limit: Some(4),
            local: false,
            return_requests: true,
            helpful: true,
            killers: true,
            expected_types: false,
            retry_ns: 2_000_000,
            back_off: 2,
            patience_ns: None,
        }
    }
}

impl YbwSettings {
    /// The same for a request that has been passed on this number of times.
    fn after_hops(self, hops: u32) -> YbwSettings {
        YbwSettings { wait_more: self.wait_more + self.wait_hops.saturating_sub(hops), ..self }
    }

    /// Zugzwang's rules as printed: nothing waits longer than the types ask (Z38 to Z40), requests go from
    /// neighbour to neighbour (Z30, Z31) and with every return (Z32), owners only wait, and work travels bare.
    pub fn paper(self) -> YbwSettings {
        YbwSettings {
            wait_more: 0,
            wait_hops: 0,
            free_after: None,
            local: true,
            return_requests: true,
            helpful: false,
            killers: false,
            expected_types: false,
            ..self
        }
    }
}

/// A processor that searches one of our children.
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
    rules: SplitRules,
    chance: Chance,
    last_task: u32,
    helpers: Vec<Helper>,
    /// Tasks under way and to whom they belong.
    owners: Vec<(TaskId, Peer)>,
    steal_request: StealRequest,
    over: bool,
}

impl Ybw {
    /// One of `peers`, with its neighbours in the network.
    pub fn new(
        me: Peer,
        peers: u32,
        neighbours: Vec<Peer>,
        settings: YbwSettings,
        rules: SplitRules,
        seed: u64,
    ) -> Ybw {
        Ybw {
            me,
            peers,
            neighbours,
            settings,
            rules,
            chance: Chance::new(seed, u64::from(me.0)),
            last_task: 0,
            helpers: Vec::new(),
            owners: Vec::new(),
            steal_request: StealRequest::default(),
            over: false,
        }
    }

    fn helper(&mut self, task: TaskId) -> Option<&mut Helper> {
        self.helpers.iter_mut().find(|helper| helper.task == task)
    }

    fn forget_helper(&mut self, task: TaskId) -> Option<Helper> {
        let index = self.helpers.iter().position(|helper| helper.task == task)?;
        Some(self.helpers.swap_remove(index))
    }

    /// Tells helpers what has become of their work.
    fn tell_helpers(&mut self, context: &mut Context<'_>) {
        while let Some(effect) = context.walk.effect() {
            match effect {
                Effect::Cancel(task) => {
                    if let Some(helper) = self.forget_helper(task) {
                        context.send(helper.peer, Message::Cancel { task });
                    }
                }
                Effect::Narrow(task, alpha, beta) => {
                    if let Some(helper) = self.helper(task) {
                        context.send(helper.peer, Message::Narrow { task, alpha, beta });
                    }
                }
            }
        }
    }

    /// After anything has happened: tells helpers, and asks for work if there is none here.
    fn settle(&mut self, context: &mut Context<'_>) {
        self.tell_helpers(context);
        if !self.over {
            self.look_for_work(context);
            self.watch(context);
        }
    }
}

impl Strategy for Ybw {
    fn begin(&mut self, root: Option<&RootSearch>, context: &mut Context<'_>) {
        self.over = false;
        // One that comes back after a crash must not use the old names again: tasks are rarer than
        // microseconds.
        self.last_task = (context.now / 1000) as u32;
        if let Some(root) = root {
            context.walk.start_root(root, 0);
        }
        self.settle(context);
    }

    fn handle(&mut self, from: Peer, message: Message, context: &mut Context<'_>) {
        match message {
            Message::Request { origin, ticket, hops, within } => {
                let request = Request { from, origin, ticket, hops, within };
                self.requested(request, context);
            }
            Message::Refused { ticket } => self.refused(context.now, ticket),
            Message::Work { task, ticket, job } => {
                self.work_came(from, task, ticket, job, context);
            }
            Message::Declined { task } | Message::Alive { task, working: false } => {
                self.forget_helper(task);
                context.walk.take_back(task);
            }
            Message::Return { task, job_result, ticket } => {
                self.returned(from, task, &job_result, ticket, context);
            }
            Message::Narrow { task, alpha, beta } => {
                context.walk.narrow(task, alpha, beta);
            }
            Message::Cancel { task } => {
                context.walk.cancel(task);
            }
            Message::Ask { task } => {
                let working = context.walk.has(task);
                context.send(from, Message::Alive { task, working });
            }
            Message::Alive { task, working: true } => {
                if let Some(helper) = self.helper(task) {
                    (helper.asked, helper.since) = (false, context.now);
                }
            }
            Message::Stop if from == Peer::FIRST => {
                self.over = true;
                self.owners.iter().for_each(|&(task, _)| {
                    context.walk.cancel(task);
                });
                self.helpers.clear();
            }
            _ => (),
        }
        self.settle(context);
    }

    fn finished(&mut self, task: TaskId, job_result: JobResult, context: &mut Context<'_>) {
        if task == TaskId::ROOT {
            self.over = true;
            context.end(self.me, self.peers, job_result);
        } else {
            self.give_back(task, job_result, context);
        }
        self.settle(context);
    }

    fn paused(&mut self, context: &mut Context<'_>) {
        self.settle(context);
    }

    fn could_give(&mut self, to: Peer, walk: &dyn Walker) -> bool {
        !self.over && self.has_free_node(to, walk)
    }
}
