//! `rookery regret`: what the chosen moves lose against a reference, a measure of strength with less noise
//! than games.
//!
//! [`reference`] is the file, [`sample`] and [`make`] make it with the scores of a [`scorer`];
//! [`measure`] searches its positions in one or more [`setting`]s and [`report`] sums up.

mod make;
mod measure;
mod reference;
mod report;
mod sample;
mod scorer;
mod setting;

use crate::arguments::RegretCommand;
use crate::failure::Failure;
use cluster::Link;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// Centipawns of the scorer by which the odds grow e-fold, unless others are asked for: near equality the
/// expected score then grows as by the engine's own model of chances ([`eval::chances`]) in the middle game.
pub const SCALE: f64 = 150.0;

/// Reads the argument of `--scale`.
pub fn read_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if (1.0..=10_000.0).contains(&scale) => Ok(scale),
        _ => Err("expected centipawns, from 1 to 10000".to_owned()),
    }
}

/// Runs the command.
pub fn run(
    command: &RegretCommand,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    match command {
        RegretCommand::Make(arguments) => make::run(arguments, out),
        RegretCommand::Measure(arguments) => measure::run(arguments, link, out),
    }
}
