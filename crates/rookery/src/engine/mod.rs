//! One searcher, or a pool of them, with the table: what the console, the benchmark and the suites run.
//!
//! One thread is the sequential search itself ([`Worker`]); more are a [`ThreadPool`].

mod complete;
mod remote;
mod shared;
mod threads;

use crate::hosts::ProcessCommand;
use crate::learning::Learning;
use crate::memory;
use crate::numa::{Nodes, Numa};
use board::{History, Position};
use cluster::Link;
use complete::complete;
use endgame::Oracle;
use eval::nnue::{Network, embedded};
use eval::{Evaluator, MainEvaluator};
use files::Digest;
use parallel::threads::{Extras, ThreadPool};
use parallel::{RootSearch, StrategyKind};
use remote::Remote;
use search::{Bound, Limits, Line, Observer, Outcome, Profile, Progress, Worker};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;
use table::AnyTable;

pub use lab::workers::STACK;
pub use remote::run_remote_search;
pub use threads::ThreadRecord;

/// Megabytes of the table unless something else is asked for.
pub const DEFAULT_HASH_MB: u64 = 16;

/// The largest table that can be asked for, in megabytes: 32 terabytes, as far as addresses go.
pub const LARGEST_HASH_MB: u64 = if cfg!(target_pointer_width = "64") { 1 << 25 } else { 1 << 11 };

/// The most threads that can be asked for.
pub const MOST_THREADS: u32 = 1024;

/// The way of searching with several threads unless another is asked for: the one that wins games
/// (docs/design/threads.md).
pub const DEFAULT_STRATEGY: StrategyKind = StrategyKind::Lazy;

/// The same with several processes: their tables are apart, and what one finds the others would find again.
const PROCESS_STRATEGY: StrategyKind = StrategyKind::Ybw;

/// Works on a thread with the stack that a search needs.
pub fn on_search_stack<T: Send>(
    work: impl FnOnce() -> Result<T, String> + Send,
) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("the system gives no thread: {error}"))?;
        thread.join().unwrap_or_else(|_| Err("the search failed: please report it".to_owned()))
    })
}

/// A searcher and its table.
pub struct Engine {
    worker: Worker,
    /// Where there are two threads or more.
    pool: Option<ThreadPool>,
    strategy: StrategyKind,
    extras: Extras,
    /// Shared with the threads while they search.
    table: Arc<AnyTable>,
    profile: Profile,
    /// What earlier games taught, if it is to be used.
    learning: Option<Learning>,
    /// What went wrong with it.
    learning_fault: Option<String>,
    /// What is known about endings.
    oracle: Option<Arc<Oracle>>,
    /// What `modern` evaluates by, if not by its classical terms.
    network: Option<Arc<Network>>,
    /// Other processes that search with this one, or for which it searches.
    link: Option<Arc<Link>>,
    /// Where it searches, if not here.
    remote: Option<Remote>,
    /// Whether threads are bound and tables spread over memory nodes.
    numa: Numa,
}

impl Engine {
    /// An engine with an empty table that evaluates by the embedded network; or why there is none.
    pub fn new(profile: Profile, hash_mb: u64) -> Result<Engine, String> {
        let network = Some(Arc::clone(embedded()));
        let mut worker = Worker::new(profile);
        worker.set_network(network.as_ref());
        Ok(Engine {
            worker,
            pool: None,
            strategy: DEFAULT_STRATEGY,
            extras: Extras::default(),
            table: Arc::new(new_table(profile, hash_mb)?),
            profile,
            learning: None,
            learning_fault: None,
            oracle: None,
            network,
            link: None,
            remote: None,
            numa: Numa::default(),
        })
    }

    /// Which rules of search it follows.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The same, and the network by which it evaluates, if it does.
    pub fn rules(&self) -> (Profile, Option<Arc<Network>>) {
        (self.profile, self.network.clone())
    }

    /// Follows other rules from now on, with an empty table: what the old one holds was found by the
    /// old rules; for the same reason learning ends. Where there is no memory for a table of the other
    /// kind, nothing changes.
    pub fn set_profile(&mut self, profile: Profile) -> Result<(), String> {
        self.set_profile_with(profile, self.next_table())
    }

