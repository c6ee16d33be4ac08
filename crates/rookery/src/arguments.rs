//! The command line.

mod analyse;
mod book;
mod cluster;
mod data;
mod doctor;
mod endgame;
mod evaluation;
mod lab;
mod matches;
pub mod position;
mod regret;
mod searching;
#[cfg(feature = "web")]
mod serve;
mod sim;
mod speedup;
mod suggest;
mod tds;
mod teams;
mod timeline;
mod ybw;

use crate::version;
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;

pub use analyse::AnalyseArguments;
pub use book::{
    BookArguments, BookCommand, BuildArguments, CheckArguments, MergeArguments, ShowArguments,
};
pub use cluster::{ClusterArguments, ClusterCommand};
pub use data::{
    DataArguments, DataCheckArguments, DataCommand, DataShowArguments, DatagenArguments,
    ImportArguments, PlaySettings, ShuffleArguments, StaticArguments, UnpackArguments,
};
pub use doctor::DoctorArguments;
pub use endgame::{DEFAULT_DIR, EndgameArguments, EndgameCommand, PlayArguments};
pub use evaluation::{Evaluation, EvaluationArguments};
pub use lab::LabArguments;
pub use matches::MatchArguments;
pub use position::{PositionArguments, RequiredPosition};
pub use regret::{
    RegretArguments, RegretCommand, RegretMakeArguments, RegretMeasureArguments,
    Settings as RegretSettings,
};
pub use searching::{BenchArguments, SuiteArguments};
#[cfg(feature = "web")]
pub use serve::{ServeArguments, USUAL_PORT};
pub use sim::{Memory, SimArguments};
pub use speedup::SpeedupArguments;
pub use suggest::{explain, unknown};
pub use teams::TeamsTuning;
pub use timeline::TimelineArguments;
pub use ybw::{YbwRules, YbwTuning};

const ABOUT: &str = "\
Rookery, a chess engine.

Without arguments it reads commands from the standard input, as chess programs do that speak UCI; \
`help` lists them, and `xboard` as the first one goes on in the xboard protocol. A single command of that kind may also be given as arguments.";

const EXAMPLES: &str = "\
Examples:
  rookery                      start the command loop
  rookery xboard               the same in the xboard protocol
  rookery d                    show the start position
  rookery perft 6              count the lines of six half-moves
  rookery eval                 what the start position is worth, term by term
  rookery bench                search fixed positions: signature and speed
  rookery suite wac.epd        solve a file of test positions
  rookery help match           all about matches between engines
  rookery analyse              what to play in the start position, or annotate games
  rookery book show book.bin   the moves of an opening book
  rookery endgame build KQKR   endings solved backwards from mate
  rookery sim                  search on a simulated parallel machine
  rookery speedup              what several threads bring on this machine
  rookery timeline             what each thread does during a short search
  rookery help regret          strength without games: what the chosen moves lose
  rookery serve --open         the board in a browser (feature web)
  rookery doctor               what of this machine is used, what would make it faster
  rookery cluster doctor       what the hosts of a cluster offer (under mpirun)
  rookery help datagen         all about games to train a network on
  rookery help suite           all about solving";

/// What was asked for.
#[derive(Parser)]
#[command(name = "rookery", version = version::SHORT, long_version = version::LONG)]
#[command(about = "Rookery, a chess engine", long_about = ABOUT)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    /// Whether the standard output is for other programs: names and comments are part of the data.
    pub fn writes_data(&self) -> bool {
        match &self.command {
            Some(Command::Analyse(analyse)) => analyse.output.is_none(),
            Some(Command::Data(data)) => !matches!(data.command, DataCommand::Check(_)),
            #[cfg(feature = "manual")]
            Some(Command::Completions { .. } | Command::Man { .. }) => true,
            _ => false,
        }
    }
}

