//! `POST /api/threads`: a search by real threads, watched while it goes on.
//!
//! One thread searches the position alone first: what the others together are measured by. Then all search
//! it, and several times a second what they did since is added to a [`ActivityChart`] and a picture is sent.

use super::Site;
use super::activity_chart::{ActivityChart, Picture};
use super::events::{self, Events};
use super::request::{Place, read};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::{History, Position};
use eval::nnue::Network;
use parallel::threads::{Recorder, Settings, ThreadPool, read_strategy};
use parallel::timeline::{Activity, Timeline};
use parallel::{StrategyKind, Time};
use search::{Iteration, Limits, Observer, Profile, Progress, Report, Worker};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use table::AnyTable;

/// The most threads that can be watched.
const MOST_THREADS: u32 = 64;
/// The deepest search.
const DEEPEST: i32 = 40;
/// What one thread alone may take, and then all together.
const ALONE: Duration = Duration::from_secs(10);
const TOGETHER: Duration = Duration::from_secs(20);
/// What is said of more.
const TOO_LONG: &str = "one thread alone needs too long for this: choose a smaller depth";
/// Time between two pictures.
const REFRESH: Duration = Duration::from_millis(200);
/// Megabytes of each table.
const HASH_MB: u64 = 32;
/// The length of a chart at first: its columns are as short as a slice of the search.
const FIRST_END_NS: Time = 50_000_000;
/// Spans and messages of a thread that are kept between two pictures.
const KEPT: usize = 1 << 14;

/// What is searched by: the rules, and the network if there is one.
pub type SearchRules = (Profile, Option<Arc<Network>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LiveRequest {
    place: Place,
    strategy: String,
    threads: u32,
    depth: i32,
}

/// What is to be searched, and how.
struct LiveSearch {
    root: (Position, History),
    limits: Limits,
    strategy: StrategyKind,
    threads: u32,
    rules: SearchRules,
}

/// A search as the page draws it, while it goes on or at its end.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Live {
    kind: &'static str,
    strategy: &'static str,
    processors: u32,
    real: bool,
    nodes: u64,
    load: f64,
    performance: f64,
    #[serde(flatten)]
    comparison: Option<Comparison>,
    #[serde(flatten)]
    picture: Picture,
}

/// Against the search by one thread. What it says multiplies to the speedup.
#[derive(Serialize)]
struct Comparison {
    speedup: f64,
    overhead: f64,
    /// Nodes a second of a thread that searches, as a share of those of one alone.
    rate: f64,
}

/// A search by one thread.
struct Alone {
    nodes: u64,
    time: Duration,
}

/// Answers with a picture several times a second.
pub async fn answer(State(site): State<Arc<Site>>, body: Bytes) -> Response {
    let checked = read(&body).and_then(|request: LiveRequest| request.check(&site.rules));
    events::answer_checked(&site.annotation, checked, |task, events| task.run(events))
}

impl LiveRequest {
    fn check(self, rules: &SearchRules) -> Result<LiveSearch, String> {
        let (threads, depth) = (self.threads, self.depth);
        if !(2..=MOST_THREADS).contains(&threads) || !(1..=DEEPEST).contains(&depth) {
            return Err(format!("threads: 2 to {MOST_THREADS}; depth: 1 to {DEEPEST}"));
        }
        Ok(LiveSearch {
            root: self.place.read()?,
            limits: Limits { depth: Some(depth), lines: 1, ..Limits::default() },
            strategy: read_strategy(&self.strategy)?,
            threads,
            rules: rules.clone(),
        })
    }
}

impl LiveSearch {
    fn run(&self, events: &Events) -> Result<Live, String> {
        events.send(&json!({ "kind": "alone" }));
        let alone = self.search_alone(events)?;
        self.search_together(&alone, events)
    }

    fn table(&self) -> Result<Arc<AnyTable>, String> {
        let table = AnyTable::new(self.rules.0.policy(), HASH_MB);
        table.map(Arc::new).map_err(|error| error.to_string())
    }

    fn search_alone(&self, events: &Events) -> Result<Alone, String> {
        let (table, mut worker) = (self.table()?, Worker::new(self.rules.0));
        worker.set_network(self.rules.1.as_ref());
        let mut deadline = Deadline::new(ALONE, events);
        let begun = Instant::now();
        let (position, game) = &self.root;
        let nodes = worker.search(&table, position, game, &self.limits, &mut deadline).nodes;
        match deadline.is_over {
            false => Ok(Alone { nodes, time: begun.elapsed() }),
            true => Err(TOO_LONG.to_owned()),
        }
    }

