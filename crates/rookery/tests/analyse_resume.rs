//! An analysis that is killed and resumed gives the same file as one that was left alone.
//!
//! `cargo xtask resume --games 500` does it at length.
#![cfg(unix)]

mod support;

use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc;
use support::{Folder, data, errors, good, program, rookery, text, wait_until};

/// Games in the tests; the variable asks for more.
const GAMES: usize = 24;
const VARIABLE: &str = "ROOKERY_RESUMED_GAMES";

fn beside(path: &str, suffix: &str) -> PathBuf {
    format!("{path}{suffix}").into()
}

/// This number of games of a week, each tenth behind a broken one.
fn collection(games: usize) -> String {
    let text = fs::read(data("pgn/twic1599.pgn")).expect("the games are there");
    let text = String::from_utf8_lossy(&text);
    let mut collection = String::new();
    for (index, game) in text.split("[Event ").skip(1).take(games).enumerate() {
        if index % 10 == 0 {
            collection += "[Event \"broken\"]\n\n1. e4 e5 2. Ke4 *\n\n";
        }
        collection += "[Event ";
        collection += game;
    }
    collection
}

/// Starts an analysis, gives it the beginning of its input and no end, and kills it when it has noted
/// down more than before. It cannot be whole before that, however slow we are.
fn kill_within(arguments: &[&str], output: &str, input: &[u8]) {
    let noted = || {
        let journal = fs::read_to_string(beside(output, ".journal")).unwrap_or_default();
        journal.matches('\n').count()
    };
    let before = noted();
    let mut command = program(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let (input, (kill, killed)) = (input.to_vec(), mpsc::channel::<()>());
    let writer = std::thread::spawn(move || {
        // It may be dead before it has read everything. Until then the pipe stays open.
        let _ = stdin.write_all(&input);
        let _ = killed.recv();
    });
    // The first two lines of a journal are its head.
    wait_until("more games", || {
        let status = child.try_wait().expect("the system tells");
        assert!(status.is_none(), "it ended before its input did");
        noted() > before.max(2)
    });
    child.kill().expect("it is ours");
    assert_eq!(child.wait().expect("the system tells").code(), None);
    drop(kill);
    writer.join().expect("writing does not panic");
}

#[test]
fn killed_three_times_and_resumed_is_the_same_byte_for_byte() {
    let games = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let (folder, text_in) = (Folder::new("killed"), collection(games));
    let input = folder.write("games.pgn", &text_in);
    let (alone, killed) = (folder.file("alone.pgn"), folder.file("killed.pgn"));
    let common = ["--nodes", "400", "--hash", "1", "--output"];
    let words = |input, output, threads| {
        [&["analyse", input], &common[..], &[output, "--threads", threads]].concat()
    };
    let output = rookery(&words(&input, &alone, "1"));
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let expected = folder.read("alone.pgn");
    let arguments = words("-", &killed, "3");
    let mut random = std::hash::RandomState::new().build_hasher();
    for kill in 0..3_u64 {
        random.write_u64(kill);
        // Each time at least three games more than the last time.
        let quarters = 1.0 + kill as f64 + (random.finish() % 1000) as f64 / 2000.0;
        let bytes = (text_in.len() as f64 * quarters / 4.0) as usize;
        kill_within(&arguments, &killed, &text_in.as_bytes()[..bytes.min(text_in.len())]);
    }
    assert!(!beside(&killed, "").exists(), "what is not whole does not have the name");
    let last = rookery(&words(&input, &killed, "3"));
    assert!(last.status.code().is_some(), "{}", errors(&last));
    assert!(folder.read("killed.pgn") == expected, "the files differ");
    assert_eq!(folder.names(), ["alone.pgn", "games.pgn", "killed.pgn"]);
    println!("{games} games, 3 kills; then: {}", text(&last).lines().next().unwrap_or(""));
}

#[test]
fn what_was_begun_goes_on_only_with_the_same_settings_and_the_same_games() {
    let folder = Folder::new("begun");
    let input = folder.write("games.pgn", "1. e4 e5 *\n\n1. d4 *\n");
    let output = folder.file("begun.pgn");
    let run = |nodes: &str, more: &[&str]| {
        let common = ["analyse", &input, "--hash", "1", "--output", &output, "--nodes"];
        rookery(&[&common[..], &[nodes], more].concat())
    };
    // A whole run tells what a journal looks like after it: there is none. So one is put together
    // from the settings that a refusal names.
    let begin = |journal: &str, part: &str| {
        let _ = fs::remove_file(&output);
        folder.write("begun.pgn.journal", journal);
        folder.write("begun.pgn.part", part);
    };
    begin("rookery analyse journal 2\nother settings\n", "");
    let refused = errors(&run("5", &[]));
    assert!(refused.contains("it was begun with `other settings`, not `"), "{refused}");
    let settings = refused.split("not `").nth(1).and_then(|rest| rest.split('`').next());
    let settings = settings.expect("the settings are named").to_owned();
    begin(&format!("rookery analyse journal 2\n{settings}\n1 00"), "half a game");
    let resumed = good(&run("5", &[]));
    assert!(resumed.contains("\n2 games, "), "{resumed}");
    begin("", "another text");
    assert!(errors(&run("5", &[])).contains("its journal is missing"));
    begin("no journal\n", "");
    assert!(errors(&run("5", &[])).contains("does not begin with"));
    assert!(run("5", &["--overwrite"]).status.success());
}

#[test]
fn a_changed_bit_of_what_was_begun_is_noticed_and_mended() {
    let folder = Folder::new("bit");
    let games = "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 *\n\n".repeat(3);
    let input = folder.write("games.pgn", &games);
    let (alone, begun) = (folder.file("alone.pgn"), folder.file("bit.pgn"));
    let limits = ["--nodes", "100", "--hash", "1", "--threads", "1", "--output"];
    let run =
        |output: &str| good(&rookery(&[&["analyse", &input], &limits[..], &[output]].concat()));
    run(&alone);
    let arguments = [&["analyse", "-"], &limits[..], &[&begun]].concat();
    kill_within(&arguments, &begun, games.as_bytes());
    let mut bytes = folder.read("bit.pgn.part");
    bytes[20] ^= 1;
    folder.write("bit.pgn.part", &bytes);
    let resumed = run(&begun);
    let told = "bit.pgn.part is damaged behind 0 games: what follows is done again";
    assert!(resumed.contains(told), "{resumed}");
    assert!(folder.read("bit.pgn") == folder.read("alone.pgn"));
}
