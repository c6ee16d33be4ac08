//! The arguments of `rookery doctor`.

use clap::Args;
use std::path::PathBuf;

const ABOUT: &str = "\
Say what this machine offers, what of it is used, and what would make the engine faster.

Looked at are the build, the instructions of the CPU, the processors and their load, the memory and its \
huge pages, the network, endgame tables and MPI. Nothing is changed. The exit status is 0 unless something \
that was named cannot be used. `rookery cluster doctor` looks at the hosts of a cluster, `rookery bench` \
measures the speed.";

const EXAMPLES: &str = "\
Examples:
  rookery doctor
      everything, a line each
  rookery doctor --tables endgame --syzygy /srv/syzygy
      endgame tables as well
  rookery doctor --json
      the same for programs: one JSON object";

/// Say what of this machine is used, and what would make the engine faster
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct DoctorArguments {
    /// A folder with tables that `rookery endgame build` has made
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,

    /// Folders with Syzygy tables, separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,

    /// A network to use in place of the one that is built in
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}
