//! An analysis that is killed and resumed gives the same file as one that was left alone.
//!
//! `cargo xtask resume --games 500` does it at length.
#![cfg(unix)]

mod support;

use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use support::{errors, rookery, text};

/// Games in the tests; the variable asks for more.
const GAMES: usize = 24;
const VARIABLE: &str = "ROOKERY_RESUMED_GAMES";
/// A run that takes longer hangs.
const TIMEOUT: Duration = Duration::from_secs(600);

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("resume-{name}"))
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn clear(path: &Path) {
    for suffix in ["", ".part", ".journal"] {
        let _ = fs::remove_file(beside(path, suffix));
    }
}

fn word(path: &Path) -> &str {
    path.to_str().expect("a path in text")
}

/// This number of games of a week, each tenth behind a broken one.
fn collection(games: usize) -> PathBuf {
    let root = format!("{}/../../testdata/pgn/twic1599.pgn", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read(root).expect("the games are there");
    let text = String::from_utf8_lossy(&text);
    let mut collection = String::new();
    for (index, game) in text.split("[Event ").skip(1).take(games).enumerate() {
        if index % 10 == 0 {
            collection += "[Event \"broken\"]\n\n1. e4 e5 2. Ke4 *\n\n";
        }
        collection += "[Event ";
        collection += game;
    }
    let path = scratch("games.pgn");
    fs::write(&path, collection).expect("the directory of temporary files is writable");
    path
}

/// Starts an analysis, gives it the beginning of its input and no end, and kills it when it has noted
/// down more than before. It cannot be whole before that, however slow we are.
fn kill_within(arguments: &[&str], output: &Path, input: &[u8]) {
    let noted = || {
        let journal = fs::read_to_string(beside(output, ".journal")).unwrap_or_default();
        journal.matches('\n').count()
    };
    let (before, begun) = (noted(), Instant::now());
    let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let (input, (kill, killed)) = (input.to_vec(), mpsc::channel::<()>());
    let writer = std::thread::spawn(move || {
        // It may be dead before it has read everything. Until then the pipe stays open.
        let _ = stdin.write_all(&input);
        let _ = killed.recv();
    });
    // The first two lines of a journal are its head.
    while noted() <= before.max(2) {
        let status = child.try_wait().expect("the system tells");
        assert!(status.is_none(), "it ended before its input did");
        assert!(begun.elapsed() < TIMEOUT, "the analysis hangs");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it is ours");
    assert_eq!(child.wait().expect("the system tells").code(), None);
    drop(kill);
    writer.join().expect("writing does not panic");
}

#[test]
fn killed_three_times_and_resumed_is_the_same_byte_for_byte() {
    let games = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let input = collection(games);
    let (alone, killed) = (scratch("alone.pgn"), scratch("killed.pgn"));
    clear(&alone);
    clear(&killed);
    let common = ["--nodes", "400", "--hash", "1", "--output"];
    let run = |input: &str, output: &Path, threads: &str| {
        rookery(&[&["analyse", input], &common[..], &[word(output), "--threads", threads]].concat())
    };
    let output = run(word(&input), &alone, "1");
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let expected = fs::read(&alone).expect("it was written");

    let text_in = fs::read(&input).expect("it was written");
    let arguments = [&["analyse", "-"], &common[..], &[word(&killed), "--threads", "3"]].concat();
    let mut random = std::hash::RandomState::new().build_hasher();
    for kill in 0..3_u64 {
        random.write_u64(kill);
        // Each time at least three games more than the last time.
        let quarters = 1.0 + kill as f64 + (random.finish() % 1000) as f64 / 2000.0;
        let bytes = (text_in.len() as f64 * quarters / 4.0) as usize;
        kill_within(&arguments, &killed, &text_in[..bytes.min(text_in.len())]);
    }
    assert!(!killed.exists(), "what is not whole does not have the name");
    let last = run(word(&input), &killed, "3");
    assert!(last.status.code().is_some(), "{}", errors(&last));
    assert!(fs::read(&killed).expect("it was written") == expected, "the files differ");
    assert!(!beside(&killed, ".part").exists() && !beside(&killed, ".journal").exists());
    println!("{games} games, 3 kills; then: {}", text(&last).lines().next().unwrap_or(""));
}

#[test]
fn what_was_begun_goes_on_only_with_the_same_settings_and_the_same_games() {
    let (input, output) = (scratch("begun-games.pgn"), scratch("begun.pgn"));
    clear(&output);
    fs::write(&input, "1. e4 e5 *\n\n1. d4 *\n").expect("the directory is writable");
    let run = |nodes: &str, more: &[&str]| {
        let common = ["analyse", word(&input), "--hash", "1", "--output", word(&output), "--nodes"];
        rookery(&[&common[..], &[nodes], more].concat())
    };
    // A whole run tells what a journal looks like after it: there is none. So one is put together
    // from the settings that a refusal names.
    let begin = |journal: &str, part: &str| {
        let _ = fs::remove_file(&output);
        fs::write(beside(&output, ".journal"), journal).expect("the directory is writable");
        fs::write(beside(&output, ".part"), part).expect("the directory is writable");
    };
    begin("rookery analyse journal 2\nother settings\n", "");
    let refused = errors(&run("5", &[]));
    assert!(refused.contains("it was begun with `other settings`, not `"), "{refused}");
    let settings = refused.split("not `").nth(1).and_then(|rest| rest.split('`').next());
    let settings = settings.expect("the settings are named").to_owned();
    begin(&format!("rookery analyse journal 2\n{settings}\n1 00"), "half a game");
    let resumed = run("5", &[]);
    assert!(resumed.status.success(), "{}", errors(&resumed));
    assert!(text(&resumed).contains("\n2 games, "), "{}", text(&resumed));
    begin("", "another text");
    assert!(errors(&run("5", &[])).contains("its journal is missing"));
    begin("no journal\n", "");
    assert!(errors(&run("5", &[])).contains("does not begin with"));
    assert!(run("5", &["--overwrite"]).status.success());
    clear(&output);
}

#[test]
fn a_changed_bit_of_what_was_begun_is_noticed_and_mended() {
    let (input, alone, begun) =
        (scratch("bit-games.pgn"), scratch("bit-alone.pgn"), scratch("bit.pgn"));
    clear(&alone);
    clear(&begun);
    let games = "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 *\n\n".repeat(3);
    fs::write(&input, &games).expect("the directory is writable");
    let limits = ["--nodes", "100", "--hash", "1", "--threads", "1", "--output"];
    let run = |output: &Path| {
        rookery(&[&["analyse", word(&input)], &limits[..], &[word(output)]].concat())
    };
    assert!(run(&alone).status.success());
    let arguments = [&["analyse", "-"], &limits[..], &[word(&begun)]].concat();
    kill_within(&arguments, &begun, games.as_bytes());
    let part = beside(&begun, ".part");
    let mut bytes = fs::read(&part).expect("it was begun");
    bytes[20] ^= 1;
    fs::write(&part, &bytes).expect("the directory is writable");
    let resumed = run(&begun);
    assert!(resumed.status.success(), "{}", errors(&resumed));
    let told = "bit.pgn.part is damaged behind 0 games: what follows is done again";
    assert!(text(&resumed).contains(told), "{}", text(&resumed));
    assert!(fs::read(&begun).expect("it is whole") == fs::read(&alone).expect("it is whole"));
}
