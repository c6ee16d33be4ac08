//! The arguments of `rookery regret`.

use super::evaluation::EvaluationArguments;
use crate::regret;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};
use search::Profile;
use std::path::PathBuf;

const ABOUT: &str = "\
Measure how much the chosen moves lose: strength without games.

A reference file holds positions with the scores of their best moves, given by an engine that had much more \
time (`regret make`). `regret measure` searches the positions and counts what each chosen move loses \
against the best one, in expected score: 1 / (1 + e^(-centipawns / scale)), a draw being one half. The \
mean loss is the regret. Settings are compared position by position, which leaves out what the positions \
themselves differ in.";

/// Measure strength by what the chosen moves lose, without games
#[derive(Args)]
#[command(long_about = ABOUT)]
pub struct RegretArguments {
    #[command(subcommand)]
    pub command: RegretCommand,
}

#[derive(Subcommand)]
pub enum RegretCommand {
    Make(Box<RegretMakeArguments>),
    Measure(Box<RegretMeasureArguments>),
}

const MEASURE_ABOUT: &str = "\
Search the positions of a reference file in one or more settings, and say what the chosen moves lose.

Each position is searched in every setting, one after the other and each with an empty table, so that \
what else the machine does hinders them all alike. The regret is the mean loss in expected score, in \
thousandths; behind ± stands its standard error. The difference of a setting to the first one is taken \
position by position. A move that the reference does not list counts as its last one: it loses at least \
as much. Ctrl-C shows what there is, with status 130.

Settings, after --setting, or after --each for all of them:
  threads=N         threads that search together [default: 1]
  parallel=NAME     how: ybw, abdada, lazy, teams, tds [default: lazy]
  extras=A,B        what they do beyond that (docs/reference/options.md), or none
  simulated=N       N processors of the simulated machine `threads` instead, in virtual time
  time=SECONDS, nodes=N or depth=N: the limit of each search [default: time=0.1]
  name=NAME         what it is called [default: the words themselves]

Under mpirun the processes share the positions; with --together they search each position as one engine.";

const MEASURE_EXAMPLES: &str = "\
Examples:
  rookery regret measure reference.epd.gz --setting threads=1 --setting threads=4 --each time=0.05
      what four threads gain
  rookery regret measure reference.epd.gz --setting parallel=lazy --setting parallel=ybw \\
      --each threads=4 depth=9 --repetitions 3 --json
      two ways of searching at equal depth
  mpirun -n 4 rookery regret measure reference.epd.gz --setting time=0.1 --together
      four processes as one engine";

/// Search the positions of a reference file, and say what the chosen moves lose
#[derive(Args)]
#[command(long_about = MEASURE_ABOUT, after_long_help = MEASURE_EXAMPLES)]
pub struct RegretMeasureArguments {
    /// The reference file, packed (gzip, zstd) or not; `-` is the standard input
    pub file: PathBuf,

    #[command(flatten)]
    pub settings: Settings,

    /// Only the first N positions
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub first: Option<u64>,

    /// How often each position is searched in each setting
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,

    /// Positions that are searched at a time; under mpirun, by each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,

    /// Megabytes of each transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    pub hash: u64,

    /// Centipawns of the reference by which the odds grow e-fold
    #[arg(long, value_name = "CP", default_value_t = regret::SCALE, value_parser = regret::read_scale)]
    pub scale: f64,

    /// Under mpirun: all processes search each position together
    #[arg(long, conflicts_with = "concurrency")]
    pub together: bool,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Modern)]
    pub profile: Profile,

    #[command(flatten)]
    pub evaluation: EvaluationArguments,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

const MAKE_ABOUT: &str = "\
Make a reference file: positions with the scores of their best moves.

Of games (PGN) one position each is taken (or as many as --per-game says), by chance that follows from the seed, and the positions are \
shuffled; lists of positions (EPD, FEN) are taken as they are. Files may be packed (gzip, zstd). Our own \
engine scores the moves, or the one of --engine, each position with an empty table. A short search of a \
fortieth of the nodes sorts out positions that are decided or in which little is at stake; they are noted \
as passed over. The file is EPD with an opcode of its own:

  r1bqk2r/5pNp/p2p4/1p2b3/4P3/8/PPPQ1PPP/R3KB1R b KQkq - 0 14 scores \"e8f8 -40 e5g7 -62 e8e7 #-4\";

The same command goes on where the file ends, also after a kill: with one thread the file depends on the \
settings alone.";

const MAKE_EXAMPLES: &str = "\
Examples:
  rookery regret make games.pgn --output reference.epd --engine stockfish \\
      --positions 5000 --concurrency 8
      eight positions at a time, ten moves of each position, with 200000 nodes a position
  rookery regret make positions.epd -o reference.epd --threads 8 --nodes 5000000 --hash 256
      scored by our own engine with eight threads";

/// Make a reference file: positions with the scores of their best moves
#[derive(Args)]
#[command(long_about = MAKE_ABOUT, after_long_help = MAKE_EXAMPLES)]
pub struct RegretMakeArguments {
    /// Files of games (PGN) or positions (EPD, FEN); `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub input: Vec<String>,

    /// The reference file; one of the same settings is continued
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Another program that scores the moves: its command, with arguments
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,

    /// Positions that the file will hold
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = value_parser!(u64).range(1..))]
    pub positions: u64,

    /// Moves of each position that get a score
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u16).range(2..=256))]
    pub lines: u16,

    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = value_parser!(u64).range(40..))]
    pub nodes: u64,

    /// Positions that are scored at a time, each by an engine of its own; the file does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,

    /// Threads of our own engine
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "engine", value_parser = value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    pub hash: u64,

    /// Moves at the beginning of games that are left out
    #[arg(long, value_name = "MOVES", default_value_t = 8)]
    pub after: u16,

    /// Positions that are taken of each game, at most
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1000))]
    pub per_game: u16,

    /// Another seed takes other positions of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Pass over positions whose best score is greater, for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 500, value_parser = value_parser!(i32).range(1..=10_000))]
    pub max_score: i32,

    /// Pass over positions whose best and last listed moves differ by less, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 10, value_parser = value_parser!(i32).range(0..=10_000))]
    pub at_stake: i32,
}

/// The settings. Each `--setting` takes several words that belong together, so this is not derived.
pub struct Settings {
    pub each: Vec<String>,
    pub settings: Vec<Vec<String>>,
}

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: &'static str| {
            let arg = Arg::new(name).long(name).value_name("KEY=VALUE").num_args(1..);
            arg.action(ArgAction::Append).help(help)
        };
        command
            .arg(words("setting", "A setting, once for each: threads=4 parallel=lazy time=0.1"))
            .arg(words("each", "Words of all settings"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Settings::augment_args(command)
    }
}

impl FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Settings, clap::Error> {
        let groups = |name| -> Vec<Vec<String>> {
            let occurrences = matches.get_occurrences::<String>(name).into_iter().flatten();
            occurrences.map(|words| words.cloned().collect()).collect()
        };
        Ok(Settings { each: groups("each").concat(), settings: groups("setting") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Settings::from_arg_matches(matches)?;
        Ok(())
    }
}
