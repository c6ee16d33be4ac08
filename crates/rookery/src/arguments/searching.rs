//! The arguments of the commands that search.

use super::cluster::SharingArguments;
use super::evaluation::EvaluationArguments;
use crate::{bench, engine, suite};
use clap::{Args, value_parser};
use parallel::StrategyKind;
use search::Profile;
use std::path::PathBuf;
use std::time::Duration;

const BENCH_EXAMPLES: &str = "\
Examples:
  rookery bench
      the signature of this version, and how fast it is here
  rookery bench 13 --threads 4 --json
      four threads to depth 13, as an object for a program
  rookery bench --evaluation classical
      the same with the classical terms, whose caches are counted too";

/// Search fixed positions to a fixed depth: a signature of the search, and its speed
#[derive(Args)]
#[command(after_help = BENCH_EXAMPLES)]
pub struct BenchArguments {
    /// Half-moves to look ahead [default: a few seconds' worth]
    #[arg(value_parser = value_parser!(i32).range(i64::from(*bench::DEPTHS.start())..=i64::from(*bench::DEPTHS.end())))]
    pub depth: Option<i32>,

    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = engine::DEFAULT_HASH_MB)]
    pub hash: u64,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Modern)]
    pub profile: Profile,

    /// Threads that search each position together; with more than one the nodes differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(engine::MOST_THREADS)))]
    pub threads: u32,

    /// How they do it: ybw, abdada, lazy, teams, tds
    #[arg(long, value_name = "NAME", default_value_t = engine::DEFAULT_STRATEGY)]
    #[arg(value_parser = parallel::threads::read_strategy)]
    pub parallel: StrategyKind,

    #[command(flatten)]
    pub evaluation: EvaluationArguments,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub sharing: SharingArguments,
}

/// Megabytes of each table of a suite: room for ten seconds of one thread.
const SUITE_HASH_MB: u64 = 128;

const SUITE_ABOUT: &str = "\
Solve the positions of a file: one EPD record a line with the best moves (bm), the moves to avoid (am), a \
mate in at most the given number of moves (`bm #3` or `dm 3`), or moves with points (`c0 \"f5=10, Be5+=2\"`, or the \
scores in c8 and the moves in c9). Other opcodes do not matter.

Each position is searched with an empty table. It counts as solved if the move that would be played \
at the end is right, and the mate announced where one is asked for; the time, nodes and depth of a \
solution are those from which it was held to the end. Broken records are named and passed over. Points \
are summed up beside their maximum, and the last line reads `solved X of Y`. Ctrl-C sums up what was \
searched until then. The exit status is 1 if a record was broken, 2 if the arguments are wrong, 130 \
after Ctrl-C, 0 else.";

const SUITE_EXAMPLES: &str = "\
Examples:
  rookery suite wac.epd
      a second for each position
  rookery suite wac.epd --time 10 --threads 4 --hash 256
      ten seconds, four positions at a time, each with a table of 256 MB
  rookery suite bk.epd --depth 12 --profile darksight --json
      twelve plies by the rules of another program; the outcome for a program
  rookery suite zugzwang.epd --time 2 --engine stockfish
      another program that speaks UCI, under the same rules";

/// Solve a file of test positions (EPD: best moves, mates, points)
#[derive(Args)]
#[command(long_about = SUITE_ABOUT, after_long_help = SUITE_EXAMPLES)]
#[command(group = clap::ArgGroup::new("limit").args(["time", "depth", "nodes"]))]
pub struct SuiteArguments {
    /// The file, packed (gzip, zstd) or not; `-` is the standard input
    pub file: PathBuf,

    /// Seconds for each position [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = suite::read_seconds)]
    pub time: Option<Duration>,

    /// Half-moves to look ahead in each position
    #[arg(long, value_parser = value_parser!(i32).range(1..=240))]
    pub depth: Option<i32>,

    /// Nodes for each position
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Positions that are searched at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Modern)]
    pub profile: Profile,

    #[command(flatten)]
    pub evaluation: EvaluationArguments,

    /// Let another program solve them: its command, with arguments
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["profile", "evaluation", "net"])]
    pub engine: Option<String>,

    /// Megabytes of each transposition table
    #[arg(long, value_name = "MB", default_value_t = SUITE_HASH_MB)]
    pub hash: u64,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}
