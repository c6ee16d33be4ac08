//! Engines that crash, hang, play illegal moves and print garbage lose games, and nothing else.

use super::support::{errors, finish, rookery};
use super::{Folder, arguments, engine, games, play, stand_in, start, sum};
use serde_json::Value;

/// Games that are short, and hangs that do not take the test's time.
const QUICK: &str = "--hang 2 --start 120 --max-moves 12";

#[test]
fn a_match_of_100_games_with_a_faulty_engine_has_every_game_accounted_for() {
    let scratch = Folder::new("faults");
    let pgn = scratch.file("games.pgn");
    let faults = "crash+abort+hang+late+illegal+garbage+flood+variation";
    let mut faulty = stand_in("faulty", &format!("seed=5,rate=12,faults={faults}"));
    // A second is long for a move that takes none: a busy machine may turn some faults into losses on
    // time, but not all of a kind.
    faulty.extend(["st=0.5", "timemargin=500"].map(str::to_owned));
    let honest = engine("honest", "seed=9", &[]);
    let options = format!("{QUICK} --games 100 --concurrency 8 --pgn {pgn}");
    let openings = openings(&scratch, 50);
    let answer = play(&[faulty, honest], &format!("{options} --openings {openings}"));

    assert_eq!(answer["games"], 100);
    assert_eq!(sum(&answer["endings"]), 100);
    let pairs = answer["pairings"][0]["pairs"].as_array().expect("five counts");
    assert_eq!(pairs.iter().filter_map(Value::as_u64).sum::<u64>(), 50);
    let faulty = &answer["engines"][0];
    for kind in ["crash", "hang", "illegal-move", "time-loss"] {
        assert!(faulty["failures"][kind].as_u64() > Some(0), "{kind}: {faulty}");
    }
    assert!(faulty["illegal_variations"].as_u64() > Some(0));
    let losses = faulty["losses"].as_u64().expect("a number");
    assert!(losses >= sum(&faulty["failures"]), "{faulty}");

    // Every failure is told with its position, and every game is in the file up to it.
    for incident in answer["incidents"].as_array().expect("a list") {
        let fen = incident["fen"].as_str().expect("a FEN");
        board::Position::from_fen(fen).expect("a position");
        assert_ne!(incident["position"].as_str(), Some(""));
    }
    let games = games(&pgn);
    assert_eq!(games.len(), 100);
    assert!(games.iter().all(|game| game.result != board::pgn::Outcome::Unknown));
    let rounds: std::collections::HashSet<_> =
        games.iter().map(|game| game.tags.get("Round").expect("a round").to_owned()).collect();
    assert_eq!(rounds.len(), 100);
}

/// What a flood comes to: a loss, in the time that was set for it and in little memory.
#[test]
fn an_engine_that_writes_without_end_loses_and_fills_no_memory() {
    for fault in ["flood", "torrent", "endless"] {
        let mut flooding = stand_in("flooding", &format!("faults={fault}"));
        flooding.push(String::from("st=1"));
        let honest = engine("honest", "seed=9", &[]);
        // It moves first, so that nothing depends on how fast the other one answers.
        let words = arguments(&[flooding, honest], "--games 1 --hang 1 --start 120 --json");
        let child = start(&words, &[]);
        let status = format!("/proc/{}/status", child.id());
        let watch = std::thread::spawn(move || most_memory(&status));
        let output = finish(child);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(answer["engines"][0]["failures"]["hang"], 1, "{fault}: {answer}");
        let most = watch.join().expect("reading does not panic");
        assert!(most < 200 << 10, "{fault}: {most} kB");
    }
}

/// The most memory that a process ever had, in kilobytes, as far as the system tells.
fn most_memory(status: &str) -> u64 {
    let mut most = 0;
    while let Ok(text) = std::fs::read_to_string(status) {
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let Some(line) = line else { break };
        most = line.trim().trim_end_matches(" kB").parse().unwrap_or(most);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    most
}

/// Different positions, so that not every game has the same faults.
fn openings(scratch: &Folder, count: usize) -> String {
    let mut text = String::new();
    for number in 0..count as u16 {
        text.push_str(&format!("{}\n", board::Position::chess960(number * 19).epd()));
    }
    scratch.write("openings.epd", text)
}

#[test]
fn an_engine_that_always_crashes_loses_every_game_and_is_started_again() {
    let mut broken = stand_in("broken", "faults=crash");
    broken.push(String::from("st=60"));
    let honest = engine("honest", "", &[]);
    let answer = play(&[broken, honest], "--games 4 --concurrency 2");
    assert_eq!(answer["engines"][0]["failures"]["crash"], 4);
    assert_eq!(answer["engines"][1]["wins"], 4);
    let what = answer["incidents"][0]["what"].as_str().expect("a text");
    assert_eq!(what, "crash: it ended: exit status: 3");
}

#[test]
fn an_engine_that_does_not_start_stops_the_match_before_it_begins() {
    let engines = [
        "match --engine cmd=/nowhere/engine --engine cmd=self --each depth=1",
        "match --engine cmd=self --engine cmd=false --each depth=1",
        "match --engine cmd=self --each depth=1",
        "match --engine cmd=self",
        "match --engine cmd=self --engine cmd=self",
    ];
    for (line, message) in engines.iter().zip([
        "cannot be started",
        "instead of introducing itself",
        "a match needs two engines",
        "a match needs two engines",
        "how long may it think?",
    ]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let output = rookery(&words);
        assert!(!output.status.success());
        let errors = errors(&output);
        assert!(errors.contains(message) && errors.lines().count() == 1, "{line}: {errors}");
    }
}

#[cfg(unix)]
#[test]
fn hanging_before_the_first_answer_is_hanging_too() {
    let begun = std::time::Instant::now();
    let words = ["match", "--engine", "cmd=sleep", "args=600", "--engine", "cmd=self"];
    let output = rookery(&[&words[..], &["--each", "depth=1", "--hang", "0.2"]].concat());
    let errors = errors(&output);
    assert!(!output.status.success() && errors.contains("no uciok"), "{errors}");
    // Without --hang it has two minutes.
    assert!(begun.elapsed() < std::time::Duration::from_secs(100));
}
