//! The machine in virtual time.
//!
//! Every processor has its own clock, walk, strategy and share of the table. The one with the earliest
//! clock has its turn: it takes what has arrived, and searches until something may arrive again. Nobody
//! can be reached faster than a message travels, so a turn may last until the second-earliest clock plus
//! that time, and most turns need no look at the others. The same seed gives the same run; its hash over
//! all messages tells.

mod bundles;
mod faults;
mod model;
mod network;
mod processor;
mod schedule;
mod tables;
mod timeline;
mod topology;

pub use crate::sharing::{TableKind, TableSettings};
pub use faults::Faults;
pub use model::Model;
pub use tables::TableMessage;
pub use timeline::{Activity, Segment, Sent, Timeline};
pub use topology::{Shape, Topology};

use crate::accounting::Account;
use crate::strategy::{Lazy, Tds, TdsSettings, Teams, TeamsSettings, Ybw, YbwSettings};
use crate::{Answer, Peer, RootOrder, Strategy, StrategyKind, Time};
use bundles::Bundles;
use network::Network;
use processor::{Content, Processor, Turn};
use schedule::Schedule;
use search::switches::{ChosenRules, Switches};
use search::walk::Walk;
use search::{Profile, Statistics};
use std::collections::BinaryHeap;
use std::fmt;
use tables::Tables;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The machine.
    pub model: Model,
    /// How many processors.
    pub peers: u32,
    /// The way of searching.
    pub strategy: StrategyKind,
    /// Its choices, where it is young brothers.
    pub ybw: YbwSettings,
    /// Its choices, where it is transposition-driven.
    pub tds: TdsSettings,
    /// The same for teams.
    pub teams: TeamsSettings,
    /// The smallest depth of a child that another processor searches.
    pub grain: i32,
    /// The smallest depth of a child with which the history of moves is sent.
    pub history_from: i32,
    /// By how many plies iterations deepen.
    pub step: i32,
    /// The table.
    pub table: TableSettings,
    /// Whose evaluation.
    pub profile: Profile,
    /// The rules of the node; usually those of the profile.
    pub switches: Switches,
    /// Where chance begins.
    pub seed: u64,
    /// What goes wrong.
    pub faults: Faults,
    /// Virtual time after which the run is given up.
    pub limit: Option<Time>,
    /// Whether the course is recorded.
    pub record: bool,
}

impl Setup {
    /// A strategy on a machine, with the usual choices.
    pub fn new(strategy: StrategyKind, model: Model, peers: u32, profile: Profile) -> Setup {
        // Requests should cost little beside nodes: on machines with fast nodes they wait less.
        let message = model.send + model.receive + model.hop + model.far;
        let retry = (2 * model.node).max(2 * message);
        // The search of a child must be worth the messages: it takes some forty nodes at depth 1, and
        // six times as many for each ply more.
        let worth = |grain: &i32| 40 * 6u64.pow(*grain as u32 - 1) * model.node >= 10 * message;
        let grain = (1..=8).find(worth).unwrap_or(8);
        // Many states that are sent home are known there: with a grain of 2 one takes 36 nodes on average
        // (measured), and costs its sender and receiver two messages.
        let pays = |grain: &i32| {
            36 * 5u64.pow(*grain as u32 - 1) * model.node / 5 >= 20 * (model.send + model.receive)
        };
        let tds_grain = (1..=8).find(pays).unwrap_or(8);
        Setup {
            teams: TeamsSettings::for_machine(model.node, message),
            tds: TdsSettings::cured(tds_grain).for_machine(model.node, message),
            model,
            peers: peers.max(1),
            strategy,
            ybw: YbwSettings { retry, ..YbwSettings::default() },
            grain,
            history_from: grain + 3,
            step: 1,
            table: TableSettings::default(),
            profile,
            switches: profile.switches(),
            seed: 1,
            faults: Faults::default(),
            limit: None,
            record: false,
        }
    }

    /// How long an answer may take where things go wrong: long against messages and nodes.
    fn patience(&self) -> Time {
        let model = &self.model;
        let message = model.send + model.receive + 8 * model.hop + model.far;
        let slowest = self.faults.slow.iter().map(|&(_, factor)| factor).max().unwrap_or(1);
        (20 * message + 50 * model.node) * slowest + 4 * self.faults.delay_by
    }
}

