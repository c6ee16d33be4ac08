//! The arguments of `rookery endgame`.

use super::RequiredPosition;
use clap::{ArgGroup, Args, Subcommand, ValueEnum, value_parser};
use endgame::Metric;
use std::path::PathBuf;

const ABOUT: &str = "\
Build endgame tables backwards from mate, and ask them.

A table holds every position of an ending of three to five men, such as KQKR, by the distance to mate \
(dtm), by the distance to mate or to a winning capture or promotion (dtc), or as win, draw and loss \
(wdl). Tables lie in a folder, one file for each ending and metric; a damaged file is named and not used.";

const EXAMPLES: &str = "\
Examples:
  rookery endgame build KQKR --dir tables
      king and queen against king and rook, and the endings it leads to
  rookery endgame build --men 4 --dir tables
      all endings of three and four men
  rookery endgame probe '8/8/2k5/1r6/8/8/8/2KQ4 b - -' --dir tables
      what the tables say of a position, move by move
  rookery endgame probe - --syzygy FOLDER --json < positions.fen
      a line of JSON for each position, with what Syzygy tables and recognisers know
  rookery endgame line '8/8/8/8/8/2k5/1R6/K7 w - -' --dir tables
      the best play of both sides to mate
  rookery endgame stats --dir tables --json
      wins, draws, losses and the longest wins of every table, for a program
  rookery endgame check --syzygy FOLDER --dir tables
      compare random positions with Syzygy tables";

const BUILD_EXAMPLES: &str = "\
Examples:
  rookery endgame build KQKR --dir tables
      king and queen against king and rook, and the endings it leads to
  rookery endgame build --men 4 --metrics dtm --dir tables
      all endings of three and four men, by the distance to mate alone";

const PROBE_EXAMPLES: &str = "\
Examples:
  rookery endgame probe '8/8/2k5/1r6/8/8/8/2KQ4 b - -' --dir tables
      what the tables say of a position, move by move
  rookery endgame probe - --syzygy FOLDER --json < positions.fen
      a line of JSON for each position";

/// The folder of the tables where none is named.
pub const DEFAULT_DIR: &str = "endgame";

