//! What the threads of one search have in common.

use super::extras::Extra;
use super::mailbox::Mailbox;
use super::marks::Marks;
use super::opinions::{Agreement, Opinions};
use super::pump::Remote;
use super::recorder::Recorder;
use super::request_queue::RequestQueue;
use super::uplink::{Packet, Uplink};
use super::{Placement, Settings, ThreadPool};
use crate::strategy::{Choices, TdsSettings, TeamsSettings};
use crate::{Peer, RootSearch, Strategy, StrategyKind, Time};
use board::Move;
use endgame::Oracle;
use eval::nnue::Network;
use search::switches::Switches;
use search::walk::{FailHigh, SharedHistories};
use search::{Depth, Outcome, Profile};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use table::{AnyTable, Entry};

pub(super) use super::uplink::Envelope;

/// Envelopes that may lie in a mailbox: every other thread has a request under way and a return or two.
const ROOM: usize = 4096;
/// What a node and a message between threads take, about.
const NODE_NS: Time = 1_000;
const MESSAGE_NS: Time = 20_000;

/// What a thread shows of itself while it searches. Each lies in cache lines of its own, so that
/// counting does not disturb another.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Gauge {
    pub nodes: AtomicU64,
    pub tbhits: AtomicU64,
    pub selective_depth: AtomicI32,
    /// The last iteration of the root that it has finished, but for its idle search.
    pub reached: AtomicI32,
}

/// A search by many threads.
pub(super) struct SharedSearch {
    pub root: RootSearch,
    pub table: Arc<AnyTable>,
    pub marks: Marks,
    pub settings: Settings,
    pub profile: Profile,
    pub switches: Switches,
    pub oracle: Option<Arc<Oracle>>,
    /// What `modern` evaluates by, if not by its classical terms.
    pub network: Option<Arc<Network>>,
    /// Which game: what was learnt in others is forgotten.
    pub era: u64,
    pub mailboxes: Vec<Mailbox<Envelope>>,
    pub requests: RequestQueue,
    /// Where there are other processes.
    pub remote: Option<Remote>,
    /// What other tables have answered to each thread here.
    pub answers: Vec<Mailbox<(u64, Option<Entry>)>>,
    /// Threads of this process that have nothing to search but the root, for themselves.
    pub idle: AtomicU32,
    gauges: Vec<Gauge>,
    /// What the threads learn together, where they do.
    pub shared_histories: Option<Arc<SharedHistories>>,
    /// What each thread thinks of the root; behind them the first thread's idle search.
    opinions: Mutex<Opinions>,
    /// The best that a thread has finished.
    best: Mutex<Option<Iteration>>,
    /// The last fail high at the root that the first thread has not heard of.
    fail_high: Mutex<Option<FailHigh>>,
    has_fail_high: AtomicBool,
    over: AtomicBool,
    pub begun: Instant,
    /// Where what the threads do is recorded, if it is.
    pub recorder: Option<Arc<Recorder>>,
    /// Where the threads run, if not anywhere.
    pub placement: Option<Arc<Placement>>,
}

/// A finished iteration.
struct Iteration {
    /// Whether the answering walk itself has found it: the first thread's, but for its idle search.
    own: bool,
    outcome: Outcome,
    /// Whether it was the last one: a limit is reached, or the mate that was asked for is proven.
    last: bool,
}

