//! The machine in virtual time.
//!
//! Every processor has its own clock, walk, strategy and share of the table. The one with the earliest
//! clock has its turn: it takes what has arrived, and searches until something may arrive again. None
//! can be reached faster than a message travels, so a turn may last until the second-earliest clock plus
//! that time, and most turns need no look at the others. The same seed gives the same run; its hash over
//! all messages tells.

mod error;
mod faults;
mod links;
mod mail;
mod memory;
mod model;
mod network;
mod processor;
mod schedule;
mod tables;
mod topology;

pub use crate::sharing::{TableKind, TableSettings};
pub use crate::timeline::{Activity, Segment, Sent, Timeline};
pub use error::SimError;
pub use faults::Faults;
pub use model::Model;
pub use tables::TableMessage;
pub use topology::{Shape, Topology};

use crate::accounting::Account;
use crate::strategy::{Choices, SplitRules, Strategy, TdsSettings, TeamsSettings, YbwSettings};
use crate::{Answer, Chance, Peer, RootSearch, StrategyKind, Time, threads};
use board::prefetch;
use eval::{AnyEvaluator, nnue};
use mail::{Content, Incoming, Mail};
use network::Network;
use processor::{Processor, Store};
use schedule::Schedule;
use search::switches::Switches;
use search::walk::SplitRule;
use search::{Depth, Profile, Statistics};
use std::sync::Arc;
use tables::{TableView, Tables};

/// All processors but the first are ready up to this number of nodes late, by chance.
const READY_NODES: u64 = 16;

/// Turns between two questions whether the caller wants the run to go on.
const TURNS: u64 = 32;

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
    pub grain: Depth,
    /// The smallest depth of a child with which the history of moves is sent.
    pub history_from: Depth,
    /// By how many plies iterations deepen.
    pub step: i32,
    /// The table.
    pub table: TableSettings,
    /// Whose evaluation.
    pub profile: Profile,
    /// What `modern` evaluates by, if not by its classical terms.
    pub network: Option<Arc<nnue::Network>>,
    /// The rules of the node; usually those of the profile.
    pub switches: Switches,
    /// Whether messages that want the same link wait for each other.
    pub contention: bool,
    /// Where chance begins.
    pub seed: u64,
    /// What goes wrong.
    pub faults: Faults,
    /// Virtual time after which the run is given up.
    pub limit: Option<Time>,
    /// Virtual time at which the search is stopped: the answer is that of the deepest finished iteration, of
    /// which there is always one.
    pub stop: Option<Time>,
    /// Whether the course is recorded.
    pub record: bool,
}

impl Setup {
    /// A strategy on a machine, with the usual choices.
    pub fn new(strategy: StrategyKind, model: Model, peers: u32, profile: Profile) -> Setup {
        // Requests should cost little beside nodes: on machines with fast nodes they wait less.
        let message = model.send + model.receive + model.hop + model.remote;
        let retry_ns = (2 * model.node).max(2 * message);
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
            ybw: YbwSettings { retry_ns, expected_types: true, ..YbwSettings::default() },
            grain,
            // A history is long on the way over many hops, and a team waits for it: large jobs only.
            history_from: grain + if strategy == StrategyKind::Teams { 5 } else { 3 },
            step: 1,
            table: TableSettings::default(),
            profile,
            network: None,
            switches: profile.switches(),
            contention: false,
            seed: 1,
            faults: Faults::default(),
            limit: None,
            stop: None,
            record: false,
        }
    }

    /// The same by Zugzwang's rules as printed, its table too.
    pub fn by_zugzwang(self) -> Setup {
        let table = TableSettings::zugzwang(self.table.kilobytes);
        Setup { ybw: self.ybw.paper(), history_from: i32::MAX, table, ..self }
    }

    /// The same with the choices of a pool of threads, as far as they do not depend on what messages cost.
    pub fn like(self, pool: &threads::Settings) -> Setup {
        let YbwSettings { hop_limit, retry_ns, .. } = self.ybw;
        let ybw = YbwSettings { hop_limit, retry_ns, ..pool.ybw };
        Setup { ybw, grain: pool.grain.max(1), history_from: pool.history_from, ..self }
    }

    /// How long an answer may take where things go wrong: long against messages and nodes. For ever where
    /// nothing does.
    fn patience_ns(&self) -> Option<Time> {
        let model = &self.model;
        let message = model.send + model.receive + 8 * model.hop + model.remote;
        let slowest = self.faults.slow.iter().map(|&(_, factor)| factor).max().unwrap_or(1);
        let patience_ns = (20 * message + 50 * model.node) * slowest + 4 * self.faults.delay_by;
        (!self.faults.is_empty()).then_some(patience_ns)
    }

    /// The smallest depth of a child that is put off while another processor searches it, if any is.
    fn deferral(&self) -> Option<i32> {
        (self.strategy == StrategyKind::Abdada).then_some(self.grain)
    }

    fn strategy(&self, network: &Network<'_>, me: Peer) -> Box<dyn Strategy> {
        let rule = SplitRule { grain: self.grain, history_from: self.history_from };
        let choices = Choices {
            ybw: self.ybw,
            tds: self.tds,
            teams: self.teams,
            rules: SplitRules::uniform(rule),
            patience_ns: self.patience_ns(),
            seed: self.seed,
            surplus: false,
        };
        let local = self.ybw.local.then(|| network.topology.neighbours(me));
        self.strategy.strategy(me, self.peers, local.unwrap_or_default(), &choices)
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was found.
    pub answer: Answer,
    /// Virtual time of the answer.
    pub time: Time,
    /// The deepest finished iteration.
    pub depth: Depth,
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
pub fn run(setup: &Setup, root: &RootSearch) -> Result<Run, SimError> {
    run_until(setup, root, || false)
}

/// The same, given up as soon as the caller says so, who is asked now and then.
pub fn run_until(
    setup: &Setup,
    root: &RootSearch,
    is_over: impl FnMut() -> bool,
) -> Result<Run, SimError> {
    let tables = Tables::new(setup.table, setup.peers);
    let tables = tables.map_err(|error| SimError::Table(error.to_string()))?;
    let view = |me| TableView::new(&tables, me);
    let mut stores: Vec<Store<'_>> =
        (0..setup.peers as usize).map(|me| Store::new(setup, view(me))).collect();
    let network = Network::new(setup);
    let processors = (0..).map(Peer).zip(&mut stores).map(|(me, store)| {
        let strategy = setup.strategy(&network, me);
        Processor::new(setup, me, store, strategy)
    });
    let mut simulation = Simulation {
        setup,
        processors: processors.collect(),
        schedule: Schedule::new(setup.peers as usize),
        network,
        caches: setup.profile.evaluator(),
    };
    simulation.begin(root);
    simulation.go(is_over)
}

struct Simulation<'a> {
    setup: &'a Setup,
    processors: Vec<Processor<'a>>,
    schedule: Schedule,
    network: Network<'a>,
    /// What all evaluators remember.
    caches: AnyEvaluator,
}

