//! `go` in all its forms, with the real program.

use crate::best;
use crate::support::{Dialogue, count, field, number, variation};
use board::Position;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn every_iteration_is_told_with_a_legal_line() {
    let mut dialogue = Dialogue::start();
    let position = Position::from_fen(KIWIPETE).expect("a position");
    let lines = dialogue.search(&format!("fen {KIWIPETE}"), "go depth 7");
    for depth in 1..=7 {
        let line = lines.iter().find(|line| number(line, "depth") == Some(depth));
        let line = line.expect("each depth has a line");
        for name in ["seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"] {
            assert!(number(line, name).is_some(), "{name}: {line}");
        }
        assert!(matches!(field(line, "score"), Some("cp" | "mate")), "{line}");
        assert!(!variation(line, &position).is_empty(), "{line}");
    }
    assert_eq!(count(&lines, "bestmove "), 1);
    let last = lines.iter().rfind(|line| line.contains(" pv ")).expect("a line");
    assert_eq!(field(last, "pv"), Some(best(&lines)));
}

#[test]
fn the_same_search_visits_the_same_nodes_after_ucinewgame() {
    let mut dialogue = Dialogue::start();
    let mut counts = BTreeSet::new();
    for _ in 0..3 {
        dialogue.send("ucinewgame");
        let lines = dialogue.search(&format!("fen {KIWIPETE}"), "go depth 6");
        counts.insert(lines.iter().rev().find_map(|line| number(line, "nodes")).expect("nodes"));
    }
    assert_eq!(counts.len(), 1, "{counts:?}");
}

#[test]
fn nodes_and_time_are_kept() {
    let mut dialogue = Dialogue::start();
    let lines = dialogue.search("startpos", "go nodes 5000");
    let nodes = lines.iter().filter_map(|line| number(line, "nodes")).max().expect("nodes");
    assert!(nodes <= 5000, "{nodes}");
    let (begun, before) = (Instant::now(), dialogue.processor_time());
    dialogue.search("startpos", "go movetime 300");
    let elapsed = begun.elapsed();
    assert!(elapsed >= Duration::from_millis(250), "{elapsed:?}");
    // On a busy machine an answer may come late; but a search that stops in time has not used more of a
    // processor.
    let used = dialogue.processor_time().saturating_sub(before);
    assert!(used <= Duration::from_millis(400), "{used:?}");
}

#[test]
fn a_clock_that_is_nearly_empty_or_below_gets_a_legal_move() {
    let mut dialogue = Dialogue::start();
    for clock in ["wtime 0", "wtime -500 winc 0", "wtime 10", "wtime 1 movestogo 1"] {
        let lines = dialogue.search("startpos", &format!("go btime 5000 {clock}"));
        assert!(Position::startpos().parse_uci(best(&lines)).is_ok());
    }
}

#[test]
fn infinite_waits_for_stop_even_if_there_is_nothing_to_search() {
    let mut dialogue = Dialogue::start();
    for (fen, score, answer) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0", "(none)"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0", "(none)"),
        // Two kings: every iteration is over at once, and so are all of them.
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "info depth 1 ", ""),
    ] {
        dialogue.send(&format!("position fen {fen}\ngo infinite"));
        assert_eq!(count(&dialogue.until(score), "bestmove"), 0, "{fen}");
        let before = dialogue.during(Duration::from_millis(300));
        assert_eq!(count(&before, "bestmove"), 0, "{fen}");
        dialogue.send("stop");
        let after = dialogue.until("bestmove ");
        assert!(answer.is_empty() || best(&after) == answer);
    }
}

#[test]
fn m32_pondering_ends_with_ponderhit() {
    let mut dialogue = Dialogue::start();
    dialogue.send("position startpos moves e2e4 e7e5\ngo ponder wtime 2000 btime 2000");
    let before = dialogue.during(Duration::from_millis(1200));
    assert_eq!(count(&before, "bestmove"), 0, "the opponent thinks");
    dialogue.send("ponderhit");
    dialogue.until("bestmove ");
}