impl SharedSearch {
    /// A search by the threads of a pool, with those of other processes where there is an uplink.
    pub fn new(
        pool: &ThreadPool,
        root: RootSearch,
        table: &Arc<AnyTable>,
        uplink: Option<Arc<dyn Uplink>>,
    ) -> SharedSearch {
        let settings = pool.settings;
        let threads = settings.threads;
        let remote = uplink.map(|uplink| Remote::new(uplink, threads, settings.seed));
        let peers = threads * remote.as_ref().map_or(1, |remote| remote.place.processes);
        // What comes from outside cannot wait anywhere else.
        let room = if remote.is_some() { usize::MAX } else { ROOM };
        let marked = if settings.deferral().is_some() { threads } else { 0 };
        let apart = remote.as_ref().is_some_and(|remote| remote.distance.table.kind.is_apart());
        let asking = if apart { threads } else { 0 };
        SharedSearch {
            root,
            table: Arc::clone(table),
            marks: Marks::new(marked),
            settings,
            profile: pool.profile,
            switches: pool.switches,
            oracle: pool.oracle.clone(),
            network: pool.network.clone(),
            era: pool.era,
            mailboxes: (0..peers).map(|_| Mailbox::new(room)).collect(),
            requests: RequestQueue::default(),
            remote,
            answers: (0..asking).map(|_| Mailbox::new(usize::MAX)).collect(),
            idle: AtomicU32::new(0),
            gauges: (0..peers).map(|_| Gauge::default()).collect(),
            shared_histories: pool.shared_histories.clone(),
            opinions: Mutex::new(Opinions::new(peers as usize + 1)),
            best: Mutex::new(None),
            fail_high: Mutex::new(None),
            has_fail_high: AtomicBool::new(false),
            over: AtomicBool::new(false),
            begun: Instant::now(),
            recorder: pool.recorder.clone(),
            placement: pool.placement.clone(),
        }
    }

    /// The strategy of one thread; it knows which peers are lost.
    pub fn strategy(&self, me: Peer) -> Box<dyn Strategy> {
        let Settings { strategy, ybw, seed, grain, patience_ns, .. } = self.settings;
        let tds = TdsSettings::cured(grain).for_machine(NODE_NS, MESSAGE_NS);
        let choices = Choices {
            ybw,
            tds: match grain {
                0 => tds.with_auto_grain(NODE_NS, MESSAGE_NS),
                _ => tds,
            },
            // All see one table at once: waiting for one more child costs no load here.
            teams: TeamsSettings {
                wait_more: Some(1),
                ..TeamsSettings::for_machine(NODE_NS, MESSAGE_NS)
            },
            rules: self.split_rules(),
            patience_ns,
            seed,
            surplus: me.0 % self.settings.threads >= self.settings.root_searchers,
        };
        let peers = self.mailboxes.len() as u32;
        // One that is never told to begin leaves its thread to the idle search.
        let kind = if self.stays_alone(me) { StrategyKind::Lazy } else { strategy };
        let mut strategy = kind.strategy(me, peers, Vec::new(), &choices);
        let lost = (0..peers).map(Peer).filter(|&peer| self.is_lost(peer));
        lost.for_each(|peer| strategy.lose(peer));
        strategy
    }

    /// Whether threads without work search the root by themselves. Where nodes are counted out, they are
    /// for those that have work.
    pub fn idle_search(&self) -> bool {
        let roomy = self.remote.as_ref().is_none_or(|remote| remote.distance.roomy);
        let together = self.mailboxes.len() > 1;
        self.has_idle_search() && roomy && together && self.root.limits.nodes.is_none()
    }

    /// Whether they do in some searches with these settings.
    pub fn has_idle_search(&self) -> bool {
        let Settings { strategy, idle_search, .. } = self.settings;
        idle_search && matches!(strategy, StrategyKind::Ybw | StrategyKind::Teams)
    }

    /// Whether a thread only searches the root by itself, beside those that split it. Not where other processes
    /// may ask it for work.
    fn stays_alone(&self, me: Peer) -> bool {
        let mixed = self.settings.extras.has(Extra::Mix) && self.remote.is_none();
        mixed && self.idle_search() && me.0 % 2 == 1
    }

    /// Time since it began.
    pub fn now(&self) -> Time {
        self.begun.elapsed().as_nanos() as Time
    }

