//! The laws of the design that concern one worker: elision (1), exactness (2), determinism (3).

mod minimax;

use board::{History, Position};
use minimax::minimax;
use search::switches::{BARE, ChosenRules, Quiescence, Switches};
use search::walk::{Pause, RootSearch, TaskId, Walk, Walker};
use search::{Iteration, Limits, Observer, Outcome, Profile, Progress, Quiet};
use search::{Report, Statistics, Worker};
use table::AnyTable;

/// A hundred positions: the Bratko-Kopec set and a cut of Win at Chess.
fn positions() -> Vec<Position> {
    let files = [
        include_str!("../../../testdata/epd/bk.epd"),
        include_str!("../../../testdata/epd/zugzwang.epd"),
        include_str!("../../../testdata/epd/wacnew.epd"),
    ];
    let records = files.into_iter().flat_map(board::epd::records);
    records.map(|(_, epd)| *epd.expect("the suites are sound").position()).take(100).collect()
}

fn search(worker: &mut Worker, position: &Position, depth: i32) -> Outcome {
    let table = AnyTable::new(worker.profile().policy(), 1).expect("a megabyte is there");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    worker.new_game();
    worker.search(&table, position, &History::new(), &limits, &mut Quiet)
}

/// The same search by a walk that is stopped after every node.
fn walk(profile: Profile, position: &Position, depth: i32) -> (Outcome, Statistics) {
    let table = AnyTable::new(profile.policy(), 1).expect("a megabyte is there");
    table.new_search();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut walk = Walk::new(ChosenRules(profile.switches()), profile.evaluator());
    let mut table = &table;
    let mut session = walk.session(&mut table, None);
    session.start_root(&RootSearch { position: *position, game: History::new(), limits }, 0);
    loop {
        match session.run(1, || false) {
            Pause::Budget | Pause::Iteration => (),
            Pause::Finished(TaskId::ROOT, _) => return (walk.outcome(), walk.take_statistics()),
            pause => panic!("nothing else can happen to a walk on its own: {pause:?}"),
        }
    }
}

/// Wants to be asked every few nodes, and stops after a number of questions.
struct Asked {
    every: u64,
    questions: u64,
    most: u64,
}

impl Observer for Asked {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        self.questions += 1;
        assert_eq!(progress.nodes, self.questions * self.every);
        self.questions >= self.most
    }

    fn nodes_until_asked(&self) -> u64 {
        self.every
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        true
    }
}

/// Wants to be asked every few nodes, and never stops.
struct Every(u64);

impl Observer for Every {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }

    fn nodes_until_asked(&self) -> u64 {
        self.0
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        true
    }
}

#[test]
fn law_3_how_often_a_host_is_asked_changes_no_tree_and_no_limit() {
    let position = positions()[0];
    let run = |limits: &Limits, observer: &mut dyn Observer| {
        let table = AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there");
        Worker::new(Profile::Modern).search(&table, &position, &History::new(), limits, observer)
    };
    let to_depth = Limits { depth: Some(7), ..Limits::default() };
    let expected = run(&to_depth, &mut Quiet);
    for every in [1, 7, 1024] {
        let mut observer = Asked { every, questions: 0, most: u64::MAX };
        let found = run(&to_depth, &mut observer);
        assert_eq!((found.nodes, &found.lines), (expected.nodes, &expected.lines));
        assert_eq!(observer.questions, expected.nodes / every);
        // It stops where it is told to, to the node: slow nodes can be stopped between any two.
        let most = 300u64.div_ceil(every).max(3);
        let mut observer = Asked { every, questions: 0, most };
        assert_eq!(run(&Limits::default(), &mut observer).nodes, most * every);
        // A limit of nodes holds to the node as well.
        let most = 3 * every + every / 2;
        let limits = Limits { nodes: Some(most), ..Limits::default() };
        assert_eq!(run(&limits, &mut Every(every)).nodes, most);
    }
}

#[test]
fn law_1_the_walk_visits_the_same_nodes_as_the_recursion_in_every_profile() {
    for profile in Profile::ALL {
        let depth = if profile == Profile::Modern { 6 } else { 3 };
        let mut recursive = Worker::new(profile);
        for position in positions() {
            let one = search(&mut recursive, &position, depth);
            let (other, statistics) = walk(profile, &position, depth);
            assert_eq!(one.nodes, other.nodes, "{profile} {position:?}");
            assert_eq!(one.lines, other.lines, "{profile} {position:?}");
            assert_eq!(recursive.statistics(), &statistics, "{profile} {position:?}");
        }
    }
}