/// Why a run came to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimError {
    /// There is no memory for the table.
    Table(String),
    /// All processors wait for each other.
    Stalled(Time),
    /// The time that was allowed has passed.
    Late(Time),
}

impl fmt::Display for SimError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: Time| time as f64 / 1e9;
        match self {
            SimError::Table(reason) => write!(out, "the table: {reason}"),
            SimError::Stalled(time) => {
                write!(out, "all processors wait for each other after {} s", seconds(*time))
            }
            SimError::Late(time) => write!(out, "no answer within {} s", seconds(*time)),
        }
    }
}

impl std::error::Error for SimError {}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was found.
    pub answer: Answer,
    /// When.
    pub time: Time,
    /// Where every processor's time went.
    pub accounts: Vec<Account>,
    /// A hash over all messages: the same run has the same.
    pub hash: u64,
    /// What the first processor counted.
    pub statistics: Statistics,
    /// The course, if it was recorded.
    pub timeline: Option<Timeline>,
}

impl Run {
    /// Nodes of all processors.
    pub fn nodes(&self) -> u64 {
        self.accounts.iter().map(|account| account.nodes).sum()
    }
}

/// Simulates a search.
pub fn run(setup: &Setup, order: &RootOrder) -> Result<Run, SimError> {
    let mut simulation = Simulation::new(setup)?;
    simulation.begin(order);
    simulation.go()
}

/// Entries so much deeper than the shallowest that are told go at once (Z44).
const URGENT: i32 = 4;

struct Simulation<'a> {
    setup: &'a Setup,
    tables: Tables,
    processors: Vec<Processor>,
    schedule: Schedule,
    network: Network<'a>,
    turn: Turn,
}

impl Simulation<'_> {
    fn new(setup: &Setup) -> Result<Simulation<'_>, SimError> {
        let tables = Tables::new(setup.table, setup.peers);
        let network = Network::new(setup);
        let processors =
            (0..setup.peers).map(|peer| new_processor(setup, &network, Peer(peer))).collect();
        Ok(Simulation {
            setup,
            tables: tables.map_err(|error| SimError::Table(error.to_string()))?,
            processors,
            schedule: Schedule::new(setup.peers as usize),
            network,
            turn: Turn::default(),
        })
    }

    fn begin(&mut self, order: &RootOrder) {
        for index in 0..self.processors.len() {
            let peer = Peer(index as u32);
            let late = self.setup.faults.late.iter().find(|&&(who, _)| who == peer);
            let processor = &mut self.processors[index];
            processor.pass_until(late.map_or(0, |&(_, time)| time));
            let root = (peer == Peer::FIRST).then_some(order);
            processor.begin(self.setup, &self.tables, root, &mut self.turn);
            self.after_turn(index);
        }
    }

    fn go(mut self) -> Result<Run, SimError> {
        // Where there is nothing to search, the answer is there at once.
        if let Some((time, answer)) = self.turn.answer.take() {
            return Ok(self.finish(time, answer));
        }
        loop {
            let first = self.schedule.first();
            let time = first.map_or(Time::MAX, |(_, time, _)| time);
            if let Some((peer, when, crashes)) = self.network.next_fault(time) {
                self.fault(peer, when, crashes);
                continue;
            }
            let Some((index, time, next)) = first else {
                return Err(SimError::Stalled(self.latest()));
            };
            if self.setup.limit.is_some_and(|limit| time > limit) {
                return Err(SimError::Late(time));
            }
            let horizon = next.saturating_add(self.network.lookahead);
            self.processors[index].turn(self.setup, &self.tables, horizon, &mut self.turn);
            self.after_turn(index);
            if let Some((time, answer)) = self.turn.answer.take() {
                return Ok(self.finish(time, answer));
            }
        }
    }

    fn latest(&self) -> Time {
        self.processors.iter().map(|processor| processor.clock).max().unwrap_or(0)
    }

    /// Brings what was sent on its way.
    fn after_turn(&mut self, index: usize) {
        let from = Peer(index as u32);
        for mail in self.turn.mail.drain(..) {
            let to = mail.to;
            if self.network.topology.is_remote(from, to) {
                // What rides along is no message of its own.
                let rides = matches!(mail.content, Content::Table(TableMessage::Riders(_)));
                let account = &mut self.processors[index].account;
                account.far_messages += u64::from(!rides);
                account.far_bytes += mail.content.bytes() as u64;
            }
            for envelope in self.network.carry(from, mail).into_iter().flatten() {
                let receiver = &mut self.processors[to.index()];
                if !receiver.dead {
                    receiver.inbox.push(std::cmp::Reverse(envelope));
                }
            }
            self.schedule.set(to.index(), self.processors[to.index()].due());
        }
        self.schedule.set(index, self.processors[index].due());
    }

    /// A processor crashes, or comes back with nothing.
    fn fault(&mut self, peer: Peer, when: Time, crashes: bool) {
        let index = peer.index();
        let old = &mut self.processors[index];
        let begin = old.clock.max(when);
        if crashes {
            old.pass_until(begin);
            let mut new = new_processor(self.setup, &self.network, peer);
            new.clock = old.clock;
            new.account = std::mem::take(&mut old.account);
            new.timeline = old.timeline.take();
            new.dead = true;
            *old = new;
        } else if old.dead {
            old.dead = false;
            old.pass_until(begin);
            old.begin(self.setup, &self.tables, None, &mut self.turn);
        }
        self.after_turn(index);
    }

    fn finish(mut self, time: Time, answer: Answer) -> Run {
        for processor in &mut self.processors {
            processor.pass_until(time);
            processor.forget_after(time);
        }
        let mut timeline = self.network.timeline.take();
        if let Some(timeline) = &mut timeline {
            let segments = self.processors.iter_mut().filter_map(|one| one.timeline.take());
            timeline.segments = segments.collect();
        }
        Run {
            answer,
            time,
            hash: self.network.hash.value(),
            statistics: self.processors[0].walk.statistics().clone(),
            accounts: self.processors.into_iter().map(|processor| processor.account).collect(),
            timeline,
        }
    }
}

