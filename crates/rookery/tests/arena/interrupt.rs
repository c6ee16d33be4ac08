//! Ctrl-C: the standings so far, the engines ended, and the match can go on.
#![cfg(unix)]

use super::stand_in::{FAREWELLS, STALL};
use super::{Folder, arguments, engines, finish, games, play, played, press_control_c, start};
use super::{support::text, wait_until};

#[test]
fn control_c_shows_the_standings_and_the_match_can_go_on() {
    let scratch = Folder::new("interrupt");
    let [pgn, state, farewells] =
        ["games.pgn", "state.json", "farewells"].map(|it| scratch.file(it));
    let rest = format!("--games 12 --max-moves 2 --pgn {pgn} --state {state}");
    // The engine that is to move in the fourth game never does: it is not waited for.
    let child = start(&arguments(&engines(""), &rest), &[(STALL, "3"), (FAREWELLS, &farewells)]);
    wait_until("three games", || played(&state) == 3);
    press_control_c(child.id());
    let output = finish(child);
    assert_eq!(output.status.code(), Some(130));
    let text = text(&output);
    assert!(text.contains("Interrupted after 3 of 12 games\n"), "{text}");
    assert!(text.contains("Games  3: +0 =3 -0, 50.0 % of the points"), "{text}");
    assert!(text.contains("The same command goes on from "), "{text}");
    assert!(!text.contains("crash"), "{text}");
    // Each engine was started once to see that it starts, and once to play; all were told to quit.
    let farewells = std::fs::read_to_string(farewells).expect("the file is there");
    let mut farewells: Vec<&str> = farewells.lines().collect();
    farewells.sort_unstable();
    assert_eq!(farewells, ["1", "1", "2", "2"]);
    let answer = play(&engines(""), &rest);
    assert_eq!((&answer["games"], &answer["interrupted"]), (&12.into(), &false.into()));
    assert_eq!(games(&pgn).len(), 12);
}

#[test]
fn control_c_in_odds_shows_the_steps_so_far() {
    let scratch = Folder::new("interrupted-odds");
    let pgn = scratch.file("games.pgn");
    let mut engines = engines("");
    engines.iter_mut().for_each(|engine| *engine.last_mut().expect("a limit") = "nodes=10".into());
    let rest = format!("--odds steps=2 --games 4 --max-moves 2 --pgn {pgn}");
    let child = start(&arguments(&engines, &rest), &[(STALL, "3")]);
    let played = || std::fs::read_to_string(&pgn).unwrap_or_default().matches("[Event ").count();
    wait_until("three games", || played() == 3);
    press_control_c(child.id());
    let output = finish(child);
    assert_eq!(output.status.code(), Some(130));
    let text = text(&output);
    let step = "\nk 4.00 (10 nodes against 40 nodes): +0 =3 -0, too few for Elo (1 pair)\n";
    assert!(text.contains(step), "{text}");
    assert!(text.contains("\nInterrupted in step 1\n"), "{text}");
    assert!(text.contains("No answer yet: no step has more than 1 pair"), "{text}");
}

#[test]
fn control_c_while_an_engine_starts_ends_at_once() {
    let scratch = Folder::new("interrupted-start");
    let started = scratch.file("started");
    let order = format!("args=-c 'touch {started}; exec sleep 600'");
    let mute = vec![String::from("--engine"), String::from("cmd=sh"), order];
    let [honest, _] = engines("");
    let child = start(&arguments(&[mute, honest], "--hang 500 --each depth=1"), &[]);
    wait_until("the engine", || std::path::Path::new(&started).exists());
    press_control_c(child.id());
    assert_eq!(finish(child).status.code(), Some(130));
}
