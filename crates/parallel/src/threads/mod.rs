//! The machine of real threads: one processor of a strategy on each, a table that they share.
//!
//! A [`ThreadPool`] is a number of threads that search together. The first is the one that calls
//! [`ThreadPool::search`]: it has the root and talks to the user. The others are kept from search to search and
//! sleep in between. `processor.rs` is what each of them does; `shared_search.rs` what they share in a search:
//! mailboxes, marks, counters. The strategies are those of the simulated machine.

mod idle_search;
mod lookup;
mod machine;
mod mailbox;
mod main_observer;
mod marks;
mod pool;
mod processor;
mod pump;
mod remote_table;
mod request_queue;
mod shared_requests;
mod shared_search;
mod slot;
mod sync;
mod uplink;
mod watch;

use crate::strategy::YbwSettings;
use crate::{Peer, RootOrder, StrategyKind, Time};
use board::{History, Position};
use endgame::Oracle;
use eval::nnue::Network;
use pool::Helper;
use search::switches::Switches;
use search::{Depth, Limits, Observer, Outcome, Profile, Statistics};
use serde::{Deserialize, Serialize};
use shared_search::SharedSearch;
use slot::{ThreadResult, ThreadSlot};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use table::AnyTable;

pub use shared_requests::SharedRequests;
pub use uplink::{Distance, Envelope, Known, Packet, Place, Uplink, Word};
pub use watch::{Notes, Watch};

/// The strategies that threads can follow.
pub const STRATEGIES: [StrategyKind; 5] = [
    StrategyKind::Ybw,
    StrategyKind::Abdada,
    StrategyKind::Lazy,
    StrategyKind::Teams,
    StrategyKind::Tds,
];

/// The strategy of a name, among those that threads can follow.
pub fn read_strategy(text: &str) -> Result<StrategyKind, String> {
    STRATEGIES.into_iter().find(|strategy| strategy.name() == text).ok_or_else(|| {
        let names = STRATEGIES.map(StrategyKind::name).join(", ");
        format!("threads search by one of {names}, not by {text:?}")
    })
}

/// The usual smallest depth of a child that another thread searches. Where every child is sent to its home
/// unasked, an envelope must be worth more.
fn grain(strategy: StrategyKind) -> i32 {
    if strategy == StrategyKind::Tds { 5 } else { 3 }
}

/// To be woken takes some fifty microseconds: to look for as long costs at most as much again.
const LINGER_NS: Time = 50_000;

/// Pause after a refusal: less would be spinning.
const RETRY_NS: Time = 30_000;

/// Time after which a thread of another process is asked whether it is still at its work, and after as much
/// again is taken for lost.
const PATIENCE_NS: Time = 1_000_000_000;

/// The choices of a pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many threads, at least 1.
    pub threads: u32,
    /// The way of searching.
    pub strategy: StrategyKind,
    /// The smallest depth of a child that another thread searches; 0 where it is chosen by what searches
    /// take (transposition-driven scheduling only).
    pub grain: Depth,
    /// The other choices of young brothers.
    pub ybw: YbwSettings,
    /// The smallest depth of a child with which the history of moves is sent (young brothers).
    pub history_from: Depth,
    /// The smallest depth of a child that is put off while another thread searches it (ABDADA).
    pub deferral: Depth,
    /// Nodes of at most this depth are searched by the recursive driver, which is faster but does not look
    /// around: some nodes.
    pub recursion: Depth,
    /// Time for which a thread without work looks for mail before it sleeps.
    pub linger_ns: Time,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience_ns: Option<Time>,
    /// Whether a thread without work searches the root by itself meanwhile (young brothers, teams). It
    /// would take the processor from others where there are more threads than processors.
    pub idle_search: bool,
    /// Where chance begins.
    pub seed: u64,
}

impl Settings {
    /// The usual choices.
    pub fn new(strategy: StrategyKind, threads: u32) -> Settings {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let at_home = threads as usize <= processors;
        Settings {
            threads: threads.max(1),
            linger_ns: if at_home { LINGER_NS } else { 0 },
            patience_ns: None,
            strategy,
            grain: grain(strategy),
            ybw: YbwSettings {
                wait_more: 0,
                free_after: Some(1),
                // A request is shown to all: to show it again costs nothing.
                hop_limit: None,
                retry_ns: RETRY_NS,
                ..YbwSettings::default()
            },
            history_from: 6,
            deferral: 3,
            recursion: 1,
            idle_search: at_home,
            seed: 1,
        }
    }
}

