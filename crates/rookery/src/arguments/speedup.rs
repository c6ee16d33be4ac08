//! The arguments of `rookery speedup`.

use super::cluster::SharingArguments;
use super::matches::positive;
use crate::engine;
use clap::{Args, value_parser};
use parallel::StrategyKind;
use parallel::threads::Extras;
use search::Profile;
use std::path::PathBuf;

const ABOUT: &str = "\
Measure how much faster several threads reach the same depth than the sequential search.

Each position is searched to a fixed depth by one thread and by every number of threads in every way \
that is asked for, one after the other and again in every repetition, so that what else the machine does \
slows them all alike. The table is emptied before each search. The speedup is the sum of the sequential times \
over the sum of the parallel ones; it is the node rate times 1 / (1 + search overhead).

Without --depth each position gets the depth at which one thread takes a second or a little more. \
Ctrl-C shows what has been measured so far, and ends with status 130.";

const EXAMPLES: &str = "\
Examples:
  rookery speedup
      the Bratko-Kopec positions with two threads, in three ways, five times
  rookery speedup --threads 4,8,16 --strategies abdada --repetitions 3 --hash 1024
      one way, three numbers of threads, a table of one gigabyte
  rookery speedup --threads 2 --first 4 --depth 14 --json
      four positions to depth 14; one JSON object for each way
  mpirun -n 4 rookery speedup --threads 1 --processes 2,4 --strategies ybw
      two and four processes of one thread";

/// Measure how much faster several threads search
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct SpeedupArguments {
    /// Numbers of threads
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "2")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(engine::MOST_THREADS)))]
    pub threads: Vec<u32>,

    /// Ways of searching: ybw, abdada, lazy, teams, tds
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "ybw,abdada,lazy")]
    #[arg(value_parser = parallel::threads::read_strategy)]
    pub strategies: Vec<StrategyKind>,

    /// Half-moves to look ahead: one number, or one for each position [default: what takes one thread a
    /// second]
    #[arg(long, value_delimiter = ',', value_parser = value_parser!(i32).range(1..=100))]
    pub depth: Vec<i32>,

    /// Without --depth: seconds of one thread for each position, at least
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = read_effort)]
    pub effort: f64,

    /// A file of positions (EPD or FEN, one a line), packed or not [default: the Bratko-Kopec positions]
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,

    /// Only the first N positions
    #[arg(long, value_name = "N", value_parser = positive)]
    pub first: Option<usize>,

    /// How often everything is measured
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,

    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = value_parser!(u64).range(1..))]
    pub hash: u64,

    /// Write one JSON object for each way and number of threads
    #[arg(long)]
    pub json: bool,

    /// Which rules of search
    #[arg(long, default_value_t = Profile::Modern)]
    pub profile: Profile,

    /// Numbers of processes, of those that mpirun has started [default: all]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub processes: Vec<u32>,

    /// Smallest depth of a child that another thread searches; 0 for tds: chosen by what searches take
    #[arg(long, value_name = "DEPTH", help_heading = "Experimental options")]
    #[arg(value_parser = value_parser!(i32).range(0..=30))]
    pub grain: Option<i32>,

    /// Smallest depth of a child that another process searches (under mpirun)
    #[arg(long, value_name = "DEPTH", help_heading = "Experimental options")]
    #[arg(value_parser = value_parser!(u32).range(1..=30))]
    pub remote_grain: Option<u32>,

    /// Smallest depth of a child that is put off while another thread searches it (abdada)
    #[arg(long, value_name = "DEPTH", help_heading = "Experimental options")]
    #[arg(value_parser = value_parser!(i32).range(1..=30))]
    pub deferral: Option<i32>,

    /// What the threads of this process do beyond the bare strategy: names as of the UCI option Parallel Extras,
    /// or none
    #[arg(long, value_name = "A,B", help_heading = "Experimental options")]
    #[arg(value_parser = Extras::read, default_value = "", hide_default_value = true)]
    pub extras: Extras,

    #[command(flatten)]
    pub sharing: SharingArguments,
}

fn read_effort(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.001 to 3600 is expected".to_owned()),
    }
}
