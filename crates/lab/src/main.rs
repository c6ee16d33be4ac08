//! The experiments as commands; `cargo xtask` starts them in a release build.

use clap::{Args, Parser, Subcommand};
use lab::collection;
use lab::texel::{self, Plan};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rookery's laboratory.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Fit the weights of the modern evaluation to labelled positions
    TuneEval(TuneArguments),
    /// Write a collection of games of any size, made of copies of another one
    MakePgn(PgnArguments),
}

/// Which games, how much of them, and where they go.
#[derive(Args)]
struct PgnArguments {
    /// The games that are repeated
    #[arg(long, default_value = "testdata/pgn/twic1599.pgn")]
    from: PathBuf,
    /// The size
    #[arg(long, default_value_t = 2048)]
    megabytes: u64,
    /// Words in the comment after each move, beside the clock
    #[arg(long, default_value_t = 0)]
    words: u64,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
}

/// What to tune on, how long, and where the weights go.
#[derive(Args)]
struct TuneArguments {
    /// EPD records with `ce` (centipawns for the side to move) and `c9` (the game's result)
    #[arg(long)]
    data: PathBuf,
    /// Passes over the positions
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// Positions to read at most
    #[arg(long, default_value_t = 400_000)]
    positions: usize,
    /// Threads that share a batch
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// How much the game's result counts, from 0 to 1; the rest is the recorded score
    #[arg(long, default_value_t = 0.5)]
    result_share: f64,
    /// The file to write: the Rust text of the table of weights
    #[arg(long, default_value = "crates/eval/src/weights/values.rs")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().experiment {
        Experiment::TuneEval(arguments) => tune(&arguments),
        Experiment::MakePgn(arguments) => make_pgn(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tune(arguments: &TuneArguments) -> Result<(), String> {
    let (samples, skipped) =
        texel::read(&arguments.data, arguments.positions, arguments.result_share)?;
    if let Some(line) = skipped.first {
        println!("{} lines without labels or with mistakes, first: {line}", skipped.lines);
    }
    let plan = Plan { epochs: arguments.epochs, threads: arguments.threads.max(1) };
    let tuned = texel::tune(&samples, &plan, &mut |line| println!("{line}"))?;
    write_whole(&arguments.out, &eval::weights::write_values(&tuned.weights))?;
    println!(
        "held-out loss {:.6} before, {:.6} after; weights in {}",
        tuned.loss_before,
        tuned.loss_after,
        arguments.out.display()
    );
    Ok(())
}

fn make_pgn(arguments: &PgnArguments) -> Result<(), String> {
    let PgnArguments { from, megabytes, words, out } = arguments;
    let size = collection::write(from, out, *megabytes, *words)?;
    println!("{}: {} games, {} bytes", out.display(), size.games, size.bytes);
    Ok(())
}

/// Under another name first, so that nobody ever sees half a file.
fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let temporary = path.with_extension("new");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}
