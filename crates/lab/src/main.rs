//! The experiments as commands; `cargo xtask` starts them in a release build.

mod commands;

use clap::{Parser, Subcommand};
use commands::{collection, duel, figure8, spsa, texel, train, wdl};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples (spsa and duel need a build with `--features tune`):
  lab spsa --openings book.epd --threads 16 --iterations 20000
      tune all parameters of the search; stop it when you like and start it again
  lab spsa --openings book.epd --parameters futility_base,futility_margin --tc 4+0.04
      two of them, at a time control
  lab duel --a futility_base=130 --games 4000 --openings book.epd --threads 16
      is 130 better than what the program has?
  lab figure8 --depth 2..6 --threads 8 --plot figure8.svg
      transposition table, refutation table, history, killers, each for itself and together
  lab fit-wdl match.pgn --engine rookery
      what a score means in games won, drawn and lost
  lab train --pretrain static.rks --data train.rks --held-out valid.rks --output small.net
      a small network on the processors of this machine";

/// Rookery's laboratory.
#[derive(Parser)]
#[command(after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Fit the weights of the modern evaluation to labelled positions
    TuneEval(texel::TuneArguments),
    /// Tune the parameters of the search by games (simultaneous perturbation)
    Spsa(spsa::SpsaArguments),
    /// Play a match between two settings of the search's parameters
    Duel(duel::DuelArguments),
    /// Draw Marsland's Figure 8: what each enhancement of alpha-beta saves, by depth
    Figure8(figure8::Figure8Arguments),
    /// Fit the chances to win, draw and lose to games with evaluations
    FitWdl(wdl::WdlArguments),
    /// Train a network on samples, without a GPU
    Train(train::TrainArguments),
    /// Write a collection of games of any size, made of copies of another one
    MakePgn(collection::PgnArguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().experiment {
        Experiment::TuneEval(arguments) => texel::run(&arguments),
        Experiment::Spsa(arguments) => spsa::run(&arguments),
        Experiment::Duel(arguments) => duel::run(&arguments),
        Experiment::Figure8(arguments) => figure8::run(&arguments),
        Experiment::FitWdl(arguments) => wdl::run(&arguments),
        Experiment::Train(arguments) => train::run(&arguments),
        Experiment::MakePgn(arguments) => collection::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab: {error}");
            ExitCode::FAILURE
        }
    }
}
