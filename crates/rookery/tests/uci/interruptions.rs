//! What comes while a search runs.

use crate::best;
use crate::support::{Dialogue, count, noise, number, variation};
use board::Position;
use std::time::Duration;

#[test]
fn isready_and_stop_are_answered_while_it_searches() {
    let mut dialogue = Dialogue::start();
    for _ in 0..20 {
        dialogue.send("go infinite");
        dialogue.during(Duration::from_millis(30));
        dialogue.send("isready");
        assert_eq!(count(&dialogue.until("readyok"), "bestmove"), 0);
        dialogue.send("stop");
        dialogue.until("bestmove ");
    }
}

#[test]
fn a_stop_before_the_first_iteration_still_gets_a_legal_move() {
    let mut dialogue = Dialogue::start();
    for _ in 0..50 {
        dialogue.send("go infinite\nstop");
        let lines = dialogue.until("bestmove ");
        let mv = best(&lines);
        assert!(Position::startpos().parse_uci(mv).is_ok(), "{mv}");
    }
    let (rest, status) = dialogue.close();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn thousands_of_lines_of_garbage_do_not_disturb_a_search() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go infinite");
    for seed in 1..=3_000u64 {
        let mut line = noise(1 + seed as usize % 90, seed * 0x9e37_79b9);
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        dialogue.send_bytes(&line);
    }
    dialogue.send("position fen nonsense\nposition startpos moves e2e5\nisready");
    let during = dialogue.until("readyok");
    assert_eq!(count(&during, "bestmove"), 0);
    assert!(count(&during, "info string error ") > 2_900);
    dialogue.send("stop");
    let lines = dialogue.until("bestmove ");
    let last = during.iter().chain(&lines).rfind(|line| line.contains(" pv ")).expect("a line");
    assert!(!variation(last, &Position::startpos()).is_empty());
    dialogue.send("d\nisready");
    let start = format!("Fen: {}", Position::startpos().fen());
    assert!(dialogue.until("readyok").contains(&start), "the position is the old one");
}

#[test]
fn every_go_gets_one_answer_in_its_turn() {
    let mut dialogue = Dialogue::start();
    let other = "position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    dialogue.send(&format!(
        "go depth 6\nsetoption name Hash value 8\ngo depth 3\n{other}\ngo depth 2\nucinewgame\n\
         go nodes 100\nsetoption name MultiPV value 2\ngo depth 2"
    ));
    let mut depths = Vec::new();
    for _ in 0..5 {
        let lines = dialogue.until("bestmove ");
        depths.push(lines.iter().filter_map(|line| number(line, "depth")).max().expect("a depth"));
    }
    assert_eq!((depths[0], depths[1], depths[2], depths[4]), (6, 3, 2, 2), "{depths:?}");
    dialogue.send("go infinite\ngo infinite\ngo depth 1\nstop");
    for _ in 0..3 {
        dialogue.until("bestmove ");
    }
    let (rest, _) = dialogue.close();
    assert_eq!(count(&rest, "bestmove"), 0);
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    for (go, last) in
        [("infinite", ""), ("infinite", "quit\n"), ("ponder", ""), ("ponder wtime 9 btime 9", "")]
    {
        let mut dialogue = Dialogue::start();
        dialogue.send(&format!("go {go}"));
        dialogue.during(Duration::from_millis(200));
        dialogue.send_bytes(last.as_bytes());
        let (rest, status) = dialogue.close();
        assert_eq!(count(&rest, "bestmove "), 1);
        assert!(status.success());
    }
}

#[test]
fn a_position_set_during_a_search_is_for_the_next() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go infinite\nposition fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1\nstop\ngo depth 4");
    let first = dialogue.until("bestmove ");
    assert!(Position::startpos().parse_uci(best(&first)).is_ok());
    let second = dialogue.until("bestmove ");
    let next = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").expect("a position");
    let line = second.iter().rfind(|line| line.contains(" pv ")).expect("a line");
    assert!(!variation(line, &next).is_empty());
}
