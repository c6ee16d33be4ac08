//! `lab figure8`: what the enhancements of alpha-beta save.

use super::games::Ticker;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use lab::duel::Openings;
use lab::figure8;
use lab::files::{refuse_output, write_whole};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// How deep, on what, and what to show.
#[derive(Args)]
pub struct Figure8Arguments {
    /// Depths in plies, from..to
    #[arg(long, value_name = "FROM..TO", default_value = "2..5", value_parser = read_depths)]
    depth: RangeInclusive<i32>,
    /// The positions: EPD or FEN, one a line
    #[arg(long, value_name = "FILE", default_value = "testdata/epd/bk.epd")]
    positions: PathBuf,
    /// Every enhancement for itself and together, with and without iterative deepening
    #[arg(long)]
    all: bool,
    /// What the table contributes by its moves, its bounds and its cut-offs, and exchanges at the horizon
    #[arg(long, conflicts_with = "all")]
    parts: bool,
    /// Threads that share the searches
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write one JSON object in place of the table
    #[arg(long)]
    json: bool,
    /// Draw the figure as well; a plain file of that name is replaced
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot::file_name))]
    plot: Option<PathBuf>,
}

/// Measures and shows.
pub fn run(arguments: &Figure8Arguments) -> Result<(), String> {
    if let Some(plot) = &arguments.plot {
        refuse_output("--plot", plot, [&arguments.positions])?;
    }
    let positions = Openings::read(&arguments.positions, 0)?.into_positions();
    let depths: Vec<i32> = arguments.depth.clone().collect();
    let mut ticker = Ticker::new(Duration::from_secs(10));
    let progress = |done: usize, all: usize| {
        if ticker.is_due() {
            eprintln!("{done} of {all} searches");
        }
    };
    let traces = match arguments.parts {
        true => figure8::parts(),
        false => figure8::traces(arguments.all),
    };
    let threads = usize::from(arguments.threads);
    let figure = figure8::measure(&positions, &depths, traces, threads, progress)?;
    match arguments.json {
        true => println!("{}", figure8::json(&figure)),
        false => print!("{}", figure8::text(&figure)),
    }
    match &arguments.plot {
        Some(path) => write_whole(path, figure8::draw(&figure).encode(path)),
        None => Ok(()),
    }
}

/// Reads `2..6`, or one depth.
fn read_depths(text: &str) -> Result<RangeInclusive<i32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let depth =
        |text: &str| text.trim_start_matches('=').parse().ok().filter(|d| (1..=20).contains(d));
    match (depth(first), depth(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected depths from 1 to 20, such as 2..6".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_a_range_or_one() {
        assert_eq!(read_depths("2..6"), Ok(2..=6));
        assert_eq!(read_depths("3"), Ok(3..=3));
        for text in ["", "6..2", "0..3", "2..x", "2..99"] {
            assert!(read_depths(text).is_err(), "{text}");
        }
    }
}
