//! What a match leaves on disk: a match that is killed goes on where it was, and nothing that others
//! wrote is lost.

use super::stand_in::STALL;
use super::support::errors;
use super::{Folder, arguments, finish, games, output, play, played, start, wait_until};

fn engines(delay: u32) -> [Vec<String>; 2] {
    super::engines(&format!(",delay={delay}"))
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
    let scratch = Folder::new("resume");
    let (whole, parts) = (scratch.file("whole.pgn"), scratch.file("parts.pgn"));
    let state = scratch.file("state.json");
    let positions: Vec<String> =
        (0..15).map(|number| board::Position::chess960(number * 60).epd()).collect();
    let book = scratch.write("book.epd", positions.join("\n"));
    // Two openings come again at the end.
    let rest = format!("--games 34 --max-moves 8 --concurrency 2 --openings {book} --seed 7");
    let pictures = ["whole.svg", "parts.svg"].map(|name| scratch.file(name));
    let expected = play(&engines(1), &format!("{rest} --pgn {whole} --plot {}", pictures[0]));
    let rest = format!("{rest} --pgn {parts} --state {state} --plot {}", pictures[1]);
    for _ in 0..3 {
        kill_after_eight(&arguments(&engines(1), &rest), &state);
        // A loss of power may take from the last game what had not reached the disk.
        let file = scratch.read("parts.pgn");
        scratch.write("parts.pgn", &file[..file.len() - 30]);
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
    let scratch = Folder::new("others");
    let (pgn, state) = (scratch.file("games.pgn"), scratch.file("state.json"));
    let short = format!("--games 2 --max-moves 2 --pgn {pgn}");
    play(&engines(0), &format!("{short} --state {state}"));
    // Another match, and a program that does not end its lines.
    play(&engines(0), &format!("{short} --event other"));
    let mut content = scratch.read("games.pgn");
    content.extend(b"[Event \"by hand\"]\n\n1. e4 *");
    scratch.write("games.pgn", &content);
    let again = play(&engines(0), &format!("{short} --state {state}"));
    assert_eq!(again["games"], 2);
    assert_eq!(scratch.read("games.pgn"), content);
    let more = play(&engines(0), &format!("{short} --state {state}").replace("s 2 --m", "s 4 --m"));
    assert_eq!(more["games"], 4);
    assert!(scratch.read("games.pgn").starts_with(&content));
    assert_eq!(games(&pgn).len(), 7);
}

#[test]
fn a_second_match_over_a_state_is_told_who_has_it_and_over_a_pgn_file_is_welcome() {
    let scratch = Folder::new("lock");
    let (pgn, state) = (scratch.file("games.pgn"), scratch.file("state.json"));
    let rest = format!("--games 20 --max-moves 2 --pgn {pgn}");
    let words = arguments(&engines(0), &format!("{rest} --state {state}"));
    let mut first = start(&words, &[(STALL, "3")]);
    wait_until("three games", || played(&state) == 3);
    let second = finish(start(&words, &[]));
    assert!(!second.status.success());
    let errors = errors(&second);
    let holder = format!("state.json: in use by process {} (", first.id());
    assert!(errors.contains(&holder) && errors.lines().count() == 1, "{errors}");
    assert_eq!(play(&engines(0), &rest)["games"], 20);
    first.kill().expect("it can be killed");
    first.wait().expect("it has ended");
    // The lock goes with the process, however it went.
    assert_eq!(play(&engines(0), &format!("{rest} --state {state}"))["games"], 20);
    assert_eq!(games(&pgn).len(), 40);
    assert_eq!(scratch.names().len(), 2, "locks and unfinished files are gone");
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_are_refused_and_not_waited_for() {
    let scratch = Folder::new("pipes");
    let pipe = scratch.pipe("pipe.epd");
    let folder = scratch.file("");
    for (option, file, what) in [
        ("--state", &pipe, "it is a pipe, not a plain file"),
        ("--pgn", &pipe, "it is a pipe, not a plain file"),
        ("--openings", &pipe, "it is a pipe, not a plain file"),
        ("--state", &folder, "it is a folder, not a plain file"),
        ("--pgn", &folder, "it is a folder, not a plain file"),
    ] {
        let output = output(&engines(0), &format!("--games 2 {option} {file}"));
        let errors = errors(&output);
        assert!(!output.status.success() && errors.contains(what), "{option}: {errors}");
    }
}

#[test]
fn a_state_of_another_match_is_refused() {
    let scratch = Folder::new("other-state");
    let state = scratch.file("state.json");
    let rest = format!("--games 2 --max-moves 2 --state {state}");
    play(&engines(0), &rest);
    let fail = |rest: &str| {
        let output = output(&engines(0), rest);
        assert!(!output.status.success());
        errors(&output)
    };
    let errors = fail(&rest.replace("--max-moves 2", "--max-moves 3 --seed 5"));
    assert!(errors.contains("the state of another match (seed, rules differ)"), "{errors}");
    scratch.write("state.json", "{\"x\": 1}");
    let errors = fail(&rest);
    assert!(errors.contains("state.json: no state of a match"), "{errors}");
}
