//! The arguments of `rookery sim`.

use super::TeamsTuning;
use super::YbwTuning;
use super::matches::positive;
use super::tds::{Rules, TdsTuning};
use super::ybw::YbwRules;
use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum, value_parser};
use parallel::StrategyKind;
use parallel::sim::TableKind;
use search::Profile;
use std::path::PathBuf;

const ABOUT: &str = "\
Search positions on a simulated parallel machine, in virtual time.

Every processor has its own clock, its own search and its share of the table; a machine model says \
what a node, a message, a hop and a byte cost, and how the processors are joined. Each position is \
searched sequentially too, and the table shows where the parallel time went: the speedup is \
processors x load x performance / (1 + search overhead), and the column closure says by how much that \
is off. The same seed gives the same run on every computer. Ctrl-C shows what has been found so far, and \
ends with status 130.";

const EXAMPLES: &str = "\
Examples:
  rookery sim --processors 8,64 --depth 5
      young brothers on transputers, as in Zugzwang's Figure 4
  rookery sim --table asynchronous --processors 64 --depth 5
      the same with the table spread over the processors
  rookery sim --ybw paper --processors 64 --depth 5
      the same by Zugzwang's rules as printed
  rookery sim --strategy lazy --machine infiniband --profile modern --processors 16 --depth 10
      all search the root and share a table
  rookery sim --figure4 --keep figure4 --threads 16
      all of Figure 4: an hour of a processor; the folder keeps what is done if it is cut off
  rookery sim --strategy tds --tds paper --machine das2 --table local \\
      --profile darksight --depth 8 --processors 2,8,32 --grain 1,2,3,4
      DarkSight's scheduling by the thesis's rules and its protocol: the best grain for each number of \
processors; docs/design/tds.md has the cures
  rookery sim --strategy teams --profile hypercube --machine ncube --table blocking --processors 64
      Felten and Otto's teams on their hypercube
  rookery sim --strategy teams --profile hypercube --machine ncube \\
      --figure6 2,20 --processors 16,64,256 --table shared,blocking --seeds 3
      their protocol, with the table that is free and the one that is paid for, and error bars
  rookery sim --compare --processors 1,4,16,64 --depth 5 --first 4 --plot speedup.svg
      all strategies side by side, and what each loses to what
  rookery sim --machine my.txt --positions my.epd --depth 6 --json
      a machine and positions of one's own; one JSON object per number of processors
  rookery sim --processors 16 --depth 5 --first 1 --plot load.svg --trace run.tsv
      a picture and a list of who did what when
  rookery sim --processors 8 --depth 4 --faults faults.txt
      with crashes and lost messages; docs/reference/machines.md has the form of the file";

/// Where the options stand that most runs do not need.
const EXPERIMENTS: &str = "Experiments";

