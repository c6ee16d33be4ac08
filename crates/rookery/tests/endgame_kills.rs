//! A build of endgame tables that is killed at random moments and resumed gives the same files.
//!
//! `cargo xtask endgame kills` does it twenty times with a larger ending.
#![cfg(unix)]

mod support;

use board::random::SplitMix;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, program};

/// Kills in the tests; the variables ask for more, for another ending, and for other moments.
const KILLS: u64 = 3;
const ENDING: &str = "KPK";

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number(name: &str, otherwise: u64) -> u64 {
    variable(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn build(ending: &str, folder: &Folder) -> Command {
    let words = ["endgame", "build", ending, "--checkpoint", "1", "--dir", folder.name()];
    let mut command = program(&words);
    command.stdout(Stdio::null()).stdin(Stdio::null()).stderr(Stdio::inherit());
    command
}

fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let names = folder.names().into_iter();
    names.map(|name| (name.clone(), folder.read(&name))).collect()
}

/// A number that looks random, for a seed and a place.
fn chance(seed: u64, nth: u64) -> u64 {
    SplitMix(seed << 32 | nth).next() >> 32
}

#[test]
fn a_build_killed_at_random_moments_gives_the_same_files() {
    let ending = variable("ROOKERY_KILLED_ENDING").unwrap_or_else(|| ENDING.to_owned());
    let (kills, seed) = (number("ROOKERY_KILLS", KILLS), number("ROOKERY_KILL_SEED", 1));
    let whole = Folder::new("whole");
    let begun = Instant::now();
    assert!(build(&ending, &whole).status().expect("the program starts").success());
    let time = begun.elapsed().as_millis().max(20) as u64;
    let expected = contents(&whole);
    let mut dir = Folder::new("killed");
    let (mut killed, mut finished) = (0, 0);
    while killed < kills {
        let wait = chance(seed, killed + finished) % (time * 2 / 3);
        let mut child = build(&ending, &dir).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(wait));
        match child.try_wait().expect("the program is a child") {
            Some(status) => {
                assert!(status.success());
                assert!(contents(&dir) == expected, "after {killed} kills");
                finished += 1;
                dir = Folder::new(&format!("killed-{finished}"));
            }
            None => {
                child.kill().expect("the program can be killed");
                child.wait().expect("the program ends");
                killed += 1;
            }
        }
    }
    assert!(build(&ending, &dir).status().expect("the program starts").success());
    assert!(contents(&dir) == expected, "after {killed} kills");
    println!(
        "{ending}: killed {killed} times, finished {} times, {} files the same byte for byte",
        finished + 1,
        expected.len()
    );
}