#[test]
fn m32_pondering_ends_with_stop_too() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go ponder movetime 50");
    assert_eq!(count(&dialogue.during(Duration::from_millis(300)), "bestmove"), 0);
    dialogue.send("stop");
    assert_eq!(count(&dialogue.until("bestmove "), "bestmove "), 1);
}

#[test]
fn mate_ends_the_search_when_it_is_proven() {
    let mut dialogue = Dialogue::start();
    let lines = dialogue.search("fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2");
    assert_eq!(best(&lines), "a1a6");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:?}");
}

#[test]
fn only_the_moves_of_searchmoves_are_played() {
    let mut dialogue = Dialogue::start();
    dialogue.send("setoption name MultiPV value 5");
    let lines = dialogue.search("startpos", "go depth 5 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best(&lines)));
    let firsts: BTreeSet<_> = lines.iter().filter_map(|line| field(line, "pv")).collect();
    assert_eq!(firsts, BTreeSet::from(["a2a3", "h2h3"]));
    assert!(lines.iter().filter_map(|line| number(line, "multipv")).all(|rank| rank <= 2));
}

#[test]
fn multipv_shows_different_moves_best_first() {
    let mut dialogue = Dialogue::start();
    dialogue.send("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true");
    let lines = dialogue.search(&format!("fen {KIWIPETE}"), "go depth 6");
    let of_rank = |rank: i64| {
        let last = lines.iter().rfind(|line| {
            number(line, "multipv") == Some(rank) && number(line, "depth") == Some(6)
        });
        last.expect("every rank has a line at the last depth")
    };
    let ranks = [of_rank(1), of_rank(2), of_rank(3)];
    let moves: BTreeSet<_> = ranks.iter().filter_map(|line| field(line, "pv")).collect();
    assert_eq!(moves.len(), 3);
    assert_eq!(field(ranks[0], "pv"), Some(best(&lines)));
    assert!(ranks.iter().all(|line| line.contains(" wdl ")));
    let scores: Vec<_> = ranks.iter().filter_map(|line| number(line, "cp")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn a_weak_player_plays_legal_moves_and_shows_one_line() {
    let mut dialogue = Dialogue::start();
    dialogue.send("setoption name UCI_LimitStrength value true");
    let mut moves = BTreeSet::new();
    for _ in 0..20 {
        let lines = dialogue.search("startpos", "go depth 20");
        assert!(lines.iter().filter_map(|line| number(line, "multipv")).all(|rank| rank == 1));
        assert!(Position::startpos().parse_uci(best(&lines)).is_ok());
        moves.insert(best(&lines).to_owned());
    }
    assert!(moves.len() > 1, "it errs: {moves:?}");
}

#[test]
fn nodestime_makes_the_clock_a_number_of_nodes() {
    let mut counts = BTreeSet::new();
    for _ in 0..2 {
        let mut dialogue = Dialogue::start();
        dialogue.send("setoption name nodestime value 50");
        let lines = dialogue.search("startpos", "go wtime 10000 btime 10000");
        counts.insert(lines.iter().filter_map(|line| number(line, "nodes")).max());
    }
    assert_eq!(counts.len(), 1, "{counts:?}");
}

#[test]
fn a_long_iteration_gives_signs_of_life() {
    let mut dialogue = Dialogue::start();
    dialogue.send(&format!("position fen {KIWIPETE}\ngo infinite"));
    let is_sign = |line: &str| line.contains(" nodes ") && !line.contains(" pv ");
    let mut last = 0;
    for _ in 0..2 {
        let lines = dialogue.until_matching("a sign of life", is_sign);
        // Lines come at least every second; only how much later depends on the machine.
        let time = lines.last().and_then(|line| number(line, "time")).expect("a time");
        assert!(time >= last + 800, "{lines:?}");
        last = time;
    }
    dialogue.send("stop");
    dialogue.until("bestmove ");
}
