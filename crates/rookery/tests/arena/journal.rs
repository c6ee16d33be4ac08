//! A match that is killed goes on where it was.

use super::{Scratch, arguments, games, play, stand_in, support};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn engines(delay: u32) -> [Vec<String>; 2] {
    [("A", 1), ("B", 2)].map(|(name, seed)| {
        let mut engine = stand_in(name, &format!("seed={seed},delay={delay}"));
        engine.push(String::from("depth=1"));
        engine
    })
}

/// Starts a match and kills it after so many more games.
fn kill_after(arguments: &[String], state: &str, games: usize) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let played = || {
        let text = std::fs::read_to_string(state).unwrap_or_default();
        let state: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let letters = state["results"][0].as_str().unwrap_or_default();
        letters.chars().filter(|&letter| letter != '.').count()
    };
    let (enough, guard) = (played() + games, Instant::now() + Duration::from_secs(120));
    while played() < enough && Instant::now() < guard {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it has ended");
}

#[test]
fn a_match_killed_three_times_plays_the_same_games() {
    let scratch = Scratch::new("resume");
    let (whole, parts) = (scratch.file("whole.pgn"), scratch.file("parts.pgn"));
    let state = scratch.file("state.json");
    let book = scratch.file("book.epd");
    let positions: Vec<String> =
        (0..15).map(|number| board::Position::chess960(number * 60).epd()).collect();
    std::fs::write(&book, positions.join("\n")).expect("the file is written");
    // Two openings come again at the end.
    let rest = format!("--games 34 --max-moves 8 --concurrency 2 --openings {book} --seed 7");
    let expected = play(&engines(1), &format!("{rest} --pgn {whole}"));
    let rest = format!("{rest} --pgn {parts} --state {state}");
    for _ in 0..3 {
        kill_after(&arguments(&engines(1), &rest), &state, 4);
        // What a killed process has written half is of no importance.
        let mut file = std::fs::read(&parts).expect("the file is there");
        file.extend(b"[Event \"half a game");
        std::fs::write(&parts, file).expect("the file is written");
    }
    let answer = play(&engines(1), &rest);
    assert_eq!(answer["games"], 34);
    for part in ["pairings", "endings"] {
        assert_eq!(answer[part], expected[part], "{part}");
    }
    let moves = |path: &str| {
        let mut games: Vec<_> = games(path)
            .iter()
            .map(|game| {
                let tag = |name| game.tags.get(name).unwrap_or_default().to_owned();
                let moves: Vec<_> = game.main_line().collect();
                (tag("Round"), tag("White"), game.start().fen(), moves, game.result)
            })
            .collect();
        games.sort_by(|one, two| one.0.cmp(&two.0));
        games
    };
    assert_eq!(moves(&whole), moves(&parts));
    // A match that is over stays over, and more games can be added to it.
    let again = play(&engines(1), &rest);
    assert_eq!((&again["games"], &again["pairings"]), (&34.into(), &answer["pairings"]));
    let more = play(&engines(1), &rest.replace("--games 34", "--games 36"));
    assert_eq!((&more["games"], games(&parts).len()), (&36.into(), 36));
}

#[test]
fn a_state_of_another_match_is_refused() {
    let scratch = Scratch::new("other-state");
    let state = scratch.file("state.json");
    let rest = format!("--games 2 --max-moves 2 --state {state}");
    play(&engines(0), &rest);
    let fail = |rest: &str| {
        let words = arguments(&engines(0), rest);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = support::rookery(&words);
        assert!(!output.status.success());
        support::errors(&output)
    };
    let errors = fail(&rest.replace("--max-moves 2", "--max-moves 3 --seed 5"));
    assert!(errors.contains("the state of another match (seed, rules differ)"), "{errors}");
    std::fs::write(&state, "{\"x\": 1}").expect("the file is written");
    let errors = fail(&rest);
    assert!(errors.contains("state.json: no state of a match"), "{errors}");
}
