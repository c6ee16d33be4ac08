//! The laws on real threads: elision (1), exactness (2) with more threads than processors, liveness (6).

#[path = "../../search/tests/minimax/mod.rs"]
mod definition;

use board::{History, Position};
use definition::minimax;
use eval::nnue::Network;
use parallel::threads::{
    Extra, Extras, STRATEGIES, Settings, ThreadPool, ThreadReport, read_strategy,
};
use parallel::{Chance, StrategyKind};
use search::switches::{BARE, Switches};
use search::{Iteration, Limits, Observer, Outcome, Profile, Progress, Quiet, Report, Worker};
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::AnyTable;

/// The Bratko-Kopec positions.
fn positions() -> Vec<Position> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position()).collect()
}

/// Positions with trees small enough for minimax, and their depths.
fn small_positions() -> Vec<(Position, i32)> {
    [
        ("8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1", 5),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60", 3),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", 4),
        ("7k/8/8/8/8/8/1q6/3K4 b - - 10 50", 4),
        ("8/1P5k/8/8/8/8/1p5K/8 w - - 0 1", 4),
    ]
    .into_iter()
    .map(|(fen, depth)| (Position::from_fen(fen).expect("a sound position"), depth))
    .collect()
}

fn table(profile: Profile) -> Arc<AnyTable> {
    Arc::new(AnyTable::new(profile.policy(), 1).expect("a megabyte is there"))
}

fn pool(profile: Profile, strategy: StrategyKind, threads: u32) -> ThreadPool {
    ThreadPool::new(profile, Settings::new(strategy, threads)).expect("the system gives threads")
}

fn network() -> Arc<Network> {
    let bytes = include_bytes!("../../../testdata/net/tiny.net");
    Arc::new(Network::read(bytes).expect("a good network"))
}

fn to_depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn search(
    pool: &mut ThreadPool,
    table: &Arc<AnyTable>,
    position: &Position,
    limits: &Limits,
) -> Outcome {
    pool.search(table, position, &History::new(), limits, &mut Quiet)
}

#[test]
fn of_far_more_threads_than_processors_only_some_search_the_root() {
    for strategy in [StrategyKind::Lazy, StrategyKind::Abdada] {
        let settings = Settings { root_searchers: 3, ..Settings::new(strategy, 12) };
        let mut pool =
            ThreadPool::new(Profile::Modern, settings).expect("the system gives threads");
        let outcome = search(&mut pool, &table(Profile::Modern), &positions()[1], &to_depth(9));
        assert_eq!(outcome.depth, 9);
        pool.settle();
        let reports = pool.reports();
        assert_eq!(reports.len(), 12);
        assert!(reports[3..].iter().all(|report| report.nodes == 0), "{strategy:?}");
        // As many as there are threads where those are few.
        assert!(Settings::new(strategy, 4).root_searchers >= 8);
    }
}

#[test]
fn law_1_one_thread_visits_the_same_nodes_as_the_sequential_search() {
    for profile in Profile::ALL {
        let limits = to_depth(if profile == Profile::Modern { 8 } else { 3 });
        for position in positions().iter().step_by(7) {
            let expected = Worker::new(profile).search(
                &table(profile),
                position,
                &History::new(),
                &limits,
                &mut Quiet,
            );
            for strategy in STRATEGIES {
                let mut pool = pool(profile, strategy, 1);
                let found = search(&mut pool, &table(profile), position, &limits);
                let case = format!("{profile} {strategy} {}", position.fen());
                assert_eq!(found.nodes, expected.nodes, "{case}");
                assert_eq!(found.lines, expected.lines, "{case}");
                assert_eq!(pool.reports()[0].nodes, expected.nodes, "{case}");
            }
        }
    }
}

