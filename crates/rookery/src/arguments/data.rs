//! The arguments of `rookery datagen` and `rookery data`.

use super::evaluation::EvaluationArguments;
use clap::{Args, Subcommand, value_parser};
use std::path::PathBuf;

const DATAGEN_ABOUT: &str = "\
Play games of the engine against itself, to train a network on.

Each game begins with random moves that leave it undecided; each move is searched until an iteration \
ends beyond --nodes nodes. Won and drawn games are ended by their scores. The games go to a packed file \
of three to four bytes a half-move (see `rookery data`).

A game depends on the settings and its number alone: the file is the same for any number of threads, and \
of processes under mpirun, each of which plays on --threads threads. Ctrl-C keeps all games in it, and the \
same command goes on where the file ends; with a greater --games it grows. The number of games is rounded up to a multiple of 16.";

const DATAGEN_EXAMPLES: &str = "\
Examples:
  rookery datagen --output games.rkg --games 100000 --nodes 1000
      a hundred thousand games on all processors
  rookery datagen -o games-2.rkg --games 100000 --nodes 1000 --seed 2
      a hundred thousand others
  mpirun -n 8 --bind-to none rookery datagen -o games.rkg --games 1000000
      a million on eight hosts: the first one writes the file";

/// Play games of the engine against itself, to train a network on
#[derive(Args)]
#[command(long_about = DATAGEN_ABOUT, after_long_help = DATAGEN_EXAMPLES)]
pub struct DatagenArguments {
    /// The file of games; one of the same settings is continued
    #[arg(short, long, value_name = "GAMES.rkg")]
    pub output: PathBuf,

    /// Games that the file will hold, rounded up to a multiple of 16
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1 << 40))]
    pub games: u64,

    #[command(flatten)]
    pub evaluation: EvaluationArguments,

    #[command(flatten)]
    pub play: PlaySettings,
}

/// How games are played.
#[derive(Args)]
pub struct PlaySettings {
    /// Nodes after which a search begins no further iteration
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(1..=1 << 32))]
    pub nodes: u64,

    /// Another seed gives other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Random half-moves at the beginning, and one more in every second game
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = value_parser!(u32).range(0..=100))]
    pub random_plies: u32,

    /// Megabytes of each thread's transposition table
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = value_parser!(u64).range(1..=4096))]
    pub hash: u64,

    /// Threads, each with its own games; by default all processors
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

const DATA_ABOUT: &str = "\
Work with training data: packed games, and the samples that a network is trained on.

Games are kept and sent packed (`rookery datagen`, `rookery data import`). The trainer reads samples: \
positions of 32 bytes with their score and the game's outcome, which `unpack` makes of games and \
`static` of positions inside searches. Every file carries checksums, and what is damaged is named.";

const DATA_EXAMPLES: &str = "\
Examples:
  rookery data import match.pgn --output match.rkg
      games of a match, with the scores in their comments
  rookery data unpack match.rkg games.rkg --output train.rks --held-out valid.rks
      the quiet positions of all games, shuffled; those of every 50th game apart
  rookery data static --output static.rks --samples 20000000
      positions inside searches with their static evaluation
  rookery data shuffle train.rks other.rks --output all.rks --max-score 1000
      samples of two files, none beyond ten pawns
  rookery data check match.rkg train.rks
      whether files are sound, and what is in them
  rookery data show games.rkg --from 7
      a game as PGN";

/// Make, check, show and unpack training data
#[derive(Args)]
#[command(long_about = DATA_ABOUT, after_help = DATA_EXAMPLES)]
pub struct DataArguments {
    #[command(subcommand)]
    pub command: DataCommand,
}

#[derive(Subcommand)]
pub enum DataCommand {
    #[command(visible_aliases = ["verify", "count"])]
    Check(DataCheckArguments),
    #[command(visible_alias = "inspect")]
    Show(DataShowArguments),
    Import(ImportArguments),
    Unpack(UnpackArguments),
    #[command(visible_alias = "filter")]
    Shuffle(ShuffleArguments),
    Static(StaticArguments),
}

/// Read files of games, samples or networks to the last byte, and say what is in them
#[derive(Args)]
pub struct DataCheckArguments {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write one JSON object for each file
    #[arg(long)]
    pub json: bool,
}

/// Show games of a file as PGN, with their scores
#[derive(Args)]
pub struct DataShowArguments {
    /// The file of games
    #[arg(value_name = "GAMES.rkg")]
    pub file: PathBuf,

