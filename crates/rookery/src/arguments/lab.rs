//! The arguments of `rookery lab`.

use crate::lab;
use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};
use std::path::PathBuf;

const ABOUT: &str = "\
Repeat an experiment of the papers: its table or figure, our numbers beside the printed ones.

Each experiment writes a folder: `report.md` with what was run and what came of it, a CSV file for each \
table, an SVG file for each figure, and all of it as `report.json`. The numbers of a report are the rows \
of its CSV files. Searches are counted in nodes or virtual time, so the same seed gives the same CSV.

Ctrl-C ends it; the searches that are done are kept, and the same command goes on with \
them. A full protocol may take hours of a processor: --every, --first and --seeds leave out positions and \
repetitions, and the report says so. What takes real time (`pingpong`, the threads of `strategies`, the seconds \
of `enhancements`) is in tables of its own, which differ from run to run. `rookery lab list` shows the experiments, `rookery lab all` runs them all and writes a page that \
links the reports.";

const EXAMPLES: &str = "\
Examples:
  rookery lab list
      the experiments, and where they come from
  rookery lab deep --quick
      how often the best move changes with depth, in a minute or two, into lab/deep
  rookery lab deep --out deep --threads 8
      the full protocol on eight threads
  rookery lab zugzwang --every 3 --seeds 2 --threads 16
      a third of the positions, two seeds; without these options later, only the rest is searched
  rookery lab all --quick --out lab
      everything, small; lab/README.md links it";

/// Repeat the papers' experiments, with tables and figures
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct LabArguments {
    /// An experiment, `all` or `list`
    #[arg(value_name = "EXPERIMENT", value_parser = PossibleValuesParser::new(lab::names()), hide_possible_values = true)]
    pub name: String,

    /// A minute or two instead of the full protocol
    #[arg(long)]
    pub quick: bool,

    /// Only the first N positions of each set
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub first: Option<u32>,

    /// Only every N-th position of each set
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub every: Option<u16>,

    /// Repetitions of what is simulated, each with its own seed [default: by the protocol]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1000))]
    pub seeds: Option<u16>,

    /// The folder of the report [default: lab/EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// The folder that keeps the searches, such as that of `rookery sim` [default: `searches` beside the report]
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Threads, each with a search of its own [default: all processors]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// The seed of everything that is drawn by lot [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// One JSON object a line: the experiments of `list`, or the reports
    #[arg(long)]
    pub json: bool,
}

impl LabArguments {
    /// What decides the numbers of a report, as it is typed: for the same report again.
    pub fn protocol(&self) -> String {
        let mut words = String::new();
        if self.quick {
            words += " --quick";
        }
        let mut option = |name: &str, value: Option<u64>| {
            words += &value.map_or(String::new(), |value| format!(" --{name} {value}"));
        };
        option("first", self.first.map(u64::from));
        option("every", self.every.map(u64::from));
        option("seeds", self.seeds.map(u64::from));
        option("seed", Some(self.seed.unwrap_or(1)));
        words
    }

    /// The first of the options that mean nothing to `list`.
    pub fn not_for_list(&self) -> Option<&'static str> {
        [
            (self.quick, "--quick"),
            (self.first.is_some(), "--first"),
            (self.every.is_some(), "--every"),
            (self.seeds.is_some(), "--seeds"),
            (self.out.is_some(), "--out"),
            (self.keep.is_some(), "--keep"),
            (self.threads.is_some(), "--threads"),
            (self.seed.is_some(), "--seed"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }
}
