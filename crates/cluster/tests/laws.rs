//! The laws over processes: elision (1), exactness (2), liveness (6), on a fabric inside one program.

mod common;
#[path = "../../search/tests/minimax/mod.rs"]
mod definition;

use board::{History, Position};
use cluster::loopback::{self, Weather};
use cluster::{Hello, Link};
use common::{Cluster, Command, Plan, hello, positions, to_depth};
use definition::minimax;
use parallel::threads::STRATEGIES;
use parallel::{Chance, StrategyKind};
use search::switches::{BARE, Switches};
use search::{Iteration, Limits, Observer, Profile, Progress, Quiet, Report, Worker};
use std::time::{Duration, Instant};

/// Positions with trees small enough for minimax, and their depths.
fn small_positions() -> Vec<(Position, i32, i32)> {
    [
        ("8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1", 5),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60", 3),
        ("7k/8/8/8/8/8/1q6/3K4 b - - 10 50", 4),
        ("8/1P5k/8/8/8/8/1p5K/8 w - - 0 1", 4),
    ]
    .into_iter()
    .map(|(fen, depth)| (Position::from_fen(fen).expect("a sound position"), depth))
    .map(|(position, depth)| (position, depth, minimax(&position, depth)))
    .collect()
}

/// A guard against waiting for ever, not a measurement.
const PATIENCE: Duration = Duration::from_secs(120);

const SCOUT: Switches =
    Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };

#[test]
fn law_1_one_process_visits_the_same_nodes_as_the_sequential_search() {
    for strategy in STRATEGIES {
        let mut cluster = Cluster::new(&Plan::new(strategy, 1, 1));
        for position in positions().iter().step_by(9) {
            let limits = to_depth(8);
            cluster.table.clear(1);
            cluster.pool.new_game();
            let found = cluster.search(position, &limits, &mut Quiet);
            cluster.pool.settle();
            cluster.table.clear(1);
            let expected = Worker::new(Profile::Modern).search(
                &cluster.table,
                position,
                &History::new(),
                &limits,
                &mut Quiet,
            );
            assert_eq!((found.nodes, &found.lines), (expected.nodes, &expected.lines));
        }
        assert!(cluster.end());
    }
}

/// All searches of the small positions have the right value. The nodes that other processes searched.
fn all_are_exact(plan: &Plan, repetitions: usize) -> u64 {
    let (cases, mut remote) = (small_positions(), 0);
    for switches in [BARE, SCOUT] {
        let plan = Plan { profile: Profile::Plain, switches: Some(switches), ..*plan };
        let mut cluster = Cluster::new(&plan);
        for _ in 0..repetitions {
            for (position, depth, expected) in &cases {
                let found = cluster.search(position, &to_depth(*depth), &mut Quiet);
                let value = found.lines.first().map(|line| line.score);
                let case = format!("{} {}", plan.strategy, position.fen());
                assert_eq!(value, Some(*expected), "{case}, {} processes", plan.processes);
                assert_eq!(cluster.pool.failures(), 0);
                let elsewhere = cluster.pool.reports().split_off(plan.threads as usize);
                remote += elsewhere.iter().map(|report| report.nodes).sum::<u64>();
            }
        }
        assert!(cluster.end(), "all say goodbye");
    }
    remote
}

#[test]
fn law_2_every_strategy_on_any_number_of_processes_returns_the_minimax_value() {
    for strategy in STRATEGIES {
        let machines = [(1, 2), (2, 1), (3, 1), (4, 2)];
        let mut searched: u64 = machines
            .map(|(processes, threads)| all_are_exact(&Plan::new(strategy, processes, threads), 3))
            .iter()
            .sum();
        // On a busy machine small trees may be done before the others have woken up.
        let begun = Instant::now();
        while searched == 0 {
            assert!(begun.elapsed() < PATIENCE, "{strategy} stays at home");
            searched = all_are_exact(&Plan::new(strategy, 2, 1), 10);
        }
    }
}

#[test]
fn law_2_holds_over_long_ways() {
    for strategy in [StrategyKind::Ybw, StrategyKind::Lazy, StrategyKind::Teams] {
        let weather = Weather { delay: Duration::from_micros(50), ..Weather::default() };
        all_are_exact(&Plan { weather, ..Plan::new(strategy, 3, 1) }, 1);
    }
}

#[test]
fn law_2_holds_when_a_process_is_lost() {
    for strategy in STRATEGIES {
        lose_one(strategy);
    }
}