    /// The number of the first game shown
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub from: u64,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub count: u64,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  rookery data import match.pgn --output match.rkg
      the games of a match
  rookery data import - -o all.rkg < all.pgn
      games from another program";

/// Pack the games of PGN files, with the scores in the comments (`+0.35/12`) behind their moves
#[derive(Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub struct ImportArguments {
    /// The files; `-` is the standard input
    #[arg(required = true, value_name = "GAMES.pgn")]
    pub games: Vec<PathBuf>,

    /// The file to write; a plain file of that name is replaced, a link, pipe or device refused
    #[arg(short, long, value_name = "GAMES.rkg")]
    pub output: PathBuf,
}

const UNPACK_ABOUT: &str = "\
Make samples of packed games, shuffled.

Kept are positions with a score, not in check, in which neither a capture nor a promotion was played, \
and whose score is no known win or loss. All samples are held in memory, 32 bytes each. The same files, \
options and seed give the same samples for any number of threads.";

const UNPACK_EXAMPLES: &str = "\
Examples:
  rookery data unpack games.rkg --output train.rks --held-out valid.rks
      what is learnt from, and every 50th game apart";

/// Make samples of packed games, shuffled
#[derive(Args)]
#[command(long_about = UNPACK_ABOUT, after_help = UNPACK_EXAMPLES)]
pub struct UnpackArguments {
    /// The files of games
    #[arg(required = true, value_name = "GAMES.rkg")]
    pub games: Vec<PathBuf>,

    /// The file to write; a plain file of that name is replaced, a link, pipe or device refused
    #[arg(short, long, value_name = "SAMPLES.rks")]
    pub output: PathBuf,

    /// A second file for the samples of some games, which the trainer only measures itself by
    #[arg(long, value_name = "SAMPLES.rks")]
    pub held_out: Option<PathBuf>,

    /// Of this number of games one is held out
    #[arg(long, value_name = "N", default_value_t = 50, requires = "held_out", value_parser = value_parser!(u64).range(1..))]
    pub one_in: u64,

    /// Half-moves at the beginning of a game that do not count
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    pub first_ply: u32,

    /// The largest score, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 4000, value_parser = value_parser!(i16).range(1..=10_000))]
    pub max_score: i16,

    /// Another seed shuffles otherwise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Threads; by default all processors
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

const SHUFFLE_ABOUT: &str = "\
Join files of samples, keep some of them, and shuffle.

All samples are held in memory, 32 bytes each. The same files, options and seed give the same samples. \
The trainers shuffle what they read, in every epoch anew.";

const SHUFFLE_EXAMPLES: &str = "\
Examples:
  rookery data shuffle a.rks b.rks --output both.rks
      two files in one, in random order
  rookery data filter train.rks --output quiet.rks --max-score 1000 --min-men 8
      no endings of few men, and nothing that is nearly decided";

/// Join files of samples, keep some of them, and shuffle
#[derive(Args)]
#[command(long_about = SHUFFLE_ABOUT, after_help = SHUFFLE_EXAMPLES)]
pub struct ShuffleArguments {
    /// The files of samples
    #[arg(required = true, value_name = "SAMPLES.rks")]
    pub samples: Vec<PathBuf>,

    /// The file to write; a plain file of that name is replaced, a link, pipe or device refused
    #[arg(short, long, value_name = "SAMPLES.rks")]
    pub output: PathBuf,

    /// The largest score, in centipawns; all scores by default
    #[arg(long, value_name = "CP", value_parser = value_parser!(i16).range(1..))]
    pub max_score: Option<i16>,

    /// The fewest men on the board, kings among them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(2..=32))]
    pub min_men: u32,

    /// The most men on the board
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = value_parser!(u32).range(2..=32))]
    pub max_men: u32,

    /// Another seed shuffles otherwise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

const STATIC_ABOUT: &str = "\
Take positions from inside searches, with the classical evaluation as their score.

Games are played as by `rookery datagen`, and one of --one-in evaluations that their searches ask for \
is kept. A network learns from tens of millions of them first, and from the games themselves then. \
The same settings give the same samples for any number of threads. Ctrl-C writes what there is.";

/// Take positions from inside searches, with their static evaluation
#[derive(Args)]
#[command(long_about = STATIC_ABOUT)]
pub struct StaticArguments {
    /// The file to write; a plain file of that name is replaced, a link, pipe or device refused
    #[arg(short, long, value_name = "SAMPLES.rks")]
    pub output: PathBuf,

    /// How many samples
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1 << 36))]
    pub samples: u64,

    /// One evaluation of this number is kept
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub one_in: u64,

    #[command(flatten)]
    pub play: PlaySettings,
}
