//! `POST /api/simulate`: a search on a simulated machine, its course cut into columns of time to be looked at.

use super::Site;
use super::events;
use super::guard::refusal;
use super::request::{Place, read};
use crate::interrupt::Unwatched;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::{History, Position};
use parallel::accounting::Balance;
use parallel::sim::{self, Activity, Model, Run, Segment, Sent, Setup, Timeline};
use parallel::{RootOrder, StrategyKind, Time};
use search::{Limits, Profile, Worker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{AnyTable, PolicyKind};

/// Columns of time that are shown.
const COLUMNS: usize = 480;
/// The largest machine.
const MOST_PROCESSORS: u32 = 1024;
/// The deepest search.
const DEEPEST: i32 = 12;
/// What all processors together may do, in the time of a node: a few seconds of real time.
const MOST_WORK: u64 = 3_000_000;
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
struct Task {
    setup: Setup,
    order: RootOrder,
}

/// A run as the page draws it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    kind: &'static str,
    strategy: &'static str,
    processors: u32,
    /// Seconds of virtual time.
    seconds: f64,
    columns: usize,
    speedup: f64,
    overhead: f64,
    load: f64,
    performance: f64,
    nodes: u64,
    /// The names of what a processor does, and what each does most in each column, as digits.
    activities: [&'static str; Activity::ALL.len()],
    rows: Vec<String>,
    /// The processor for which each one works at the end of each column; -1: for itself or not at all.
    owners: Vec<Vec<i32>>,
    /// Messages in each column, by kind.
    messages: BTreeMap<&'static str, Vec<u32>>,
}

/// Answers with one event.
pub async fn answer(State(site): State<Arc<Site>>, body: Bytes) -> Response {
    let task = match read(&body).and_then(|request: SimulateRequest| request.check()) {
        Ok(task) => task,
        Err(reason) => return refusal(400, &reason),
    };
    events::answer(&site.annotation, move |events| match task.run() {
        Ok(picture) => events.send(&picture),
        Err(reason) => events.fail(&reason),
    })
}

impl SimulateRequest {
    fn check(&self) -> Result<Task, String> {
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
        Ok(Task { setup, order: order(position, game, self.depth) })
    }
}

fn order(position: Position, game: History, depth: i32) -> RootOrder {
    RootOrder {
        position,
        game,
        limits: Limits { depth: Some(depth), lines: 1, ..Limits::default() },
    }
}

impl Task {
    fn run(&self) -> Result<Picture, String> {
        let Task { setup, order } = self;
        let sequential = self.search_sequentially()?;
        let run = sim::run(setup, order).map_err(|_| TOO_LONG)?;
        let mut balance = Balance::default();
        balance.add(&run.accounts, run.time, sequential, sequential * setup.model.node);
        Ok(Picture::new(setup, &run, &balance))
    }

    /// Nodes of the sequential search: what the parallel one is measured by.
    fn search_sequentially(&self) -> Result<u64, &'static str> {
        let RootOrder { position, game, limits } = &self.order;
        let table = AnyTable::new(PolicyKind::TwoDeep, TABLE_KB >> 10).map_err(|_| "no memory")?;
        let limits = Limits { nodes: Some(MOST_WORK), ..limits.clone() };
        let mut worker = Worker::new(self.setup.profile);
        let found = worker.search(&table, position, game, &limits, &mut Unwatched);
        if found.nodes >= MOST_WORK { Err(TOO_LONG) } else { Ok(found.nodes) }
    }
}

impl Picture {
    fn new(setup: &Setup, run: &Run, balance: &Balance) -> Picture {
        let timeline = run.timeline.clone().unwrap_or_default();
        let scale = Scale { end: run.time.max(1) };
        Picture {
            kind: "simulation",
            strategy: setup.strategy.name(),
            processors: setup.peers,
            seconds: run.time as f64 / 1e9,
            columns: COLUMNS,
            speedup: balance.speedup(),
            overhead: balance.search_overhead(),
            load: balance.load(),
            performance: balance.performance(),
            nodes: run.nodes(),
            activities: Activity::ALL.map(Activity::name),
            rows: timeline.segments.iter().map(|segments| scale.row(segments)).collect(),
            owners: scale.owners(setup.peers as usize, &timeline),
            messages: scale.messages(&timeline.messages),
        }
    }
}

/// Time cut into columns.
struct Scale {
    end: Time,
}

impl Scale {
    fn column(&self, time: Time) -> usize {
        let column = u128::from(time) * COLUMNS as u128 / u128::from(self.end);
        (column as usize).min(COLUMNS - 1)
    }

    fn begin(&self, column: usize) -> Time {
        (u128::from(self.end) * column as u128 / COLUMNS as u128) as Time
    }

