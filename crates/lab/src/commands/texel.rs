//! `lab tune-eval`: the weights of the evaluation.

use clap::Args;
use lab::files::{refuse_output, write_whole};
use lab::texel::{self, Plan};
use std::path::PathBuf;

/// What to tune on, how long, and where the weights go.
#[derive(Args)]
pub struct TuneArguments {
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

/// Tunes.
pub fn run(arguments: &TuneArguments) -> Result<(), String> {
    refuse_output("--out", &arguments.out, [&arguments.data])?;
    let (samples, skipped) =
        texel::read(&arguments.data, arguments.positions, arguments.result_share)?;
    if let Some(line) = skipped.first {
        println!("{} lines without labels or with mistakes, first: {line}", skipped.lines);
    }
    let plan = Plan { epochs: arguments.epochs, threads: arguments.threads.max(1) };
    let tuned = texel::tune(&samples, &plan, &mut |line| println!("{line}"))?;
    write_whole(&arguments.out, eval::weights::write_values(&tuned.weights))?;
    println!(
        "held-out loss {:.6} before, {:.6} after; weights in {}",
        tuned.loss_before,
        tuned.loss_after,
        arguments.out.display()
    );
    Ok(())
}
