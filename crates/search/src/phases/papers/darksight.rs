//! DarkSight's rules at a single node, and what its thesis leaves to the future.

use super::{START, examine, first_move, first_plan};
use crate::node::{Absorbed, Attempt, Node, Plan, PlanKind};
use crate::parameters::PIECE_VALUES;
use crate::switches::{DARKSIGHT, DARKSIGHT_NEXT};
use board::{Move, PieceKind};
use eval::Evaluator;
use eval::score::mated_in;
use table::{Bound, Entry};

#[test]
fn d23_without_a_table_move_a_search_two_plies_shallower_finds_one() {
    examine(DARKSIGHT, START, (-50, 50, 5), |search| {
        search.memory.nodes[0].null_allowed = false;
        let plan = first_plan(search);
        assert_eq!((plan.kind, plan.depth), (PlanKind::Deepen, 3));
        let found = search.memory.nodes[0].position.legal_moves()[7];
        search.memory.nodes[1].best_move = found;
        assert_eq!(search.absorb(0, &plan, 0), Absorbed::Settled);
        assert_eq!(search.next(0).map(|plan| plan.mv), Some(found));
    });
}

#[test]
fn d23_there_is_no_such_search_after_a_null_move_or_where_the_table_knows_the_position() {
    // The null move is tried and does not cut.
    examine(DARKSIGHT, START, (49, 50, 5), |search| {
        let null = first_plan(search);
        assert_eq!(null.kind, PlanKind::Null);
        assert_eq!(search.absorb(0, &null, 0), Absorbed::Settled);
        assert_eq!(search.next(0).map(|plan| plan.kind), Some(PlanKind::Move));
    });
    // The position is in the table, not deep enough and without a move.
    examine(DARKSIGHT, START, (-50, 50, 5), |search| {
        let slot = search.table.probe(search.memory.nodes[0].position.key()).slot();
        let (mv, bound) = (Move::NONE, Bound::Upper);
        let entry = Entry { mv, score: 0, eval: None, depth: 1, bound, pv: false };
        search.table.store(slot, entry);
        search.memory.nodes[0].null_allowed = false;
        assert_eq!(first_plan(search).kind, PlanKind::Move);
    });
}

#[test]
fn d31_a_move_whose_child_the_table_knows_to_cut_comes_first() {
    // A child of a node of four plies has three.
    for (depth, score, comes_first) in [(3, -90, true), (2, -90, false), (3, -40, false)] {
        examine(DARKSIGHT, START, (-50, 50, 4), |search| {
            let position = search.memory.nodes[0].position;
            let mv = position.parse_uci("a2a3").expect("a legal move");
            let slot = search.table.probe(position.make(mv).key()).slot();
            let bound = Bound::Upper;
            let entry = Entry { mv: Move::NONE, score, eval: None, depth, bound, pv: false };
            search.table.store(slot, entry);
            assert_eq!(first_move(search).mv == mv, comes_first, "{depth} {score}");
        });
    }
}

#[test]
fn d38_d42_the_null_move_tells_of_danger() {
    let after_null_move = |value| {
        examine(DARKSIGHT, START, (-61, -60, 4), |search| {
            let plan = first_plan(search);
            assert_eq!(plan.kind, PlanKind::Null);
            assert_eq!(search.absorb(0, &plan, value), Absorbed::Settled);
            let Node { mate_threat, deep_search, .. } = search.memory.nodes[0];
            (mate_threat, deep_search)
        })
    };
    assert_eq!(after_null_move(-100), (false, false));
    assert_eq!(after_null_move(-400), (false, true), "D38: good now, bad after the null move");
    assert_eq!(
        after_null_move(i32::from(mated_in(5))),
        (true, true),
        "D42: mated after the null move"
    );
}

