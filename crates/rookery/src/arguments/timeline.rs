//! The arguments of `rookery timeline`.

use super::PositionArguments;
use crate::engine;
use crate::suite;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, value_parser};
use parallel::StrategyKind;
use search::Profile;
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Show what each thread does during one short search, beside the same search on a simulated machine.

The search is that of a move in a quick game: some threads, some milliseconds, an empty table. What every \
thread does is recorded (searching which root move or whose job, sending and receiving, waiting for \
helpers, searching the root by itself because there is no work), and every message. Then the same position \
is searched to the same depth by the same strategy in virtual time. A difference shows what the model \
leaves out, or what the program wastes.

Without --machine the simulated machine is `threads`, with the time that a node takes here, measured \
before. Recording itself costs a real search about a hundredth of its time.";

const EXAMPLES: &str = "\
Examples:
  rookery timeline --threads 8 --plot move.svg
      the first move of a game in 40 milliseconds, as a picture
  rookery timeline --threads 4 --depth 12 --strategy lazy --csv move.csv \\
      'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
      another position and way of searching; every span of time and every message in a file";

/// Show what each thread does during a short search, real and simulated
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct TimelineArguments {
    #[command(flatten)]
    pub position: PositionArguments,

    /// Threads that search together
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = value_parser!(u32).range(2..=i64::from(engine::MOST_THREADS)))]
    pub threads: u32,

    /// The way of searching: ybw, abdada, lazy, teams, tds
    #[arg(long, value_name = "NAME", default_value_t = engine::DEFAULT_STRATEGY)]
    #[arg(value_parser = parallel::threads::read_strategy)]
    pub strategy: StrategyKind,

    /// Seconds of the search [default: 0.04]
    #[arg(long, value_name = "SECONDS", conflicts_with = "depth", value_parser = suite::read_seconds)]
    pub time: Option<Duration>,

    /// Half-moves to look ahead, instead of a time
    #[arg(long, value_parser = value_parser!(i32).range(1..=100))]
    pub depth: Option<i32>,

    /// The simulated machine: a name or a file, as for `rookery sim` [default: threads, with measured nodes]
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,

    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    pub hash: u64,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Modern)]
    pub profile: Profile,

    /// Draw both into a picture (.svg or .png)
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot::file_name))]
    pub plot: Option<PathBuf>,

    /// Write every span of time and every message of both as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}
