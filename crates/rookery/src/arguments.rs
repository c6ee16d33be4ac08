//! The command line.

use crate::{bench, engine, suite};
use board::Position;
use clap::{Args, Parser, Subcommand, value_parser};
use search::Profile;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Rookery, a chess engine.

Without arguments it reads commands from the standard input, as chess programs do that speak UCI; \
`help` lists them. A single command of that kind may also be given as arguments.";

const EXAMPLES: &str = "\
Examples:
  rookery                      start the command loop
  rookery d                    show the start position
  rookery perft 6              count the lines of six half-moves
  rookery bench                search fixed positions: signature and speed
  rookery suite wac.epd        solve a file of test positions
  rookery help suite           all about solving";

/// What was asked for.
#[derive(Parser)]
#[command(name = "rookery", version, about = "Rookery, a chess engine", long_about = ABOUT)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    Perft(Box<PerftArguments>),
    Bench(BenchArguments),
    Suite(Box<SuiteArguments>),
    /// A command of the console
    #[command(external_subcommand)]
    Console(Vec<OsString>),
}

const PERFT_ABOUT: &str = "\
Count the legal lines of a number of half-moves (perft), the test of every move generator.

The counts of many positions are published: a generator that forgets a rule gives another number. \
With --suite a whole file of them is checked, in lines such as

  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902

or with the words `epd` and `perft` at the beginning of lines. Every mismatch and every broken line \
is named; the exit status is 1 if there was any, 2 if the arguments are wrong, 0 else.";

const PERFT_EXAMPLES: &str = "\
Examples:
  rookery perft 6
      count 119060324 lines from the start position
  rookery perft 5 --divide --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
      another position; --divide shows behind which move two generators differ
  rookery perft 8 --threads 4 --hash 1024
      four threads that share a table of one gigabyte
  rookery perft --suite perftsuite.epd --max-depth 4 --json
      a file of expected counts; the outcome for a program";

/// Count legal lines (perft), or check a file of counts
#[derive(Args)]
#[command(long_about = PERFT_ABOUT, after_long_help = PERFT_EXAMPLES)]
pub struct PerftArguments {
    /// Half-moves to look ahead
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(board::perft::MAX_DEPTH)))]
    pub depth: Option<u32>,

    /// The position; X-FEN and Shredder-FEN of Chess960 are understood [default: the start position]
    #[arg(long, value_parser = read_fen, conflicts_with = "suite")]
    pub fen: Option<Fen>,

    /// Show the count behind each move
    #[arg(long, conflicts_with = "suite")]
    pub divide: bool,

    /// Check every count of a file (.epd with `;D1 20`, or .perft)
    #[arg(long, value_name = "FILE")]
    pub suite: Option<PathBuf>,

    /// Leave out the counts of greater depths of the file
    #[arg(long, value_name = "DEPTH", requires = "suite", conflicts_with = "depth")]
    pub max_depth: Option<u32>,

    /// Threads that share the work; the counts do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// Megabytes for a table of counts of positions that come again; 0 for none
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub hash: u64,

    /// Play the moves of the last ply too, instead of only counting them
    #[arg(long)]
    pub no_bulk: bool,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Search fixed positions to a fixed depth: a signature of the search, and its speed
#[derive(Args)]
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

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

const SUITE_ABOUT: &str = "\
Solve the positions of a file: one EPD record a line with the best moves (bm) or the moves to avoid (am).

Each position is searched with an empty table. It counts as solved if the move that would be played \
at the end is right; the time, nodes and depth of a solution are those from which the right move was \
held to the end. Broken records are named and passed over. The last line reads `solved X of Y`. The \
exit status is 1 if a record was broken, 2 if the arguments are wrong, 0 else.";

const SUITE_EXAMPLES: &str = "\
Examples:
  rookery suite wac.epd
      a second for each position
  rookery suite wac.epd --time 10 --threads 4 --hash 256
      ten seconds, four positions at a time, each with a table of 256 MB
  rookery suite bk.epd --depth 12 --profile darksight --json
      twelve plies by the rules of another program; the outcome for a program";

/// Solve a file of test positions (EPD with bm or am)
#[derive(Args)]
#[command(long_about = SUITE_ABOUT, after_long_help = SUITE_EXAMPLES)]
#[command(group = clap::ArgGroup::new("limit").args(["time", "depth", "nodes"]))]
pub struct SuiteArguments {
    /// The file
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

    /// Megabytes of each transposition table
    #[arg(long, value_name = "MB", default_value_t = engine::DEFAULT_HASH_MB)]
    pub hash: u64,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A position and how it was written.
#[derive(Clone)]
pub struct Fen {
    pub text: String,
    pub position: Position,
}

fn read_fen(text: &str) -> Result<Fen, board::FenError> {
    Ok(Fen { text: text.to_owned(), position: Position::from_fen(text)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Arguments::command().debug_assert();
    }
}
