//! Engines that talk without end: a match against one of them ends, every game of it is accounted for,
//! and the memory stays bounded.

use super::ground::Ground;
use super::process::{self, Running, typed};
use super::stand_in::Manner;
use clap::ValueEnum;
use serde_json::Value;
use std::time::Duration;

/// Megabytes that a match may take.
const MOST_MEMORY: u64 = 128;
const GAMES: u64 = 2;
/// The start position: the stand-in knows its first move there.
const START: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
/// A match that takes longer hangs: its two games have clocks of a fraction of a second, and an engine
/// counts as hanging after two seconds.
const TIME_LIMIT: Duration = Duration::from_secs(90);

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let mut peak = 0;
    for _ in 0..ground.times(1, 2, 10) {
        for manner in Manner::value_variants() {
            ground.attempted(1);
            let most = flood(ground, *manner)?;
            peak = peak.max(most);
        }
    }
    ground.note(format!("at most {peak} MB"));
    Ok(())
}

/// A match against one; the memory that it took.
fn flood(ground: &mut Ground, manner: Manner) -> Result<u64, String> {
    let openings = ground.write("start.epd", START)?;
    let honest = format!("cmd={}", ground.program().display());
    let flood = format!("cmd={}", ground.stand_in().display());
    let name =
        manner.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let how = format!("args=stand-in {name}");
    let mut command = ground.command(&["match", "--engine", &flood, &how, "name=flood", "st=0.3"]);
    // The honest one takes its time: that is when the other one floods.
    command.args(["--engine", &honest, "name=honest", "st=2", "--hang", "2", "--json"]);
    command.args(["--games", &GAMES.to_string(), "--openings"]).arg(openings);
    let case = typed(&command);
    let mut peak = 0;
    let ended = Running::start(&mut command, b"")?
        .end_watched(TIME_LIMIT, |id| peak = peak.max(process::peak_megabytes(id)));
    let answer: Value = serde_json::from_str(&ended.out).unwrap_or(Value::Null);
    let played = answer["games"].as_u64().unwrap_or(0);
    let what = match ended.fault() {
        Some(fault) => fault,
        None if peak > MOST_MEMORY => format!("it took {peak} MB"),
        // An engine that cannot be started is told before the first game.
        None if manner.never_starts() && ended.code() == Some(1) && !ended.err.is_empty() => {
            return Ok(peak);
        }
        None if played != GAMES => {
            format!("{played} of {GAMES} games, status {:?}: {}", ended.code(), ended.first_error())
        }
        None => return Ok(peak),
    };
    ground.found(format!("{name}: {what}"), case);
    Ok(peak)
}
