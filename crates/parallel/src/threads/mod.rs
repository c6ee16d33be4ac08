//! The machine of real threads: one processor of a strategy on each, a table that they share.
//!
//! A [`ThreadPool`] is a number of threads that search together. The first is the one that calls
//! [`ThreadPool::search`]: it has the root and talks to the user. The others are kept from search to search and
//! sleep in between. `processor.rs` is what each of them does; `shared_search.rs` what they share in a search:
//! mailboxes, marks, counters. The strategies are those of the simulated machine.

mod extras;
mod idle_search;
mod lookup;
mod machine;
mod mailbox;
mod main_observer;
mod marks;
mod opinions;
mod placement;
mod pool;
mod processor;
mod pump;
mod recorder;
mod remote_table;
mod request_queue;
mod settings;
mod shared_requests;
mod shared_search;
mod slot;
mod sync;
mod uplink;

use crate::{Peer, RootSearch, StrategyKind, Time};
use board::{History, Position};
use endgame::Oracle;
use eval::nnue::Network;
use pool::Helper;
use search::switches::Switches;
use search::walk::SharedHistories;
use search::{Depth, Limits, Observer, Outcome, Profile, Statistics};
use settings::grain;
use shared_search::SharedSearch;
use slot::{ThreadResult, ThreadSlot};
use std::sync::Arc;
use table::AnyTable;

pub use extras::{Extra, Extras};
pub use mailbox::Mailbox;
pub use placement::Placement;
pub use recorder::Recorder;
pub use settings::Settings;
pub use shared_requests::SharedRequests;
pub use slot::ThreadReport;
pub use uplink::{Distance, Envelope, Known, Packet, Place, Uplink, Word};

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

/// Time after which a thread of another process is asked whether it is still at its work, and after as much
/// again is taken for lost.
const PATIENCE_NS: Time = 1_000_000_000;

/// Threads that search together.
pub struct ThreadPool {
    settings: Settings,
    profile: Profile,
    switches: Switches,
    oracle: Option<Arc<Oracle>>,
    network: Option<Arc<Network>>,
    era: u64,
    /// What the threads learn together in this game, where they do.
    shared_histories: Option<Arc<SharedHistories>>,
    slot: Option<ThreadSlot>,
    first: ThreadResult,
    helpers: Vec<Helper>,
    last: Option<Arc<SharedSearch>>,
    uplink: Option<Arc<dyn Uplink>>,
    recorder: Option<Arc<Recorder>>,
    placement: Option<Arc<Placement>>,
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
            shared_histories: None,
            slot: None,
            first: ThreadResult::default(),
            helpers: Vec::new(),
            last: None,
            uplink: None,
            recorder: None,
            placement: None,
        };
        pool.set_threads(settings.threads)?;
        pool.settings = Settings { threads: settings.threads.max(1), ..settings };
        pool.new_game();
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

    /// Does more or less than the bare strategy from now on, and forgets everything.
    pub fn set_extras(&mut self, extras: Extras) {
        self.settings.extras = extras;
        self.new_game();
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

    /// Records what each thread of this process does from the next search on, or nothing.
    pub fn set_recorder(&mut self, recorder: Option<Arc<Recorder>>) {
        self.recorder = recorder;
    }

    /// Binds the threads to processors from the next search on, or no more of them: those that are bound stay.
    pub fn set_placement(&mut self, placement: Option<Placement>) {
        self.placement = placement.map(Arc::new);
    }

    /// Sets the oracle that answers for endings at the nodes of all threads, or none.
    pub fn set_oracle(&mut self, oracle: Option<Arc<Oracle>>) {
        self.oracle = oracle;
    }

    /// Evaluates by a network from now on, or by the classical terms, and forgets everything.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.new_game();
    }

    /// Forgets everything, as for a new game.
    pub fn new_game(&mut self) {
        self.era += 1;
        let shares = self.settings.extras.has(Extra::Share);
        self.shared_histories = shares.then(|| Arc::new(SharedHistories::new(&self.switches)));
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
        let root = RootSearch { position: *position, game: game.clone(), limits: limits.clone() };
        self.settle();
        if let Some(uplink) = &self.uplink {
            uplink.announce(&root, &self.settings);
        }
        self.work(table, root, Some(observer));
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

    /// Takes part in a search that the first process has announced, to its end; what each thread did.
    pub fn serve(
        &mut self,
        table: &Arc<AnyTable>,
        root: RootSearch,
        grain: Depth,
    ) -> Vec<ThreadReport> {
        self.settle();
        self.settings.grain = grain;
        self.work(table, root, None);
        self.settle();
        self.own_reports()
    }

    /// The search itself, as the threads of this process carry it.
    fn work(
        &mut self,
        table: &Arc<AnyTable>,
        root: RootSearch,
        observer: Option<&mut dyn Observer>,
    ) {
        table.new_search();
        let shared = Arc::new(SharedSearch::new(self, root, table, self.uplink.clone()));
        if let Some(recorder) = &shared.recorder {
            recorder.begin(shared.begun);
        }
        self.last = Some(Arc::clone(&shared));
        let end = End(&shared);
        self.helpers.iter().for_each(|helper| helper.send(&shared));
        self.first = ThreadSlot::serve(&mut self.slot, &shared, shared.peer(Peer::FIRST), observer);
        drop(end);
        shared.pump();
    }

    /// Lets all threads make what they need for a search, before the clock runs.
    pub fn prepare(&mut self, table: &Arc<AnyTable>) {
        self.settle();
        let root = RootSearch {
            position: Position::startpos(),
            game: History::new(),
            limits: Limits::default(),
        };
        let shared = Arc::new(SharedSearch::new(self, root, table, None));
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