#[test]
fn law_1_holds_with_a_network_and_helpers_evaluate_by_it_too() {
    let network = network();
    for strategy in STRATEGIES {
        let mut pool = pool(Profile::Modern, strategy, 1);
        pool.set_network(Some(Arc::clone(&network)));
        let mut worker = Worker::new(Profile::Modern);
        worker.set_network(Some(&network));
        for position in positions().iter().take(4) {
            let (ours, theirs) = (table(Profile::Modern), table(Profile::Modern));
            let found = search(&mut pool, &ours, position, &to_depth(6));
            let game = History::new();
            let expected = worker.search(&theirs, position, &game, &to_depth(6), &mut Quiet);
            assert_eq!((found.nodes, &found.lines), (expected.nodes, &expected.lines));
        }
        pool.set_threads(3).expect("the system gives threads");
        let outcome = search(&mut pool, &table(Profile::Modern), &positions()[0], &to_depth(7));
        assert!(outcome.best().is_some_and(|mv| positions()[0].is_legal(mv)));
        pool.settle();
        assert_eq!(pool.failures(), 0);
    }
}

#[test]
fn law_1_holds_for_the_searches_of_a_game_one_after_the_other() {
    let mut worker = Worker::new(Profile::Modern);
    let mut pool = pool(Profile::Modern, StrategyKind::Ybw, 1);
    let (one, two) = (table(Profile::Modern), table(Profile::Modern));
    let limits = Limits { lines: 2, ..to_depth(7) };
    for position in positions().iter().take(4) {
        let expected = worker.search(&one, position, &History::new(), &limits, &mut Quiet);
        let found = search(&mut pool, &two, position, &limits);
        assert_eq!((found.nodes, &found.lines), (expected.nodes, &expected.lines));
        let counted = pool.statistics();
        assert_eq!(&counted, worker.statistics());
    }
}

#[test]
fn who_has_no_work_searches_by_himself_where_he_may() {
    let idle_nodes = |idle_search, depth| {
        let usual = Settings::new(StrategyKind::Ybw, 3);
        let mut pool = ThreadPool::new(Profile::Modern, Settings { idle_search, ..usual })
            .expect("the system gives threads");
        let table = table(Profile::Modern);
        pool.prepare(&table);
        search(&mut pool, &table, &positions()[1], &to_depth(depth));
        let reports = pool.reports();
        let total: u64 = reports.iter().map(|report| report.nodes).sum();
        assert_eq!(total, pool.statistics().nodes);
        reports.iter().map(|report| report.idle_nodes).sum::<u64>()
    };
    assert_eq!(idle_nodes(false, 10), 0);
    // On a busy machine a search may be over before the others have woken up: a longer one gives them more
    // time, and the longest here has no end without them.
    assert!((10..=30).any(|depth| idle_nodes(true, depth) > 0));
}

#[test]
fn law_2_every_strategy_on_any_number_of_threads_returns_the_minimax_value() {
    const REPETITIONS: usize = 6;
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    let table = table(Profile::Plain);
    let cases = small_positions();
    let values: Vec<i32> =
        cases.iter().map(|(position, depth)| minimax(position, *depth)).collect();
    for strategy in STRATEGIES {
        for threads in [1, 2, 3, 7, 16] {
            for (switches, idle_search) in [(BARE, false), (scout, false), (scout, true)] {
                let usual = Settings::new(strategy, threads);
                // No idle search is used there: the grain that is chosen is tried instead (D92).
                let grain = i32::from(strategy != StrategyKind::Tds || !idle_search);
                let settings = Settings { grain, deferral: 1, idle_search, ..usual };
                let pool = ThreadPool::new(Profile::Plain, settings).expect("there are threads");
                let mut pool = pool.with_switches(switches);
                for _ in 0..REPETITIONS {
                    for ((position, depth), &expected) in cases.iter().zip(&values) {
                        let found = search(&mut pool, &table, position, &to_depth(*depth));
                        let case = format!("{strategy} {threads} {}", position.fen());
                        match found.lines.first() {
                            Some(line) => assert_eq!(line.score, expected, "{case}"),
                            None => assert_eq!(position.count_legal_moves(), 0, "{case}"),
                        }
                        assert_eq!(pool.failures(), 0, "{case}");
                    }
                }
            }
        }
    }
}

