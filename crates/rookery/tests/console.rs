//! Sessions with the console of the real program.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use support::{errors, noise, program, refused, rookery, session, text, well};

#[test]
fn a_session_as_a_program_has_it() {
    // Without `quit`, which would end the count: at the end of the input all that was begun is finished.
    let input = b"uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\nd\ngo perft 1\n";
    let output = session(&[], input);
    let answers = text(&output);
    let lines: Vec<&str> = answers.lines().collect();
    assert!(lines[0].starts_with("id name Rookery "));
    assert!(lines.contains(&"uciok") && lines.contains(&"readyok"));
    assert!(lines.contains(&"option name UCI_Chess960 type check default false"));
    assert!(lines.contains(&"5 . . . . p . . ."));
    assert!(lines.contains(&"Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    assert!(lines.contains(&"g1f3: 1"));
    assert_eq!(lines.last(), Some(&"Nodes searched: 29"));
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn answers_come_line_by_line_while_the_input_stays_open() {
    let mut child = program(&[""; 0]).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    for _ in 0..3 {
        stdin.write_all(b"isready\n").expect("it reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it answers");
        assert_eq!(line, "readyok\n");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn garbage_never_ends_it() {
    let mut input = Vec::new();
    for (number, seed) in (1..=3_000u64).map(|number| (number, number * 0x9e37_79b9)) {
        input.extend(noise(1 + number as usize % 90, seed));
        input.push(b'\n');
    }
    input.extend(
        b"position fen \0\0\xff\nsetoption name \xc3\x28 value \0\nposition startpos moves \xf0\n",
    );
    input.extend(b"\nisready\n");
    let output = session(&[], &input);
    assert_eq!(text(&output).lines().last(), Some("readyok"));
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn a_line_of_any_length_is_passed_over() {
    let mut input = vec![b'x'; 5 << 20];
    input.extend(b"\nisready\n");
    let expected = "info string error a line longer than 1048576 bytes was passed over\nreadyok\n";
    assert_eq!(text(&session(&[], &input)), expected);
}

#[test]
fn a_game_of_a_hundred_thousand_moves_is_played() {
    let mut input = b"position startpos moves".to_vec();
    input.extend(b" g1f3 g8f6 f3g1 f6g8".repeat(25_000));
    input.extend(b"\nd\n");
    assert!(text(&session(&[], &input)).contains("RNBQKBNR w KQkq - 65535 "));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = program(&[""; 0]).spawn().expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // It may be gone before all is written: that is the point.
    let _ = stdin.write_all(&b"uci\nd\nmoves\n".repeat(1000));
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    let mut message = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut message).expect("text");
    assert_eq!(message, "");
}

#[test]
fn arguments_that_are_a_command_are_followed() {
    let output = rookery(&["moves"]);
    assert!(text(&output).starts_with("20 legal: ") && text(&output).contains(" Nf3"));
    refused(&["position", "fen", "8/8/8/8/8/8/8/8", "w", "-", "-"], 1, "White has no king");
    assert!(!refused(&["castle"], 2, "\"castle\" is no command").contains("mean"));
    refused(&["anlyse", "games.pgn"], 2, "Did you mean `analyse`?");
    let asked = rookery(&["help", "mathc"]);
    assert!(errors(&asked).contains("Did you mean `match`?"), "{}", errors(&asked));
}

#[test]
fn a_command_as_arguments_takes_a_position_and_passes_no_word_over() {
    let fen = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1";
    for command in [&["d", fen][..], &["d", "8/8/4k3/8/8/4K3/4P3/8", "w", "-", "-", "0", "1"]] {
        assert!(well(command).contains(&format!("\nFen: {fen}\n")), "{command:?}");
    }
    let turned = well(&["flip", fen]);
    assert!(turned.contains("\nFen: 8/4p3/4k3/8/8/4K3/8/8 b - - 0 1\n"), "{turned}");
    assert!(well(&["moves", "startpos moves e2e4"]).contains(" legal: a6 "));
    assert!(well(&["moves", fen]).starts_with("7 legal: "), "{}", well(&["moves", fen]));
    for command in [&["divide", "1", fen][..], &["go", "perft", "1", fen]] {
        assert!(well(command).ends_with("\nNodes searched: 7\n"), "{command:?}");
    }
    for command in [
        &["moves", "--fen", fen][..],
        &["moves", &format!("--fen={fen}")],
        &["moves", "--fen", "8/8/4k3/8/8/4K3/4P3/8", "w", "-", "-", "0", "1"],
    ] {
        assert!(well(command).starts_with("7 legal: "), "{command:?}");
    }
    for command in [&["divide", "--fen", fen, "1"][..], &["go", "perft", "1", "--fen", fen]] {
        assert!(well(command).ends_with("\nNodes searched: 7\n"), "{command:?}");
    }
    assert!(well(&["d", "--fen", fen]).contains(&format!("\nFen: {fen}\n")));
    assert!(well(&["go", "depth", "2", "--fen", fen]).contains("\nbestmove e3"));
    // The other commands take it in the same ways.
    let words = ["8/8/4k3/8/8/4K3/4P3/8", "w", "-", "-", "0", "1"];
    for command in [&["perft", "1"][..], &["eval"], &["analyse", "--depth", "1"]] {
        let quoted = well(&[command, &["--fen", fen]].concat());
        let bare = well(&[command, &["--fen"], &words].concat());
        let first = |text: &str| text.lines().next().map(str::to_owned);
        assert_eq!(first(&quoted), first(&bare), "{command:?}");
        refused(&[command, &["--fen", fen, "startpos"]].concat(), 2, "--fen gives the position");
    }
    for (command, reason) in [
        (&["d", "--fen"][..], "--fen: the position is missing"),
        (&["d", "--fen", fen, "startpos"], "--fen gives the position already, found \"startpos\""),
        (&["compiler", "--fen", fen], "compiler: no position is expected behind it"),
        (&["d", "foo"], "\"foo\" is no board"),
        (&["moves", "foo"], "\"foo\" is no board"),
        (&["flip", "3"], "\"3\" is no board"),
        (&["divide", "1", "2"], "\"2\" is no board"),
        (&["go", "dept", "5"], "go: unknown word \"dept\""),
        (&["isready", "now"], "isready: nothing is expected behind it, found \"now\""),
        (&["compiler", "rustc"], "compiler: nothing is expected behind it"),
    ] {
        refused(command, 2, reason);
    }
    // A console passes them over, as UCI has it.
    let console = text(&session(&[], b"d foo\nmoves foo\nflip 3\nisready now\nd\n"));
    assert!(console.contains("20 legal: ") && console.contains("readyok"), "{console}");
    assert!(console.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b "), "{console}");
}

#[test]
fn help_and_version_are_there() {
    let version = well(&["--version"]);
    let lines: Vec<&str> = version.lines().collect();
    assert!(lines[0].starts_with("rookery "), "{version}");
    for (line, begin) in
        lines[1..].iter().zip(["commit    ", "features  ", "target    ", "rustc     "])
    {
        assert!(line.strip_prefix(begin).is_some_and(|rest| !rest.is_empty()), "{version}");
    }
    assert_eq!((lines.len(), well(&["-V"]).lines().count()), (5, 1));
    assert!(well(&["--help"]).contains("rookery perft 6"));
    assert!(well(&["perft", "--help"]).contains("--suite"));
    for help in ["--help", "-h"] {
        assert_eq!(well(&["d", help]), well(&["help", "d"]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_shown_is_a_failure() {
    let cases: [(&[&str], &str); 10] = [
        (&["go", "depth", "3"], ""),
        (&["d"], ""),
        (&["--version"], ""),
        (&["help"], ""),
        (&["help", "match"], ""),
        (&["help", "go"], ""),
        (&["match", "--help"], ""),
        (&[], "go depth 5\nquit\n"),
        (&["uci"], "uci\nquit\n"),
        (&["xboard"], "xboard\nprotover 2\nquit\n"),
    ];
    for (arguments, input) in cases {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let mut child = program(arguments).stdout(full).spawn().expect("the program starts");
        let _ = child.stdin.take().expect("stdin is piped").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = errors(&output);
        assert!(said.starts_with("rookery: cannot write: "), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
