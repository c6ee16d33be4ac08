//! `cargo xtask cluster network`: the program on two hosts with a long way between them.
//!
//! The hosts are network namespaces with TCP between them. The kernel (netem) delays what goes between them;
//! where it cannot, delays are left out, loudly.

mod figures;
mod hosts;
mod launch;
mod load;

use crate::run::{Cargo, target};
use figures::{HEADER, Row, Way};
use hosts::Hosts;
use launch::Launcher;
use load::Clocks;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The arguments of `cargo xtask cluster network`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// How long a frame is on its way in one direction, in microseconds; no delay is always measured too.
    #[arg(long, value_name = "US", value_delimiter = ',', default_value = "100,1000,10000")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    delay_us: Vec<u64>,

    /// Ways of searching.
    #[arg(long, value_name = "NAMES", default_value = "ybw,lazy")]
    strategies: String,

    /// How many of the Bratko-Kopec positions.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=24))]
    positions: u32,

    /// Half-moves to look ahead. A search of a tenth of a second is over before two hosts that are ten
    /// milliseconds apart work together.
    #[arg(long, default_value_t = 17, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,

    /// How often everything is measured.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repetitions: u32,

    /// Megabytes of each host's table.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// Round trips of each size.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,

    /// A program that was built with the feature mpi [default: it is built].
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Write one JSON object for each delay and strategy.
    #[arg(long)]
    json: bool,
}

/// Whether the user wants the program to end: what was set up is removed first.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Measures over every delay.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), String> {
    hosts::check()?;
    launch::check()?;
    let program = match &arguments.program {
        Some(program) => program
            .canonicalize()
            .map_err(|error| format!("--program {}: {error}", program.display()))?,
        None => build(root)?,
    };
    // Before anything is there that must be removed.
    ctrlc::set_handler(|| INTERRUPTED.store(true, Relaxed)).map_err(|error| error.to_string())?;
    launch::adopt_orphans();
    let hosts = Hosts::new()?;
    hosts::join(&hosts)?;
    let launcher = Launcher::new(&hosts)?;
    if !arguments.json {
        println!("{HEADER}");
    }
    for delay in delays(&arguments.delay_us) {
        // Without a delay nothing is asked of the kernel.
        if delay > 0
            && let Err(reason) = hosts::set_delay(&hosts, delay)
        {
            eprintln!("xtask: SKIPPED: delays of {delay} us and more: no netem: {reason}");
            break;
        }
        for row in measure(&launcher, &program, arguments, delay)? {
            println!("{}", if arguments.json { row.json() } else { row.line() });
        }
    }
    Ok(())
}

fn build(root: &Path) -> Result<PathBuf, String> {
    let build = Cargo::new("build --release --package rookery --features mpi");
    eprintln!("{build}");
    match build.run(root) {
        true => Ok(target(root).join("release/rookery")),
        false => Err(format!("the engine cannot be built: `{build}`")),
    }
}

/// What to measure, from near to far, with no delay as the first.
fn delays(asked: &[u64]) -> Vec<u64> {
    let mut delays = [&[0], asked].concat();
    delays.sort_unstable();
    delays.dedup();
    delays
}

fn measure(
    launcher: &Launcher,
    program: &Path,
    arguments: &Arguments,
    delay_us: u64,
) -> Result<Vec<Row>, String> {
    let begun = std::time::Instant::now();
    let said = |line: String| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        launcher.run(program, &words)
    };
    let pingpong = said(format!("cluster pingpong --rounds {} --json", arguments.rounds))?;
    let way = Way::read(delay_us, &pingpong, &said("cluster doctor --json".to_owned())?)?;
    let Arguments { strategies, positions, depth, repetitions, hash, .. } = arguments;
    let before = Clocks::now();
    let speedup = said(format!(
        "speedup --threads 1 --processes 2 --strategies {strategies} --first {positions} \
         --depth {depth} --repetitions {repetitions} --hash {hash} --json"
    ))?;
    let others = before.zip(Clocks::now()).map(|(before, now)| before.others_until(now));
    let others = others.unwrap_or_default();
    let seconds = begun.elapsed().as_secs_f64();
    eprintln!("xtask: delay {delay_us} us: {seconds:.0} s; others used {others:.2} processors");
    Row::read(way, others, &speedup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn without_arguments_the_delays_of_a_house_a_town_and_a_country_are_measured() {
        let Line { arguments } = Line::try_parse_from(["network"]).unwrap();
        assert_eq!(delays(&arguments.delay_us), [0, 100, 1000, 10_000]);
        assert!(arguments.program.is_none() && !arguments.json);
    }

    #[test]
    fn delays_are_sorted_and_no_delay_is_among_them_once() {
        let read = |delays: &str| {
            let line = Line::try_parse_from(["network", "--delay-us", delays]);
            line.map(|line| self::delays(&line.arguments.delay_us)).ok()
        };
        assert_eq!(read("500,0,20,500"), Some(vec![0, 20, 500]));
        assert_eq!(read("5"), Some(vec![0, 5]));
        for wrong in ["", "x", "-1", "1000001", "1,,2"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_that_mean_nothing_are_refused() {
        for wrong in ["--positions=0", "--depth=0", "--repetitions=0", "--rounds=0", "--hash=0"] {
            assert!(Line::try_parse_from(["network", wrong]).is_err(), "{wrong}");
        }
    }
}
