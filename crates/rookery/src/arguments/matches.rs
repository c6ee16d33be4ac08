//! The arguments of `rookery match`.

use crate::arena;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Let engines play each other, and say what the results mean.

Engines speak UCI or the xboard protocol. Every opening is played twice, with colours reversed; Elo, \
its error and the sequential test (SPRT) are computed from these pairs. What an engine does wrong \
(a crash, a hang, an illegal move, a loss on time) loses the game, is reported with the position, and \
the match goes on. Ctrl-C ends it with the standings so far; with --state, the same command goes on \
from there, also after a kill.

Settings of an engine, after --engine, or after --each for all of them:
  cmd=PROGRAM       the program; `self` is this one
  name=NAME         what it is called [default: the program's name]
  proto=uci|xboard  its language [default: uci]
  args='A B'        arguments; dir=DIRECTORY to run in
  tc=10+0.1         seconds for the game + increment; 40/60 is a minute for each 40 moves
  st=0.5            seconds for each move
  nodes=N, depth=N  limits of each search, alone or beside a clock
  timemargin=MS     what it may overstep, in milliseconds [default: 50]
  option.NAME=VALUE an option of the engine
  ponder=on         it thinks in the opponent's time too
  restart=on        a new process for every game";

const EXAMPLES: &str = "\
Examples:
  rookery match --engine cmd=./new --engine cmd=./old --each tc=8+0.08 option.Hash=16 \\
      --openings book.epd --sprt elo0=0 elo1=5 --concurrency 4 --state test.json --pgn test.pgn
      is the new one better? Plays until that is decided
  rookery match --engine cmd=self name=fast nodes=20000 --engine cmd=self name=slow nodes=40000 \\
      --games 200 --plot nodes.svg
      what twice the nodes are worth, as a picture too
  rookery match --engine cmd=self name=four option.Threads=4 --engine cmd=self name=one \\
      --each tc=1+0.01 --odds to=8 --games 200
      how many times the time of one thread four threads are worth
  rookery match --engine cmd=self --engine cmd=stockfish --engine cmd=fairymax proto=xboard \\
      --each tc=10+0.1 --gauntlet --games 20 --resign --draw
      the first engine against all others; games that are decided end early";

/// Let engines play each other: Elo, error bars, sequential test
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct MatchArguments {
    #[command(flatten)]
    pub sides: Sides,

    /// A file of openings (.epd, .fen, .pgn, .bin), with order=random|sequential plies=N start=N; or
    /// `none` for the usual start [default: a built-in set of balanced lines]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub openings: Option<Vec<String>>,

    /// The seed of the order of openings: the same one gives the same openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Games of each pairing [default: 100, with --sprt as many as it takes]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub games: Option<usize>,

    /// Openings for each pairing, two games each
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = positive)]
    pub rounds: Option<usize>,

    /// The first engine plays all others, which do not play each other
    #[arg(long)]
    pub gauntlet: bool,

    /// Games that are played at a time; under mpirun, by each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,

    /// Stop when this is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalised|logistic
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub sprt: Option<Vec<String>>,

    /// Find the equal-strength time: times and nodes of the second engine are multiplied by a factor between
    /// from=1 and to=16, found by bisection in steps=6 with --games each
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., conflicts_with_all = ["sprt", "state", "gauntlet"])]
    pub odds: Option<Vec<String>>,

    /// Call games drawn: number=40 count=8 score=10 (from move 40 on, after 8 moves of both sides within 10
    /// centipawns)
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub draw: Option<Vec<String>>,

    /// Call games lost: count=3 score=600 twosided=false
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub resign: Option<Vec<String>>,

    /// Call longer games drawn
    #[arg(long, value_name = "MOVES")]
    pub max_moves: Option<u32>,

    /// Call games as these Syzygy tables say: folders, separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,

    /// The most men of positions that are looked up in the tables
    #[arg(long, value_name = "N", default_value_t = 7, requires = "syzygy")]
    pub syzygy_men: u32,

    /// All engines think in their opponents' time too
    #[arg(long)]
    pub ponder: bool,

    /// Write the games to the end of this file; nothing in it is ever changed
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,

    /// Keep the state of the match in this file; if it is there, go on from it
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,

    /// Draw Elo with its error and the likelihood over the games: FILE.svg or .png
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot::file_name))]
    pub plot: Option<PathBuf>,

    /// The name of the event in the PGN file
    #[arg(long, value_name = "NAME", default_value = "rookery match")]
    pub event: String,

    /// Games between two reports
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    pub every: u64,

    /// Seconds after which an engine that owes an answer is killed [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = arena::read_duration)]
    pub hang: Option<Duration>,

    /// Seconds that an engine has to start and to prepare for a game (uciok, the first readyok)
    /// [default: as --hang, or 120 without it]
    #[arg(long, value_name = "SECONDS", value_parser = arena::read_duration)]
    pub start: Option<Duration>,

    /// Seconds for a move where there is no clock (nodes=, depth=)
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = arena::read_duration)]
    pub move_limit: Duration,

    /// Write one JSON object at the end, instead of lines
    #[arg(long)]
    pub json: bool,
}

/// A number above 0.
pub fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(String::from("expected a number, 1 or more")),
    }
}

/// The engines. Each `--engine` takes several words that belong together, so this is not derived.
pub struct Sides {
    pub engines: Vec<Vec<String>>,
    pub each: Vec<Vec<String>>,
}

impl Args for Sides {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help(help)
        };
        command
            .arg(
                words("engine", "An engine, once for each: cmd=PROGRAM and other settings")
                    .required(true),
            )
            .arg(words("each", "Settings of all engines"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Sides::augment_args(command)
    }
}

impl FromArgMatches for Sides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Sides, clap::Error> {
        let groups = |name| {
            let occurrences = matches.get_occurrences::<String>(name).into_iter().flatten();
            occurrences.map(|words| words.cloned().collect()).collect()
        };
        Ok(Sides { engines: groups("engine"), each: groups("each") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Sides::from_arg_matches(matches)?;
        Ok(())
    }
}
