//! What is kept, what is believed, and that a lost line is not lost twice.

mod lost_lines;

use super::*;
use crate::scratch::Scratch;
use search::{Line, Profile};

const STAMP: u64 = 1;

/// The learning file of a test.
fn open(scratch: &Scratch) -> Learning {
    Learning::open(&scratch.file("learnt"), STAMP, 1, 1).expect("a good file")
}

/// A search of a position as it might have been.
fn outcome(position: &Position, mv: &str, score: i32, depth: i32) -> Outcome {
    let mv = position.parse_uci(mv).expect("legal");
    let line = Line { score, bound: Bound::Exact, moves: vec![mv] };
    Outcome { lines: vec![line], depth, selective_depth: depth, nodes: 1 }
}

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    for text in moves.split_whitespace() {
        position.play(position.parse_uci(text).expect("legal"));
    }
    position
}

fn table() -> AnyTable {
    AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there")
}

/// Plays moves from the start and keeps a search of what comes of them.
fn record(learning: &mut Learning, moves: &str, mv: &str, score: i32, depth: i32) {
    let position = after(moves);
    let outcome = outcome(&position, mv, score, depth);
    learning.record(&position, &Limits::default(), &outcome).expect("the file is writable");
}

fn uci(position: &Position, text: &str) -> Move {
    position.parse_uci(text).expect("legal")
}

#[test]
fn m18_a_bad_result_reaches_the_move_that_led_to_it() {
    let scratch = Scratch::new("reach");
    let start = Position::startpos();
    let mut learning = open(&scratch);
    record(&mut learning, "", "f2f3", 20, 10);
    record(&mut learning, "f2f3 e7e5", "g2g4", -300, 9);
    drop(learning);
    let (learning, table) = (open(&scratch), table());
    let order = learning.teach(&start, &table);
    assert_eq!((order.len(), order.last()), (20, Some(&uci(&start, "f2f3"))));
    let between = after("f2f3");
    let entry = table.entry(between.key()).expect("the position between is known");
    assert_eq!((entry.score, entry.bound, entry.depth), (300, table::Bound::Lower, 10));
    assert_eq!(entry.mv, uci(&between, "e7e5"));
    let entry = table.entry(after("f2f3 e7e5").key()).expect("it was searched");
    assert_eq!((entry.score, entry.bound, entry.depth), (-300, table::Bound::Exact, 9));
    assert!(table.entry(start.key()).is_none(), "what was believed of the start is refuted");
    assert!(learning.teach(&after("e2e4 e7e5 g1f3"), &table).is_empty(), "nothing is known there");
}

#[test]
fn m18_a_lesson_is_met_by_another_order_of_moves_and_followed_down_its_line() {
    let scratch = Scratch::new("follow");
    let mut learning = open(&scratch);
    record(&mut learning, "e2e4 e7e5 g1f3 b8c6", "f1b5", 30, 12);
    record(&mut learning, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "b5a4", 25, 12);
    let table = table();
    let order = learning.teach(&after("g1f3 b8c6"), &table);
    assert_eq!(order.last(), Some(&uci(&after("g1f3 b8c6"), "e2e4")));
    let deep = after("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    assert_eq!(table.entry(deep.key()).map(|entry| entry.score), Some(25));
    assert_eq!(table.entry(after("g1f3 b8c6 e2e4").key()).map(|entry| entry.score), Some(-30));
}

#[test]
fn a_refuted_result_is_replaced_and_a_deeper_one_that_stands_is_not() {
    let scratch = Scratch::new("replace");
    let (start, mut learning) = (Position::startpos(), open(&scratch));
    record(&mut learning, "", "f2f3", 20, 12);
    record(&mut learning, "", "e2e4", 25, 10);
    assert_eq!(learning.believed(&start, STEPS).map(|known| known.depth), Some(12));
    record(&mut learning, "f2f3 e7e5", "g2g4", -300, 8);
    assert!(learning.believed(&start, STEPS).is_some(), "too shallow to refute it");
    record(&mut learning, "f2f3 e7e5", "g2g4", -300, 10);
    assert!(learning.believed(&start, STEPS).is_none());
    record(&mut learning, "", "e2e4", 25, 10);
    let known = learning.believed(&start, STEPS).expect("the new one stands");
    assert_eq!((known.mv, known.depth), (uci(&start, "e2e4"), 10));
}

#[test]
fn what_may_mislead_is_not_kept() {
    let scratch = Scratch::new("worth");
    let (start, mut learning) = (Position::startpos(), open(&scratch));
    learning.set_depth(8);
    let good = outcome(&start, "e2e4", 20, 8);
    let line = |bound, score| vec![Line { bound, score, ..good.lines[0].clone() }];
    let some = Limits { root_moves: vec![uci(&start, "e2e4")], ..Limits::default() };
    let old = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 60 90").expect("a position");
    for (position, limits, outcome) in [
        (&start, &Limits::default(), Outcome { depth: 7, ..good.clone() }),
        (&start, &Limits::default(), Outcome { lines: line(Bound::Lower, 20), ..good.clone() }),
        (&start, &Limits::default(), Outcome { lines: line(Bound::Exact, 0), ..good.clone() }),
        (&start, &some, good.clone()),
        (&old, &Limits::default(), good.clone()),
    ] {
        learning.record(position, limits, &outcome).expect("writable");
        assert_eq!(learning.len(), 0, "{outcome:?}");
    }
    learning.record(&start, &Limits::default(), &good).expect("writable");
    assert_eq!(learning.len(), 1);
}

#[test]
fn a_mate_is_a_ply_further_from_the_position_before() {
    use search::score::{mate_in, mated_in};
    assert_eq!(one_ply_up(mated_in(4)), mate_in(5));
    assert_eq!(one_ply_up(mate_in(3)), mated_in(4));
    assert_eq!(one_ply_up(-300), 300);
}
