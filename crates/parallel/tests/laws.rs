//! The laws of the design for every strategy in virtual time: elision (1), exactness (2),
//! determinism (3), closure (5).

mod common;

use board::{History, Position};
use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::StrategyKind;
use parallel::accounting::Balance;
use parallel::sim::{self, Setup, TableKind, TableSettings};
use search::switches::{BARE, Switches};
use search::{Limits, Outcome, Profile, Quiet, Worker};
use table::{AnyTable, PolicyKind};

/// The sequential search with a table of one megabyte.
fn sequential(profile: Profile, position: &Position, depth: i32) -> Outcome {
    let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    Worker::new(profile).search(&table, position, &History::new(), &limits, &mut Quiet)
}

#[test]
fn law_1_one_processor_visits_the_same_nodes_as_the_sequential_search() {
    for profile in Profile::ALL {
        let depth = if profile == Profile::Modern { 6 } else { 3 };
        for position in positions().into_iter().step_by(7) {
            let expected = sequential(profile, &position, depth);
            for strategy in StrategyKind::ALL {
                for kind in TableKind::ALL {
                    let mut setup = setup(strategy, "t805", 1, profile);
                    setup.table = TableSettings { kind, kilobytes: 1024, ..setup.table };
                    let run = sim::run(&setup, &root_search(&position, depth)).expect("it ends");
                    let case = format!("{profile} {strategy} {kind} {}", position.fen());
                    assert_eq!(run.nodes(), expected.nodes, "{case}");
                    assert_eq!(run.answer.value, expected.lines[0].score, "{case}");
                    assert_eq!(run.answer.line.first(), expected.best().as_ref(), "{case}");
                    assert_eq!(run.time, expected.nodes * setup.model.node, "{case}");
                }
            }
        }
    }
}

#[test]
fn law_2_every_strategy_on_any_number_of_processors_returns_the_minimax_value() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    for (position, depth) in small_positions() {
        let expected = minimax(&position, depth);
        for strategy in StrategyKind::ALL {
            for peers in COUNTS {
                for switches in [BARE, scout] {
                    // Where all search the root, the machine matters little.
                    let machines = ["t805", "ideal", "infiniband"];
                    let few = matches!(strategy, StrategyKind::Lazy | StrategyKind::Abdada);
                    for machine in machines.into_iter().take(if few { 1 } else { 3 }) {
                        let mut setup = setup(strategy, machine, peers, Profile::Plain);
                        setup.switches = switches;
                        setup.grain = 1;
                        let run =
                            sim::run(&setup, &root_search(&position, depth)).expect("it ends");
                        let case = format!("{strategy} {machine} {peers} {}", position.fen());
                        assert_eq!(run.answer.value, expected, "{case}");
                    }
                }
            }
        }
    }
}

#[test]
fn law_3_a_run_repeated_has_the_same_hash_and_another_seed_another_one() {
    let position = positions()[4];
    for strategy in StrategyKind::ALL {
        for kind in TableKind::ALL {
            for peers in COUNTS {
                let mut setup = setup(strategy, "t805", peers, Profile::Negascout);
                setup.table = TableSettings { kind, kilobytes: 1024, ..setup.table };
                let run =
                    |setup: &Setup| sim::run(setup, &root_search(&position, 3)).expect("it ends");
                let (one, two) = (run(&setup), run(&setup));
                assert_eq!((one.hash, one.nodes()), (two.hash, two.nodes()), "{strategy} {kind}");
                assert_eq!(one.accounts, two.accounts);
                setup.seed += 1;
                let other = run(&setup);
                // Those who search the root with tables of their own share nothing that chance could change.
                let roots = [StrategyKind::Lazy, StrategyKind::Abdada].contains(&strategy);
                let apart = roots && kind == TableKind::Local;
                let same = other.hash == one.hash;
                assert!(peers == 1 || apart || !same, "{strategy} {kind} {peers}");
            }
        }
    }
}

#[test]
fn law_5_every_moment_is_counted_and_the_identity_closes() {
    let nodes = |position| sequential(Profile::Negascout, &position, 4).nodes;
    let searches: Vec<_> =
        positions().into_iter().step_by(12).map(|position| (position, nodes(position))).collect();
    for strategy in StrategyKind::ALL {
        for kind in TableKind::ALL {
            for peers in COUNTS {
                let mut setup = setup(strategy, "t805", peers, Profile::Negascout);
                setup.table = TableSettings { kind, kilobytes: 4096, ..setup.table };
                let mut balance = Balance::default();
                for &(position, sequential) in &searches {
                    let run = sim::run(&setup, &root_search(&position, 4)).expect("it ends");
                    for account in &run.accounts {
                        assert_eq!(account.total(), run.time, "{strategy} {kind} {peers}");
                    }
                    let time = sequential * setup.model.node;
                    balance.add(&run.accounts, run.time, sequential, time);
                }
                let closure = balance.closure();
                assert!(closure.abs() < 0.01, "{strategy} {kind} {peers}: {closure}");
            }
        }
    }
}

#[test]
fn iterations_two_plies_apart_end_at_the_depth_that_was_asked_for() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    for (position, depth) in small_positions() {
        for peers in [1, 7] {
            let mut setup = setup(StrategyKind::Ybw, "t805", peers, Profile::Plain);
            (setup.switches, setup.step) = (scout, 2);
            let run = sim::run(&setup, &root_search(&position, depth)).expect("it ends");
            let case = format!("{peers} {}", position.fen());
            assert_eq!(run.answer.value, minimax(&position, depth), "{case}");
            let iterations = if position.has_legal_move() { (depth + 1) / 2 } else { 0 };
            assert_eq!(run.statistics.iterations.len() as i32, iterations, "{case}");
        }
    }
}
