//! The console without a process around it.

mod any_line;
mod order;

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
        ("setoption name UCI_Chess960 value si", "UCI_Chess960 is true or false, not \"si\""),
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
        let line = Heard::now(format!("setoption name {name} value {value}"));
        console.hear(&line).expect("memory takes every answer");
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
    for extras in ["Vote, share", "none", "<empty>"] {
        assert_eq!(answers(&format!("setoption name Parallel Extras value {extras}\n")), "");
    }
    let wrong = answers("setoption name ParallelExtras value vote dream\n");
    let told = "info string error setoption: Parallel Extras: no extra of a parallel search is called \"dream\"";
    assert!(wrong.starts_with(told), "{wrong}");
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

#[test]
fn sloppy_positions_are_repaired_and_told() {
    let text = answers("position fen 4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1\ngo depth 2\n");
    let told = "info string position: castling rights KQkq dropped: no king and rook in place\n";
    assert!(text.starts_with(told) && !text.contains("error"), "{text}");
    assert!(!text.contains("bestmove 0000") && text.contains("bestmove "), "{text}");
    let crowd = "position fen 4k3/8/8/8/8/NQQQQBB1/PPPPPPP1/RN2K1NR b KQ - 0 1\ngo depth 2\n";
    let text = answers(crowd);
    assert!(text.starts_with("info string position: White has 19 men"), "{text}");
    assert!(text.contains("bestmove ") && !text.contains("bestmove 0000"), "{text}");
}

#[test]
fn after_a_refused_position_nothing_is_searched_until_a_good_one_comes() {
    let bad = "position startpos moves e2e4\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\n";
    let text = answers(&format!("{bad}go depth 3\ngo infinite\ngo depth x\n"));
    let error = "info string error go: the last position was refused\nbestmove 0000\n";
    let first = text.find('\n').map_or(0, |end| end + 1);
    assert_eq!(text[first..], error.repeat(3), "{text}");
    for command in ["go perft 2", "perft 2", "divide 2", "moves", "eval"] {
        let text = answers(&format!("{bad}{command}\n"));
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("info string error ") && last.contains("was refused"), "{text}");
    }
    for good in ["position startpos", "ucinewgame"] {
        let text = answers(&format!("{bad}{good}\ngo depth 1\n"));
        assert!(!text.contains("bestmove 0000") && text.contains("bestmove "), "{good}: {text}");
    }
}

/// As Stockfish does: an interface that sends what we cannot follow waits for an answer all the same.
#[test]
fn every_go_is_answered_whatever_stands_behind_it() {
    for (go, is_wrong) in [
        ("depth 0", false),
        ("depth -3", false),
        ("nodes 0", false),
        ("nodes -7", false),
        ("movetime 0", false),
        ("movetime -5", false),
        ("wtime 0 btime 0", false),
        ("wtime -100 btime -100 winc -5 movestogo -1", false),
        ("mate 0 depth 2", false),
        ("depth 3 nodes 99999999999999999999", false),
        ("searchmoves e2e5", true),
        ("searchmoves e2e5 depth 3", true),
        ("searchmoves depth 2", true),
        ("blah depth 3", true),
        ("depth 3 blah", true),
        ("depth", true),
        ("depth x", true),
        ("dept 5", true),
        ("btime 1000", true),
        ("ponder dept 5", true),
        ("depth 1 perft 3", true),
    ] {
        let text = answers(&format!("position startpos moves e2e4 e7e5\ngo {go}\n"));
        let (answer, errors) = (text.matches("bestmove ").count(), text.matches(" error ").count());
        assert_eq!((answer, errors), (1, usize::from(is_wrong)), "{go}: {text}");
        let best = text.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap_or_default();
        let best = best.split(' ').next().unwrap_or_default();
        let position = Position::from_fen(&fen_after("position startpos moves e2e4 e7e5"));
        assert!(position.is_ok_and(|position| position.parse_uci(best).is_ok()), "{go}: {text}");
        let error = text.find(" error ").unwrap_or(0);
        assert!(Some(error) <= text.find("bestmove "), "{go}: {text}");
    }
    // Only what counts instead of searching has no move.
    for go in ["perft 0", "perft", "perft -1", "perft x"] {
        assert!(!answers(&format!("go {go}\n")).contains("bestmove"), "{go}");
    }
}

#[test]
fn a_go_that_cannot_be_understood_does_not_search_for_ever() {
    for go in ["dept 5", "depth", "depth x", "searchmoves e2e5", "btime 1000", "wtime x"] {
        let memory = Memory::default();
        let (mut console, events) = Console::new(Output::new(memory.clone())).expect("memory");
        console.hear(&Heard::now(format!("go {go}"))).expect("memory takes every answer");
        // Nothing says stop.
        while console.session.is_running() {
            match events.recv_timeout(Duration::from_secs(120)) {
                Ok(Event::Finished(number)) => drop(console.session.finished(number)),
                _ => panic!("{go}: it does not end: {}", memory.take()),
            }
        }
        assert_eq!(memory.take().matches("bestmove ").count(), 1, "{go}");
    }
}

#[test]
fn flip_exchanges_the_colours() {
    let fen = fen_after("position startpos moves e2e4\nflip");
    assert_eq!(fen, "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(fen_after("flip\nflip"), Position::startpos().fen());
}

#[test]
fn the_build_is_told() {
    let text = answers("compiler\n");
    assert!(text.starts_with("Rookery ") && text.contains(std::env::consts::ARCH), "{text}");
    let rustc = text.lines().find_map(|line| line.strip_prefix("rustc     "));
    let numbers = rustc.and_then(|version| version.split(['-', ' ']).next()).unwrap_or_default();
    let numbers: Vec<Result<u32, _>> = numbers.split('.').map(str::parse).collect();
    assert!(matches!(numbers[..], [Ok(1), Ok(_), Ok(_)]), "{text}");
}

#[test]
fn a_level_is_for_games_and_not_for_analysis() {
    let weak = "setoption name Skill Level value 0\n";
    let deepest = |lines: &str| {
        let text = answers(&format!("{weak}{lines}"));
        let depths = text.lines().filter_map(|line| {
            let mut words = line.strip_prefix("info depth ")?.split(' ');
            words.next()?.parse::<i32>().ok()
        });
        depths.max().unwrap_or_else(|| panic!("no depth: {text}"))
    };
    assert!(deepest("go depth 7\n") < 7);
    assert_eq!(deepest("setoption name UCI_AnalyseMode value true\ngo depth 7\n"), 7);
    // A zugzwang: with the network the null move hides it up to depth 14.
    let mate = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\ngo mate 2 depth 20\n";
    assert!(answers(&format!("{weak}{mate}")).contains("bestmove a1a6"));
}
