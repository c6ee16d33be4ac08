//! Matches of the real program, with engines that behave and with engines that do not.

mod faults;
mod interrupt;
mod journal;
mod odds;
mod ponder;
mod protocols;
mod rules;
mod stand_in;
#[path = "../support/mod.rs"]
mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use support::{Folder, finish, good, interrupt as press_control_c, program, wait_until};

/// The settings of a stand-in: this very test program, which plays by a script.
fn stand_in(name: &str, script: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("a test is a program");
    let program = program.to_str().expect("a plain name");
    vec![
        String::from("--engine"),
        format!("name={name}"),
        format!("cmd={program}"),
        format!("args=--exact stand_in::engine --nocapture script:{script}"),
    ]
}

/// A stand-in that looks one half-move ahead, with more settings.
fn engine(name: &str, script: &str, settings: &[&str]) -> Vec<String> {
    let mut engine = stand_in(name, script);
    engine.extend(["depth=1"].iter().chain(settings).map(|&setting| setting.to_owned()));
    engine
}

/// Two of them.
fn engines(script: &str) -> [Vec<String>; 2] {
    [("A", 1), ("B", 2)].map(|(name, seed)| engine(name, &format!("seed={seed}{script}"), &[]))
}

/// The arguments of a match.
fn arguments(engines: &[Vec<String>], rest: &str) -> Vec<String> {
    let mut arguments = vec![String::from("match")];
    arguments.extend(engines.concat());
    arguments.extend(rest.split_whitespace().map(str::to_owned));
    arguments
}

/// Plays a match to its end; the answer for programs.
fn play(engines: &[Vec<String>], rest: &str) -> Value {
    let answer = good(&output(engines, &format!("{rest} --json")));
    serde_json::from_str(&answer).expect("one JSON object")
}

/// Plays a match; all that it says.
fn output(engines: &[Vec<String>], rest: &str) -> Output {
    program(&arguments(engines, rest)).stdin(Stdio::null()).output().expect("the program starts")
}

/// Starts the program; its engines find some variables in their environment.
fn start(arguments: &[String], environment: &[(&str, &str)]) -> Child {
    let mut command = program(arguments);
    command.stdin(Stdio::null()).envs(environment.iter().copied());
    command.spawn().expect("the program starts")
}

/// The games that a state knows, of its first pairing.
fn played(state: &str) -> usize {
    let text = std::fs::read_to_string(state).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    let letters = state["results"][0].as_str().unwrap_or_default();
    letters.chars().filter(|&letter| letter != '.').count()
}

/// The sum of all numbers of an object.
fn sum(object: &Value) -> u64 {
    let numbers = object.as_object().expect("an object").values();
    numbers.map(|number| number.as_u64().expect("a number")).sum()
}

/// The games of a PGN file, whole and legal to the last move.
fn games(path: impl AsRef<Path>) -> Vec<board::pgn::Game> {
    let file = std::fs::File::open(path).expect("the file is there");
    board::pgn::Games::new(file).map(|game| game.expect("a legal game")).collect()
}