#[derive(Subcommand)]
pub enum Command {
    Perft(Box<PerftArguments>),
    Eval(EvalArguments),
    Bench(BenchArguments),
    Suite(Box<SuiteArguments>),
    Match(Box<MatchArguments>),
    Analyse(Box<AnalyseArguments>),
    Book(Box<BookArguments>),
    Endgame(EndgameArguments),
    Sim(Box<SimArguments>),
    Speedup(Box<SpeedupArguments>),
    Timeline(Box<TimelineArguments>),
    Regret(RegretArguments),
    Cluster(ClusterArguments),
    Datagen(DatagenArguments),
    Lab(LabArguments),
    Data(Box<DataArguments>),
    Doctor(DoctorArguments),
    /// Write the completions of a shell: bash, elvish, fish, powershell or zsh
    #[cfg(feature = "manual")]
    #[command(
        after_help = "Example:\n  rookery completions bash > ~/.local/share/bash-completion/completions/rookery"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page of the program, or of one of its commands
    #[cfg(feature = "manual")]
    #[command(after_help = "Example:\n  rookery man analyse | man -l -")]
    Man {
        /// The command
        command: Option<String>,
    },
    #[cfg(feature = "web")]
    Serve(Box<ServeArguments>),
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
  rookery perft 5 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -' --divide
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

    #[command(flatten)]
    pub position: PositionArguments,

    /// Show the count behind each move
    #[arg(long, conflicts_with = "suite")]
    pub divide: bool,

    /// Check every count of a file (.epd with `;D1 20`, or .perft)
    #[arg(long, value_name = "FILE", conflicts_with = "PositionArguments")]
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

const EVAL_EXAMPLES: &str = "\
Examples:
  rookery eval
      the start position
  rookery eval '8/8/4k3/8/4P3/4K3/8/8 w - - 0 1' --json
      another position; the outcome for a program
  rookery eval --profile darksight 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -'
      the terms and weights of the paper
  rookery eval --net first.net
      what the network of a file says beside the terms, and how much less without each man
  rookery eval --evaluation classical
      the terms alone";

/// Show what a position is worth: term by term, and by the network
#[derive(Args)]
#[command(after_long_help = EVAL_EXAMPLES)]
pub struct EvalArguments {
    #[command(flatten)]
    pub position: PositionArguments,

    /// Whose evaluation
    #[arg(long, value_enum, default_value_t = Profile::Modern)]
    pub profile: Profile,

    #[command(flatten)]
    pub evaluation: EvaluationArguments,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The evaluations that there are.
#[derive(Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Tapered and tuned
    Modern,
    /// The paper's terms with its weights
    Darksight,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Arguments::command().debug_assert();
    }

    /// The papers' parts have numbers in our inventory (D33, Z14), which users do not know.
    fn is_code(word: &str) -> bool {
        let mut letters = word.chars();
        let is_paper = letters.next().is_some_and(|letter| "DFMZ".contains(letter));
        let number = letters.as_str();
        // The fields of lists of counts look the same.
        let is_field = ["D1", "D2", "D3"].contains(&word);
        let has_number = (1..=3).contains(&number.len()) && number.parse::<u16>().is_ok();
        is_paper && has_number && !is_field
    }

    #[test]
    fn no_help_names_a_part_by_its_number_in_the_inventory() {
        assert!(is_code("D33") && is_code("Z4") && !is_code("D1") && !is_code("Da3"));
        let mut commands = vec![Arguments::command()];
        while let Some(mut command) = commands.pop() {
            let help = command.render_long_help().to_string();
            let words = help.split(|letter: char| !letter.is_alphanumeric());
            let codes: Vec<&str> = words.filter(|word| is_code(word)).collect();
            assert!(codes.is_empty(), "{}: {codes:?}", command.get_name());
            commands.extend(command.get_subcommands().cloned());
        }
    }

    /// What is broken in the middle cannot be copied.
    #[test]
    fn commands_among_the_examples_stand_in_lines_of_their_own() {
        let mut commands = vec![Arguments::command()];
        let mut seen = 0;
        while let Some(mut command) = commands.pop() {
            commands.extend(command.get_subcommands().cloned());
            let examples = command.get_after_long_help().or(command.get_after_help());
            let examples = examples.map(ToString::to_string).unwrap_or_default();
            let shown = command.render_long_help().to_string();
            // What a command does stands six columns in.
            let is_command =
                |line: &&str| !line.starts_with("      ") || line.starts_with("      --");
            for line in examples.lines().filter(is_command) {
                assert!(shown.contains(line), "{line}");
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen} lines");
    }
}
