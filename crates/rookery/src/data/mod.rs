//! `rookery datagen` and `rookery data`: training data for networks. The formats and the play are in
//! [`lab::data`] and [`lab::selfplay`]; here are files and people.

mod check;
mod games;
mod generate;
mod import;
mod rate;
mod show;
mod shuffle;
mod statics;
mod unpack;

use crate::arguments::{DataCommand, PlaySettings};
use crate::failure::Failure;
use files::{Lock, LockError};
use lab::data::{GamesReader, Sample, samples};
use lab::selfplay::Settings;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

pub use games::Generator;
pub use generate::run as generate;

/// Runs the command.
pub fn run(command: &DataCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        DataCommand::Check(arguments) => check::run(arguments, out),
        DataCommand::Show(arguments) => show::run(arguments, out),
        DataCommand::Import(arguments) => import::run(arguments, out),
        DataCommand::Unpack(arguments) => unpack::run(arguments, out),
        DataCommand::Shuffle(arguments) => shuffle::run(arguments, out),
        DataCommand::Static(arguments) => statics::run(arguments, out),
    }
}

/// Openings beyond this are not played, in centipawns.
const LARGEST_OPENING_SCORE: i32 = 600;

fn settings(play: &PlaySettings) -> Settings {
    Settings {
        seed: play.seed,
        nodes: play.nodes,
        random_plies: play.random_plies,
        largest_opening_score: LARGEST_OPENING_SCORE,
        hash_mb: play.hash,
        evaluation: "classical".to_owned(),
    }
}

/// The threads that were asked for, or all processors.
fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// What is wrong with a file, in one line that names it.
fn wrong(path: &Path, reason: &str) -> Failure {
    Failure::Work(format!("{} {reason}", path.display()))
}

fn open(path: &Path) -> Result<File, Failure> {
    files::open(path).map_err(|error| wrong(path, &format!("cannot be read: {error}")))
}

fn open_games(path: &Path) -> Result<GamesReader<BufReader<File>>, Failure> {
    let file = BufReader::with_capacity(1 << 20, open(path)?);
    GamesReader::new(file).map_err(|reason| wrong(path, &reason))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    wrong(path, &format!("cannot be written: {error}"))
}

/// Keeps other processes away from a file that is to be continued.
pub fn lock(path: &Path) -> Result<Lock, Failure> {
    files::refuse_special(path).map_err(|error| cannot_write(path, &error))?;
    Lock::beside(path).map_err(|error| match error {
        LockError::Held(_) => wrong(path, &format!("is {error}")),
        LockError::File(_, error) => cannot_write(path, &error),
    })
}

/// Writes samples to a file that takes its name when it is whole.
fn write_samples(path: &Path, all: &[Sample], file: files::Replacement) -> Result<(), Failure> {
    let mut buffer = BufWriter::with_capacity(1 << 20, file);
    let write = samples::write(all, &mut buffer)
        .and_then(|()| buffer.into_inner().map_err(io::IntoInnerError::into_error)?.commit());
    write.map_err(|error| cannot_write(path, &error))
}

/// Begins a file that takes its name when it is whole.
fn begin(path: &Path) -> Result<files::Replacement, Failure> {
    files::Replacement::create(path).map_err(|error| cannot_write(path, &error))
}
