//! Work that is killed at random moments and resumed: the result is that of work that was left alone,
//! and nothing else is left behind.

use super::ground::Ground;
use super::process::{HANG, Running, typed};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The most kills before a piece of work is left to end.
const IN_A_ROW: u64 = 6;

/// Most kills come this soon, however long the work takes.
const SOON: Duration = Duration::from_secs(1);
/// The share of kills that come at any time.
const LATE_SHARE: f64 = 0.1;

/// Files by their names.
type Files = BTreeMap<String, Vec<u8>>;

/// Work of one kind.
struct Work<'a> {
    /// The command that begins it in a folder and goes on with it.
    command: &'a dyn Fn(&Ground, &Path) -> Command,
    /// What is compared of a file.
    essence: fn(&str, Vec<u8>) -> Vec<u8>,
    /// The exit status of good work.
    statuses: &'a [i32],
}

impl Work<'_> {
    fn is_good(&self, status: Option<i32>) -> bool {
        status.is_some_and(|status| self.statuses.contains(&status))
    }
}

/// Games analysed into a file.
pub fn analyse(ground: &mut Ground) -> Result<(), String> {
    let games = fs::read(ground.data("pgn/twic1599.pgn")).map_err(|error| error.to_string())?;
    let games = String::from_utf8_lossy(&games);
    let mut some: String = "[Event \"broken\"]\n\n1. e4 e5 2. Ke4 *\n\n".to_owned();
    for game in games.split("[Event ").skip(1).take(25) {
        some.push_str("[Event ");
        some.push_str(game);
    }
    let input = ground.write("games.pgn", some.as_bytes())?;
    let command = |ground: &Ground, folder: &Path| {
        let mut command = ground.command(&["analyse"]);
        command.arg(&input).args(["--nodes", "500", "--hash", "1", "--threads", "2", "--output"]);
        command.arg(folder.join("annotated.pgn"));
        command
    };
    // The exit status tells of a broken game in the run that read it.
    trial(ground, &Work { command: &command, essence: |_, bytes| bytes, statuses: &[0, 1] })
}

/// A match with a state and a file of games.
pub fn matches(ground: &mut Ground) -> Result<(), String> {
    let command = |ground: &Ground, folder: &Path| {
        let program = format!("cmd={}", ground.program().display());
        let mut command = ground.command(&["match", "--engine", &program, "name=one", "nodes=300"]);
        command.args(["--engine", &program, "name=two", "nodes=400", "--games", "8"]);
        command.args(["--max-moves", "20", "--seed", "3", "--each", "restart=true"]);
        command.arg("--openings").arg(ground.data("epd/bk.epd"));
        command.arg("--state").arg(folder.join("state.json"));
        command.arg("--pgn").arg(folder.join("games.pgn"));
        command
    };
    trial(ground, &Work { command: &command, essence: essence_of_match, statuses: &[0] })
}

/// Endgame tables.
pub fn endgame(ground: &mut Ground) -> Result<(), String> {
    let ending = if ground.times(0, 1, 1) == 0 { "KPK" } else { "KRKP" };
    let command = |ground: &Ground, folder: &Path| {
        let mut command = ground.command(&["endgame", "build", ending, "--checkpoint", "1"]);
        command.arg("--dir").arg(folder);
        command
    };
    trial(ground, &Work { command: &command, essence: |_, bytes| bytes, statuses: &[0] })
}