/// Build endgame tables, verify them, and ask them
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct EndgameArguments {
    #[command(subcommand)]
    pub command: EndgameCommand,

    /// The folder of the tables
    #[arg(long, global = true, value_name = "DIR", default_value = DEFAULT_DIR)]
    pub dir: PathBuf,

    /// Threads that share the work; the tables do not depend on it [default: all processors]
    #[arg(long, global = true, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Write JSON
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum EndgameCommand {
    /// Build tables and everything they lead to; go on where a build was interrupted
    ///
    /// A table appears under its name when it is whole. Ctrl-C saves the state of the table in hand, shows
    /// what was built and ends with status 130; Ctrl-C again ends at once. However a build was ended, the
    /// same command goes on with it. A folder belongs to one build at a time (the processes of one mpirun
    /// build together).
    #[command(after_help = BUILD_EXAMPLES)]
    #[command(group(ArgGroup::new("what").args(["endings", "men"]).required(true).multiple(true)))]
    Build {
        /// The endings, such as KQKR or KRBvKR
        #[arg(value_name = "ENDING")]
        endings: Vec<String>,

        /// All endings of up to this number of men
        #[arg(long, value_name = "MEN", value_parser = value_parser!(u8).range(3..=5))]
        men: Option<u8>,

        /// What to measure; several with commas
        #[arg(long, value_delimiter = ',', default_values = ["dtm", "dtc", "wdl"])]
        metrics: Vec<MetricName>,

        /// Megabytes that may be used [default: what is free]
        #[arg(long, value_name = "MB")]
        memory: Option<u64>,

        /// Seconds after which the state of a table is saved; 0 for never
        #[arg(long, value_name = "SECONDS", default_value_t = 60)]
        checkpoint: u64,

        /// Spread each table over this number of processors, which send each other messages: threads here, hosts
        /// of a cluster by the same rules. The files are the same; nothing is saved in between
        #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=4096))]
        processors: Option<u32>,

        /// The processors are simulated, in virtual time
        #[arg(long, requires = "processors")]
        simulated: bool,

        /// Only say what would be built and how much memory it takes
        #[arg(long)]
        plan: bool,
    },
    /// List the tables: sizes, and files that cannot be used
    Info,
    /// Read every block of every table and compare its checksum
    Verify,
    /// Say what tables and recognisers know about a position
    ///
    /// Asked are the tables of --dir, Syzygy tables and the recognisers inside the program; the value is
    /// that of the first that knows. With `-` in place of the position, positions are read from the
    /// standard input, one a line: `win 31`, `draw` or `loss 4` comes for each, with the half-moves to mate
    /// where they are known, or a line of JSON. A line that is no position is named and answered by
    /// `invalid`, a position that none of them knows by `unknown`; the exit status is 1 then.
    #[command(after_help = PROBE_EXAMPLES)]
    Probe {
        #[command(flatten)]
        position: RequiredPosition,

        /// Folders of Syzygy tables, separated as in PATH
        #[arg(long, value_name = "PATH")]
        syzygy: Option<String>,
    },
    /// Show the best play of both sides
    Line {
        #[command(flatten)]
        position: RequiredPosition,
    },
    /// Count wins, draws and losses, and show the longest wins
    Stats {
        /// The endings [default: all that are there]
        endings: Vec<String>,
    },
    /// Marsland's Table 2: the seventeen endings of Ströhlein and Thompson
    Table2,
    /// Compare random positions with Syzygy tables, or published distances to mate
    #[command(group = clap::ArgGroup::new("with").required(true).args(["syzygy", "epd"]))]
    Check {
        /// The folder of the Syzygy tables
        #[arg(long, value_name = "DIR")]
        syzygy: Option<String>,

        /// A file of positions with `dm N` or `bm #N`
        #[arg(long, value_name = "FILE")]
        epd: Option<PathBuf>,

        /// Positions of each ending
        #[arg(long, default_value_t = 10_000)]
        positions: u32,

        /// Where the random numbers begin
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Play won positions out against the tables' best defence
    Play(PlayArguments),
    /// Measure what a probe costs, and how often a search gets an answer
    Bench {
        /// The folder of Syzygy tables to measure beside
        #[arg(long, value_name = "DIR")]
        syzygy: Option<String>,

        /// Probes of each kind
        #[arg(long, default_value_t = 200_000)]
        probes: u32,

        /// Nodes of each search
        #[arg(long, default_value_t = 200_000)]
        nodes: u64,

        /// Where the random numbers begin
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write the stage files that the recognisers hold: distances to mate in steps
    Stages {
        /// The endings
        #[arg(required = true)]
        endings: Vec<String>,

        /// The folder of the stage files; plain files of the same names are replaced
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Compare the recognisers with every position of the tables
    Recognisers {
        /// The endings [default: all that are there]
        endings: Vec<String>,
    },
}

const PLAY_EXAMPLES: &str = "\
Examples:
  rookery endgame play KBNK --starts 1000 --dir tables
      a thousand won positions, with recognisers only
  rookery endgame play KBNK KQKR --starts 1000 --tables --nodes 500 --dir tables
      the same with the tables: every game in the fewest moves
  rookery endgame play --men 4 --starts 1000 --nodes 5000 --most-nodes 80000 --dir tables
      all endings of four men; a start that is missed is played again with four times the nodes";

/// What is played, and how.
#[derive(Args)]
#[command(after_long_help = PLAY_EXAMPLES)]
pub struct PlayArguments {
    /// The endings, such as KBNK
    #[arg(value_name = "ENDING", required_unless_present = "men")]
    pub endings: Vec<String>,

    /// All endings of this number of men
    #[arg(long, value_name = "MEN", value_parser = value_parser!(u8).range(3..=5))]
    pub men: Option<u8>,

    /// Decided positions of each ending, every one as likely as any other
    #[arg(long, visible_alias = "games", default_value_t = 100)]
    pub starts: u32,

    /// Nodes for each move of the winner
    #[arg(long, default_value_t = 20_000, conflicts_with = "depth")]
    pub nodes: u64,

    /// Play missed starts again with four times the nodes, as long as it is not more than this
    #[arg(long, value_name = "NODES", default_value_t = 0, conflicts_with = "depth")]
    pub most_nodes: u64,

    /// Depth of each search of the winner, in place of nodes
    #[arg(long, value_parser = value_parser!(i32).range(1..=100))]
    pub depth: Option<i32>,

    /// The winner has no tables but those of the recognisers (this is the default)
    #[arg(long, conflicts_with = "tables")]
    pub recognisers_only: bool,

    /// The winner has the tables too, and not only recognisers
    #[arg(long, visible_alias = "with-tables")]
    pub tables: bool,

    /// Moves of the winner after which a win counts as missed
    #[arg(long, default_value_t = 50)]
    pub moves: u32,

    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A metric by its name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MetricName {
    /// Distance to mate
    Dtm,
    /// Distance to conversion
    Dtc,
    /// Win, draw, loss
    Wdl,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Dtm => Metric::Mate,
            MetricName::Dtc => Metric::Conversion,
            MetricName::Wdl => Metric::Outcome,
        }
    }
}
