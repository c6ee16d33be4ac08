//! Searches by several threads, with the real program.

use crate::best;
use crate::support::{Dialogue, count, field, number, variation};
use board::Position;
use std::time::Duration;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const STRATEGIES: [&str; 4] = ["ybw", "abdada", "lazy", "tds"];

fn start(strategy: &str, threads: u32) -> Dialogue {
    let mut dialogue = Dialogue::start();
    dialogue.send(&format!("setoption name Parallel value {strategy}"));
    dialogue.send(&format!("setoption name Threads value {threads}"));
    dialogue
}

#[test]
fn depths_nodes_mates_and_chosen_moves_are_searched_by_all_threads() {
    for strategy in STRATEGIES {
        let mut dialogue = start(strategy, 4);
        let position = Position::from_fen(KIWIPETE).expect("a position");
        let lines = dialogue.search(&format!("fen {KIWIPETE}"), "go depth 8");
        assert_eq!(count(&lines, "bestmove "), 1);
        let last = lines.iter().rfind(|line| line.contains(" pv ")).expect("a line");
        assert_eq!(number(last, "depth"), Some(8), "{strategy}: {last}");
        for line in lines.iter().filter(|line| line.contains(" pv ")) {
            assert!(!variation(line, &position).is_empty(), "{line}");
        }
        assert_eq!(field(last, "pv"), Some(best(&lines)));

        let lines = dialogue.search("startpos", "go nodes 20000");
        assert!(Position::startpos().parse_uci(best(&lines)).is_ok(), "{strategy}");

        let lines = dialogue.search("fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2");
        assert_eq!(best(&lines), "a1a6", "{strategy}");

        dialogue.send("setoption name MultiPV value 2");
        let lines = dialogue.search("startpos", "go depth 6 searchmoves a2a3 h2h3 b2b3");
        assert!(["a2a3", "h2h3", "b2b3"].contains(&best(&lines)), "{strategy}");
        assert!(lines.iter().any(|line| number(line, "multipv") == Some(2)), "{strategy}");
    }
}

#[test]
fn threads_search_wherever_they_are_bound() {
    let mut dialogue = start("ybw", 2);
    for numa in ["pin", "off", "auto"] {
        dialogue.send(&format!("setoption name NUMA value {numa}"));
        dialogue.send("setoption name Hash value 2");
        let lines = dialogue.search("startpos", "go depth 7");
        let last = lines.iter().rfind(|line| line.contains(" pv ")).expect("a line");
        assert_eq!(number(last, "depth"), Some(7), "{numa}: {last}");
        assert!(!lines.iter().any(|line| line.contains("error")), "{numa}: {lines:?}");
    }
}

#[test]
fn memory_is_there_before_readyok_and_none_is_made_in_a_search() {
    let mut dialogue = Dialogue::start();
    let mut after = |lines: &str, answer: &str| {
        dialogue.send(lines);
        dialogue.until(answer);
        dialogue.memory_mb()
    };
    let Some(before) = after("isready", "readyok") else { return };
    let with_table = after("setoption name Hash value 100\nisready", "readyok").unwrap_or(0);
    assert!(with_table >= 100, "{with_table} MB");
    // Histories and caches of a thread are several megabytes.
    let with_threads = after("setoption name Threads value 9\nisready", "readyok").unwrap_or(0);
    assert!(with_threads >= with_table + 8 * 3, "{before}, {with_table}, {with_threads} MB");
    let searched = after("position startpos\ngo nodes 50000", "bestmove").unwrap_or(0);
    assert!(searched < with_threads + 12, "{with_threads} MB, {searched} MB after a search");
    let renewed = after("ucinewgame\nisready", "readyok").unwrap_or(0);
    let searched = after("position startpos\ngo nodes 50000", "bestmove").unwrap_or(0);
    assert!(searched < renewed + 12, "{renewed} MB, {searched} MB after a search");
}

#[test]
fn stop_and_ponderhit_are_answered_once() {
    for strategy in STRATEGIES {
        let mut dialogue = start(strategy, 4);
        for wait in [0, 1, 20, 100] {
            dialogue.send(&format!("position fen {KIWIPETE}\ngo infinite"));
            let before = dialogue.during(Duration::from_millis(wait));
            assert_eq!(count(&before, "bestmove"), 0);
            dialogue.send("stop");
            assert_eq!(count(&dialogue.until("bestmove "), "bestmove "), 1);
        }
        dialogue.send("position startpos moves e2e4 e7e5\ngo ponder wtime 1000 btime 1000");
        assert_eq!(count(&dialogue.during(Duration::from_millis(300)), "bestmove"), 0);
        dialogue.send("ponderhit");
        dialogue.until("bestmove ");
        dialogue.send("isready");
        assert_eq!(count(&dialogue.until("readyok"), "bestmove"), 0, "{strategy}");
    }
}

#[test]
fn threads_and_tables_change_between_searches() {
    let mut dialogue = start("ybw", 3);
    for (threads, strategy) in [(1, "lazy"), (8, "ybw"), (2, "abdada"), (5, "lazy"), (1, "ybw")] {
        dialogue.send(&format!("setoption name Threads value {threads}"));
        dialogue.send(&format!("setoption name Parallel value {strategy}"));
        dialogue.send(&format!("setoption name Hash value {}\nucinewgame", threads + 1));
        let lines = dialogue.search("startpos", "go depth 7");
        assert!(Position::startpos().parse_uci(best(&lines)).is_ok());
    }
    // One thread is the sequential search: the same nodes every time.
    let mut nodes = || {
        dialogue.send("ucinewgame");
        let lines = dialogue.search("startpos", "go depth 7");
        lines.iter().rev().find_map(|line| number(line, "nodes"))
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_program_ends_in_the_middle_of_a_search() {
    for strategy in STRATEGIES {
        for last in ["", "quit\n"] {
            let mut dialogue = start(strategy, 4);
            dialogue.send(&format!("position fen {KIWIPETE}\ngo infinite"));
            dialogue.during(Duration::from_millis(50));
            dialogue.send(last);
            let (_, status) = dialogue.close();
            assert!(status.success(), "{strategy} {last:?}");
        }
    }
}