/// What a thread did in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ThreadReport {
    /// Nodes searched.
    pub nodes: u64,
    /// Those of them that it searched while it had no work.
    pub idle_nodes: u64,
    /// Tasks of others that it finished.
    pub jobs: u64,
    /// Messages sent.
    pub messages: u64,
    /// How often it had no work.
    pub waits: u64,
    /// How long, in sum.
    pub waiting: Duration,
    /// Questions to the tables of other processes.
    pub table_reads: u64,
    /// Entries that were answered.
    pub table_answers: u64,
    /// Nodes that began anew because of an answer.
    pub restarts: u64,
    /// How long answers were waited for, in sum.
    pub reading: Duration,
}

/// Threads that search together.
pub struct ThreadPool {
    settings: Settings,
    profile: Profile,
    switches: Switches,
    oracle: Option<Arc<Oracle>>,
    network: Option<Arc<Network>>,
    era: u64,
    slot: Option<ThreadSlot>,
    first: ThreadResult,
    helpers: Vec<Helper>,
    last: Option<Arc<SharedSearch>>,
    uplink: Option<Arc<dyn Uplink>>,
    watch: Option<Arc<Watch>>,
}

/// Ends a search whatever happens to the thread that began it.
struct End<'a>(&'a SharedSearch);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl ThreadPool {
    /// Threads that know nothing yet; or why there are none.
    pub fn new(profile: Profile, settings: Settings) -> Result<ThreadPool, String> {
        let mut pool = ThreadPool {
            settings: Settings { threads: 1, ..settings },
            profile,
            switches: profile.switches(),
            oracle: None,
            network: None,
            era: 0,
            slot: None,
            first: ThreadResult::default(),
            helpers: Vec::new(),
            last: None,
            uplink: None,
            watch: None,
        };
        pool.set_threads(settings.threads)?;
        pool.settings = Settings { threads: settings.threads.max(1), ..settings };
        Ok(pool)
    }

    /// The same with rules of one's own choice.
    pub fn with_switches(mut self, switches: Switches) -> ThreadPool {
        self.switches = switches;
        self.new_game();
        self
    }

    /// The choices.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Searches in another way from now on.
    pub fn set_strategy(&mut self, strategy: StrategyKind) {
        if self.settings.strategy != strategy {
            (self.settings.strategy, self.settings.grain) = (strategy, grain(strategy));
        }
    }

    /// Makes the threads more or fewer at once; where the system gives no more, nothing changes.
    pub fn set_threads(&mut self, threads: u32) -> Result<(), String> {
        let helpers = threads.max(1) as usize - 1;
        let before = self.helpers.len();
        while self.helpers.len() < helpers {
            match Helper::new(Peer(self.helpers.len() as u32 + 1)) {
                Ok(helper) => self.helpers.push(helper),
                Err(reason) => {
                    self.helpers.truncate(before);
                    return Err(reason);
                }
            }
        }
        self.helpers.truncate(helpers);
        let usual = Settings::new(self.settings.strategy, threads);
        let Settings { threads, linger_ns, idle_search, .. } = usual;
        self.settings = Settings { threads, linger_ns, idle_search, ..self.settings };
        Ok(())
    }

    /// Sets the oracle that answers for endings at the nodes of all threads, or none.
    pub fn set_oracle(&mut self, oracle: Option<Arc<Oracle>>) {
        self.oracle = oracle;
    }

