//! Strategies: who searches which child when.
//!
//! | strategy | page | rule |
//! | --- | --- | --- |
//! | [`Ybw`] | docs/design/ybw.md | young brothers wait; idle processors ask for work (Zugzwang) |
//! | [`Lazy`] | docs/design/lazy.md | every processor searches the root, sharing the table |
//! | [`Teams`] | docs/design/teams.md | owners over teams, helpers that schedule themselves (Felten and Otto) |
//! | [`Lazy`] with marks | docs/design/abdada.md | as `Lazy`; children under search elsewhere are deferred |
//! | [`Tds`] | docs/design/tds.md | a state goes to the home of its key (DarkSight) |

mod lazy;
mod tds;
mod teams;
mod ybw;

pub use lazy::Lazy;
pub use tds::{SiblingWait, Tds, TdsSettings, Waiting};
pub use teams::{Teams, TeamsSettings};
pub use ybw::{Ybw, YbwSettings};

use crate::{Message, Peer, Time};
use board::Move;
use eval::score::Score;
use search::walk::{Job, JobResult, RootSearch, SplitPoint, SplitRule, TaskId, Walker};

/// What a strategy wants done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Send a message.
    Send(Peer, Message),
    /// Ask for work that any peer may give. Where processors see each other's requests it is shown to all;
    /// elsewhere it is a message to one of them.
    AskAny {
        /// To which, where it is a message.
        to: Peer,
        /// Who wants work.
        origin: Peer,
        /// The request's number, by which the work is recognised.
        ticket: u32,
        /// How often it was passed on.
        hops: u32,
    },
    /// Call [`Strategy::timeout`] at this time, or a little later. Of several the earliest counts; the
    /// call clears them all.
    WakeAt(Time),
    /// The search is over; only the first processor says so.
    Report(Answer),
}

/// A call of a strategy: when it happens, the walk that it steers, and what it wants done.
pub struct Context<'a> {
    /// The time.
    pub now: Time,
    /// The processor's walk.
    pub walk: &'a mut dyn Walker,
    actions: &'a mut Vec<Action>,
}

impl<'a> Context<'a> {
    /// A call now; what is to be done is added to the list.
    pub fn new(now: Time, walk: &'a mut dyn Walker, actions: &'a mut Vec<Action>) -> Context<'a> {
        Context { now, walk, actions }
    }

    fn send(&mut self, to: Peer, message: Message) {
        self.actions.push(Action::Send(to, message));
    }

    fn ask_any(&mut self, to: Peer, origin: Peer, ticket: u32, hops: u32) {
        self.actions.push(Action::AskAny { to, origin, ticket, hops });
    }

    fn wake_at(&mut self, time: Time) {
        self.actions.push(Action::WakeAt(time));
    }

    /// Sends a message to all but one.
    fn send_to_others(&mut self, me: Peer, peers: u32, message: &Message) {
        for peer in (0..peers).map(Peer).filter(|&peer| peer != me) {
            self.send(peer, message.clone());
        }
    }

    /// The root is done: reports it and tells the others.
    fn end(&mut self, me: Peer, peers: u32, JobResult { value, line, .. }: JobResult) {
        self.actions.push(Action::Report(Answer { value, line }));
        self.send_to_others(me, peers, &Message::Stop);
    }

    /// The next child of the open node nearest to the root that may be split, within a task or anywhere; and
    /// the node's level.
    fn split(
        &mut self,
        within: Option<TaskId>,
        task: TaskId,
        rule: SplitRule,
        may_split: impl Fn(&dyn Walker, &SplitPoint) -> bool,
    ) -> Option<(usize, Job)> {
        let mut from = within.map_or(Some(0), |task| self.walk.base(task))?;
        while let Some(split_point) = self.walk.split_point(from, rule.grain) {
            let level = split_point.level;
            if may_split(self.walk, &split_point)
                && let Some(job) = self.walk.split(level, task, rule)
            {
                return Some((level, job));
            }
            from = level + 1;
        }
        None
    }
}