/// Of a match only the games count, without the times in comments and the day.
fn essence_of_match(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if !name.ends_with(".pgn") {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut kept = String::new();
    let mut in_comment = false;
    for line in text.lines().filter(|line| !line.starts_with("[Date ")) {
        for character in line.chars().chain([' ']) {
            match character {
                '{' => in_comment = true,
                '}' => in_comment = false,
                _ if !in_comment => kept.push(character),
                _ => {}
            }
        }
    }
    kept.split_whitespace().collect::<Vec<_>>().join(" ").into_bytes()
}

fn trial(ground: &mut Ground, work: &Work) -> Result<(), String> {
    let alone = ground.fresh("alone")?;
    let begun = Instant::now();
    let mut command = (work.command)(ground, &alone);
    let ended = Running::start(&mut command, b"")?.end(HANG * 5);
    if !work.is_good(ended.code()) {
        let what = ended.fault().unwrap_or_else(|| ended.first_error().to_owned());
        return Err(format!("{} ended with {:?}: {what}", typed(&command), ended.code()));
    }
    let whole = begun.elapsed();
    let expected = contents(&alone, work.essence)?;
    let kills = ground.times(8, 30, 90);
    let (mut killed, mut finished) = (0, 0);
    while killed < kills && !ground.is_lost() {
        let folder = ground.fresh("killed")?;
        let (kills_here, result) = disturbed(ground, work, &folder, whole)?;
        killed += kills_here;
        finished += 1;
        ground.attempted(kills_here);
        let result = result.and_then(|()| {
            difference(&expected, &contents(&folder, work.essence).unwrap_or_default())
        });
        if let Err(what) = result {
            let case = typed(&(work.command)(ground, &folder));
            ground.found(format!("{what}, after {kills_here} kills"), case);
        }
        if finished > 20 * kills {
            return Err("it always ends before it can be killed".to_owned());
        }
    }
    ground.note(format!("{finished} times to the end"));
    Ok(())
}

/// Work in a folder, killed a few times and then left to end: how often, and whether it ended well.
fn disturbed(
    ground: &mut Ground,
    work: &Work,
    folder: &Path,
    whole: Duration,
) -> Result<(u64, Result<(), String>), String> {
    let mut kills = 0;
    loop {
        let mut running = Running::start(&mut (work.command)(ground, folder), b"")?;
        let pause = pause(whole, ground.random.f64(), ground.random.f64());
        if kills < IN_A_ROW && !running.ends_within(pause) {
            kills += u64::from(running.kill());
            continue;
        }
        let ended = running.end(HANG * 5);
        let result = match (ended.fault(), ended.code()) {
            (Some(fault), _) => Err(fault),
            (None, status) if work.is_good(status) => Ok(()),
            (None, status) => Err(format!("it ended with {status:?}: {}", ended.first_error())),
        };
        return Ok((kills, result));
    }
}

/// How long work goes on before it is killed: some part of the time that all of it takes, but mostly no
/// longer than a kill should take on a slow machine, where all of it may take minutes.
fn pause(whole: Duration, part: f64, draw: f64) -> Duration {
    let pause = whole.mul_f64(part * 0.7);
    if draw < LATE_SHARE { pause } else { pause.min(SOON) }
}

fn contents(folder: &Path, essence: fn(&str, Vec<u8>) -> Vec<u8>) -> Result<Files, String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Files::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        let entry = entry.map_err(told)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A free lock may stay where it is.
        if !name.contains("lock") {
            let bytes = fs::read(entry.path()).map_err(told)?;
            files.insert(name.clone(), essence(&name, bytes));
        }
    }
    Ok(files)
}

fn difference(expected: &Files, found: &Files) -> Result<(), String> {
    for (name, bytes) in expected {
        match found.get(name) {
            None => return Err(format!("{name} is missing")),
            Some(other) if other != bytes => return Err(format!("{name} differs")),
            _ => {}
        }
    }
    match found.keys().find(|name| !expected.contains_key(*name)) {
        Some(name) => Err(format!("{name} is left behind")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_come_soon_on_slow_machines_too() {
        let seconds =
            |whole: u64, part, draw| pause(Duration::from_secs(whole), part, draw).as_secs_f64();
        assert_eq!(seconds(600, 0.5, 0.5), SOON.as_secs_f64());
        assert!((seconds(600, 0.5, 0.05) - 210.0).abs() < 1e-6);
        assert!((seconds(1, 0.5, 0.5) - 0.35).abs() < 1e-6);
    }

    #[test]
    fn games_are_compared_without_times_and_days() {
        let one =
            essence_of_match("a.pgn", b"[Date \"1\"]\n[White \"x\"]\n\n1. e4 {0.1s} e5\n".into());
        let two = essence_of_match(
            "a.pgn",
            b"[Date \"2\"]\n[White \"x\"]\n\n1. e4\n{0.22s\n} e5 ".into(),
        );
        assert_eq!(one, two);
        assert_eq!(one, b"[White \"x\"] 1. e4 e5");
    }

    #[test]
    fn what_is_missing_other_or_left_behind_is_named() {
        let files = |list: &[(&str, &[u8])]| -> Files {
            list.iter().map(|&(name, bytes)| (name.to_owned(), bytes.to_vec())).collect()
        };
        let expected = files(&[("a", b"1"), ("b", b"2")]);
        assert_eq!(difference(&expected, &expected), Ok(()));
        let told = |found: &[(&str, &[u8])]| difference(&expected, &files(found)).unwrap_err();
        assert_eq!(told(&[("a", b"1")]), "b is missing");
        assert_eq!(told(&[("a", b"1"), ("b", b"3")]), "b differs");
        assert_eq!(told(&[("a", b"1"), ("b", b"2"), ("c", b"")]), "c is left behind");
    }
}