/// Stops after some time or at some question, and checks what it is told.
struct Impatient {
    until: Instant,
    questions: u64,
    depth: i32,
}

impl Observer for Impatient {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.questions = self.questions.saturating_sub(1);
        self.questions == 0 || Instant::now() >= self.until
    }

    fn report(&mut self, report: &Report<'_>) {
        // The last line may be that of another thread, which is two iterations behind at most.
        assert!(report.depth + 3 >= self.depth && report.nodes > 0);
        self.depth = report.depth.max(self.depth);
    }

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        assert!((0.0..=1.0).contains(&iteration.node_share));
        true
    }
}

#[test]
fn law_6_a_search_that_is_stopped_at_any_moment_answers_with_a_legal_move() {
    let mut chance = Chance::new(5, 0);
    let positions = positions();
    let table = table(Profile::Modern);
    let network = network();
    for strategy in STRATEGIES {
        let mut pool = pool(Profile::Modern, strategy, 2);
        for round in 0..120 {
            // By the classical terms and by a network in turns.
            if round % 20 == 0 {
                pool.set_network((round % 40 == 0).then(|| Arc::clone(&network)));
            }
            // More and fewer threads at every turn.
            pool.set_threads(1 + chance.below(9) as u32).expect("there are threads");
            let position = &positions[chance.below(positions.len())];
            let mut observer = Impatient {
                until: Instant::now() + Duration::from_micros(chance.below(8000) as u64),
                questions: 1 + chance.below(30) as u64,
                depth: 0,
            };
            let limits = Limits { lines: 1 + round % 3, ..Limits::default() };
            let found = pool.search(&table, position, &History::new(), &limits, &mut observer);
            let best = found.best().expect("there is a move");
            assert!(position.legal_moves().contains(&best), "{strategy} {}", position.fen());
            assert_eq!(found.lines.len(), limits.lines);
            assert_eq!(pool.reports().len() as u32, pool.settings().threads);
            assert_eq!(pool.failures(), 0);
        }
    }
}

#[test]
fn limits_hold_with_any_number_of_threads() {
    let position = positions()[1];
    let table = table(Profile::Modern);
    for strategy in STRATEGIES {
        for threads in [2, 5] {
            let mut pool = pool(Profile::Modern, strategy, threads);
            for nodes in [1, 100, 20_000] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let found = search(&mut pool, &table, &position, &limits);
                assert!(found.best().is_some());
                // A thread sees the end a few nodes late, and one that has just begun may not know yet.
                let sum: u64 = pool.reports().iter().map(|report| report.nodes).sum();
                assert!(sum >= nodes, "{strategy} {threads}: {sum} of {nodes}");
            }
            let mut wanted = position.legal_moves().iter().copied().collect::<Vec<_>>();
            wanted.truncate(3);
            let limits = Limits { root_moves: wanted.clone(), lines: 2, ..to_depth(7) };
            let found = search(&mut pool, &table, &position, &limits);
            assert_eq!((found.depth, found.lines.len()), (7, 2));
            assert!(found.lines.iter().all(|line| wanted.contains(&line.moves[0])));
            let mate = Position::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").expect("sound");
            let limits = Limits { mate: Some(2), ..Limits::default() };
            for _ in 0..5 {
                // It is what is played, whichever thread proves it.
                table.clear(1);
                let found = search(&mut pool, &table, &mate, &limits);
                assert_eq!(mate.san(found.best().expect("a move")), "Ra6", "{strategy}");
            }
        }
    }
}

/// Wants to know after each iteration how sure the threads are.
#[derive(Default)]
struct Listener {
    iterations: Vec<Iteration>,
    until: i32,
}

impl Observer for Listener {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        self.iterations.push(*iteration);
        iteration.depth < self.until
    }
}

