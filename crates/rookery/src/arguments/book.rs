//! The arguments of `rookery book`.

use super::PositionArguments;
use clap::{ArgGroup, Args, Subcommand, value_parser};
use std::path::PathBuf;

const ABOUT: &str = "\
Work with opening books in Polyglot's format.

A book knows positions, not games: a position is met on every order of moves that leads to it. To \
play from a book, set the UCI options OwnBook and BookFile.";

const EXAMPLES: &str = "\
Examples:
  rookery book build games.pgn --output book.bin
      a book of what was played at least three times in the first 30 half-moves
  rookery book show book.bin
      the moves of the start position
  rookery book show book.bin --moves 'e4 c5' --depth 3
      a tree of three half-moves behind 1. e4 c5
  rookery book check book.bin
      whether the file is sound, and what is in it
  rookery book merge one.bin two.bin --output both.bin
      one book of two";

/// Build, show, check and merge opening books (Polyglot)
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct BookArguments {
    #[command(subcommand)]
    pub command: BookCommand,
}

#[derive(Subcommand)]
pub enum BookCommand {
    Build(BuildArguments),
    Show(ShowArguments),
    Check(CheckArguments),
    Merge(MergeArguments),
}

const BUILD_ABOUT: &str = "\
Make a book of the games of PGN files.

Every move of the first half-moves of a game counts for its position: 2 points if the player won, 1 \
for a draw or an unknown result, 0 for a loss, as Polyglot counts. A move's weight is the sum. Moves \
that were played less often than --min-games, that scored less than --min-score, or that only lost \
are left out.

Files of any size are read: what does not fit into --memory is sorted in pieces beside the output and \
merged at the end. Broken games are named and passed over, and the exit status is 1 then. The book takes \
its name when it is whole: Ctrl-C leaves nothing behind.";

const BUILD_EXAMPLES: &str = "\
Examples:
  rookery book build games.pgn --output book.bin
      half-moves 1 to 30, moves played at least three times
  rookery book build masters.pgn blitz.pgn -o white.bin --white-only --min-games 10 --min-score 45
      moves of White that were played ten times and scored at least 45 %
  rookery book build huge.pgn.zst -o book.bin --depth 20 --memory 512
      a packed file, with half a gigabyte
  bzcat games.pgn.bz2 | rookery book build - -o book.bin
      from a pipe";

/// Make a book of the games of PGN files
#[derive(Args)]
#[command(long_about = BUILD_ABOUT, after_long_help = BUILD_EXAMPLES)]
#[command(group = ArgGroup::new("side").args(["white_only", "black_only"]))]
pub struct BuildArguments {
    /// The files, packed (gzip, zstd) or not; `-` is the standard input
    #[arg(required = true, value_name = "GAMES.pgn")]
    pub games: Vec<PathBuf>,

    /// The book to write; a plain file of that name is replaced, a link, pipe or device refused
    #[arg(short, long, value_name = "BOOK.bin")]
    pub output: PathBuf,

    /// Half-moves of each game that count
    #[arg(long, value_name = "PLIES", default_value_t = 30, value_parser = value_parser!(u32).range(1..=1000))]
    pub depth: u32,

    /// How often a move must have been played
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    pub min_games: u32,

    /// What a move must have scored, in percent of the points
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = read_percent)]
    pub min_score: f64,

    /// Moves of White alone
    #[arg(long)]
    pub white_only: bool,

    /// Moves of Black alone
    #[arg(long)]
    pub black_only: bool,

    /// Megabytes for counting
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub memory: u64,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Show the moves of a position, or the tree behind it
#[derive(Args)]
pub struct ShowArguments {
    /// The book
    #[arg(value_name = "BOOK.bin")]
    pub book: PathBuf,

    #[command(flatten)]
    pub position: PositionArguments,

    /// Moves to play from the position, in one argument
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,

    /// Half-moves of the tree
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = value_parser!(u32).range(1..=100))]
    pub depth: u32,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

const CHECK_ABOUT: &str = "\
Read a whole book and say whether it is sound.

The order of the entries is checked, and the book is walked through from the start position to see \
whether its moves are legal there. The exit status is 1 if the file is no book or a move is illegal.";

/// Read a whole book and say whether it is sound
#[derive(Args)]
#[command(long_about = CHECK_ABOUT)]
pub struct CheckArguments {
    /// The book
    #[arg(value_name = "BOOK.bin")]
    pub book: PathBuf,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Make one book of several; the weights of a move are added
#[derive(Args)]
pub struct MergeArguments {
    /// The books
    #[arg(required = true, value_name = "BOOK.bin")]
    pub books: Vec<PathBuf>,

    /// The book to write; a plain file of that name is replaced, a link, pipe or device refused
    #[arg(short, long, value_name = "BOOK.bin")]
    pub output: PathBuf,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

fn read_percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}