fn lose_one(strategy: StrategyKind) {
    let cases = small_positions();
    let plan = Plan { profile: Profile::Plain, switches: Some(SCOUT), ..Plan::new(strategy, 3, 1) };
    let mut cluster = Cluster::new(&plan);
    // A process that stands still does not lose the others: a busy machine does no harm.
    cluster.link.set_deadline(Duration::from_millis(1500));
    for (round, (position, depth, expected)) in cases.iter().enumerate() {
        if round == 1 {
            cluster.killer.silence(2);
        }
        let found = cluster.search(position, &to_depth(*depth), &mut Quiet);
        assert_eq!(found.lines.first().map(|line| line.score), Some(*expected));
    }
    // No search waits for it; a question for all reports does, until it is known to be lost.
    assert_eq!(cluster.pool.reports().len(), 2);
    assert_eq!(cluster.link.lost_count(), 1);
    let failures = cluster.link.take_failures();
    assert!(failures.iter().any(|(who, text)| *who == 2 && text.contains("lost")), "{failures:?}");
    assert!(!cluster.end(), "one has said nothing");
}

/// Wants an answer after a time or a number of questions.
struct Impatient {
    until: Instant,
    questions: u64,
}

impl Observer for Impatient {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.questions = self.questions.saturating_sub(1);
        self.questions == 0 || Instant::now() >= self.until
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        true
    }
}

#[test]
fn law_6_a_search_that_is_stopped_at_any_moment_answers_with_a_legal_move() {
    let mut chance = Chance::new(8, 0);
    let positions = positions();
    for strategy in STRATEGIES {
        let mut cluster = Cluster::new(&Plan::new(strategy, 3, 2));
        for round in 0..60 {
            let position = &positions[chance.below(positions.len())];
            let mut observer = Impatient {
                until: Instant::now() + Duration::from_micros(chance.below(8000) as u64),
                questions: 1 + chance.below(30) as u64,
            };
            let limits = Limits { lines: 1 + round % 3, ..Limits::default() };
            let found = cluster.search(position, &limits, &mut observer);
            let best = found.best().expect("there is a move");
            assert!(position.legal_moves().contains(&best), "{strategy} {}", position.fen());
            assert_eq!(cluster.pool.reports().len(), 6);
            assert_eq!(cluster.pool.failures(), 0);
        }
        assert!(cluster.end());
    }
}

#[test]
fn limits_hold_over_processes() {
    let position = positions()[1];
    for strategy in STRATEGIES {
        let mut cluster = Cluster::new(&Plan::new(strategy, 2, 1));
        for nodes in [1, 100, 20_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let found = cluster.search(&position, &limits, &mut Quiet);
            assert!(found.best().is_some());
            let sum: u64 = cluster.pool.reports().iter().map(|report| report.nodes).sum();
            assert!(sum >= nodes, "{strategy}: {sum} of {nodes}");
        }
        let found = cluster.search(&position, &to_depth(9), &mut Quiet);
        assert_eq!(found.depth, 9);
        assert!(cluster.end());
    }
}

#[test]
fn commands_reach_all_and_failures_come_back() {
    let cluster = Cluster::new(&Plan::new(StrategyKind::Lazy, 3, 1));
    let command = Command::Hash { megabytes: 8, name: Some("a name\nof two lines".to_owned()) };
    cluster.link.command(&command);
    cluster.link.command(&Command::NewGame);
    // What is no command is a failure there, and nothing worse.
    cluster.link.command(&"no command");
    let mut heard = Vec::new();
    let begun = Instant::now();
    while heard.len() < 6 && begun.elapsed() < PATIENCE {
        heard.extend(cluster.link.take_failures());
        std::thread::yield_now();
    }
    heard.sort();
    let damaged = "a damaged message: no value where one is expected".to_owned();
    let told = [format!("{command:?}: understood"), "NewGame: understood".to_owned(), damaged];
    let of = |process| told.clone().map(|text| (process, text));
    assert_eq!(heard, [of(1), of(2)].concat());
    assert!(cluster.end());
}

#[test]
fn who_disagrees_is_refused_with_one_line() {
    let (fabrics, _) = loopback::connect(2, Weather::default());
    let links: Vec<_> = fabrics
        .into_iter()
        .map(|fabric| Link::new(Box::new(fabric)).expect("there are threads"))
        .collect();
    let [first, other] = [links[0].clone(), links[1].clone()];
    let there = std::thread::spawn(move || {
        let answer = other.greet(&Hello { host: "there".to_owned(), ..hello("2") });
        other.leave("");
        answer
    });
    let refusal = first.greet(&hello("1")).expect_err("they differ");
    assert_eq!(refusal, "process 1 on there is refused: its version is 2, here it is 1");
    assert!(first.leave(&refusal));
    assert_eq!(there.join().expect("it ends well"), Err(refusal));
}

#[test]
fn a_table_entry_of_one_process_is_known_to_the_others() {
    let mut cluster = Cluster::new(&Plan::new(StrategyKind::Lazy, 2, 1));
    let position = positions()[3];
    cluster.search(&position, &to_depth(9), &mut Quiet);
    cluster.pool.settle();
    assert!(cluster.link.traffic().bytes > 0);
    assert_eq!(cluster.link.traffic().damaged, 0);
    assert!(cluster.end());
}