impl Simulation<'_> {
    fn begin(&mut self, root: &RootSearch) {
        let mut chance = Chance::new(self.setup.seed, u64::MAX - 2);
        for index in 0..self.processors.len() {
            let peer = Peer(index as u32);
            let late = self.setup.faults.late.iter().find(|&&(who, _)| who == peer);
            let processor = &mut self.processors[index];
            // No two of a real machine are ready at the same moment.
            let ready = chance.below((READY_NODES * self.setup.model.node) as usize) as Time;
            let ready = if peer == Peer::FIRST { 0 } else { ready };
            processor.pass_until(late.map_or(ready, |&(_, time)| time));
            processor.begin((peer == Peer::FIRST).then_some(root));
            self.after_turn(index);
        }
    }

    fn go(mut self, mut is_over: impl FnMut() -> bool) -> Result<Run, SimError> {
        // Where there is nothing to search, the answer is there at once.
        if let Some((time, answer)) = self.processors[0].answer.take() {
            return Ok(self.finish(time, answer));
        }
        for turn in 0u64.. {
            if turn.is_multiple_of(TURNS) && is_over() {
                break;
            }
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
            if let Some(stop) = self.setup.stop.filter(|stop| time >= *stop)
                && let Some(answer) = self.found()
            {
                return Ok(self.finish(stop.max(time), answer));
            }
            self.network.forget_before(time);
            if let Some(next) = self.processors.get(self.schedule.second(index)) {
                next.prefetch();
            }
            // A turn does not go beyond the end; before the first answer they are short.
            let end =
                self.setup.stop.map(|stop| stop.max(time + READY_NODES * self.setup.model.node));
            let horizon = next.saturating_add(self.network.lookahead);
            self.processors[index].turn(horizon.min(end.unwrap_or(Time::MAX)), &mut self.caches);
            self.after_turn(index);
            if let Some((time, answer)) = self.processors[index].answer.take() {
                return Ok(self.finish(time, answer));
            }
        }
        Err(SimError::Interrupted)
    }

    /// What the deepest finished iteration has found; of several that of the first processor with it.
    fn found(&self) -> Option<Answer> {
        let deepest = self.processors.iter().rev().max_by_key(|one| one.walk().reached())?;
        let outcome = deepest.walk().outcome();
        let line = outcome.lines.first().filter(|_| outcome.depth > 0)?;
        Some(Answer { value: line.score, line: line.moves.clone() })
    }

    fn latest(&self) -> Time {
        self.processors.iter().map(|processor| processor.clock).max().unwrap_or(0)
    }

    /// Brings what was sent on its way.
    fn after_turn(&mut self, index: usize) {
        let from = Peer(index as u32);
        let mut mail = std::mem::take(&mut self.processors[index].mail);
        for Mail { to, .. } in &mail {
            prefetch(&self.processors[to.index()].inbox);
            self.network.prefetch(from, *to);
        }
        for mail in mail.drain(..) {
            let to = mail.to;
            if self.network.topology.is_remote(from, to) {
                // What rides along is no message of its own.
                let rides = matches!(mail.content, Content::Table(TableMessage::Riders(_)));
                let account = &mut self.processors[index].account;
                account.remote_messages += u64::from(!rides);
                account.remote_bytes += mail.content.bytes() as u64;
            }
            for (place, content) in self.network.carry(from, mail).into_iter().flatten() {
                let receiver = &mut self.processors[to.index()];
                if !receiver.dead {
                    receiver.inbox.push(Incoming { place, from, content });
                }
            }
            self.schedule.set(to.index(), self.processors[to.index()].due());
        }
        self.processors[index].mail = mail;
        self.schedule.set(index, self.processors[index].due());
    }

    /// A processor crashes, or comes back with nothing.
    fn fault(&mut self, peer: Peer, when: Time, crashes: bool) {
        let index = peer.index();
        let processor = &mut self.processors[index];
        let begin = processor.clock.max(when);
        if crashes {
            processor.pass_until(begin);
            processor.crash(self.setup.strategy(&self.network, peer));
        } else if processor.dead {
            processor.dead = false;
            processor.pass_until(begin);
            processor.begin(None);
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
            hash: self.network.hash.0,
            depth: self.processors.iter().map(|one| one.walk().reached()).max().unwrap_or(0),
            statistics: self.processors[0].walk().statistics().clone(),
            accounts: self.processors.into_iter().map(|processor| processor.account).collect(),
            timeline,
        }
    }
}