    fn search_together(&self, alone: &Alone, events: &Events) -> Result<Live, String> {
        let table = self.table()?;
        let mut pool = ThreadPool::new(self.rules.0, Settings::new(self.strategy, self.threads))?;
        pool.set_network(self.rules.1.clone());
        pool.prepare(&table);
        let recorder = Arc::new(Recorder::new(self.threads, KEPT));
        pool.set_recorder(Some(Arc::clone(&recorder)));
        let nodes = AtomicU64::new(0);
        let mut sampler = Sampler::new(self, &recorder, &nodes);
        let mut deadline = Deadline::new(TOGETHER, events);
        deadline.nodes = Some(&nodes);
        let (position, game) = &self.root;
        let time = thread::scope(|scope| {
            let (end, ended) = channel();
            let sampled = &mut sampler;
            let sampling = thread::Builder::new().name("watch".to_owned());
            let sampling = sampling.spawn_scoped(scope, move || sampled.run(events, &ended));
            sampling.map_err(|error| format!("the system gives no thread: {error}"))?;
            pool.search(&table, position, game, &self.limits, &mut deadline);
            let time = recorder.now();
            drop(end);
            Ok::<Time, String>(time)
        })?;
        pool.settle();
        let idle_nodes: u64 = pool.reports().iter().map(|report| report.idle_nodes).sum();
        let mut live = sampler.snapshot("simulation", Some(time));
        live.nodes = pool.statistics().nodes;
        // What threads without work search by themselves is no part of the tree that is shared.
        let shared = live.nodes - idle_nodes;
        if !deadline.is_over {
            live.comparison = Some(sampler.comparison(alone, time, shared));
        }
        Ok(live)
    }
}

/// Adds up what the threads record, beside the search.
struct Sampler<'a> {
    strategy: &'static str,
    threads: u32,
    recorder: &'a Recorder,
    nodes: &'a AtomicU64,
    chart: ActivityChart,
    /// Until when everything is in the chart.
    sampled: Time,
}

impl<'a> Sampler<'a> {
    fn new(task: &LiveSearch, recorder: &'a Recorder, nodes: &'a AtomicU64) -> Sampler<'a> {
        let chart = ActivityChart::growing(task.threads as usize, FIRST_END_NS);
        let (strategy, threads) = (task.strategy.name(), task.threads);
        Sampler { strategy, threads, recorder, nodes, chart, sampled: 0 }
    }

    /// Sends a picture now and then, until the other end is dropped.
    fn run(&mut self, events: &Events, ended: &Receiver<()>) {
        loop {
            events.send(&self.snapshot("running", None));
            if ended.recv_timeout(REFRESH) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }

    /// Looks, and makes a picture of what was seen so far, up to now or to the end of the search.
    fn snapshot(&mut self, kind: &'static str, end: Option<Time>) -> Live {
        let until = end.unwrap_or_else(|| self.recorder.now());
        let Timeline { segments, mut messages } = self.recorder.since(self.sampled);
        // Before the search begins nothing is recorded, and its time counts anew from then on.
        let has_begun = segments.iter().any(|segments| !segments.is_empty());
        let is_of_search = end.is_some() || has_begun && self.recorder.now() >= until;
        for (processor, mut segments) in segments.into_iter().enumerate() {
            for segment in &mut segments {
                segment.begin = segment.begin.max(self.sampled);
                segment.end = segment.end.min(until);
            }
            segments.retain(|segment| segment.begin < segment.end);
            self.chart.add(processor, &segments);
        }
        messages.retain(|sent| (self.sampled..until).contains(&sent.time));
        self.chart.add_messages(messages);
        if is_of_search {
            self.sampled = self.sampled.max(until);
        }
        let busy = [Activity::Search, Activity::Message, Activity::Table];
        let busy: Time = busy.map(|activity| self.chart.total(activity)).iter().sum();
        Live {
            kind,
            strategy: self.strategy,
            processors: self.threads,
            real: true,
            nodes: self.nodes.load(Relaxed),
            load: share(busy, u64::from(self.threads) * until),
            performance: share(self.chart.total(Activity::Search), busy),
            comparison: None,
            picture: self.chart.picture(until),
        }
    }

    fn comparison(&self, alone: &Alone, time: Time, nodes: u64) -> Comparison {
        let per_second = |nodes: u64, seconds: f64| nodes as f64 / seconds.max(1e-9);
        let searching = self.chart.total(Activity::Search) as f64 / 1e9;
        let (usual, time_alone) = (alone.nodes.max(1), alone.time.as_secs_f64());
        Comparison {
            speedup: time_alone / (time.max(1) as f64 / 1e9),
            overhead: nodes as f64 / usual as f64 - 1.0,
            rate: per_second(nodes, searching) / per_second(usual, time_alone),
        }
    }
}

fn share(part: Time, whole: Time) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Ends a search when its time is over or its client is gone.
struct Deadline<'a> {
    end: Instant,
    events: &'a Events,
    is_over: bool,
    /// Where the nodes so far are shown.
    nodes: Option<&'a AtomicU64>,
}

impl<'a> Deadline<'a> {
    fn new(time: Duration, events: &'a Events) -> Deadline<'a> {
        Deadline { end: Instant::now() + time, events, is_over: false, nodes: None }
    }

    fn look(&mut self) -> bool {
        self.is_over |= self.events.is_gone() || Instant::now() >= self.end;
        self.is_over
    }
}

impl Observer for Deadline<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        if let Some(nodes) = self.nodes {
            nodes.store(progress.nodes, Relaxed);
        }
        self.look()
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        !self.look()
    }
}