    /// Evaluates by a network from now on, or by the classical terms, and forgets everything.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        (self.network, self.era) = (network, self.era + 1);
    }

    /// Forgets everything, as for a new game.
    pub fn new_game(&mut self) {
        self.era += 1;
    }

    /// Searches a position with all threads; `game` holds the keys of the game before it. The calling
    /// thread is one of them, and the observer is called on it alone. The others may need a moment longer to
    /// stop than the answer takes: see [`ThreadPool::settle`].
    pub fn search(
        &mut self,
        table: &Arc<AnyTable>,
        position: &Position,
        game: &History,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let order = RootOrder { position: *position, game: game.clone(), limits: limits.clone() };
        self.settle();
        if let Some(uplink) = &self.uplink {
            uplink.announce(&order, &self.settings);
        }
        self.work(table, order, Some(observer));
        // The first always answers; a search that has not begun has found nothing.
        self.first.outcome.take().unwrap_or(Outcome {
            lines: Vec::new(),
            depth: 0,
            selective_depth: 0,
            nodes: 0,
        })
    }

    /// Searches with the threads of other processes from now on, or without them.
    pub fn connect(&mut self, uplink: Option<Arc<dyn Uplink>>) {
        // Processes can be lost.
        self.settings.patience_ns = uplink.as_ref().map(|_| PATIENCE_NS);
        self.uplink = uplink;
    }

    /// Notes what the threads do in the next search, until another or none is given.
    pub fn set_watch(&mut self, watch: Option<Arc<Watch>>) {
        self.watch = watch;
    }

    /// Takes part in a search that the first process has announced, to its end; what each thread did.
    pub fn serve(
        &mut self,
        table: &Arc<AnyTable>,
        order: RootOrder,
        grain: Depth,
    ) -> Vec<ThreadReport> {
        self.settle();
        self.settings.grain = grain;
        self.work(table, order, None);
        self.settle();
        self.own_reports()
    }

    /// The search itself, as the threads of this process carry it.
    fn work(
        &mut self,
        table: &Arc<AnyTable>,
        order: RootOrder,
        observer: Option<&mut dyn Observer>,
    ) {
        table.new_search();
        let mut shared = SharedSearch::new(self, order, table, self.uplink.clone());
        shared.watch_by(self.watch.clone());
        let shared = Arc::new(shared);
        self.last = Some(Arc::clone(&shared));
        let end = End(&shared);
        self.helpers.iter().for_each(|helper| helper.send(&shared));
        self.first = ThreadSlot::serve(&mut self.slot, &shared, shared.peer(Peer::FIRST), observer);
        shared.watch.iter().for_each(|watch| watch.end(shared.now()));
        drop(end);
        shared.pump();
    }

    /// Lets all threads make what they need for a search, before the clock runs.
    pub fn prepare(&mut self, table: &Arc<AnyTable>) {
        self.settle();
        let order = RootOrder {
            position: Position::startpos(),
            game: History::new(),
            limits: Limits::default(),
        };
        let shared = Arc::new(SharedSearch::new(self, order, table, None));
        // A search that is over before it begins.
        shared.end();
        self.helpers.iter().for_each(|helper| helper.send(&shared));
        ThreadSlot::serve(&mut self.slot, &shared, Peer::FIRST, None);
        self.settle();
    }

    /// Waits until all threads have stopped and hold nothing of the last search, its table included. Those
    /// of other processes are not waited for: one may be lost, and what is late is told apart by the
    /// search's number.
    pub fn settle(&mut self) {
        if let Some(shared) = self.last.take() {
            shared.end();
        }
        self.helpers.iter().for_each(|helper| helper.settled(|_| ()));
    }

    /// What all threads counted in the last search.
    pub fn statistics(&self) -> Statistics {
        let mut sum = self.first.statistics.clone();
        let iterations = std::mem::take(&mut sum.iterations);
        self.helpers.iter().for_each(|helper| helper.settled(|done| sum.add(&done.statistics)));
        sum.iterations = iterations;
        // Of other processes only the nodes are known.
        sum.nodes += self.remote_reports().iter().map(|report| report.nodes).sum::<u64>();
        sum
    }

    /// What each thread did in the last search, those of other processes behind ours.
    pub fn reports(&self) -> Vec<ThreadReport> {
        let mut reports = self.own_reports();
        reports.extend(self.remote_reports());
        reports
    }

    fn remote_reports(&self) -> Vec<ThreadReport> {
        let Some(uplink) = &self.uplink else { return Vec::new() };
        uplink.settle();
        uplink.reports()
    }

    fn own_reports(&self) -> Vec<ThreadReport> {
        let others = self.helpers.iter().map(|helper| helper.settled(|done| done.report));
        std::iter::once(self.first.report).chain(others).collect()
    }

    /// How many times a thread failed in itself (a bug) and went on with nothing.
    pub fn failures(&self) -> u64 {
        self.helpers.iter().map(Helper::failures).sum()
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.settle();
    }
}