#[test]
fn every_extra_alone_and_all_together_keep_the_limits_and_answer() {
    let table = table(Profile::Modern);
    let sets = Extra::ALL.into_iter().map(|extra| Extras::of(&[extra]));
    for extras in sets.chain([Extras::NONE, Extras::of(&Extra::ALL)]) {
        for strategy in STRATEGIES {
            let settings = Settings { extras, ..Settings::new(strategy, 4) };
            let mut pool = ThreadPool::new(Profile::Modern, settings).expect("there are threads");
            for position in positions().iter().take(3) {
                let found = search(&mut pool, &table, position, &to_depth(8));
                assert_eq!(found.depth, 8, "{strategy} {extras:?}");
                assert!(found.best().is_some_and(|mv| position.is_legal(mv)));
                let mut listener = Listener { until: 7, ..Listener::default() };
                let game = History::new();
                let limits = Limits::default();
                let found = pool.search(&table, position, &game, &limits, &mut listener);
                assert!(found.best().is_some_and(|mv| position.is_legal(mv)));
                let sound = |seen: &Iteration| {
                    (0.0..=1.0).contains(&seen.node_share) && seen.stable_for > 0
                };
                assert!(listener.iterations.iter().all(sound), "{strategy} {extras:?}");
            }
            pool.settle();
            assert_eq!(pool.failures(), 0, "{strategy} {extras:?}");
        }
    }
}

#[test]
fn in_a_mixture_every_second_thread_searches_the_root_alone() {
    let table = table(Profile::Modern);
    for strategy in [StrategyKind::Ybw, StrategyKind::Teams] {
        let mixed = Settings {
            idle_search: true,
            extras: Extras::of(&[Extra::Mix]),
            ..Settings::new(strategy, 4)
        };
        let mut pool = ThreadPool::new(Profile::Modern, mixed).expect("there are threads");
        // A helper may sleep through a small search.
        let enough = (8..=30).any(|depth| {
            search(&mut pool, &table, &positions()[2], &to_depth(depth));
            pool.settle();
            let reports = pool.reports();
            let alone =
                |report: &ThreadReport| report.jobs == 0 && report.nodes == report.idle_nodes;
            assert!(alone(&reports[1]) && alone(&reports[3]), "{strategy}: {reports:?}");
            reports[1].nodes > 0 && reports[3].nodes > 0 && reports[2].jobs > 0
        });
        assert!(enough, "{strategy}: no thread splits, or none searches alone");
    }
}

#[test]
fn what_threads_learn_together_is_forgotten_with_the_game() {
    let table = table(Profile::Modern);
    let position = positions()[2];
    let mut pool = pool(Profile::Modern, StrategyKind::Lazy, 1);
    let mut nodes = || {
        table.clear(1);
        let found = search(&mut pool, &table, &position, &to_depth(8)).nodes;
        table.clear(1);
        let again = search(&mut pool, &table, &position, &to_depth(8)).nodes;
        pool.new_game();
        (found, again)
    };
    let (first, second) = (nodes(), nodes());
    assert_eq!(first, second);
    assert_ne!(first.0, first.1, "it has learnt something");
}

#[test]
fn a_table_is_free_again_when_the_threads_have_settled() {
    let mut table = table(Profile::Modern);
    let mut pool = pool(Profile::Modern, StrategyKind::Abdada, 4);
    for position in positions().iter().take(5) {
        search(&mut pool, &table, position, &to_depth(6));
        pool.settle();
        assert!(Arc::get_mut(&mut table).is_some());
    }
}

#[test]
fn what_no_strategy_is_called_is_refused_by_name() {
    let refusal = read_strategy("uidpabs").err().unwrap_or_default();
    assert!(refusal.contains("ybw, abdada, lazy, teams, tds"), "{refusal}");
    assert!(refusal.contains("uidpabs"), "{refusal}");
    for strategy in STRATEGIES {
        assert_eq!(read_strategy(strategy.name()), Ok(strategy));
    }
}
