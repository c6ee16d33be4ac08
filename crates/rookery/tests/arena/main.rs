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
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What is not over by then hangs: even a busy machine takes a small part of it.
const HANGS: Duration = Duration::from_secs(300);

/// A directory of a test's own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("rookery-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory can be made");
        Scratch(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

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

/// The arguments of a match.
fn arguments(engines: &[Vec<String>], rest: &str) -> Vec<String> {
    let mut arguments = vec![String::from("match")];
    arguments.extend(engines.concat());
    arguments.extend(rest.split_whitespace().map(str::to_owned));
    arguments
}

/// Plays a match to its end; the answer for programs.
fn play(engines: &[Vec<String>], rest: &str) -> Value {
    let arguments = arguments(engines, &format!("{rest} --json"));
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = support::rookery(&words);
    assert!(output.status.success(), "{}", support::errors(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Starts the program; its engines find some variables in their environment.
fn start(arguments: &[String], environment: &[(&str, &str)]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rookery"))
        .args(arguments)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits until something is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let guard = Instant::now() + HANGS;
    while !is_so() {
        assert!(Instant::now() < guard, "waited for this and it did not come: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a program that writes little.
fn finish(mut child: Child) -> Output {
    let guard = Instant::now() + HANGS;
    while child.try_wait().expect("it is ours").is_none() {
        if Instant::now() > guard {
            child.kill().expect("it can be killed");
            panic!("it hangs: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
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