#[test]
fn law_3_a_search_repeated_visits_the_same_nodes() {
    for profile in Profile::ALL {
        let mut worker = Worker::new(profile);
        for position in positions().iter().step_by(9) {
            let first = search(&mut worker, position, 4);
            let second = search(&mut worker, position, 4);
            assert_eq!((first.nodes, first.lines), (second.nodes, second.lines), "{profile}");
        }
    }
}

#[test]
fn law_2_plain_alpha_beta_without_tables_equals_minimax() {
    let scout = Switches { scout: true, ..BARE };
    let ordered = Switches { scout: true, history: true, killers: true, iterate: true, ..BARE };
    assert_eq!(BARE.quiescence, Quiescence::Off);
    // Few moves: a full tree of depth 4 has to stay small.
    let small: Vec<Position> =
        positions().into_iter().filter(|p| p.count_legal_moves() < 22).take(17).collect();
    let large = positions().into_iter().filter(|p| p.count_legal_moves() >= 22).take(33);
    let cases = small.into_iter().map(|p| (p, 4)).chain(large.map(|p| (p, 2)));
    for (position, depth) in cases {
        let depth = if perft_is_large(&position, depth) { depth - 1 } else { depth };
        let expected = minimax(&position, depth);
        for switches in [BARE, scout, ordered] {
            let mut worker = Worker::new(Profile::Plain).with_switches(switches);
            let outcome = search(&mut worker, &position, depth);
            assert_eq!(outcome.lines[0].score, expected, "{position:?} depth {depth} {switches:?}");
        }
    }
}

fn perft_is_large(position: &Position, depth: i32) -> bool {
    board::perft::perft(position, depth as u32) > 60_000
}

#[test]
fn the_best_line_is_legal_and_ends_with_the_game() {
    for profile in Profile::ALL {
        let mut worker = Worker::new(profile);
        for position in positions().iter().step_by(7) {
            let outcome = search(&mut worker, position, 4);
            let mut current = *position;
            for &mv in &outcome.lines[0].moves {
                assert!(current.is_legal(mv), "{profile} {position:?} {:?}", outcome.lines);
                current = current.make(mv);
            }
        }
    }
}

#[test]
fn z11_a_move_is_there_however_early_the_search_is_stopped() {
    let position = Position::startpos();
    let table = AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there");
    for nodes in [1, 2, 3, 10, 100, 1000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut worker = Worker::new(Profile::Modern);
        let outcome = worker.search(&table, &position, &History::new(), &limits, &mut Quiet);
        assert!(position.is_legal(outcome.best().expect("there are legal moves")));
        assert!(outcome.nodes <= nodes + 1, "{} of {nodes}", outcome.nodes);
    }
}

#[test]
fn several_lines_are_different_and_in_order() {
    let position = Position::startpos();
    let table = AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there");
    let limits = Limits { depth: Some(6), lines: 4, ..Limits::default() };
    let outcome = Worker::new(Profile::Modern).search(
        &table,
        &position,
        &History::new(),
        &limits,
        &mut Quiet,
    );
    assert_eq!(outcome.lines.len(), 4);
    assert!(outcome.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<u16> = outcome.lines.iter().map(|line| line.moves[0].bits()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn a_position_without_moves_has_no_line() {
    let table = AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there");
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        let position = Position::from_fen(fen).expect("a sound position");
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let mut worker = Worker::new(Profile::Modern);
        let outcome = worker.search(&table, &position, &History::new(), &limits, &mut Quiet);
        assert!(outcome.best().is_none());
    }
}

#[test]
fn the_first_iteration_is_finished_however_soon_the_answer_is_wanted() {
    let position =
        Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1").expect("a sound position");
    let table = AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there");
    let mut at_once = Asked { every: 1, questions: 0, most: 0 };
    let outcome = Worker::new(Profile::Modern).search(
        &table,
        &position,
        &History::new(),
        &Limits::default(),
        &mut at_once,
    );
    assert_eq!((outcome.depth, outcome.lines[0].score > 30_000), (1, true), "{outcome:?}");
}
