//! `lab fit-wdl`: what a score means in games won, drawn and lost.

use clap::Args;
use eval::chances::{MODEL, Model};
use lab::wdl::{Band, Reading, compare, fit, loss, read, read_packed};
use std::fs::File;
use std::path::PathBuf;

/// Which games, and whose scores.
#[derive(Args)]
pub struct WdlArguments {
    /// Games with evaluations, as `rookery match --pgn` or `rookery datagen` (`.rkg`) write them
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Take the scores of this player alone
    #[arg(long)]
    engine: Option<String>,
    /// Centipawns from one row of the comparison to the next
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i32).range(1..))]
    width: i32,
    /// One JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Reads, fits and compares.
pub fn run(arguments: &WdlArguments) -> Result<(), String> {
    let mut reading = Reading::default();
    for path in &arguments.games {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let packed = path.extension().is_some_and(|extension| extension == "rkg");
        match (packed, &arguments.engine) {
            (false, engine) => read(file, engine.as_deref(), &mut reading),
            (true, None) => read_packed(file, &mut reading)
                .map_err(|reason| format!("{} {reason}", path.display()))?,
            (true, Some(_)) => return Err("--engine: packed games name no players".to_owned()),
        }
    }
    if let Some(reason) = &reading.first_reason {
        eprintln!("{} games left out, the first because {reason}", reading.skipped);
    }
    if reading.samples.len() < 100 {
        return Err(format!(
            "{} scores in {} games are too few to fit anything to",
            reading.samples.len(),
            reading.games
        ));
    }
    let fitted = fit(MODEL, &reading.samples);
    let losses = (loss(&MODEL, &reading.samples), loss(&fitted, &reading.samples));
    let bands = compare(&fitted, &reading.samples, arguments.width);
    match arguments.json {
        true => println!("{}", json(&reading, &fitted, losses)),
        false => print(&reading, &fitted, losses, &bands),
    }
    Ok(())
}

fn json(reading: &Reading, fitted: &Model, (before, after): (f64, f64)) -> String {
    serde_json::json!({
        "games": reading.games,
        "scores": reading.samples.len(),
        "half_won": fitted.half_won,
        "half_won_full": fitted.half_won_full,
        "slope": fitted.slope,
        "slope_full": fitted.slope_full,
        "loss_before": before,
        "loss": after,
    })
    .to_string()
}

fn print(reading: &Reading, fitted: &Model, (before, after): (f64, f64), bands: &[Band]) {
    println!("{} scores of {} games", reading.samples.len(), reading.games);
    println!("  score  samples   win % (seen)   draw % (seen)   loss % (seen)");
    for band in bands.iter().filter(|band| band.samples >= 50) {
        let pair = |index: usize| {
            format!("{:5.1} ({:5.1})", 100.0 * band.predicted[index], 100.0 * band.seen[index])
        };
        println!("{:>7} {:>8}  {}   {}   {}", band.from, band.samples, pair(0), pair(1), pair(2));
    }
    println!("loss {before:.4} with the program's numbers, {after:.4} with these:");
    println!(
        "half_won: {:.1}, half_won_full: {:.1}, slope: {:.1}, slope_full: {:.1}",
        fitted.half_won, fitted.half_won_full, fitted.slope, fitted.slope_full
    );
}