/// Pawn structures that a simulated processor remembers: 64 kilobytes, as there are a thousand of them.
const PAWN_ENTRIES: usize = 1024;

fn new_processor(setup: &Setup, network: &Network<'_>, me: Peer) -> Processor {
    let mut walk =
        Walk::new(ChosenRules(setup.switches), setup.profile.evaluator_with(PAWN_ENTRIES));
    walk.set_grain(setup.grain);
    walk.set_history_from(setup.history_from);
    walk.set_step(setup.step);
    if setup.strategy == StrategyKind::Abdada {
        walk.set_deferral(Some(setup.grain));
    }
    let patience = (!setup.faults.is_empty()).then(|| setup.patience());
    let strategy: Box<dyn Strategy> = match setup.strategy {
        StrategyKind::Ybw => {
            let settings = YbwSettings { patience, ..setup.ybw };
            let neighbours = network.topology.neighbours(me);
            Box::new(Ybw::new(me, setup.peers, neighbours, settings, setup.seed))
        }
        StrategyKind::Tds => {
            Box::new(Tds::new(me, setup.peers, TdsSettings { patience, ..setup.tds }))
        }
        StrategyKind::Teams => {
            let settings = TeamsSettings { patience, grain: setup.grain, ..setup.teams };
            Box::new(Teams::new(me, setup.peers, settings))
        }
        StrategyKind::Lazy | StrategyKind::Abdada => Box::new(Lazy::new(me, setup.peers, patience)),
    };
    let slow = setup.faults.slow.iter().find(|&&(who, _)| who == me);
    Processor {
        me,
        walk,
        strategy,
        clock: 0,
        inbox: BinaryHeap::new(),
        wake: None,
        blocked: None,
        blocked_until: Time::MAX,
        dead: false,
        slowness: slow.map_or(1, |&(_, factor)| factor),
        account: Account::default(),
        timeline: setup.record.then(Vec::new),
        ready: None,
        outbox: Vec::new(),
        bundles: Bundles::new(setup.table.batch, setup.table.write_from + URGENT),
    }
}