    pub fn gauge(&self, peer: Peer) -> &Gauge {
        &self.gauges[peer.index()]
    }

    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.sum(|gauge| &gauge.nodes)
    }

    /// Nodes about which endgame tables knew something, of all threads.
    pub fn tbhits(&self) -> u64 {
        self.sum(|gauge| &gauge.tbhits)
    }

    /// The last iteration that the first thread has finished.
    pub fn first_reached(&self) -> Depth {
        self.gauge(Peer::FIRST).reached.load(Ordering::Relaxed)
    }

    fn sum(&self, which: impl Fn(&Gauge) -> &AtomicU64) -> u64 {
        self.gauges.iter().map(|gauge| which(gauge).load(Ordering::Relaxed)).sum()
    }

    /// The deepest ply that a thread has reached.
    pub fn selective_depth(&self) -> i32 {
        let depths = self.gauges.iter().map(|gauge| gauge.selective_depth.load(Ordering::Relaxed));
        depths.max().unwrap_or(0)
    }

    /// Whether the threads are to stop.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// All threads stop soon, those of other processes too; those that sleep wake up.
    pub fn end(&self) {
        if !self.is_over()
            && let Some(remote) = &self.remote
        {
            remote.tell_end();
        }
        self.end_here();
    }

    /// The threads of this process stop soon.
    pub fn end_here(&self) {
        if !self.over.swap(true, Ordering::AcqRel) {
            self.mailboxes.iter().for_each(Mailbox::close);
        }
    }

    /// A thread has finished an iteration, perhaps the last; what it found counts unless another has
    /// been deeper or has finished before. `own` is what the walk that answers knows already.
    pub fn offer(&self, own: bool, depth: Depth, last: bool, found: impl FnOnce() -> Outcome) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let better = |known: &Iteration| !known.last && (last || depth > known.outcome.depth);
        if best.as_ref().is_none_or(better) {
            let outcome = found();
            if let Some(remote) = self.remote.as_ref().filter(|remote| remote.place.process > 0) {
                remote.uplink.send(0, &Packet::Found { last, outcome: outcome.clone() });
            }
            *best = Some(Iteration { own, outcome, last });
        }
    }

    /// A thread tells what its search of the root has found so far, and its nodes by root move, where that is
    /// of any use.
    pub fn note(&self, voter: usize, found: impl FnOnce() -> (Outcome, Vec<(Move, u64)>)) {
        let extras = self.settings.extras;
        if self.mailboxes.len() > 1 && (extras.has(Extra::Vote) || extras.has(Extra::Clock)) {
            let (outcome, nodes) = found();
            self.opinions().note(voter, outcome, nodes);
        }
    }

    /// How sure all threads are of what the first thread thinks best.
    pub fn agreement(&self, iteration: &search::Iteration) -> Option<Agreement> {
        let search::Iteration { best, node_share, nodes, stable_for, .. } = *iteration;
        let heard = self.settings.extras.has(Extra::Clock);
        heard.then(|| self.opinions().agreement(best, node_share, nodes, stable_for))
    }

    /// A helper's search of the root has failed high.
    pub fn report_fail_high(&self, found: FailHigh) {
        *self.fail_high.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        self.has_fail_high.store(true, Ordering::Relaxed);
    }

    /// What the first thread should hear of.
    pub fn take_fail_high(&self) -> Option<FailHigh> {
        // Asked in every slice of nodes: mostly a load tells that there is nothing.
        let flag = &self.has_fail_high;
        if !flag.load(Ordering::Relaxed) || !flag.swap(false, Ordering::Relaxed) {
            return None;
        }
        self.fail_high.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn opinions(&self) -> MutexGuard<'_, Opinions> {
        self.opinions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is answered in place of what the first thread has found, if anything is: where the search was
    /// stopped and the threads vote, what they prefer; else what is deeper, or the end of a search that the first
    /// has not `finished`. There is no vote where a limit was reached, several lines are wanted, or a mate that one
    /// of them has proven.
    pub fn better_than(&self, own: &Outcome, finished: bool) -> Option<Outcome> {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = finished || best.as_ref().is_some_and(|found| found.last);
        let limits = &self.root.limits;
        let votes = self.settings.extras.has(Extra::Vote);
        if votes && !ended && limits.lines <= 1 && limits.mate.is_none() {
            return self.opinions().elect(own);
        }
        let found = best.take_if(|found| {
            let ended = found.last && !finished;
            !found.own && (ended || found.outcome.depth > own.depth)
        })?;
        Some(found.outcome)
    }
}
