//! Clocks: with a table of gigabytes in fresh processes, and beside busy loops. No game may be lost on
//! time, and a search of 100 ms may not take longer than with a small table.

use super::dialogue::Dialogue;
use super::ground::Ground;
use super::load::Load;
use super::process::{self, typed};
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

/// The table that players like to ask for, in megabytes.
const LARGE: u64 = 4096;
/// A table that fits into any machine.
const SMALL: u64 = 16;
const MOVETIME: Duration = Duration::from_millis(100);
/// What a search may take beyond the longest with a small table, on the same machine at the same time.
const MARGIN: Duration = Duration::from_millis(150);

/// Searches and games with a large table.
pub fn large_hash(ground: &mut Ground) -> Result<(), String> {
    // Two engines have it at the same time, and the system needs some too.
    let large = (free_megabytes() / 3).clamp(SMALL, LARGE);
    let searches = ground.times(4, 20, 50);
    let (mut small_most, mut large_most) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..searches {
        ground.attempted(1);
        small_most = small_most.max(answer_time(ground, SMALL)?);
        large_most = large_most.max(answer_time(ground, large)?);
    }
    let (small, most) = (small_most.as_millis(), large_most.as_millis());
    ground.note(format!(
        "go movetime 100: at most {most} ms with Hash {large}, {small} with {SMALL}"
    ));
    if large_most > small_most.max(MOVETIME) + MARGIN {
        let what =
            format!("go movetime 100 took {most} ms with Hash {large}, {small} with {SMALL}");
        ground.found(what, format!("setoption Hash {large}, isready, go movetime 100"));
    }
    let games = ground.times(4, 20, 100);
    let hash = format!("option.Hash={large}");
    play(ground, games, &["tc=0.5+0.02", "restart=true", &hash])
}

/// The shortest games beside four busy loops.
pub fn busy_machine(ground: &mut Ground) -> Result<(), String> {
    let games = ground.times(20, 60, 300);
    let _load = Load::start(4);
    play(ground, games, &["tc=0.1+0.001"])
}

/// How long a fresh process takes for a search.
fn answer_time(ground: &Ground, hash: u64) -> Result<Duration, String> {
    let mut dialogue = Dialogue::start(ground, &["uci"])?;
    dialogue.say(&format!("setoption name Hash value {hash}\nisready"));
    let heard = dialogue.until("readyok")?;
    if let Some(error) = heard.iter().find(|line| line.contains("error")) {
        return Err(format!("Hash {hash}: {error}"));
    }
    let begun = Instant::now();
    dialogue.say(&format!("position startpos\ngo movetime {}", MOVETIME.as_millis()));
    let (_, end) = dialogue.timed_until("bestmove")?;
    Ok(end.saturating_duration_since(begun))
}

/// A match of the program with itself, in which nothing may go wrong.
fn play(ground: &mut Ground, games: u64, settings: &[&str]) -> Result<(), String> {
    let program = format!("cmd={}", ground.program().display());
    let openings = ground.data("epd/bk.epd").display().to_string();
    let (count, seed) = (games.to_string(), ground.random.u32(1..).to_string());
    let mut words =
        vec!["match", "--engine", &program, "name=one", "--engine", &program, "name=two"];
    words.push("--each");
    words.extend(settings);
    words.extend(["--openings", &openings, "--games", &count, "--seed", &seed, "--json"]);
    ground.attempted(games);
    let mut command = ground.command(&words);
    let case = typed(&command);
    let ended = process::run(&mut command, b"", Duration::from_secs(60 + 60 * games))?;
    if let Some(fault) = ended.fault() {
        ground.found(fault, case);
        return Ok(());
    }
    let Ok(answer) = serde_json::from_str::<Value>(&ended.out) else {
        let what = format!("the match ended with {:?}: {}", ended.code(), ended.first_error());
        ground.found(what, case);
        return Ok(());
    };
    let failures = failures(&answer);
    let played = answer["games"].as_u64().unwrap_or(0);
    ground.note(format!("{played} games, {failures} lost on time or otherwise"));
    if failures > 0 || played != games {
        let endings = &answer["endings"];
        let what = format!("{played} of {games} games, {failures} failures: {endings}");
        ground.found(what, case);
    }
    Ok(())
}

/// Games that were lost by what an engine did wrong.
pub fn failures(answer: &Value) -> u64 {
    let engines = answer["engines"].as_array().into_iter().flatten();
    let kinds = engines.filter_map(|engine| engine["failures"].as_object());
    kinds.flat_map(|kinds| kinds.values()).filter_map(Value::as_u64).sum()
}

/// The memory that can be had, by the system and by the container.
fn free_megabytes() -> u64 {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let system = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let system = system.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let system = system.and_then(|rest| number(rest.trim().trim_end_matches("kB")));
    let of_group = |name: &str| number(&fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?);
    let group = of_group("memory.max")
        .map(|most| most.saturating_sub(of_group("memory.current").unwrap_or(0)) >> 20);
    system.map_or(0, |kilobytes| kilobytes >> 10).min(group.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_all_engines_are_counted() {
        let answer = serde_json::json!({
            "engines": [{"failures": {"time-loss": 2, "crash": 1}}, {"failures": {}}],
        });
        assert_eq!(failures(&answer), 3);
        assert_eq!(failures(&Value::Null), 0);
    }
}
