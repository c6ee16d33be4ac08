//! What a match leaves on disk: a match that is killed goes on where it was, and nothing that others
//! wrote is lost.

use super::stand_in::STALL;
use super::{
    Scratch, arguments, finish, games, play, played, stand_in, start, support, wait_until,
};

fn engines(delay: u32) -> [Vec<String>; 2] {
    [("A", 1), ("B", 2)].map(|(name, seed)| {
        let mut engine = stand_in(name, &format!("seed={seed},delay={delay}"));
        engine.push(String::from("depth=1"));
        engine
    })
}

/// Starts a match and kills it after four more games of each of its two threads.
fn kill_after_eight(arguments: &[String], state: &str) {
    let enough = played(state) + 8;
    let mut child = start(arguments, &[(STALL, "4")]);
    wait_until("eight games", || played(state) >= enough && is_written(state));
    child.kill().expect("it can be killed");
    child.wait().expect("it has ended");
}

/// Whether the games that a state knows have reached the PGN file.
fn is_written(state: &str) -> bool {
    let text = std::fs::read_to_string(state).unwrap_or_default();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let pgn = &state["pgn"];
    let (Some(file), Some(bytes), Some(text)) =
        (pgn["file"].as_str(), pgn["bytes"].as_u64(), pgn["text"].as_str())
    else {
        return false;
    };
    std::fs::metadata(file).is_ok_and(|found| found.len() == bytes + text.len() as u64)
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
    let pictures = ["whole.svg", "parts.svg"].map(|name| scratch.file(name));
    let expected = play(&engines(1), &format!("{rest} --pgn {whole} --plot {}", pictures[0]));
    let rest = format!("{rest} --pgn {parts} --state {state} --plot {}", pictures[1]);
    for _ in 0..3 {
        kill_after_eight(&arguments(&engines(1), &rest), &state);
        // A loss of power may take from the last game what had not reached the disk.
        let file = std::fs::read(&parts).expect("the file is there");
        std::fs::write(&parts, &file[..file.len() - 30]).expect("the file is written");
    }
    let answer = play(&engines(1), &rest);
    assert_eq!(answer["games"], 34);
    for part in ["pairings", "endings"] {
        assert_eq!(answer[part], expected[part], "{part}");
    }
    let [drawn, resumed] =
        pictures.map(|path| std::fs::read_to_string(path).expect("the picture is there"));
    assert!(drawn == resumed && drawn.contains(">games</text>"), "{resumed}");
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
fn a_match_that_is_over_leaves_the_games_of_others_alone() {
    let scratch = Scratch::new("others");
    let (pgn, state) = (scratch.file("games.pgn"), scratch.file("state.json"));
    let short = format!("--games 2 --max-moves 2 --pgn {pgn}");
    play(&engines(0), &format!("{short} --state {state}"));
    // Another match, and a program that does not end its lines.
    play(&engines(0), &format!("{short} --event other"));
    let mut content = std::fs::read(&pgn).expect("the file is there");
    content.extend(b"[Event \"by hand\"]\n\n1. e4 *");
    std::fs::write(&pgn, &content).expect("the file is written");
    let again = play(&engines(0), &format!("{short} --state {state}"));
    assert_eq!(again["games"], 2);
    assert_eq!(std::fs::read(&pgn).expect("the file is there"), content);
    let more = play(&engines(0), &format!("{short} --state {state}").replace("s 2 --m", "s 4 --m"));
    assert_eq!(more["games"], 4);
    let grown = std::fs::read(&pgn).expect("the file is there");
    assert!(grown.starts_with(&content));
    assert_eq!(games(&pgn).len(), 7);
}

#[test]
fn a_second_match_over_a_state_is_told_who_has_it_and_over_a_pgn_file_is_welcome() {
    let scratch = Scratch::new("lock");
    let (pgn, state) = (scratch.file("games.pgn"), scratch.file("state.json"));
    let rest = format!("--games 20 --max-moves 2 --pgn {pgn}");
    let words = arguments(&engines(0), &format!("{rest} --state {state}"));
    let mut first = start(&words, &[(STALL, "3")]);
    wait_until("three games", || played(&state) == 3);
    let second = finish(start(&words, &[]));
    assert!(!second.status.success());
    let errors = support::errors(&second);
    let holder = format!("state.json: in use by process {} (", first.id());
    assert!(errors.contains(&holder) && errors.lines().count() == 1, "{errors}");
    assert_eq!(play(&engines(0), &rest)["games"], 20);
    first.kill().expect("it can be killed");
    first.wait().expect("it has ended");
    // The lock goes with the process, however it went.
    assert_eq!(play(&engines(0), &format!("{rest} --state {state}"))["games"], 20);
    assert_eq!(games(&pgn).len(), 40);
    let left = std::fs::read_dir(&scratch.0).expect("the folder is there").count();
    assert_eq!(left, 2, "locks and unfinished files are gone");
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_are_refused_and_not_waited_for() {
    let scratch = Scratch::new("pipes");
    let pipe = scratch.file("pipe.epd");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let folder = scratch.file("");
    for (option, file, what) in [
        ("--state", &pipe, "it is a pipe, not a plain file"),
        ("--pgn", &pipe, "it is a pipe, not a plain file"),
        ("--openings", &pipe, "it is a pipe, not a plain file"),
        ("--state", &folder, "it is a folder, not a plain file"),
        ("--pgn", &folder, "it is a folder, not a plain file"),
    ] {
        let words = arguments(&engines(0), &format!("--games 2 {option} {file}"));
        let output = finish(start(&words, &[]));
        let errors = support::errors(&output);
        assert!(!output.status.success() && errors.contains(what), "{option}: {errors}");
    }
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
