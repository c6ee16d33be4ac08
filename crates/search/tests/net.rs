//! The laws of one worker with a network: elision (1), exactness (2), determinism (3). The walk's
//! accumulators are those of the recursion, whatever it does.

mod minimax;

use board::{History, Position};
use eval::nnue::{Network, Nnue, embedded};
use eval::{AnyEvaluator, Evaluator, MainEvaluator};
use minimax::minimax_by;
use search::switches::{BARE, ChosenRules, ModernRules, Rules, Switches};
use search::walk::{Pause, RootSearch, TaskId, Walk, Walker};
use search::{Limits, Outcome, Profile, Quiet, Worker};
use std::sync::Arc;
use table::AnyTable;

fn network() -> Arc<Network> {
    let bytes = include_bytes!("../../../testdata/net/tiny.net");
    Arc::new(Network::read(bytes).expect("a good network"))
}

fn positions() -> impl Iterator<Item = Position> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position())
}

fn table() -> AnyTable {
    AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there")
}

fn limits() -> Limits {
    Limits { depth: Some(6), ..Limits::default() }
}

fn search(worker: &mut Worker, position: &Position) -> Outcome {
    worker.new_game();
    worker.search(&table(), position, &History::new(), &limits(), &mut Quiet)
}

#[test]
fn law_1_a_walk_that_is_stopped_after_every_node_visits_the_nodes_of_the_recursion() {
    let network = network();
    let mut worker = Worker::new(Profile::Modern);
    worker.set_network(Some(&network));
    for position in positions().take(12) {
        let expected = search(&mut worker, &position);
        let evaluator = MainEvaluator::new(Some(&network));
        let found = walk(Walk::new(ModernRules, evaluator), &position, 1);
        assert_eq!((found.nodes, &found.lines), (expected.nodes, &expected.lines));
    }
}

#[test]
fn law_2_plain_alpha_beta_without_tables_equals_minimax() {
    let ordered = Switches { scout: true, history: true, killers: true, iterate: true, ..BARE };
    let few_moves = [
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60",
        "8/1P5k/8/8/8/8/1p5K/8 w - - 0 1",
    ];
    let few_moves = few_moves.map(|fen| (Position::from_fen(fen).expect(fen), 3));
    for network in [&network(), embedded()] {
        let evaluator = || AnyEvaluator::Main(Box::new(MainEvaluator::new(Some(network))));
        let mut definition = Nnue::new(Arc::clone(network));
        for (position, depth) in few_moves.into_iter().chain(positions().take(8).map(|it| (it, 2)))
        {
            let expected = minimax_by(&mut definition, &position, depth);
            for switches in [BARE, ordered] {
                let worker = Worker::new(Profile::Plain).with_switches(switches);
                let mut worker = worker.with_evaluator(evaluator());
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let game = History::new();
                let found = worker.search(&table(), &position, &game, &limits, &mut Quiet);
                assert_eq!(found.lines[0].score, expected, "{} {switches:?}", position.fen());
            }
        }
    }
}

#[test]
fn law_3_a_search_repeated_visits_the_same_nodes() {
    for network in [&network(), embedded()] {
        let mut worker = Worker::new(Profile::Modern);
        worker.set_network(Some(network));
        for position in positions().step_by(3) {
            let (first, second) = (search(&mut worker, &position), search(&mut worker, &position));
            assert_eq!((first.nodes, &first.lines), (second.nodes, &second.lines));
            let mut fresh = Worker::new(Profile::Modern);
            fresh.set_network(Some(network));
            let third = search(&mut fresh, &position);
            assert_eq!((first.nodes, &first.lines), (third.nodes, &third.lines));
        }
    }
}

#[test]
fn a_search_chosen_at_run_time_agrees_and_classical_terms_come_back() {
    let network = network();
    let mut fast = Worker::new(Profile::Modern);
    let mut differing = 0;
    for position in positions().take(8) {
        let classical = search(&mut fast, &position);
        fast.set_network(Some(&network));
        let by_network = search(&mut fast, &position);
        differing += usize::from(classical.nodes != by_network.nodes);
        fast.set_network(None);
        assert_eq!(search(&mut fast, &position).lines, classical.lines);
        let evaluator = AnyEvaluator::Main(Box::new(MainEvaluator::new(Some(&network))));
        let rules = ChosenRules(Profile::Modern.switches());
        let found = walk(Walk::new(rules, evaluator), &position, 1_000);
        assert_eq!((found.nodes, &found.lines), (by_network.nodes, &by_network.lines));
    }
    assert!(differing >= 6, "{differing}");
}

/// A search by a walk that is stopped after some nodes.
fn walk<R: Rules, E: Evaluator>(mut walk: Walk<R, E>, position: &Position, nodes: u64) -> Outcome {
    let table = table();
    table.new_search();
    let root = RootSearch { position: *position, game: History::new(), limits: limits() };
    let mut table = &table;
    let mut session = walk.session(&mut table, None);
    session.start_root(&root, 0);
    loop {
        match session.run(nodes, || false) {
            Pause::Budget | Pause::Iteration => (),
            Pause::Finished(TaskId::ROOT, _) => return walk.outcome(),
            pause => panic!("nothing else can happen to a walk on its own: {pause:?}"),
        }
    }
}
