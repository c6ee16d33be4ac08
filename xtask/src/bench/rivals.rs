//! The engine beside other engines of this machine: the node rate of its bench, and what both solve of
//! files of test positions in the same time.

use super::median::median;
use super::numbers::number;
use crate::run::{Cargo, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// How much faster than the rival the bench should be.
const TARGET: f64 = 1.3;

/// The arguments of `cargo xtask bench rivals`.
#[derive(clap::Args)]
pub struct Arguments {
    /// How often each bench runs; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// The program whose `bench` is run in turns with ours; `none` leaves the benches out.
    #[arg(long, value_name = "PROGRAM", default_value = "ethereal-chess")]
    bench: String,

    /// Files of test positions that both solve, at the same time for each position.
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// The program that solves them as well.
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    solver: String,

    /// Seconds for each position.
    #[arg(long, default_value_t = 1.0)]
    time: f64,
}

/// Builds and compares.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), String> {
    let build = Cargo::new("build --release --package rookery");
    eprintln!("{build}");
    if !build.run(root) {
        return Err(format!("the engine cannot be built: `{build}`"));
    }
    let rookery = target(root).join("release/rookery");
    if arguments.bench != "none" {
        benches(&rookery, arguments)?;
    }
    for file in &arguments.suite {
        suite(&rookery, file, arguments)?;
    }
    Ok(())
}

/// Nodes a second of both benches, in turns, by the time that the CPU spent on them: what else the
/// machine does counts little then.
fn benches(rookery: &Path, arguments: &Arguments) -> Result<(), String> {
    let rival = find(&arguments.bench);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 1..=arguments.rounds {
        ours.push(rate(rookery, &["bench", "--json"], |text| number(text, "\"nodes\":"))?);
        theirs.push(rate(&rival, &["bench"], |text| number(text, "Nodes :"))?);
        let pair = ours.last().zip(theirs.last());
        let (our, their) = pair.map_or((0.0, 0.0), |(our, their)| (*our, *their));
        eprintln!("round {round}: rookery {our:.0}, {} {their:.0} nodes/s", arguments.bench);
    }
    let (our, their) = (median(&mut ours), median(&mut theirs));
    let ratio = our / their;
    println!(
        "node rate of bench, one thread, classical evaluation, median of {} rounds",
        ours.len()
    );
    println!("{:20} {our:10.0} nodes/s", "rookery");
    println!("{:20} {their:10.0} nodes/s", arguments.bench);
    let result = if ratio >= TARGET { "met" } else { "missed" };
    println!("ratio {ratio:.3}; target {TARGET}: {result}");
    Ok(())
}

/// Runs a bench; its nodes over the seconds of CPU time.
fn rate(
    program: &Path,
    arguments: &[&str],
    nodes: impl Fn(&str) -> Option<u64>,
) -> Result<f64, String> {
    let (before, begun) = (children_seconds(), Instant::now());
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    let seconds = match (before, children_seconds()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => begun.elapsed().as_secs_f64(),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let nodes = nodes(&text)
        .ok_or_else(|| format!("{}: its bench does not tell its nodes", program.display()))?;
    Ok(nodes as f64 / seconds.max(1e-3))
}

/// CPU seconds of the child processes that have ended, where Linux tells them (`proc(5)`: cutime and
/// cstime, in hundredths).
fn children_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) as f64 / 100.0)
}

/// What both solve of a file.
fn suite(rookery: &Path, file: &Path, arguments: &Arguments) -> Result<(), String> {
    let seconds = arguments.time.to_string();
    let file_name = file.display().to_string();
    let solve = |more: &[&str]| -> Result<(u64, u64, f64), String> {
        let output = Command::new(rookery)
            .args(["suite", &file_name, "--time", &seconds, "--json"])
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{} cannot be started: {error}", rookery.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = number(&text, "\"solved\":").zip(number(&text, "\"positions\":"));
        let counts = counts.ok_or_else(|| format!("{file_name} cannot be solved"))?;
        let time = text.split("\"seconds_to_solution\":").nth(1);
        let time = time.and_then(|rest| rest.split([',', '}']).next()?.parse().ok());
        Ok((counts.0, counts.1, time.unwrap_or(0.0)))
    };
    let rival = find(&arguments.solver).display().to_string();
    eprintln!("{file_name}, {seconds} s for each position");
    let (ours, all, our_time) = solve(&[])?;
    let (theirs, _, their_time) = solve(&["--engine", &rival])?;
    println!("{file_name}, {seconds} s for each of {all} positions");
    println!("{:20} solved {ours:4}, {our_time:7.2} s to the solutions", "rookery");
    println!("{:20} solved {theirs:4}, {their_time:7.2} s to the solutions", arguments.solver);
    Ok(())
}

/// A program by its name; Debian keeps games in a folder that is not always searched.
fn find(name: &str) -> PathBuf {
    let in_games = Path::new("/usr/games").join(name);
    if !name.contains('/') && in_games.is_file() { in_games } else { PathBuf::from(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_known_or_not_told() {
        assert!(children_seconds().is_none_or(|seconds| seconds >= 0.0));
    }

    #[test]
    fn a_program_with_a_path_stays_where_it_is() {
        assert_eq!(find("./engine"), PathBuf::from("./engine"));
        assert_eq!(find("no-such-game"), PathBuf::from("no-such-game"));
    }
}
