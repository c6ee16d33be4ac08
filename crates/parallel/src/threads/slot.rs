//! The walks that a thread keeps from search to search, and the match over what they are made of.

use super::extras::Extra;
use super::idle_search::IdleSearch;
use super::lookup::Shared;
use super::main_observer::MainObserver;
use super::processor::Processor;
use super::remote_table::RemoteTable;
use super::shared_search::SharedSearch;
use crate::{Peer, StrategyKind};
use eval::{AnyEvaluator, Evaluator, MainEvaluator};
use search::switches::{ChosenRules, ModernRules, Rules};
use search::walk::Walk;
use search::{Depth, Lookup, Observer, Outcome, Profile, Statistics};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use table::AnyTable;

/// Nodes of at most this depth are searched by the recursive driver where all search the root: no thread has
/// anything to ask of another there, and whether the search is over is asked inside.
const LAZY_RECURSION: Depth = 6;

/// The walks of a thread: through its part of the tree, and through the root while it has no work.
struct Walks<R, E> {
    own: Walk<R, E>,
    idle_walk: Option<Walk<R, E>>,
}

impl<R: Rules, E: Evaluator> Walks<R, E> {
    fn new(rules: R, evaluator: impl Fn() -> E, shared: &SharedSearch) -> Box<Walks<R, E>> {
        let walk = || match &shared.shared_histories {
            Some(shared_histories) => Walk::sharing(rules, evaluator(), shared_histories),
            None => Walk::new(rules, evaluator()),
        };
        Box::new(Walks { own: walk(), idle_walk: shared.has_idle_search().then(walk) })
    }
}

/// Walks over one of the kinds of trees.
enum Kind {
    Modern(Box<Walks<ModernRules, MainEvaluator>>),
    Chosen(Box<Walks<ChosenRules, AnyEvaluator>>),
}

/// A thread's walks, with all that they have learnt in a game.
pub(super) struct ThreadSlot {
    kind: Kind,
    era: u64,
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

/// The same, and what it found.
#[derive(Default)]
pub(super) struct ThreadResult {
    pub outcome: Option<Outcome>,
    pub statistics: Statistics,
    pub report: ThreadReport,
}

impl ThreadSlot {
    fn new(shared: &SharedSearch) -> ThreadSlot {
        let (switches, era) = (shared.switches, shared.era);
        let kind = match shared.profile {
            Profile::Modern
                if switches == ModernRules.switches()
                    && matches!(&*shared.table, AnyTable::Bucketed(_)) =>
            {
                let evaluator = || MainEvaluator::new(shared.network.as_ref());
                Kind::Modern(Walks::new(ModernRules, evaluator, shared))
            }
            profile => {
                Kind::Chosen(Walks::new(ChosenRules(switches), || profile.evaluator(), shared))
            }
        };
        ThreadSlot { kind, era }
    }

    fn fits(&self, shared: &SharedSearch) -> bool {
        let bucketed = matches!(&*shared.table, AnyTable::Bucketed(_));
        let idle_walk = match &self.kind {
            Kind::Modern(walks) => walks.idle_walk.is_some(),
            Kind::Chosen(walks) => walks.idle_walk.is_some(),
        };
        self.era == shared.era
            && (bucketed || !matches!(self.kind, Kind::Modern(_)))
            && (idle_walk || !shared.has_idle_search())
    }

    /// Takes part in a search. The slot is made by the thread that uses it, so that its memory is near,
    /// and made anew where the game is another.
    pub fn serve(
        slot: &mut Option<ThreadSlot>,
        shared: &SharedSearch,
        me: Peer,
        observer: Option<&mut dyn Observer>,
    ) -> ThreadResult {
        if let Some(placement) = &shared.placement {
            placement.bind(me.index());
        }
        // What a panic leaves behind is not used again.
        // One that does not fit is gone before there is another: there may be a thousand of them.
        let own = slot.take().filter(|slot| slot.fits(shared));
        let mut own = own.unwrap_or_else(|| ThreadSlot::new(shared));
        let thread_result = match (&mut own.kind, &*shared.table) {
            (Kind::Modern(walks), AnyTable::Bucketed(table)) => {
                work(shared, me, walks, table, observer)
            }
            // The kind follows the table: it cannot be another.
            (Kind::Modern(_), _) => ThreadResult::default(),
            (Kind::Chosen(walks), table) => work(shared, me, walks, table, observer),
        };
        *slot = Some(own);
        thread_result
    }
}

fn work<R: Rules, E: Evaluator, T: Lookup>(
    shared: &SharedSearch,
    me: Peer,
    walks: &mut Walks<R, E>,
    table: T,
    observer: Option<&mut dyn Observer>,
) -> ThreadResult {
    let settings = shared.settings;
    let Walks { own, idle_walk } = walks;
    own.set_oracle(shared.oracle.clone());
    let mut idle_walk = idle_walk.as_mut().filter(|_| shared.idle_search());
    if let Some(idle_walk) = &mut idle_walk {
        idle_walk.set_oracle(shared.oracle.clone());
    }
    own.set_grain(settings.grain);
    own.set_deferral(settings.deferral().filter(|_| settings.threads > 1));
    let lazy = settings.strategy == StrategyKind::Lazy;
    own.set_skipping(lazy && settings.extras.has(Extra::Skip));
    // Where nodes are counted or come from afar, the walk must be able to stop at each of them.
    let free = shared.remote.is_none() && shared.root.limits.nodes.is_none();
    let recurses = lazy && free && settings.extras.has(Extra::Recurse);
    own.set_recursion(if recurses { LAZY_RECURSION } else { settings.recursion });
    let remote = shared.remote.as_ref().map(|remote| RemoteTable::new(remote, me));
    let mut table = Shared { table, marks: &shared.marks, remote };
    let idle_search = idle_walk
        .as_deref_mut()
        .map(|idle_walk| IdleSearch::new(shared, me, idle_walk, &mut table));
    let speaks = observer.is_some();
    // The user's observer outlives this search: its type says so only when it is passed anew.
    let mut observer =
        MainObserver::new(shared, observer.map(|observer| observer as &mut dyn Observer));
    let walk = own.session(&mut table, Some(&mut observer));
    let (outcome, report) = Processor::new(me, shared, walk, idle_search, speaks).work();
    let mut statistics = own.take_statistics();
    if let Some(idle_walk) = idle_walk {
        // The iterations of the search that all share are the ones that count.
        let iterations = std::mem::take(&mut statistics.iterations);
        statistics.add(&idle_walk.take_statistics());
        statistics.iterations = iterations;
    }
    ThreadResult { outcome, statistics, report }
}