#[test]
fn d19_a_cut_by_the_null_move_is_verified_without_one() {
    for (verified, refuted) in [(-60, false), (-100, true)] {
        examine(DARKSIGHT_NEXT, START, (-61, -60, 5), |search| {
            let plan = first_plan(search);
            assert_eq!((plan.kind, plan.depth), (PlanKind::Null, 2));
            let Absorbed::Again(again) = search.absorb(0, &plan, 20) else {
                panic!("a cut must be verified");
            };
            assert_eq!((again.kind, again.depth), (PlanKind::Verify, 2));
            search.descend(0, &again);
            assert!(!search.memory.nodes[1].null_allowed);
            let expected = if refuted { Absorbed::Settled } else { Absorbed::Cut };
            assert_eq!(search.absorb(0, &again, verified), expected);
        });
    }
    examine(DARKSIGHT, START, (-61, -60, 5), |search| {
        let plan = first_plan(search);
        assert_eq!(search.absorb(0, &plan, 20), Absorbed::Cut, "the thesis's program does not");
    });
}

#[test]
fn d43_the_refutation_of_the_null_move_is_known_two_plies_later() {
    examine(DARKSIGHT_NEXT, START, (-61, -60, 4), |search| {
        let null = first_plan(search);
        let threat = search.memory.nodes[0].position.make_null().legal_moves()[3];
        search.memory.variations[1].assign(&[threat]);
        assert_eq!(search.absorb(0, &null, -100), Absorbed::Settled);
        assert_eq!(search.memory.nodes[0].threat, threat);
        let plan = search.next(0).expect("a move");
        for level in 0..2 {
            search.descend(
                level,
                &Plan { mv: search.memory.nodes[level].position.legal_moves()[0], ..plan },
            );
            search.memory.nodes[level + 1].threat = Move::NONE;
        }
        assert_eq!(search.memory.nodes[2].threats, [Move::NONE, threat]);
    });
}

#[test]
fn d44_pieces_that_go_back_are_searched_a_ply_less_deeply_until_they_fail_high() {
    let fen = "4k3/8/8/8/3N4/8/PP6/4K3 w - - 0 1";
    examine(DARKSIGHT_NEXT, fen, (-61, -60, 4), |search| {
        search.memory.nodes[0].null_allowed = false;
        let mut plan = first_move(search);
        let mut back = 0;
        loop {
            let goes_back = plan.mv.from().to_string() == "d4" && plan.mv.to().rank() < 3;
            let scout = plan.attempt != Attempt::Full;
            assert_eq!(plan.depth < plan.full_depth, goes_back && scout, "{:?}", plan.mv);
            if goes_back && scout && back == 0 {
                let Absorbed::Again(again) = search.absorb(0, &plan, -50) else {
                    panic!("it is searched to its full depth");
                };
                assert_eq!((again.depth, again.attempt), (plan.full_depth, Attempt::Scout));
                plan = again;
            }
            back += i32::from(goes_back);
            assert_eq!(search.absorb(0, &plan, -100), Absorbed::Settled);
            let Some(next) = search.next(0) else { break };
            plan = next;
        }
        assert_eq!(back, 4, "four squares behind the knight");
    });
}

#[test]
fn d45_the_quiescence_search_looks_at_evasions_and_captures_that_can_reach_alpha() {
    let nodes = |fen, alpha| {
        examine(DARKSIGHT, fen, (alpha, alpha + 1, 0), |search| {
            search.quiesce(0);
            search.statistics.quiescence_nodes
        })
    };
    let hanging_rook = "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1";
    assert!(nodes(hanging_rook, -100) > 1);
    assert_eq!(nodes(hanging_rook, 5000), 1, "no capture brings alpha within reach");
    let evaluation = examine(DARKSIGHT, hanging_rook, (0, 1, 0), |search| {
        i32::from(search.evaluator.evaluate(&search.memory.nodes[0].position))
    });
    // The rook, and a margin of two pawns.
    let reach = evaluation + PIECE_VALUES[PieceKind::Rook.index()] + 200;
    assert!(nodes(hanging_rook, reach - 1) > 1);
    assert_eq!(nodes(hanging_rook, reach), 1);
    assert_eq!(nodes("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", 950), 1, "a losing capture");
    assert!(nodes("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", 5000) > 1, "in check");
}
