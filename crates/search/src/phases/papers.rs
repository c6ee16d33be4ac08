//! The papers' rules at a single node, each for itself: a node is set up, entered, and asked for plans.

mod darksight;

use super::{Memory, Search};
use crate::histories::{Histories, HistoryContext};
use crate::iterate;
use crate::node::{Absorbed, Attempt, Entered, Plan, PlanKind};
use crate::observer::{Limits, Quiet};
use crate::statistics::Statistics;
use crate::switches::{
    BARE, ChosenRules, DARKSIGHT, MODERN, NEGASCOUT, PLAIN, Quiescence, Switches, Window, ZUGZWANG,
    ZUGZWANG_NULL,
};
use crate::walk::is_promising_child;
use board::{History, Move, Position};
use eval::score::{INFINITE, mated_in};
use eval::{Classical, Evaluator};
use table::{Bound, Entry, Table, TwoDeep};

pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(super) type Examined<'a> = Search<'a, ChosenRules, Classical, &'a Table<TwoDeep>>;

/// Sets up a node one ply below the root, with a window and a depth, and looks at it.
pub(super) fn examine<T>(
    switches: Switches,
    fen: &str,
    (alpha, beta, depth): (i32, i32, i32),
    look: impl FnOnce(&mut Examined<'_>) -> T,
) -> T {
    let position = Position::from_fen(fen).expect(fen);
    let table = Table::<TwoDeep>::new(1).expect("a megabyte is there");
    let limits = Limits::default();
    let mut memory = Memory::new(&switches);
    let mut evaluator = Classical::new();
    let node = &mut memory.nodes[0];
    (node.position, node.ply, node.depth) = (position, 1, depth);
    (node.alpha, node.beta, node.first_alpha) = (alpha, beta, alpha);
    look(&mut Search {
        rules: ChosenRules(switches),
        table: &table,
        observer: &mut Quiet,
        limits: &limits,
        memory: &mut memory,
        evaluator: &mut evaluator,
        history: History::new(),
        root: iterate::root_moves(&position, &[]),
        statistics: Statistics::default(),
        until_poll: u64::MAX,
        stopped: false,
    })
}

/// The first plan of a node that is open.
fn first_plan(search: &mut Examined<'_>) -> Plan {
    assert_eq!(search.enter(0), Entered::Open);
    search.next(0).expect("there are legal moves")
}

/// The first plan to search a move, when nothing before it decides.
fn first_move(search: &mut Examined<'_>) -> Plan {
    let mut plan = first_plan(search);
    while plan.kind != PlanKind::Move {
        search.memory.nodes[1].best_move = Move::NONE;
        assert_eq!(search.absorb(0, &plan, -3000), Absorbed::Settled);
        plan = search.next(0).expect("there are legal moves");
    }
    plan
}

#[test]
fn z13_the_null_move_is_tried_two_plies_shallower_within_a_pawn_and_a_half_of_alpha() {
    let first = |window, depth, fen| {
        let (alpha, beta) = window;
        examine(ZUGZWANG_NULL, fen, (alpha, beta, depth), first_plan)
    };
    let plan = first((100, 101), 4, START);
    assert_eq!((plan.kind, plan.depth, plan.alpha, plan.beta), (PlanKind::Null, 1, 100, 101));
    assert_eq!(first((400, 401), 4, START).kind, PlanKind::Move, "too far below alpha");
    assert_eq!(first((0, 1), 1, START).kind, PlanKind::Move, "at the last ply");
    let check = "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1";
    assert_eq!(first((-900, -899), 4, check).kind, PlanKind::Move, "in check");
}

#[test]
fn z13_two_null_moves_never_follow_each_other_and_their_value_counts() {
    examine(ZUGZWANG_NULL, START, (0, 200, 4), |search| {
        let plan = first_plan(search);
        search.descend(0, &plan);
        assert!(!search.memory.nodes[1].null_allowed);
        search.ascend(&plan, 0);
        assert_eq!(search.absorb(0, &plan, 50), Absorbed::Settled);
        assert_eq!(search.memory.nodes[0].alpha, 50);
        while let Some(plan) = search.next(0) {
            assert_eq!(search.absorb(0, &plan, 30), Absorbed::Settled);
        }
        assert_eq!(search.leave(0), 30, "the value is that of the moves, as printed");
        let entry = search.table.probe(search.memory.nodes[0].position.key()).entry();
        assert_eq!(entry.map(|entry| entry.bound), Some(Bound::Upper));
    });
    examine(ZUGZWANG_NULL, START, (0, 200, 4), |search| {
        let plan = first_plan(search);
        assert_eq!(search.absorb(0, &plan, 230), Absorbed::Cut);
        assert_eq!(search.leave(0), 230);
    });
}

#[test]
fn z14_at_beta_a_null_window_node_is_searched_a_ply_shallower() {
    let depth = |switches, alpha, beta| {
        examine(switches, START, (alpha, beta, 4), |search| first_plan(search).depth)
    };
    assert_eq!(depth(ZUGZWANG, -301, -300), 2);
    assert_eq!(depth(ZUGZWANG, 300, 301), 3, "below beta");
    assert_eq!(depth(ZUGZWANG, -400, -300), 3, "with an open window");
    assert_eq!(depth(NEGASCOUT, -301, -300), 3, "without the rule");
    let eval = examine(ZUGZWANG, START, (0, 1, 4), |search| {
        i32::from(search.evaluator.evaluate(&search.memory.nodes[0].position))
    });
    assert_eq!([eval, eval + 1].map(|beta| depth(ZUGZWANG, beta - 1, beta)), [2, 3], "at beta");
}

#[test]
fn z14_the_reduction_comes_before_the_leaf_test_and_holds_in_check() {
    let entered = |fen, (alpha, beta, depth)| {
        examine(ZUGZWANG, fen, (alpha, beta, depth), |search| {
            let expected = search.evaluator.evaluate(&search.memory.nodes[0].position);
            (search.enter(0), Entered::Value(i32::from(expected)))
        })
    };
    let (found, evaluation) = entered(START, (-301, -300, 1));
    assert_eq!(found, evaluation, "with a ply left");
    assert_eq!(entered(START, (-301, -300, 2)).0, Entered::Open);
    assert_eq!(entered(START, (300, 301, 1)).0, Entered::Open, "below beta");
    assert_eq!(entered(START, (-400, -300, 1)).0, Entered::Open, "with an open window");
    let check = "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1";
    let (found, evaluation) = entered(check, (-901, -900, 1));
    assert_eq!(found, evaluation, "in check");
    examine(ZUGZWANG, check, (-901, -900, 4), |search| assert_eq!(first_plan(search).depth, 2));
    let mated = "4k3/4r3/8/8/8/8/4q3/R3K2R w - - 0 1";
    let mate = Entered::Value(i32::from(mated_in(1)));
    assert_eq!(entered(mated, (-3001, -3000, 1)).0, mate, "a leaf may be the end of the game");
}

#[test]
fn z14_a_window_that_becomes_null_later_reduces_nothing() {
    examine(ZUGZWANG, START, (-400, -300, 4), |search| {
        let first = first_plan(search);
        assert_eq!(search.absorb(0, &first, -301), Absorbed::Settled);
        assert!(search.memory.nodes[0].is_scout());
        assert_eq!(search.next(0).map(|plan| plan.depth), Some(3));
    });
}

#[test]
fn z10_d16_later_moves_are_scouted_and_searched_again_only_between_alpha_and_beta() {
    examine(NEGASCOUT, START, (0, 100, 4), |search| {
        let first = first_plan(search);
        assert_eq!((first.attempt, first.alpha, first.beta), (Attempt::Full, 0, 100));
        assert_eq!(search.absorb(0, &first, 10), Absorbed::Settled);
        let second = search.next(0).expect("a second move");
        assert_eq!((second.attempt, second.alpha, second.beta), (Attempt::Scout, 10, 11));
        assert_eq!(search.absorb(0, &second, 10), Absorbed::Settled);
        let third = search.next(0).expect("a third move");
        let Absorbed::Again(again) = search.absorb(0, &third, 30) else {
            panic!("a value inside the window is searched again");
        };
        assert_eq!((again.mv, again.attempt), (third.mv, Attempt::Full));
        assert_eq!((again.alpha, again.beta), (30, 100), "from the value that was found");
        assert_eq!(search.absorb(0, &again, 120), Absorbed::Cut);
        assert_eq!(search.leave(0), 120, "fail-soft (M3)");
    });
}

#[test]
fn m4_near_the_horizon_a_scout_tells_the_exact_value() {
    let second_search = |switches, depth| {
        examine(switches, START, (0, 100, depth), |search| {
            let first = first_plan(search);
            search.absorb(0, &first, 10);
            let second = search.next(0).expect("a second move");
            matches!(search.absorb(0, &second, 30), Absorbed::Again(_))
        })
    };
    let pvs = Switches { scout: true, ..BARE };
    assert!(second_search(pvs, 3));
    assert!(!second_search(pvs, 2));
    // With captures at the horizon, or values of the table, a scout's value is a bound.
    assert!(second_search(PLAIN, 2));
}

#[test]
fn m5_the_move_of_the_table_is_tried_before_any_is_generated() {
    examine(PLAIN, START, (-50, 50, 4), |search| {
        let position = search.memory.nodes[0].position;
        let mv = position.parse_uci("g1f3").expect("a legal move");
        let slot = search.table.probe(position.key()).slot();
        let (bound, depth) = (Bound::Lower, 2);
        let entry = Entry { mv, score: -90, eval: None, depth, bound, pv: false };
        search.table.store(slot, entry);
        assert_eq!(first_plan(search).mv, mv);
        let other = position.legal_moves()[0];
        assert_eq!(search.memory.nodes[0].picker.sorted_score(other), None, "not generated");
        let mut rest: Vec<Move> = Vec::new();
        while let Some(plan) = search.next(0) {
            rest.push(plan.mv);
        }
        assert!(search.memory.nodes[0].picker.sorted_score(other).is_some());
        assert_eq!((rest.len(), rest.contains(&mv)), (19, false), "each of the others once");
    });
}

#[test]
fn m25_a_wide_quiescence_search_looks_at_safe_checks_and_pawns_near_promotion() {
    let nodes = |fen, alpha| {
        [Quiescence::Captures, Quiescence::Wide].map(|quiescence| {
            let switches = Switches { quiescence, ..PLAIN };
            examine(switches, fen, (alpha, alpha + 1, 0), |search| {
                search.quiesce(0);
                search.statistics.quiescence_nodes > 1
            })
        })
    };
    assert_eq!(
        nodes("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2000),
        [false, true],
        "mate on the back rank"
    );
    assert_eq!(nodes("8/8/P7/8/8/8/6k1/4K3 w - - 0 1", 1000), [false, true], "a7");
    assert_eq!(nodes("8/8/8/P7/8/8/6k1/4K3 w - - 0 1", 1000), [false, false], "a6 is too far away");
    assert_eq!(nodes("6k1/8/5q2/8/8/8/8/R3K3 w - - 0 1", 5000), [false, true], "Ra8+");
}

#[test]
fn z39_d85_even_captures_the_countermove_killers_and_history_moves_are_promising() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let promising = |switches, names: [&str; 8]| {
        examine(switches, fen, (49, 50, 1), |search| {
            let node = &search.memory.nodes[0];
            let (position, led_here) = (node.position, node.piece_to());
            let context = HistoryContext::new(&position, node.earlier_moves());
            let move_of = |name| position.parse_uci(name).expect("a legal move");
            let memory = &mut *search.memory;
            for (name, gain) in [("a2a4", 900), ("a2a3", 500), ("g2g3", 100)] {
                memory.histories.update_quiet(&position, &context, move_of(name), gain);
            }
            memory.killers[1].reward(move_of("d2f4"));
            memory.killers[1].reward(move_of("d2e3"));
            memory.histories.set_counter(led_here, move_of("e2d1"));
            first_move(search);
            let (node, killers) = (&search.memory.nodes[0], search.memory.killers[1]);
            names.map(|name| is_promising_child(node, killers, move_of(name)))
        })
    };
    // A capture that wins, one that is even, one that loses; countermove; killers; history moves.
    let names = ["e2a6", "d5e6", "f3f6", "e2d1", "d2f4", "d2e3", "a2a3", "g2g3"];
    let zugzwang = [true, true, false, true, true, true, false, false];
    assert_eq!(promising(NEGASCOUT, names), zugzwang);
    let darksight = [true, true, false, false, true, true, true, false];
    assert_eq!(promising(DARKSIGHT, names), darksight);
    // Marsland's order begins with captures that lose.
    let plain = [true, true, false, false, true, true, false, false];
    assert_eq!(promising(PLAIN, names), plain);
}

#[test]
fn z19_m22_a_move_that_becomes_best_is_rewarded_and_none_is_punished() {
    for value in [50, 150] {
        examine(NEGASCOUT, START, (0, 100, 4), |search| {
            let first = first_plan(search);
            assert_eq!(search.absorb(0, &first, -20), Absorbed::Settled);
            let second = search.next(0).expect("a second move");
            let again = match search.absorb(0, &second, value) {
                Absorbed::Again(again) => search.absorb(0, &again, value),
                other => other,
            };
            let cuts = value >= 100;
            assert_eq!(again, if cuts { Absorbed::Cut } else { Absorbed::Settled });
            search.leave(0);
            let position = search.memory.nodes[0].position;
            let histories = &search.memory.histories;
            assert!(histories.butterfly(&position, second.mv) > 0);
            assert_eq!(histories.butterfly(&position, first.mv), 0, "tried in vain");
            let killer = if cuts { second.mv } else { Move::NONE };
            assert_eq!(search.memory.killers[1].moves()[0], killer, "Z18: moves that cut");
        });
    }
}

#[test]
fn z19_m22_a_move_that_cuts_is_remembered_for_its_side() {
    examine(NEGASCOUT, START, (0, 1, 4), |search| {
        let plan = first_move(search);
        assert_eq!(search.absorb(0, &plan, 5), Absorbed::Cut);
        search.leave(0);
        let position = search.memory.nodes[0].position;
        let other = position.legal_moves().iter().copied().find(|&mv| mv != plan.mv);
        let histories: &Histories = &search.memory.histories;
        assert!(histories.butterfly(&position, plan.mv) > 0);
        assert_eq!(histories.butterfly(&position, other.expect("twenty moves")), 0);
        assert_eq!(
            histories.butterfly(&position.make_null(), plan.mv),
            0,
            "the other side's table"
        );
        assert_eq!(search.memory.killers[1].moves()[0], plan.mv, "Z18");
    });
}

#[test]
fn z12_m6_after_a_failure_the_window_begins_anew_at_the_value_that_was_found() {
    for (found, window) in [(90, (89, i32::from(INFINITE))), (-70, (-i32::from(INFINITE), -69))] {
        examine(NEGASCOUT, START, (0, 1, 1), |search| {
            let mut deepening = search.begin_deepening(0, 1);
            let mv = search.root.moves[0].mv;
            search.root.settle(mv, 20, true, true, &[], 0);
            search.deepen(&mut deepening, 20);
            assert_eq!(deepening.next(), Some((-20, 60, 2)));
            search.deepen(&mut deepening, found);
            assert_eq!(deepening.next(), Some((window.0, window.1, 2)));
            // The second search contradicts the first.
            search.deepen(&mut deepening, if found > 0 { 80 } else { -60 });
            let full = (-i32::from(INFINITE), i32::from(INFINITE), 2);
            assert_eq!(deepening.next(), Some(full));
        });
    }
}

#[test]
fn d17_the_windows_are_the_papers() {
    assert_eq!(DARKSIGHT.window, Window::Static(40));
    assert_eq!(PLAIN.window, Window::Static(100), "M6: a pawn");
}

#[test]
fn m8_replies_to_check_do_not_count_as_depth() {
    let check = "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1";
    let depth =
        |switches, fen| examine(switches, fen, (-500, 500, 4), |search| first_plan(search).depth);
    assert_eq!(depth(PLAIN, check), 4);
    assert_eq!(depth(PLAIN, START), 3);
    assert_eq!(depth(BARE, check), 3);
}

#[test]
fn m11_a_line_may_have_a_second_null_move_but_not_at_once() {
    examine(ZUGZWANG_NULL, START, (0, 200, 8), |search| {
        let null = first_plan(search);
        assert_eq!(null.kind, PlanKind::Null);
        search.descend(0, &null);
        assert_eq!(search.enter(1), Entered::Open);
        let reply = search.next(1).expect("there are legal moves");
        assert_eq!(reply.kind, PlanKind::Move, "never twice in a row");
        search.descend(1, &reply);
        assert_eq!(search.enter(2), Entered::Open);
        assert_eq!(search.next(2).expect("there are legal moves").kind, PlanKind::Null);
    });
}

#[test]
fn m24_a_move_that_stands_alone_is_extended() {
    let extended = |value_of_the_others| {
        examine(MODERN, START, (-10, 10, 8), |search| {
            let position = search.memory.nodes[0].position;
            let mv = position.parse_uci("e2e4").expect("legal");
            let slot = search.table.probe(position.key()).slot();
            let entry =
                Entry { mv, score: 0, eval: None, depth: 8, bound: Bound::Lower, pv: false };
            search.table.store(slot, entry);
            search.root.depth = 8;
            // The test of the others comes before the move, whatever comes before both.
            let mut plan = first_plan(search);
            while plan.kind != PlanKind::Singular {
                assert_eq!(search.absorb(0, &plan, -3000), Absorbed::Settled);
                plan = search.next(0).expect("there is a test");
            }
            assert!(plan.mv == mv && plan.beta <= 0 && plan.depth < 5, "{plan:?}");
            assert_eq!(search.absorb(0, &plan, value_of_the_others), Absorbed::Settled);
            let plan = search.next(0).expect("the move itself");
            assert_eq!((plan.kind, plan.mv), (PlanKind::Move, mv));
            plan.depth
        })
    };
    assert!(extended(-500) > 7, "alone");
    assert!(extended(5) <= 7, "not alone");
}