    /// The same, with a table of this number among those of all processes.
    fn set_profile_with(&mut self, profile: Profile, number: u32) -> Result<(), String> {
        if profile == self.profile {
            return Ok(());
        }
        match profile.policy() == self.profile.policy() {
            true => self.clear_own_table(),
            false => self.renew_table(profile, self.hash_mb(), number)?,
        }
        self.tell_others(&ProcessCommand::Profile { profile, table: number });
        self.change_rules(profile)
    }

    /// Searches by other rules with the table that there is.
    fn change_rules(&mut self, profile: Profile) -> Result<(), String> {
        let threads = self.threads();
        self.profile = profile;
        self.learning = None;
        self.pool = None;
        self.renew_worker();
        self.set_threads(threads)
    }

    /// Lets an oracle that knows endings answer at the nodes of the search. Only the profiles that are
    /// said to know endings ask.
    pub fn set_oracle(&mut self, oracle: Option<Arc<Oracle>>) {
        self.oracle = oracle;
        self.tell_worker();
    }

    /// Who knows endings.
    pub fn oracle(&self) -> Option<&Oracle> {
        self.oracle.as_deref()
    }

    /// The same, to be kept by another.
    pub fn shared_oracle(&self) -> Option<Arc<Oracle>> {
        self.oracle.clone()
    }