    /// What a processor does most in each column, as a digit. After its last segment it has no work.
    fn row(&self, segments: &[Segment]) -> String {
        let mut shares = vec![[0; Activity::ALL.len()]; COLUMNS];
        for segment in segments {
            let kind = Activity::ALL.iter().position(|&one| one == segment.activity).unwrap_or(0);
            let first = self.column(segment.begin);
            let touched = &mut shares[first..=self.column(segment.end)];
            for (column, share) in (first..).zip(touched) {
                let (begin, end) = (self.begin(column), self.begin(column + 1));
                share[kind] += segment.end.min(end).saturating_sub(segment.begin.max(begin));
            }
        }
        let idle = Activity::ALL.len() - 1;
        let most = |share: &[Time; Activity::ALL.len()]| {
            let best = (0..share.len()).rev().max_by_key(|&kind| share[kind]).unwrap_or(idle);
            if share[best] == 0 { idle } else { best }
        };
        shares.iter().map(|share| char::from(b'0' + most(share) as u8)).collect()
    }

    /// Work goes from an owner to a helper and comes back as a return, or is called off. A processor may have
    /// several jobs, one inside the other: what counts is the one that it has had longest, because an owner
    /// that waits may work for its own helper, and the picture must not go in circles.
    fn owners(&self, processors: usize, timeline: &Timeline) -> Vec<Vec<i32>> {
        let mut owners = vec![vec![-1; COLUMNS]; processors];
        let mut messages: Vec<&Sent> = timeline.messages.iter().collect();
        messages.sort_by_key(|sent| sent.time);
        let mut jobs = vec![Vec::new(); processors];
        let (mut now, mut filled) = (vec![-1; processors], 0);
        let mut fill = |until: usize, now: &[i32]| {
            for (row, &owner) in owners.iter_mut().zip(now) {
                row[filled..until].fill(owner);
            }
            filled = until;
        };
        for sent in messages {
            fill(self.column(sent.time), &now);
            let (helper, owner, is_begun) = match sent.kind {
                "work" | "team" | "steal" => (sent.to, sent.from, true),
                "cancel" | "abort" => (sent.to, sent.from, false),
                // Values go to the homes of parents, and what was stolen back to its own.
                "return" | "declined" | "value" => (sent.from, sent.to, false),
                _ => continue,
            };
            let Some(own) = jobs.get_mut(helper as usize) else { continue };
            match (is_begun, own.iter().rposition(|&other| other == owner)) {
                (true, _) => own.push(owner),
                (false, Some(place)) => drop(own.remove(place)),
                (false, None) => continue,
            }
            now[helper as usize] = own.first().map_or(-1, |&owner| owner as i32);
        }
        fill(COLUMNS, &now);
        owners
    }

    fn messages(&self, messages: &[Sent]) -> BTreeMap<&'static str, Vec<u32>> {
        let mut counts = BTreeMap::new();
        for sent in messages {
            let row = counts.entry(sent.kind).or_insert_with(|| vec![0; COLUMNS]);
            row[self.column(sent.time)] += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_cut_into_columns() {
        let scale = Scale { end: 4800 };
        let segment = |activity, begin, end| Segment { activity, begin, end, place: None };
        let row = scale.row(&[
            segment(Activity::Search, 0, 2406),
            segment(Activity::Wait, 2406, 2410),
            segment(Activity::Search, 2410, 2400 + 20),
            segment(Activity::Message, 2420, 2430),
        ]);
        assert_eq!(row.len(), COLUMNS);
        assert_eq!(&row[..244], format!("{}{}", "0".repeat(242), "15"));
        assert!(row[243..].chars().all(|kind| kind == '5'));
        let sent = |time, from, to, kind| Sent { time, from, to, kind, task: None };
        let messages =
            vec![sent(4000, 2, 0, "return"), sent(100, 0, 2, "work"), sent(105, 1, 0, "request")];
        assert_eq!(scale.messages(&messages)["request"][10], 1);
        let owners = |messages| scale.owners(3, &Timeline { segments: Vec::new(), messages });
        let stolen = vec![
            sent(100, 0, 1, "steal"),
            sent(200, 1, 2, "value"),
            sent(300, 1, 0, "value"),
            sent(400, 2, 0, "team"),
        ];
        let helped = owners(stolen);
        assert_eq!((helped[1][10], helped[1][20], helped[1][30], helped[0][40]), (0, 0, -1, 2));
        // An owner that waits works for its helper, whose job is then called off.
        let circle = vec![
            sent(100, 2, 0, "work"),
            sent(200, 0, 1, "work"),
            sent(300, 1, 0, "work"),
            sent(400, 0, 1, "return"),
            sent(500, 0, 1, "cancel"),
        ];
        let waits = owners(circle);
        assert_eq!([10, 30, 40, 50].map(|column| waits[0][column]), [2; 4]);
        assert_eq!([20, 30, 40, 50].map(|column| waits[1][column]), [0, 0, 0, -1]);
        let owners = owners(messages);
        assert_eq!((owners[2][9], owners[2][10], owners[2][399], owners[2][400]), (-1, 0, 0, -1));
        assert!(owners[0].iter().chain(&owners[1]).all(|&owner| owner == -1));
    }
}