/// What other processors may get: those of the same process, and those of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitRules {
    /// Those of the same process.
    pub near: SplitRule,
    /// Those of other processes.
    pub remote: SplitRule,
    /// The first processor of this process, and the first behind it that is not.
    pub here: (Peer, Peer),
}

impl SplitRules {
    /// The same for all.
    pub fn uniform(rule: SplitRule) -> SplitRules {
        SplitRules { near: rule, remote: rule, here: (Peer(0), Peer(u32::MAX)) }
    }

    /// What a processor may get.
    fn of(&self, peer: Peer) -> SplitRule {
        let is_near = self.here.0 <= peer && peer < self.here.1;
        if is_near { self.near } else { self.remote }
    }
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The value for the side to move.
    pub value: Score,
    /// The best line; empty if there is no move.
    pub line: Vec<Move>,
}

/// A way of searching in parallel, as one processor follows it.
///
/// A strategy may be called with anything at any time: messages may be late, twice, or about what is
/// forgotten.
pub trait Strategy {
    /// A search begins; the first processor gets the root.
    fn begin(&mut self, root: Option<&RootSearch>, context: &mut Context<'_>);

    /// A message has come.
    fn handle(&mut self, from: Peer, message: Message, context: &mut Context<'_>);

    /// The task on top of the stack is done.
    fn finished(&mut self, task: TaskId, job_result: JobResult, context: &mut Context<'_>);

    /// The walk has stopped: it waits, or others must be told something.
    fn paused(&mut self, context: &mut Context<'_>);

    /// The time that was asked for has come.
    fn timeout(&mut self, context: &mut Context<'_>) {
        self.paused(context);
    }

    /// A processor is known to be lost before the search begins: it gets nothing to do.
    fn lose(&mut self, _peer: Peer) {}

    /// Whether a steal request of a processor would be fulfilled now, as far as can be seen. A machine
    /// whose processors see each other's requests asks before it passes one on.
    fn could_give(&mut self, _to: Peer, _walk: &dyn Walker) -> bool {
        false
    }
}

/// What the strategies of a machine's processors are made of.
pub(crate) struct Choices {
    pub ybw: YbwSettings,
    pub tds: TdsSettings,
    pub teams: TeamsSettings,
    pub rules: SplitRules,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience_ns: Option<Time>,
    pub seed: u64,
    /// Whether it leaves the search to the others where all search the root.
    pub surplus: bool,
}

named! {
    /// The strategies by name.
    StrategyKind, "strategy" {
        /// Young brothers wait (Zugzwang).
        Ybw "ybw",
        /// All search the root.
        Lazy "lazy",
        /// The same with busy marks.
        Abdada "abdada",
        /// Transposition-driven (DarkSight).
        Tds "tds",
        /// Owners over teams (Felten and Otto).
        Teams "teams",
    }
}

impl StrategyKind {
    /// The strategy of one of `peers` processors, with its neighbours in the network.
    pub(crate) fn strategy(
        self,
        me: Peer,
        peers: u32,
        neighbours: Vec<Peer>,
        choices: &Choices,
    ) -> Box<dyn Strategy> {
        let Choices { ybw, tds, teams, rules, patience_ns, seed, surplus } = *choices;
        match self {
            StrategyKind::Ybw => {
                let settings = YbwSettings { patience_ns, ..ybw };
                Box::new(Ybw::new(me, peers, neighbours, settings, rules, seed))
            }
            StrategyKind::Lazy | StrategyKind::Abdada => {
                Box::new(Lazy::new(me, peers, patience_ns, surplus))
            }
            StrategyKind::Tds => {
                Box::new(Tds::new(me, peers, TdsSettings { patience_ns, seed, ..tds }))
            }
            StrategyKind::Teams => {
                let settings = TeamsSettings { patience_ns, grain: rules.near.grain, ..teams };
                Box::new(Teams::new(me, peers, settings, rules))
            }
        }
    }
}