/// Search on a simulated parallel machine
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct SimArguments {
    /// Numbers of processors, one run for each
    #[arg(long, value_delimiter = ',', default_value = "8", value_parser = value_parser!(u32).range(1..=4096))]
    pub processors: Vec<u32>,

    /// Half-moves to look ahead: one number, or one for each number of processors
    #[arg(long, value_delimiter = ',', default_value = "5", value_parser = value_parser!(i32).range(1..=100))]
    pub depth: Vec<i32>,

    /// The way of searching: ybw, lazy, abdada, tds, teams
    #[arg(long, default_value_t = StrategyKind::Ybw)]
    pub strategy: StrategyKind,

    /// The machine: t805, m604, ncube, das2, infiniband, ethernet, wan, threads, ideal, or a file
    #[arg(long, default_value = "t805")]
    pub machine: String,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Negascout)]
    pub profile: Profile,

    /// How the table is shared, one row for each: shared (free to all, which no machine has), local, replicated,
    /// blocking, asynchronous [default: shared; asynchronous with --ybw paper]
    #[arg(
        long,
        value_name = "TABLE",
        value_delimiter = ',',
        hide_default_value = true,
        default_value = "shared",
        default_value_if("ybw", "paper", "asynchronous")
    )]
    pub table: Vec<TableKind>,

    /// A file of positions (EPD or FEN, one a line), packed or not [default: the Bratko-Kopec positions]
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,

    /// Only the first N positions
    #[arg(long, value_name = "N", value_parser = positive)]
    pub first: Option<usize>,

    /// Positions that are simulated at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    pub threads: u16,

    /// Write one JSON object per number of processors
    #[arg(long)]
    pub json: bool,

    /// Write the rows as comma-separated values, with a line of names above them: every number of the table
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// With --json: no notes for a reader
    #[arg(long, hide = true)]
    pub quiet: bool,

    /// Draw load over time and who worked for whom, for the first position of the last run: FILE.svg or .png
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot::file_name))]
    pub plot: Option<PathBuf>,

    /// Compare all strategies, and with messages that cost nothing; --plot draws the speedups
    #[arg(long, help_heading = EXPERIMENTS, conflicts_with_all = ["strategy", "trace"])]
    pub compare: bool,

    /// The rows of Zugzwang's Figure 4: 8 to 1024 processors, each with its depth; every third position
    /// from 256 on
    #[arg(long, help_heading = EXPERIMENTS, conflicts_with_all = ["processors", "depth"])]
    pub figure4: bool,

    /// The rows of Zugzwang's Figure 5: 1 to 40 processors (--machine m604 --profile zugzwang)
    #[arg(long, help_heading = EXPERIMENTS, conflicts_with_all = ["processors", "depth", "figure4"])]
    pub figure5: bool,

    /// Felten and Otto's Figure 6: the even-numbered positions (or --every), each to two successive depths,
    /// chosen so that a search takes about these seconds with 256 processors and a speedup of 101; one row for
    /// each time and number of processors, and --plot draws a curve for each time
    #[arg(long, help_heading = EXPERIMENTS, value_name = "SECONDS", value_delimiter = ',', value_parser = seconds, conflicts_with_all = ["depth", "figure4", "figure5", "compare", "step", "trace"])]
    pub figure6: Vec<f64>,

    /// Only every N-th position
    #[arg(long, help_heading = EXPERIMENTS, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub every: Option<u16>,

    /// A folder that keeps the result of every search; what is there already is not searched again
    #[arg(long, help_heading = EXPERIMENTS, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Write who did what when, for the first position of the last run
    #[arg(long, help_heading = EXPERIMENTS, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// A file of faults: crashes, slow processors, lost messages
    #[arg(long, help_heading = EXPERIMENTS, value_name = "FILE")]
    pub faults: Option<PathBuf>,

    /// Where chance begins
    #[arg(long, help_heading = EXPERIMENTS, default_value_t = 1)]
    pub seed: u64,

    /// Run everything with this number of seeds, from --seed on: rows have mean and spread (standard deviation)
    #[arg(long, help_heading = EXPERIMENTS, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1000))]
    pub seeds: u16,

    /// Messages that want the same link wait for each other
    #[arg(long, help_heading = EXPERIMENTS)]
    pub contention: bool,

    /// Megabytes of the table: of all together (fixed) or of each processor (scaled)
    #[arg(long, help_heading = EXPERIMENTS, value_name = "MB", default_value_t = 64, value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub hash: u64,

    /// Whether the memory grows with the processors
    #[arg(long, help_heading = EXPERIMENTS, value_enum, default_value_t = Memory::Fixed)]
    pub memory: Memory,

    /// Smallest depth of a child that another processor searches; of several the best is named for each
    /// number of processors. Not used --with auto-grain [default: by the machine's costs]
    #[arg(long, help_heading = EXPERIMENTS, value_name = "DEPTH", value_delimiter = ',', value_parser = value_parser!(i32).range(1..=20))]
    pub grain: Vec<i32>,

    #[command(flatten)]
    pub tuning: Tuning,

    #[command(flatten)]
    pub ybw: YbwTuning,

    #[command(flatten)]
    pub tds: TdsTuning,

    #[command(flatten)]
    pub teams: TeamsTuning,
}

