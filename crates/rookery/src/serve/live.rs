//! `POST /api/threads`: a search by real threads, watched while it goes on.
//!
//! One thread searches the position alone first: what the others together are measured by. Then all search
//! it, and several times a second what they did since is added to a [`Film`] and a picture is sent.

use super::Site;
use super::events::{self, Events};
use super::film::{Film, Picture};
use super::guard::refusal;
use super::request::{Place, read};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::{History, Position};
use eval::nnue::Network;
use parallel::sim::{Activity, Sent};
use parallel::threads::{Settings, ThreadPool, Watch, read_strategy};
use parallel::{StrategyKind, Time};
use search::{Iteration, Limits, Observer, Profile, Progress, Report, Worker};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
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
/// The length of a film at first: its columns are as short as a slice of the search.
const FIRST_END_NS: Time = 50_000_000;

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
struct Task {
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
    let task = match checked {
        Ok(task) => task,
        Err(reason) => return refusal(400, &reason),
    };
    events::answer(&site.annotation, move |events| match task.run(events) {
        Ok(last) => events.send(&last),
        Err(reason) => events.fail(&reason),
    })
}

impl LiveRequest {
    fn check(self, rules: &SearchRules) -> Result<Task, String> {
        let (threads, depth) = (self.threads, self.depth);
        if !(2..=MOST_THREADS).contains(&threads) || !(1..=DEEPEST).contains(&depth) {
            return Err(format!("threads: 2 to {MOST_THREADS}; depth: 1 to {DEEPEST}"));
        }
        Ok(Task {
            root: self.place.read()?,
            limits: Limits { depth: Some(depth), lines: 1, ..Limits::default() },
            strategy: read_strategy(&self.strategy)?,
            threads,
            rules: rules.clone(),
        })
    }
}

impl Task {
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
        let watch = Arc::new(Watch::new(self.threads));
        pool.set_watch(Some(Arc::clone(&watch)));
        let mut camera = Camera::new(self, watch);
        let mut deadline = Deadline::new(TOGETHER, events);
        let (position, game) = &self.root;
        thread::scope(|scope| {
            let (end, ended) = channel();
            let film = &mut camera;
            let filming = thread::Builder::new().name("watch".to_owned());
            let filming = filming.spawn_scoped(scope, move || film.run(events, &ended));
            filming.map_err(|error| format!("the system gives no thread: {error}"))?;
            pool.search(&table, position, game, &self.limits, &mut deadline);
            drop(end);
            Ok::<(), String>(())
        })?;
        pool.settle();
        let idle_nodes: u64 = pool.reports().iter().map(|report| report.idle_nodes).sum();
        let (mut live, time) = camera.shoot("simulation");
        live.nodes = pool.statistics().nodes;
        // What threads without work search by themselves is no part of the tree that is shared.
        let shared = live.nodes - idle_nodes;
        if !deadline.is_over {
            live.comparison = Some(camera.comparison(alone, time, shared));
        }
        Ok(live)
    }
}

/// Adds up what the threads note, beside the search.
struct Camera {
    strategy: &'static str,
    threads: u32,
    watch: Arc<Watch>,
    film: Film,
    /// Messages that were sent after the last look began: others of the same moment may still come.
    late: Vec<Sent>,
}

impl Camera {
    fn new(task: &Task, watch: Arc<Watch>) -> Camera {
        let film = Film::growing(task.threads as usize, FIRST_END_NS);
        let (strategy, threads) = (task.strategy.name(), task.threads);
        Camera { strategy, threads, watch, film, late: Vec::new() }
    }

    /// Sends a picture now and then, until the other end is dropped.
    fn run(&mut self, events: &Events, ended: &Receiver<()>) {
        loop {
            events.send(&self.shoot("running").0);
            if ended.recv_timeout(REFRESH) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }

    /// Looks, and makes a picture of what was seen so far; until when.
    fn shoot(&mut self, kind: &'static str) -> (Live, Time) {
        let (now, notes) = self.watch.look();
        let mut messages = std::mem::take(&mut self.late);
        let mut nodes = 0;
        for (processor, notes) in notes.into_iter().enumerate() {
            self.film.add(processor, &notes.segments);
            messages.extend(notes.messages);
            nodes += notes.nodes;
        }
        self.late = messages.extract_if(.., |sent| sent.time > now).collect();
        self.film.add_messages(messages);
        let busy = [Activity::Search, Activity::Message, Activity::Table];
        let busy: Time = busy.map(|activity| self.film.total(activity)).iter().sum();
        let all = u64::from(self.threads) * now;
        let live = Live {
            kind,
            strategy: self.strategy,
            processors: self.threads,
            real: true,
            nodes,
            load: share(busy, all),
            performance: share(self.film.total(Activity::Search), busy),
            comparison: None,
            picture: self.film.picture(now),
        };
        (live, now)
    }

    fn comparison(&self, alone: &Alone, time: Time, nodes: u64) -> Comparison {
        let per_second = |nodes: u64, seconds: f64| nodes as f64 / seconds.max(1e-9);
        let searching = self.film.total(Activity::Search) as f64 / 1e9;
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
}

impl Deadline<'_> {
    fn new(time: Duration, events: &Events) -> Deadline<'_> {
        Deadline { end: Instant::now() + time, events, is_over: false }
    }

    fn look(&mut self) -> bool {
        self.is_over |= self.events.is_gone() || Instant::now() >= self.end;
        self.is_over
    }
}

impl Observer for Deadline<'_> {
    fn should_stop(&mut self, _: &Progress) -> bool {
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
