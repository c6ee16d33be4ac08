//! What a simulation shows: the table of Zugzwang's Figure 4, and one object for programs.

use crate::arguments::SimArguments;
use parallel::Message;
use parallel::accounting::Balance;
use parallel::sim::{Model, Run, TableMessage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// One number of processors, over all positions.
#[derive(Serialize)]
pub struct Report {
    strategy: String,
    profile: String,
    machine: String,
    processors: u32,
    depth: i32,
    table: String,
    positions: usize,
    /// Virtual seconds, summed over the positions.
    time: f64,
    sequential_time: f64,
    nodes: u64,
    sequential_nodes: u64,
    speedup: f64,
    search_overhead: f64,
    load: f64,
    performance: f64,
    /// By how much the identity is off.
    closure: f64,
    /// Shares of all processors' time.
    synchronisation: f64,
    communication: f64,
    /// Most nodes of a processor over the mean, less one.
    imbalance: f64,
    /// How many of each kind were sent.
    messages: BTreeMap<&'static str, u64>,
    bytes: u64,
    restarts: u64,
    aborts: u64,
    jobs: u64,
    seed: u64,
    /// A hash over all messages of all runs.
    hash: String,
}

impl Report {
    /// Puts the runs together.
    pub fn new(
        arguments: &SimArguments,
        model: &Model,
        positions: usize,
        balance: &Balance,
        runs: &[Run],
    ) -> Report {
        let sum = &balance.sum;
        let kinds = Message::KINDS.into_iter().zip(sum.sent);
        let table_kinds = TableMessage::KINDS.into_iter().zip(sum.table_sent);
        let hash = runs.iter().fold(0, |hash: u64, run| hash.rotate_left(7) ^ run.hash);
        Report {
            strategy: arguments.strategy.to_string(),
            profile: arguments.profile.to_string(),
            machine: model.name.clone(),
            processors: balance.processors,
            depth: arguments.depth,
            table: arguments.table.to_string(),
            positions,
            time: balance.time as f64 / 1e9,
            sequential_time: balance.sequential_time as f64 / 1e9,
            nodes: sum.nodes,
            sequential_nodes: balance.sequential_nodes,
            speedup: balance.speedup(),
            search_overhead: balance.search_overhead(),
            load: balance.load(),
            performance: balance.performance(),
            closure: balance.closure(),
            synchronisation: balance.synchronisation(),
            communication: balance.communication(),
            imbalance: balance.imbalance(),
            messages: kinds.chain(table_kinds).filter(|&(_, count)| count > 0).collect(),
            bytes: sum.bytes,
            restarts: sum.restarts,
            aborts: sum.aborts,
            jobs: sum.jobs,
            seed: arguments.seed,
            hash: format!("{hash:016x}"),
        }
    }

    /// A line of the table.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let sent: u64 = self.messages.values().sum();
        writeln!(
            out,
            "{:>6} {:>11.3} {:>12} {:>8.2} {:>7} {:>7} {:>7} {:>7} {:>7} {:>9.4} {:>8.2}",
            self.processors,
            self.time / self.positions.max(1) as f64,
            self.nodes,
            self.speedup,
            percent(self.search_overhead),
            percent(self.load),
            percent(self.performance),
            percent(self.synchronisation),
            percent(self.imbalance),
            sent as f64 / self.nodes.max(1) as f64,
            self.closure * 100.0,
        )
    }
}

/// What stands above the lines.
pub fn write_head(
    arguments: &SimArguments,
    model: &Model,
    positions: usize,
    sequential: &[u64],
    out: &mut impl Write,
) -> io::Result<()> {
    let nodes: u64 = sequential.iter().sum();
    let each = nodes / positions.max(1) as u64;
    writeln!(
        out,
        "{}, profile {}, machine {}, table {} ({} MB), depth {}, {positions} positions of {each} \
         sequential nodes ({:.1} s) on average",
        arguments.strategy,
        arguments.profile,
        model.name,
        arguments.table,
        arguments.hash,
        arguments.depth,
        (each * model.node) as f64 / 1e9,
    )?;
    writeln!(
        out,
        "{:>6} {:>11} {:>12} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>9} {:>8}",
        "procs",
        "time/pos s",
        "nodes",
        "speedup",
        "SO %",
        "LOAD %",
        "PERF %",
        "sync %",
        "LI %",
        "msg/node",
        "closure %",
    )
}
