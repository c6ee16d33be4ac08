//! A worker: one searcher with its memory, on whatever thread or processor it is put.

use crate::iterate;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::observer::{Limits, Observer, Outcome};
use crate::phases::{Memory, Search, nodes_until_poll};
use crate::profile::Profile;
use crate::statistics::Statistics;
use crate::switches::{ChosenRules, ModernRules, Rules, Switches, Window};
use board::{History, Position};
use endgame::Oracle;
use eval::nnue::Network;
use eval::{AnyEvaluator, Evaluator, MainEvaluator};
use std::sync::Arc;
use table::AnyTable;

/// How the phases are driven; all visit the same nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Recursion: the fast one.
    Recursive,
    /// One function without phases, to measure what they cost (feature `twin`).
    #[cfg(feature = "twin")]
    Twin,
}

/// One searcher: histories, caches, evaluator. It keeps what it learned from search to search.
pub struct Worker {
    profile: Profile,
    switches: Switches,
    driver: Driver,
    memory: Memory,
    evaluator: AnyEvaluator,
    statistics: Statistics,
}

/// What a search is asked to do.
struct SearchRequest<'a> {
    position: &'a Position,
    history: &'a History,
    limits: &'a Limits,
    driver: Driver,
}

impl Worker {
    /// A searcher that knows nothing yet.
    pub fn new(profile: Profile) -> Worker {
        Worker {
            profile,
            switches: profile.switches(),
            driver: Driver::Recursive,
            memory: Memory::new(&profile.switches()),
            evaluator: profile.evaluator(),
            statistics: Statistics::default(),
        }
    }

    /// The same with switches of one's own choice (Marsland's experiments).
    pub fn with_switches(mut self, switches: Switches) -> Worker {
        self.switches = switches;
        self.memory = Memory::new(&switches);
        self
    }

    /// The same with another driver.
    pub fn with_driver(mut self, driver: Driver) -> Worker {
        self.driver = driver;
        self
    }

    /// The same with another evaluation than the profile's.
    pub fn with_evaluator(mut self, evaluator: AnyEvaluator) -> Worker {
        self.evaluator = evaluator;
        self
    }

    /// The evaluation.
    pub fn evaluator_mut(&mut self) -> &mut AnyEvaluator {
        &mut self.evaluator
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// What is known about endings answers at the nodes of the search; nothing for `None`.
    pub fn set_oracle(&mut self, oracle: Option<Arc<Oracle>>) {
        self.memory.forget_known();
        self.memory.oracle = oracle;
    }

    /// Evaluates by a network from now on, or by its profile's terms, and forgets what it learned from
    /// other values. The papers' profiles have their own evaluation and keep it.
    pub fn set_network(&mut self, network: Option<&Arc<Network>>) {
        if self.profile == Profile::Modern {
            self.evaluator = AnyEvaluator::Main(Box::new(MainEvaluator::new(network)));
            self.memory.clear();
        }
    }

    /// Forgets everything, as for a new game: the same searches then visit the same nodes.
    pub fn new_game(&mut self) {
        self.memory.clear();
        self.evaluator.clear();
    }

    /// What the last search counted.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Searches a position. `history` holds the keys of the game before it.
    pub fn search(
        &mut self,
        table: &AnyTable,
        position: &Position,
        history: &History,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let request = SearchRequest { position, history, limits, driver: self.driver };
        self.memory.killers.fill(Killers::NONE);
        self.memory.refutations.clear();
        table.new_search();
        let Worker { switches, memory, evaluator, statistics, .. } = self;
        let is_modern = *switches == ModernRules.switches();
        let side = position.side_to_move();
        memory.previous = memory.previous.filter(|&(color, _)| color == side);
        let outcome = match (evaluator, table) {
            (AnyEvaluator::Main(evaluator), AnyTable::Bucketed(table)) if is_modern => {
                run(ModernRules, table, &mut **evaluator, memory, statistics, &request, observer)
            }
            (evaluator, table) => run(
                ChosenRules(*switches),
                table,
                evaluator,
                memory,
                statistics,
                &request,
                observer,
            ),
        };
        let remembers = matches!(switches.window, Window::Static(_) | Window::Sliding(_));
        let best = outcome.lines.first().filter(|_| remembers && outcome.depth > 0);
        self.memory.previous = best.map(|line| (side, line.score));
        outcome
    }
}

fn run<R: Rules, E: Evaluator, T: Lookup>(
    rules: R,
    table: T,
    evaluator: &mut E,
    memory: &mut Memory,
    statistics: &mut Statistics,
    request: &SearchRequest<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    evaluator.reset(request.position);
    let before = evaluator.counters();
    let until_poll = nodes_until_poll(observer, request.limits, 0);
    let mut search = Search {
        rules,
        table,
        observer,
        limits: request.limits,
        memory,
        evaluator,
        history: request.history.clone(),
        root: iterate::root_moves(request.position, &request.limits.root_moves),
        statistics: Statistics::default(),
        until_poll,
        stopped: false,
    };
    let outcome = search.iterate(request.position, request.driver);
    *statistics = search.statistics;
    let after = evaluator.counters();
    statistics.pawn_probes = after.pawn_probes - before.pawn_probes;
    statistics.pawn_hits = after.pawn_hits - before.pawn_hits;
    statistics.king_probes = after.king_probes - before.king_probes;
    statistics.king_hits = after.king_hits - before.king_hits;
    outcome
}
