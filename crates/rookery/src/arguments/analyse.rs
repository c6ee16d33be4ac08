//! The arguments of `rookery analyse`.

use super::cluster::SharingArguments;
use crate::analyse::Format;
use crate::suite;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, value_parser};
use search::Profile;
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Analyse a position, a file of positions, or whole games.

What is given decides: a FEN or an EPD record as argument is searched and shown as it goes; the \
positions of a file (one FEN or EPD record a line) get a line each; the games of a PGN file come back \
with an evaluation behind every move, marks for bad moves ($6 inaccuracy, $2 mistake, $4 blunder) and \
the better line as a variation. Files are told apart by their content, and may be packed (gzip, zstd); \
several are taken one after the other. `-` or nothing with a pipe on the standard input reads from \
there; nothing at all is the start position. Scores are White's.

With --output a run that was ended, however roughly, goes on where it was when the same command is \
given again, and with a limit of nodes or depth the file is the same byte for byte. Ctrl-C shows what \
has been found so far. A game with a bad move is annotated up to there and kept, with a comment that \
says where it stops; what cannot be read at all is passed over. Both are named, and the exit status is \
1 then; 2 if the arguments are wrong, 130 after Ctrl-C, 0 else.";

const EXAMPLES: &str = "\
Examples:
  rookery analyse
      the start position, five seconds
  rookery analyse 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq -' --multipv 3
      the three best moves of a position
  rookery analyse games.pgn --output annotated.pgn
      annotate games, as many at a time as there are processors; can be killed and resumed
  rookery analyse games.pgn --nodes 2000000 --hash 128 --threads 4 --output annotated.pgn
      the same with more care
  rookery analyse game.pgn --output annotated.pgn --plot game.svg
      the evaluation over the game as a picture too
  rookery analyse wac.epd --depth 12 --json
      a line of JSON for each position
  rookery analyse january.pgn.gz february.pgn.zst --output annotated.pgn
      several files, packed or not
  rookery analyse --fen '8/8/8/8/4k3/8/4P3/4K3 w - - 0 1' --syzygy tables
      with endgame tables
  bzcat games.pgn.bz2 | rookery analyse > annotated.pgn
      through a pipe";

/// Analyse positions and annotate games (FEN, EPD or PGN)
#[derive(Args)]
#[command(visible_alias = "analyze", long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct AnalyseArguments {
    /// A FEN or EPD record or `startpos`, perhaps with `moves e2e4 …` behind it; files; or `-` [default: a
    /// pipe, or the start position]
    pub input: Vec<String>,

    /// The position, as an option
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,

    /// Half-moves to look ahead in each position
    #[arg(long, value_parser = value_parser!(i32).range(1..=240))]
    pub depth: Option<i32>,

    /// Seconds for each position [default: 5 for one position, where no other limit is given]
    #[arg(long, value_name = "SECONDS", value_parser = suite::read_seconds)]
    pub time: Option<Duration>,

    /// Nodes for each position [default: 500000 in files, where no other limit is given]
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Best lines to show
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    pub multipv: u16,

    /// Games or positions of a file that are analysed at a time, each by one thread [default: one for
    /// each processor]. One position by itself is searched by this number of threads together [default: 1]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Megabytes of each transposition table [default: 256 for one position, 32 in files]
    #[arg(long, value_name = "MB", value_parser = value_parser!(u64).range(1..))]
    pub hash: Option<u64>,

    /// Folders with Syzygy tables, separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,

    /// A folder with tables that `rookery endgame build` has made
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Modern)]
    pub profile: Profile,

    /// What the file or pipe holds, where its content does not tell
    #[arg(long, value_enum, default_value_t = Format::Auto)]
    pub format: Format,

    /// Write one JSON object a line for each position
    #[arg(long)]
    pub json: bool,

    /// Write to this file, and go on with it if it was begun before
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Begin the output anew, whether it is whole or was begun before
    #[arg(long, requires = "output")]
    pub overwrite: bool,

    /// Draw the evaluation over the games (the first twelve): FILE.svg or .png
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot::file_name))]
    pub plot: Option<PathBuf>,

    #[command(flatten)]
    pub sharing: SharingArguments,
}