impl SimArguments {
    /// Whether a program reads the rows: what is said beside them goes elsewhere.
    pub fn is_for_programs(&self) -> bool {
        self.json || self.csv
    }

    /// Whose rules a strategy follows, where there are several.
    pub fn rules(&self, strategy: StrategyKind) -> Option<String> {
        let name = |rules: Option<PossibleValue>| Some(rules?.get_name().to_owned());
        match strategy {
            StrategyKind::Ybw => name(self.ybw.ybw.to_possible_value()),
            StrategyKind::Tds => name(self.tds.tds.to_possible_value()),
            _ => None,
        }
    }

    /// What is wrong with them: rules of a strategy that is not simulated.
    pub fn check_rules(&self) -> Result<(), String> {
        let given = [
            (StrategyKind::Ybw, "--ybw", self.ybw.ybw == YbwRules::Ours),
            (StrategyKind::Tds, "--tds", self.tds.tds == Rules::Hybrid),
        ];
        for (strategy, option, is_usual) in given {
            if !is_usual && !self.compare && self.strategy != strategy {
                let (rules, other) = (self.rules(strategy).unwrap_or_default(), self.strategy);
                return Err(format!(
                    "{option} {rules} concerns --strategy {strategy}, not {other}"
                ));
            }
        }
        Ok(())
    }

    /// The seeds that were asked for.
    pub fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..u64::from(self.seeds)).map(move |number| first.wrapping_add(number))
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (1e-6..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.000001 to 1000000 is expected".to_owned()),
    }
}

/// Experimental options.
#[derive(Args)]
#[command(next_help_heading = "Choices of young brothers and of the distributed table")]
pub struct Tuning {
    /// Unpromising children of a type-2 node that are searched before others may help
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub wait_more: Option<u32>,

    /// As many again for a new request, one fewer each time that it is passed on [default: by the strategy]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(u32).range(0..=100))]
    pub wait_hops: Option<u32>,

    /// How often a steal request is passed on
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub hops: Option<u32>,

    /// Microseconds before the next request after a refusal; twice as long after the next
    #[arg(long = "retry", hide_short_help = true, value_name = "US", value_parser = value_parser!(u64).range(0..=3_600_000_000))]
    pub retry_us: Option<u64>,

    /// How often the pause after a refusal doubles
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(u32).range(0..=20))]
    pub back_off: Option<u32>,

    /// Send requests to neighbours in the network only
    #[arg(long, hide_short_help = true)]
    pub local: bool,

    /// Deepen by this number of plies from iteration to iteration
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(i32).range(1..=10))]
    pub step: Option<i32>,

    /// Leave killers at home when work is sent
    #[arg(long, hide_short_help = true)]
    pub no_killers: bool,

    /// Smallest depth of a child with which the history of moves is sent
    #[arg(long, hide_short_help = true, value_name = "DEPTH")]
    pub history_from: Option<i32>,

    /// Do not ask helpers for work while waiting for them
    #[arg(long, hide_short_help = true)]
    pub no_help: bool,

    /// Ask the homes of positions of at least this depth
    #[arg(long, hide_short_help = true, value_name = "DEPTH")]
    pub read_from: Option<i32>,

    /// Ask only where something was found for the node above, as in the paper
    #[arg(long, hide_short_help = true)]
    pub read_below_known: bool,

    /// Tell the homes of positions of at least this depth
    #[arg(long, hide_short_help = true, value_name = "DEPTH")]
    pub write_from: Option<i32>,

    /// Writes to one home that are sent together
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=256))]
    pub batch: u32,

    /// Kilobytes in which each processor keeps what it knows of positions that live elsewhere
    #[arg(long, hide_short_help = true, value_name = "KB")]
    pub cache: Option<u64>,
}

/// What the table's size means.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Memory {
    /// The same for any number of processors
    Fixed,
    /// The same for each processor
    Scaled,
}
