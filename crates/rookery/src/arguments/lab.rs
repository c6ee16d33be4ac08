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

Ctrl-C ends it; the searches that are done are kept in the folder, and the same command goes on with \
them. `rookery lab list` shows the experiments, `rookery lab all` runs them all and writes a page that \
links the reports.";

const EXAMPLES: &str = "\
Examples:
  rookery lab list
      the experiments, and where they come from
  rookery lab deep --quick
      how often the best move changes with depth, in a minute or two, into lab/deep
  rookery lab deep --out deep --threads 8
      the full protocol on eight threads
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

    /// The folder of the report [default: lab/EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Threads, each with a search of its own [default: all processors]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// The seed of everything that is drawn by lot
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// With `list`: one JSON object a line
    #[arg(long)]
    pub json: bool,
}
