//! `rookery data unpack`: packed games to samples.

use super::{begin, open_games, threads, write_samples, wrong};
use crate::arguments::UnpackArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input;
use crate::progress::Progress;
use lab::data::samples::shuffle;
use lab::data::unpack::{Filter, Unpacked, unpack};
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// Runs the command.
pub fn run(arguments: &UnpackArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let UnpackArguments { games, output, held_out, seed, .. } = arguments;
    input::refuse_output("--output", output, games)?;
    if let Some(held_out) = held_out {
        input::refuse_output("--held-out", held_out, games)?;
    }
    if held_out.as_ref().is_some_and(|held_out| files::same(held_out, output)) {
        return Err(Failure::Usage("--held-out and --output name the same file".to_owned()));
    }
    let filter = Filter {
        first_ply: arguments.first_ply,
        largest_score: arguments.max_score,
        held_out: if held_out.is_some() { arguments.one_in } else { 0 },
    };
    let mut targets = vec![(output, begin(output)?)];
    if let Some(path) = held_out {
        targets.push((path, begin(path)?));
    }
    let sizes: u64 = games.iter().filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum();
    let (progress, mut before) = (Progress::new(), 0);
    let mut unpacked = Unpacked::default();
    for path in games {
        let mut reader = open_games(path)?;
        let told = |offset| progress.set(before + offset, sizes);
        unpack(&mut reader, &filter, threads(arguments.threads), &mut unpacked, told)
            .map_err(|reason| wrong(path, &reason))?;
        before += reader.offset();
    }
    drop(progress);
    let Unpacked { samples, held_out, games, plies } = unpacked;
    if samples.is_empty() {
        let games = counted(games, "game");
        return Err(Failure::Work(format!("no samples: no position to keep in {games}")));
    }
    writeln!(out, "{} with {}", counted(games, "game"), counted(plies, "half-move"))?;
    for ((path, file), mut samples) in targets.into_iter().zip([samples, held_out]) {
        shuffle(&mut samples, *seed);
        write_samples(path, &samples, file)?;
        writeln!(out, "{}: {}", path.display(), counted(samples.len(), "sample"))?;
    }
    writeln!(out, "{:.1} s", begun.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}
