//! `rookery perft`: one count, or a file of them.

mod single;
mod suite;

use crate::arguments::PerftArguments;
use crate::failure::Failure;
use crate::interrupt;
use crate::memory;
use board::perft::Counting;
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Runs the command.
pub fn run(arguments: &PerftArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let table = memory::count_table(arguments.hash)?;
    let counting = Counting {
        threads: usize::from(arguments.threads),
        table: table.as_ref(),
        play_all: arguments.no_bulk,
        should_stop: &interrupt::requested,
        ..Counting::default()
    };
    interrupt::listen();
    match &arguments.suite {
        Some(file) => {
            let deepest = arguments.max_depth.unwrap_or(u32::MAX);
            suite::Run { file, deepest, counting, json: arguments.json }.run(out)
        }
        None => single::run(arguments, counting, out),
    }
}

/// How fast it was.
#[derive(Clone, Copy, Serialize)]
struct Speed {
    nodes: u64,
    seconds: f64,
    nps: u64,
}

impl Speed {
    fn new(nodes: u64, time: Duration) -> Speed {
        let seconds = time.as_secs_f64();
        // A count that the clock did not see has no speed; the shortest time it shows is a nanosecond.
        Speed { nodes, seconds, nps: (nodes as f64 / seconds.max(1e-9)) as u64 }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "Nodes searched: {}", self.nodes)?;
        writeln!(out, "Time: {:.3} s", self.seconds)?;
        writeln!(out, "Nodes per second: {}", self.nps)
    }
}
