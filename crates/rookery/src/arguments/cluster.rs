//! The arguments of `rookery cluster`.

use crate::failure::Failure;
use clap::{Args, Subcommand};
use cluster::Link;
use parallel::TableKind;
use std::sync::Arc;

const ABOUT: &str = "\
Look at the hosts of a cluster.

Every command of rookery can be started by mpirun. The first process speaks to the user, the others \
search with it: `mpirun -n 4 rookery uci` is one engine on four processes. These commands say what the \
processes find where they run and how far apart they are.";

const EXAMPLES: &str = "\
Examples:
  mpirun -n 2 rookery cluster doctor
      what each process offers, and what would make the search faster
  mpirun -n 2 --host alpha,beta rookery cluster pingpong
      how long messages take between two hosts, by their size
  mpirun -n 4 --host alpha,beta,gamma,delta --bind-to none rookery uci
      one engine on four hosts";

/// Look at the hosts of a cluster (under mpirun)
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct ClusterArguments {
    #[command(subcommand)]
    pub command: ClusterCommand,
}

#[derive(Subcommand)]
pub enum ClusterCommand {
    /// Say what each process offers: processors, memory, library, distance; and what to change
    Doctor {
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Measure round trips from the first process to each other one: by the MPI library, and by memory in common
    /// where all are on one host
    Pingpong {
        /// Round trips of each size
        #[arg(long, value_name = "N", default_value_t = 1000)]
        rounds: usize,
        /// Write one JSON object for each size and process
        #[arg(long)]
        json: bool,
    },
}

/// How processes that search together share what they know.
#[derive(Args)]
pub struct SharingArguments {
    /// How processes share their tables (under mpirun): shared, replicated, blocking, asynchronous, local
    /// [default: shared]
    #[arg(long, value_name = "KIND", value_parser = cluster::read_table)]
    #[arg(help_heading = "Experimental options")]
    pub table: Option<TableKind>,
}

impl SharingArguments {
    /// Does what was asked for.
    pub fn apply(&self, link: Option<&Arc<Link>>) -> Result<(), Failure> {
        match (self.table, link) {
            (None, _) => (),
            (Some(kind), Some(link)) => link.share_table(kind),
            (Some(_), None) => {
                let reason = "--table: there is one process, and one table; start more with mpirun";
                return Err(Failure::Usage(reason.to_owned()));
            }
        }
        Ok(())
    }
}