    /// Evaluates by a network from now on, or by the classical terms. What the table holds was found by
    /// other values: it is emptied.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.worker.set_network(network.as_ref());
        if let Some(pool) = &mut self.pool {
            pool.set_network(network.clone());
            pool.prepare(&self.table);
        }
        self.network = network;
        self.clear_own_table();
    }

    fn renew_worker(&mut self) {
        self.worker = Worker::new(self.profile);
        self.worker.set_network(self.network.as_ref());
        self.tell_worker();
    }

    fn tell_worker(&mut self) {
        let oracle = self.oracle.clone().filter(|_| self.profile.knows_endings());
        if let Some(pool) = &mut self.pool {
            pool.set_oracle(oracle.clone());
        }
        self.worker.set_oracle(oracle);
    }

    /// Changes the table's size and empties it; the old table stays where there is no memory for the
    /// new one. The memory is written to at once: a system that must first make room does so now, and
    /// not while a search should answer.
    pub fn resize(&mut self, hash_mb: u64) -> Result<(), String> {
        self.resize_with(hash_mb, self.next_table())
    }

    /// The same, with a table of this number among those of all processes.
    fn resize_with(&mut self, hash_mb: u64, number: u32) -> Result<(), String> {
        match &self.link {
            None => {
                memory::check_free(hash_mb.saturating_sub(self.hash_mb()))?;
                let before = self.table.bytes();
                self.table_alone()?.resize(hash_mb).map_err(|error| error.to_string())?;
                match self.table.bytes() == before {
                    true => self.clear_own_table(),
                    false => touch(&self.table, self.numa),
                }
            }
            Some(_) => self.renew_table(self.profile, hash_mb, number)?,
        }
        self.tell_others(&ProcessCommand::Hash { hash_mb, table: number });
        Ok(())
    }

    /// The table's size in megabytes.
    pub fn hash_mb(&self) -> u64 {
        self.table.bytes() >> 20
    }

    /// Forgets the table's content.
    pub fn clear_table(&mut self) {
        self.tell_others(&ProcessCommand::ClearTable);
        self.clear_own_table();
    }

    fn clear_own_table(&mut self) {
        self.settle();
        self.table.clear(processors());
    }

    /// Forgets everything: another game begins.
    pub fn new_game(&mut self) {
        if let Some(remote) = &mut self.remote {
            remote.fresh = true;
            return;
        }
        self.worker.new_game();
        if let Some(pool) = &mut self.pool {
            pool.new_game();
            pool.prepare(&self.table);
        }
        self.tell_others(&ProcessCommand::NewGame);
        self.clear_own_table();
        if let Some(Err(reason)) = self.learning.as_mut().map(Learning::sync) {
            self.learning_fault = Some(reason);
        }
    }

    /// Begins to learn, or ends it.
    pub fn set_learning(&mut self, learning: Option<Learning>) {
        self.learning = learning;
    }

    /// The learning, if there is any.
    pub fn learning(&mut self) -> Option<&mut Learning> {
        self.learning.as_mut()
    }

    /// Why learning has ended by itself, told once.
    pub fn take_learning_fault(&mut self) -> Option<String> {
        self.learning_fault.take()
    }

    /// Whose values a learning file holds: the profile's. Another version of the program may learn
    /// from it, as centipawns stay centipawns.
    pub fn learning_stamp(&self) -> u64 {
        Digest::of(self.profile.to_string().as_bytes()).0
    }

    /// Writes the table to a file.
    pub fn save_table(&self, path: &Path) -> Result<(), String> {
        self.table.save(path, self.stamp(), |_, _| ()).map_err(|error| error.to_string())
    }

    /// Reads the table from a file; it takes the size that the file has.
    pub fn load_table(&mut self, path: &Path) -> Result<(), String> {
        let stamp = self.stamp();
        // The table takes the size of the file; what is not a plain file is refused below.
        let file = std::fs::metadata(path).ok().filter(|file| file.is_file());
        let file_mb = file.map_or(0, |file| file.len() >> 20);
        memory::check_free(file_mb.saturating_sub(self.hash_mb()))?;
        let table = self.table_alone()?;
        table.load(path, stamp, |_, _| ()).map_err(|error| error.to_string())?;
        self.share_loaded_table()
    }

    /// What the scores in a table mean depends on the profile, the program's version and the network.
    fn stamp(&self) -> u64 {
        let network = self.network.as_ref().filter(|_| self.profile == Profile::Modern);
        let network = network.map_or(String::new(), |it| format!(" {:08x}", it.checksum()));
        let text = format!("{} {}{network}", self.profile, env!("CARGO_PKG_VERSION"));
        Digest::of(text.as_bytes()).0
    }

    /// Searches. A search that fails in itself (a bug) is an error: the engine is usable again then,
    /// but has forgotten what it had learnt.
    pub fn search(
        &mut self,
        position: &Position,
        history: &History,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, String> {
        if self.remote.is_some() {
            let (game, limits) = (history.clone(), limits.clone());
            let root = RootSearch { position: *position, game, limits };
            if let Some(outcome) = self.search_there(root, observer) {
                return outcome;
            }
        }
        let Engine { worker, pool, table, .. } = self;
        let ordered = self.learning.as_ref().filter(|_| limits.root_moves.is_empty());
        let ordered = ordered.map(|learning| Limits {
            root_moves: learning.teach(position, table),
            ..limits.clone()
        });
        let used = ordered.as_ref().unwrap_or(limits);
        let search = || match pool {
            None => worker.search(table, position, history, used, observer),
            Some(pool) => pool.search(table, position, history, used, observer),
        };
        let mut outcome = panic::catch_unwind(AssertUnwindSafe(search)).map_err(|_| {
            self.renew_worker();
            if let Some(pool) = &mut self.pool {
                pool.new_game();
            }
            format!("the search of {} failed: please report it", position.fen())
        })?;
        if let Some(learning) = &mut self.learning
            && let Err(reason) = learning.record(position, limits, &outcome)
        {
            (self.learning, self.learning_fault) = (None, Some(reason));
        }
        let Outcome { depth, selective_depth, nodes, .. } = outcome;
        let progress = Progress { depth, selective_depth, nodes, root_move: None };
        let mut is_over = || observer.should_stop(&progress);
        complete(&mut outcome, position, &self.table, self.oracle(), &mut is_over);
        if depth == 0 {
            self.estimate(position, &mut outcome.lines);
        }
        Ok(outcome)
    }

    /// Gives lines that a search without a finished iteration has not valued the static evaluation.
    fn estimate(&self, position: &Position, lines: &mut [Line]) {
        let mut evaluator = MainEvaluator::new(self.network.as_ref());
        evaluator.reset(position);
        let score = evaluator.evaluate(position).into();
        let unknown = lines.iter_mut().filter(|line| line.bound != Bound::Exact);
        unknown.for_each(|line| (line.score, line.bound) = (score, Bound::Exact));
    }
}

fn new_table(profile: Profile, hash_mb: u64) -> Result<AnyTable, String> {
    memory::check_free(hash_mb)?;
    let table = AnyTable::new(profile.policy(), hash_mb).map_err(|error| error.to_string())?;
    touch(&table, Numa::default());
    Ok(table)
}

/// Makes the system provide a new table's memory at once, by all processors: a search must not wait for it.
fn touch(table: &AnyTable, numa: Numa) {
    Nodes::here().touch(numa, table, processors());
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
