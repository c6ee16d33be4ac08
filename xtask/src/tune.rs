//! `cargo xtask tune`: fitting weights to data. The work is done by `lab` in a release build.

use crate::run::Cargo;
use clap::{Args, Subcommand};
use std::path::Path;

/// What can be tuned.
#[derive(Subcommand)]
pub enum Tune {
    /// The weights of the modern evaluation, by Texel's method with exact gradients.
    ///
    /// Reads EPD records with `ce` (centipawns for the side to move) and `c9` (the result), prints the
    /// loss on a held-out tenth after each epoch, and writes crates/eval/src/weights/values.rs.
    Eval(EvalArguments),
}

/// How.
#[derive(Args)]
pub struct EvalArguments {
    /// The file of labelled positions
    #[arg(long)]
    data: String,
    /// Passes over the positions
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// Whatever else `lab tune-eval` knows, after `--`
    #[arg(last = true)]
    more: Vec<String>,
}

/// Tunes; whether it ended well.
pub fn run(root: &Path, tune: &Tune) -> bool {
    let Tune::Eval(arguments) = tune;
    // Cargo runs in the root; a path that was meant from elsewhere is made whole first.
    let data = std::path::absolute(&arguments.data)
        .map_or(arguments.data.clone(), |path| path.display().to_string());
    let mut cargo = Cargo::new("run --release --package lab -- tune-eval --data")
        .argument(data)
        .argument("--epochs")
        .argument(arguments.epochs.to_string());
    for argument in &arguments.more {
        cargo = cargo.argument(argument);
    }
    cargo.run(root)
}
