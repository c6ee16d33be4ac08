//! The search with what is known about endings (D46, D65).

use board::{History, Position};
use endgame::build::{self, Machine, Options};
use endgame::{Ending, Metric, Oracle, Tables, Usage};
use search::score::{MATE, is_decided, is_mate};
use search::{Limits, Outcome, Profile, Quiet, Worker};
use std::sync::Arc;
use table::AnyTable;

fn search(fen: &str, depth: i32, oracle: Option<Oracle>) -> (Outcome, u64) {
    let position = Position::from_fen(fen).expect("a position");
    let table = AnyTable::new(Profile::Modern.policy(), 1).expect("memory for a table");
    let mut worker = Worker::new(Profile::Modern);
    worker.set_oracle(oracle.map(Arc::new));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let outcome = worker.search(&table, &position, &History::new(), &limits, &mut Quiet);
    let hits = worker.statistics().tbhits;
    (outcome, hits)
}

fn recognisers() -> Option<Oracle> {
    Some(Oracle::new(None, None, true, Usage::default()))
}

#[test]
fn d65_a_recognised_win_lies_in_its_own_band() {
    let (outcome, hits) = search("8/8/4k3/8/8/3K4/8/B6N w - -", 4, recognisers());
    let score = outcome.lines[0].score as i16;
    assert!(score > 0 && is_decided(score) && !is_mate(score), "{score}");
    assert!(hits > 0);
}

#[test]
fn d65_a_recognised_draw_is_a_draw() {
    // Rook against bishop, the king in the middle.
    let (outcome, _) = search("8/8/4k3/4b3/8/4K3/8/R7 w - -", 6, recognisers());
    assert_eq!(outcome.lines[0].score, 0);
}

#[test]
fn d66_a_blockade_is_seen_from_outside() {
    let (outcome, hits) =
        search("8/8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/3K4/8 w - -", 3, recognisers());
    assert!(outcome.lines[0].score == 0 && hits > 0);
}

#[test]
fn mates_are_still_found() {
    let (outcome, _) = search("4k3/8/4K3/8/8/8/8/7R w - -", 4, recognisers());
    assert_eq!(outcome.lines[0].score, i32::from(MATE) - 1);
}

#[test]
fn d63_with_tables_the_distance_to_mate_is_exact_at_once() {
    let dir = std::env::temp_dir().join(format!("rookery-search-known-{}", std::process::id()));
    let options = Options {
        dir: &dir,
        metrics: &[Metric::Mate],
        threads: 1,
        machine: Machine::Shared,
        memory: 1 << 30,
        checkpoint: None,
        progress: &|_| (),
        stop: &|| false,
    };
    let endings = [Ending::parse("KRK").expect("an ending")];
    build::build(&endings, &options, &mut |_, _, _| (), &mut |_| ()).expect("the table is built");
    let tables = Tables::open(&dir).expect("the folder is there");
    let oracle = Oracle::new(Some(tables), None, false, Usage::default());
    let (outcome, _) = search("8/8/8/8/8/2k5/1R6/K7 w - -", 2, Some(oracle));
    let _ = std::fs::remove_dir_all(&dir);
    assert_eq!(outcome.lines[0].score, i32::from(MATE) - 31);
}

#[test]
fn other_positions_are_searched_as_without() {
    let start = Position::startpos().fen();
    let [with, without] = [recognisers(), None].map(|oracle| search(&start, 6, oracle));
    assert_eq!(with.0.nodes, without.0.nodes);
    assert_eq!(with.1, 0);
}
