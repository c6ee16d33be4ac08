//! Thinking in the opponent's time.

use super::{Folder, games, play};

fn engine(name: &str, seed: u32) -> Vec<String> {
    super::engine(name, &format!("seed={seed},score=0,ponder=on"), &[])
}

/// How many moves an engine found in its opponent's time, and how many in its own.
fn depths(pgn: &str, white: &str) -> (usize, usize) {
    let texts = games(pgn)
        .iter()
        .filter(|game| game.tags.get("White") == Some(white))
        .fold(String::new(), |text, game| text + &game.to_string().replace('\n', " "));
    (texts.matches("/99 ").count(), texts.matches("/3 ").count())
}

#[test]
fn a_move_that_was_expected_is_answered_from_the_opponents_time() {
    let scratch = Folder::new("ponder");
    let pgn = scratch.file("games.pgn");
    // The same seed: each knows what the other will play.
    let rest = format!("--games 2 --max-moves 12 --openings none --pgn {pgn}");
    let answer = play(&[engine("A", 4), engine("B", 4)], &format!("{rest} --ponder"));
    assert_eq!((&answer["games"], &answer["incidents"]), (&2.into(), &serde_json::json!([])));
    let (guessed, thought) = depths(&pgn, "A");
    assert_eq!((guessed, thought), (22, 2));
}

#[test]
fn an_unexpected_move_is_thought_about_afresh() {
    let scratch = Folder::new("ponder-miss");
    let pgn = scratch.file("games.pgn");
    let mut only = engine("A", 4);
    only.push(String::from("ponder=on"));
    let rest = format!("--games 4 --max-moves 20 --pgn {pgn}");
    let answer = play(&[only, engine("B", 5)], &rest);
    assert_eq!((&answer["games"], &answer["incidents"]), (&4.into(), &serde_json::json!([])));
    let (guessed, thought) = depths(&pgn, "A");
    assert!(guessed < thought && thought > 40, "{guessed} {thought}");
}
