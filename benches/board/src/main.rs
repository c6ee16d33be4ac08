//! Rookery's board beside other chess libraries: one process, one thread, interleaved rounds.
//!
//! `cargo xtask bench board` builds and runs this program twice (for this CPU, and as a plain
//! binary) and is the way to use it. The rivals are dependencies of this crate alone, so that the
//! engine never links them.

mod libraries;
mod mailbox;
mod measure;
mod median;
mod report;

use clap::Parser;
use std::process::ExitCode;

/// Counts legal move trees with Rookery's board and with its rivals, and compares the speeds.
#[derive(Parser)]
struct Arguments {
    /// How often each library runs each case; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Print the figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let results = match measure::run(arguments.rounds) {
        Ok(results) => results,
        Err(error) => {
            eprintln!("board-bench: {error}");
            return ExitCode::FAILURE;
        }
    };
    let report = report::Report::new(arguments.rounds, results);
    if arguments.json {
        match serde_json::to_string_pretty(&report) {
            Ok(text) => println!("{text}"),
            Err(error) => {
                eprintln!("board-bench: the figures cannot be written as JSON: {error}");
                return ExitCode::FAILURE;
            }
        }
    } else {
        print!("{report}");
    }
    ExitCode::SUCCESS
}
