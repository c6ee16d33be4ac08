//! What is recorded of real threads and of simulated processors: one kind of timeline.

use board::{History, Position};
use parallel::sim::{self, Model, Setup};
use parallel::threads::{Recorder, Settings, ThreadPool};
use parallel::timeline::{Activity, Timeline};
use parallel::{RootSearch, StrategyKind, TaskId};
use search::{Limits, Profile, Quiet};
use std::collections::HashSet;
use std::sync::Arc;
use table::AnyTable;

const DEPTH: i32 = 9;

fn positions() -> Vec<Position> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position()).collect()
}

fn limits() -> Limits {
    Limits { depth: Some(DEPTH), ..Limits::default() }
}

/// The tasks of others in which a processor was seen.
fn jobs(timeline: &Timeline, processor: usize) -> HashSet<TaskId> {
    let places = timeline.segments[processor].iter().filter_map(|segment| segment.place);
    places.map(|place| place.task).filter(|&task| task != TaskId::ROOT).collect()
}

/// Spans follow each other without gaps, and what was sent is what others searched.
fn check(timeline: &Timeline, deepest: i32) {
    for segments in &timeline.segments {
        for pair in segments.windows(2) {
            assert!(pair[0].begin < pair[0].end && pair[0].end == pair[1].begin, "{pair:?}");
        }
    }
    let root = timeline.segments[0].iter().filter_map(|segment| segment.place);
    let iterations = root.filter(|place| place.task == TaskId::ROOT).map(|place| place.depth);
    assert_eq!(iterations.max(), Some(deepest));
    let sent = timeline.messages.iter().filter(|sent| sent.kind == "work");
    let sent: HashSet<TaskId> = sent.filter_map(|sent| sent.task).collect();
    for processor in 0..timeline.segments.len() {
        assert!(jobs(timeline, processor).is_subset(&sent), "processor {processor}");
    }
}

fn search(pool: &mut ThreadPool, position: &Position) {
    let table = Arc::new(AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there"));
    pool.search(&table, position, &History::new(), &limits(), &mut Quiet);
    pool.settle();
}

#[test]
fn every_job_that_a_thread_finished_is_in_its_record() {
    let settings = Settings { idle_search: false, ..Settings::new(StrategyKind::Ybw, 3) };
    let mut pool = ThreadPool::new(Profile::Modern, settings).expect("the system gives threads");
    let recorder = Arc::new(Recorder::new(3, 1 << 20));
    for position in positions().iter().take(6) {
        pool.set_recorder(Some(Arc::clone(&recorder)));
        search(&mut pool, position);
        let timeline = recorder.since(0);
        check(&timeline, DEPTH);
        for (processor, report) in pool.reports().iter().enumerate() {
            assert!(jobs(&timeline, processor).len() as u64 >= report.jobs, "{report:?}");
        }
        let first = timeline.segments[0][0].end;
        let later = recorder.since(first);
        assert_eq!(later.segments[0], timeline.segments[0][1..], "what ended before is left out");
        assert_eq!(recorder.forgotten(), 0);
        // Without the recorder nothing is added.
        pool.set_recorder(None);
        search(&mut pool, position);
        assert_eq!(recorder.since(0), timeline);
    }
}

#[test]
fn a_simulated_run_has_the_same_kind_of_record() {
    let model = Model::named("infiniband").expect("a built-in model");
    let mut setup = Setup::new(StrategyKind::Ybw, model, 4, Profile::Modern);
    setup.record = true;
    let root = RootSearch { position: positions()[1], game: History::new(), limits: limits() };
    let run = sim::run(&setup, &root).expect("it ends");
    let timeline = run.timeline.expect("it was recorded");
    check(&timeline, DEPTH);
    let finished: u64 = run.accounts.iter().map(|account| account.jobs).sum();
    let seen: usize = (0..4).map(|processor| jobs(&timeline, processor).len()).sum();
    assert!(finished > 0 && seen as u64 <= finished, "{seen} of {finished}");
    let alone = timeline.segments.iter().flatten().filter(|it| it.activity == Activity::Alone);
    assert_eq!(alone.count(), 0);
}
