//! `POST /api/simulate`: a search on a simulated machine, its course cut into columns of time to be looked at.

use super::Site;
use super::activity_chart::{ActivityChart, Picture};
use super::events;
use super::request::{Place, read};
use crate::interrupt::Until;
use crate::memory;
use crate::sim::root_search;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use parallel::accounting::Balance;
use parallel::sim::{self, Model, Run, Setup, SimError};
use parallel::{RootSearch, StrategyKind};
use search::{Limits, Profile, Worker};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::{AnyTable, PolicyKind};

/// The largest machine.
const MOST_PROCESSORS: u32 = 1024;
/// The deepest search.
const DEEPEST: i32 = 12;
/// What all processors together may do, in the time of a node: a few seconds of real time.
const MOST_WORK: u64 = 3_000_000;
/// And how long it may take in real time, on a slow or busy machine.
const MOST_TIME: Duration = Duration::from_secs(8);
/// What is said of more.
const TOO_LONG: &str = "this search is too long to be watched: choose a smaller depth";
/// Kilobytes of the table.
const TABLE_KB: u64 = 16 << 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SimulateRequest {
    place: Place,
    strategy: String,
    machine: String,
    processors: u32,
    depth: i32,
}

/// What is to be simulated.
struct SimulatedSearch {
    setup: Setup,
    root: RootSearch,
}

/// A run as the page draws it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Simulation {
    kind: &'static str,
    strategy: &'static str,
    processors: u32,
    real: bool,
    speedup: f64,
    overhead: f64,
    load: f64,
    performance: f64,
    nodes: u64,
    #[serde(flatten)]
    picture: Picture,
}

/// Answers with one event. A search whose reader is gone ends.
pub async fn answer(State(site): State<Arc<Site>>, body: Bytes) -> Response {
    let checked = read(&body).and_then(|request: SimulateRequest| request.check());
    events::answer_checked(&site.annotation, checked, |task, events| {
        let begun = Instant::now();
        task.run(|| events.is_gone() || begun.elapsed() >= MOST_TIME)
    })
}

impl SimulateRequest {
    fn check(&self) -> Result<SimulatedSearch, String> {
        let strategy: StrategyKind = self.strategy.parse()?;
        let model = Model::named(&self.machine).ok_or("there is no machine of this name")?;
        let (position, game) = self.place.read()?;
        if !(2..=MOST_PROCESSORS).contains(&self.processors) || !(1..=DEEPEST).contains(&self.depth)
        {
            return Err(format!("processors: 2 to {MOST_PROCESSORS}; depth: 1 to {DEEPEST}"));
        }
        let mut setup = Setup::new(strategy, model, self.processors, Profile::Negascout);
        (setup.table.kilobytes, setup.record) = (TABLE_KB, true);
        // Looked at whenever a processor hands over to another: with several of them, often.
        setup.limit = Some(MOST_WORK * setup.model.node.max(1) / u64::from(setup.peers));
        let root = RootSearch { game, ..root_search(&position, self.depth) };
        Ok(SimulatedSearch { setup, root })
    }
}

impl SimulatedSearch {
    /// Searches until it is done or the caller says that it is over.
    fn run(&self, is_over: impl Fn() -> bool) -> Result<Simulation, String> {
        let SimulatedSearch { setup, root } = self;
        memory::check_free(setup.megabytes())?;
        let sequential = self.search_sequentially(&is_over)?;
        let run = sim::run_until(setup, root, is_over).map_err(|error| match error {
            SimError::Late(_) | SimError::Interrupted => TOO_LONG.to_owned(),
            SimError::Table(_) | SimError::Stalled(_) => error.to_string(),
        })?;
        let mut balance = Balance::default();
        balance.add(&run.accounts, run.time, sequential, sequential * setup.model.node);
        Ok(Simulation::new(setup, run, &balance))
    }

    /// Nodes of the sequential search: what the parallel one is measured by.
    fn search_sequentially(&self, is_over: &impl Fn() -> bool) -> Result<u64, &'static str> {
        let RootSearch { position, game, limits } = &self.root;
        let table = AnyTable::new(PolicyKind::TwoDeep, TABLE_KB >> 10).map_err(|_| "no memory")?;
        let limits = Limits { nodes: Some(MOST_WORK), ..limits.clone() };
        let mut worker = Worker::new(self.setup.profile);
        let found = worker.search(&table, position, game, &limits, &mut Until(is_over));
        if found.nodes >= MOST_WORK || is_over() { Err(TOO_LONG) } else { Ok(found.nodes) }
    }
}

impl Simulation {
    fn new(setup: &Setup, run: Run, balance: &Balance) -> Simulation {
        let (nodes, end) = (run.nodes(), run.time.max(1));
        let timeline = run.timeline.unwrap_or_default();
        let mut chart = ActivityChart::new(setup.peers as usize, end);
        for (processor, segments) in timeline.segments.iter().enumerate() {
            chart.add(processor, segments);
        }
        chart.add_messages(timeline.messages);
        Simulation {
            kind: "simulation",
            strategy: setup.strategy.name(),
            processors: setup.peers,
            real: false,
            speedup: balance.speedup(),
            overhead: balance.search_overhead(),
            load: balance.load(),
            performance: balance.performance(),
            nodes,
            picture: chart.picture(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn search(strategy: &str, processors: u32, depth: i32) -> SimulatedSearch {
        let body = serde_json::json!({
            "place": {}, "strategy": strategy, "machine": "t805",
            "processors": processors, "depth": depth,
        });
        let request: SimulateRequest = serde_json::from_value(body).expect("a request");
        request.check().expect("a good one")
    }

    #[test]
    fn a_search_ends_when_its_reader_is_gone_or_its_time_is_over() {
        let search = search("ybw", 16, 5);
        let asked = Cell::new(0);
        let whole = search.run(|| {
            asked.set(asked.get() + 1);
            false
        });
        let (whole, often) = (whole.expect("it is short"), asked.take());
        assert!(whole.nodes > 1000 && often > 20, "{} nodes, asked {often} times", whole.nodes);
        for allowed in [0, often / 2, often - 1] {
            let ended = search.run(|| {
                asked.set(asked.get() + 1);
                asked.get() > allowed
            });
            assert_eq!(ended.err().as_deref(), Some(TOO_LONG));
            assert!(asked.take() <= allowed + 2, "it goes on after {allowed} questions");
        }
    }
}
