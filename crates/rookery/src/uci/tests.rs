//! The console without a process around it.

mod any_line;

use super::*;
use crate::session::testing::Memory;
use std::io::Cursor;
use std::time::Duration;

/// What the console answers to some lines.
fn answers(lines: &str) -> String {
    let memory = Memory::default();
    let input = Cursor::new(lines.to_owned());
    talk(input, Output::new(memory.clone()), None).expect("memory takes every answer");
    memory.take()
}

fn fen_after(lines: &str) -> String {
    let shown = answers(&format!("{lines}\nd\n"));
    let fen = shown.lines().find_map(|line| line.strip_prefix("Fen: "));
    fen.expect("d shows a FEN").to_owned()
}

#[test]
fn unknown_words_before_a_command_are_passed_over() {
    assert_eq!(answers("joho isready\n"), "readyok\n");
    assert_eq!(answers("joho\n"), "info string error unknown command \"joho\": help lists all\n");
    assert_eq!(answers("\n \t \r\n"), "");
}

#[test]
fn nothing_is_read_after_quit() {
    assert_eq!(answers("quit\nisready\n"), "");
}

#[test]
fn a_refused_position_leaves_the_old_one() {
    let before = "position startpos moves e2e4";
    for bad in [
        "position",
        "position here",
        "position startpos e2e4",
        "position startpos moves e2e4 e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen moves e2e4",
    ] {
        let text = answers(bad);
        assert!(text.starts_with("info string error position: "), "{bad}: {text}");
        assert_eq!(text.lines().count(), 1);
        assert_eq!(fen_after(&format!("{before}\n{bad}")), fen_after(before));
    }
}

#[test]
fn castling_is_written_as_the_position_or_the_option_says() {
    let classical = "position fen 4k3/8/8/8/8/8/8/4K2R w K -\n";
    let shredder = "position fen 4k3/8/8/8/8/8/8/4K2R w H -\n";
    let on = "setoption name uci_chess960 value true\n";
    assert!(answers(&format!("{classical}go perft 1")).contains("e1g1: 1"));
    assert!(answers(&format!("{shredder}go perft 1")).contains("e1h1: 1"));
    assert!(answers(&format!("{on}{classical}go perft 1")).contains("e1h1: 1"));
    assert_eq!(fen_after(&format!("{classical}position startpos")), Position::startpos().fen());
}

#[test]
fn wrong_options_are_named() {
    for (line, expected) in [
        ("setoption", "expected: setoption name NAME value VALUE"),
        ("setoption name Contempt value 3", "no option \"Contempt\""),
        ("setoption name UCI_Chess960 value yes", "UCI_Chess960 is true or false, not \"yes\""),
        ("setoption name UCI_Chess960", "the value of UCI_Chess960 is missing"),
        ("setoption name MultiPV value 0", "MultiPV is a number from 1 to 256, not \"0\""),
        ("setoption name Hash value", "Hash is a number from 1 to 33554432, not \"\""),
    ] {
        assert_eq!(answers(line), format!("info string error setoption: {expected}\n"));
    }
}

#[test]
fn depths_out_of_range_are_refused() {
    for line in ["perft", "perft x", "perft -1", "divide 256", "go perft", "go perft 99999999999"] {
        let text = answers(line);
        assert!(text.starts_with("info string error ") && text.lines().count() == 1, "{text}");
    }
    assert_eq!(answers("perft 0\n"), "Nodes searched: 1\n");
    assert_eq!(answers("divide 0\n"), "\nNodes searched: 1\n");
}

#[test]
fn the_end_of_the_game_is_told() {
    let mate = "position startpos moves f2f3 e7e5 g2g4 d8h4\nmoves\n";
    assert_eq!(answers(mate), "no legal moves: checkmate\n");
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - -\nmoves\n";
    assert_eq!(answers(stalemate), "no legal moves: stalemate\n");
}

#[test]
fn folders_without_tables_are_named() {
    for option in ["SyzygyPath", "EndgamePath"] {
        let text = answers(&format!("setoption name {option} value no such folder\n"));
        let error = format!("info string error {option}: no such folder");
        assert!(text.starts_with(&error), "{text}");
    }
    assert_eq!(answers("setoption name SyzygyPath value <empty>\n"), "");
    assert_eq!(answers("setoption name SyzygyProbeDepth value 3\n"), "");
}

#[test]
fn a_bad_path_leaves_good_tables_open_and_is_told_once() {
    let good = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    let memory = Memory::default();
    let (mut console, _events) = Console::new(Output::new(memory.clone())).expect("memory");
    let mut set = |name: &str, value: &str| {
        let outcome = console.receive(&format!("setoption name {name} value {value}"));
        console.settle(outcome).expect("memory takes every answer");
        let engine = console.session.engine();
        (memory.take(), engine.oracle().is_some_and(endgame::Oracle::reads_files))
    };
    let (found, open) = set("SyzygyPath", good);
    assert!(open && found.starts_with("info string SyzygyPath: tables of up to "), "{found}");
    for (name, value) in [
        ("EndgamePath", "no such folder"),
        ("SyzygyPath", "no such folder"),
        ("SyzygyPath", env!("CARGO_MANIFEST_DIR")),
        ("EndgamePath", env!("CARGO_MANIFEST_DIR")),
    ] {
        let (told, open) = set(name, value);
        assert!(told.starts_with(&format!("info string error {name}: ")), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(open, "the good tables are still there");
        // What else is set opens nothing anew.
        assert_eq!(set("SyzygyProbeDepth", "2"), (String::new(), true));
        assert_eq!(set("Recognisers", "false"), (String::new(), true));
    }
    assert_eq!(set("SyzygyPath", "<empty>"), (String::new(), false));
}

#[test]
fn threads_and_their_way_of_searching_are_set_in_silence() {
    let threads = "setoption name Threads value 4\nsetoption name Parallel value ybw\n";
    assert_eq!(answers(&threads.repeat(3)), "");
    assert_eq!(answers("setoption name Threads value 1\n"), "");
    let wrong = answers("setoption name Parallel value together\n");
    assert!(wrong.starts_with("info string error setoption: Parallel is one of ybw"), "{wrong}");
}

#[test]
fn a_table_needs_a_file() {
    let missing = "info string error savetable: name a file, or set the option TableFile\n";
    assert_eq!(answers("savetable\n"), missing);
    assert_eq!(answers("setoption name Save Table\n"), missing);
    let absent = answers("setoption name TableFile value no such file\nloadtable\n");
    assert!(absent.starts_with("info string error loadtable: table file \"no such file\""));
    assert_eq!(absent.lines().count(), 1);
}

/// The search that has answered is over for the interface before the console knows it.
#[test]
fn ponderhit_holds_for_a_search_that_has_yet_to_begin() {
    let memory = Memory::default();
    let (mut console, events) = Console::new(Output::new(memory.clone())).expect("memory");
    for line in ["go depth 1", "go ponder depth 1", "ponderhit"] {
        console.receive(line).expect("all is right");
    }
    while console.session.is_running() {
        if let Ok(Event::Finished(answer)) = events.recv_timeout(Duration::from_secs(60)) {
            console.session.finished(answer);
            console.follow_waiting().expect("memory takes every answer");
        } else {
            panic!("the second search ponders for ever: {}", memory.take());
        }
    }
    assert_eq!(memory.take().matches("bestmove ").count(), 2);
}
