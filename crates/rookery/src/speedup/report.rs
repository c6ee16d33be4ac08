//! What was measured, as a table and as JSON.

use crate::arguments::SpeedupArguments;
use crate::counted::counted;
use crate::durations;
use crate::hosts::Exchange;
use cluster::Traffic;
use parallel::TableKind;
use parallel::threads::Settings;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Searches of less time, in seconds, tell more about the start of threads than about searching.
const MEANINGFUL_SECONDS: f64 = 0.1;
/// Fewer nodes take no time of their own, whatever the clock of a busy machine says.
const MEANINGFUL_NODES: u64 = 10_000;

/// Searches of all positions in one repetition.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    time: Duration,
    nodes: u64,
    /// What the processes sent each other.
    pub sent: Traffic,
}

impl Measured {
    /// Adds a search.
    pub fn add(&mut self, (time, nodes): (Duration, u64)) {
        self.time += time;
        self.nodes += nodes;
    }
}

/// A number of threads in one way against the sequential search.
#[derive(Serialize)]
pub struct Report {
    strategy: String,
    /// Of each process.
    threads: u32,
    processes: u32,
    /// The depth of each position.
    depths: Vec<i32>,
    repetitions: usize,
    /// Of all positions in one repetition, on average.
    sequential_seconds: f64,
    seconds: f64,
    sequential_nodes: u64,
    nodes: u64,
    /// The sequential time over the parallel one, of all repetitions.
    speedup: f64,
    /// That of the worst repetition, and of the best.
    least_speedup: f64,
    most_speedup: f64,
    /// Nodes in a second over those of the sequential search.
    node_rate: f64,
    /// Nodes beyond those of the sequential search, as a share of them.
    search_overhead: f64,
    /// Of all repetitions, where there are several processes.
    #[serde(flatten)]
    exchange: Option<Exchange>,
}

impl Report {
    pub fn new(
        settings: Settings,
        processes: u32,
        sequential: &[Measured],
        parallel: &[Measured],
        depths: &[i32],
    ) -> Report {
        let (alone, together) = (sum(sequential), sum(parallel));
        let ratio = |one: &Measured, two: &Measured| over(seconds(one), seconds(two));
        let each = || sequential.iter().zip(parallel).map(|(one, two)| ratio(one, two));
        let repetitions = sequential.len().max(1);
        let rate = |measured: &Measured| over(measured.nodes as f64, seconds(measured));
        Report {
            strategy: settings.strategy.to_string(),
            threads: settings.threads,
            processes,
            depths: depths.to_vec(),
            repetitions,
            sequential_seconds: seconds(&alone) / repetitions as f64,
            seconds: seconds(&together) / repetitions as f64,
            sequential_nodes: alone.nodes / repetitions as u64,
            nodes: together.nodes / repetitions as u64,
            speedup: ratio(&alone, &together),
            least_speedup: each().fold(f64::INFINITY, f64::min),
            most_speedup: each().fold(0.0, f64::max),
            node_rate: over(rate(&together), rate(&alone)),
            search_overhead: over(together.nodes as f64, alone.nodes as f64) - 1.0,
            exchange: None,
        }
    }

    /// The same with what processes told each other.
    pub fn with_exchange(mut self, table: Option<TableKind>, parallel: &[Measured]) -> Report {
        let none = Traffic::default();
        let sent = parallel.iter().fold(none, |sum, measured| sum.plus(&measured.sent));
        self.exchange = table.map(|kind| Exchange::new(kind, &sent));
        self
    }
}

fn sum(measured: &[Measured]) -> Measured {
    measured.iter().fold(Measured::default(), |mut sum, one| {
        sum.add((one.time, one.nodes));
        sum
    })
}

fn seconds(measured: &Measured) -> f64 {
    measured.time.as_secs_f64()
}

fn over(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Writes what is measured, before it is.
pub fn write_head(
    arguments: &SpeedupArguments,
    positions: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let (profile, hash) = (arguments.profile, arguments.hash);
    let positions = counted(positions, "position");
    let repetitions = counted(arguments.repetitions, "repetition");
    writeln!(out, "profile {profile}, table of {hash} MB, {positions}, {repetitions}")
}

/// Says so if the searches took too short a time to mean anything. After Ctrl-C fewer positions were
/// searched than there are.
pub fn too_short(reports: &[Report], searched: usize) -> Option<String> {
    let Report { sequential_seconds, sequential_nodes, repetitions, .. } = reports.first()?;
    let searched = searched.max(1);
    let each = sequential_seconds * *repetitions as f64 / searched as f64;
    let text = durations::text(each);
    let is_small = sequential_nodes / (searched as u64) < MEANINGFUL_NODES;
    (each < MEANINGFUL_SECONDS || is_small).then(|| {
        format!(
            "too short to mean anything: one thread takes {text} for a position; a greater --depth \
             takes longer, and without --depth each position gets its own"
        )
    })
}

/// Writes the table.
pub fn write(reports: &[Report], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = reports.first() else { return Ok(()) };
    let (least, most) =
        (first.depths.iter().min().unwrap_or(&0), first.depths.iter().max().unwrap_or(&0));
    let depth = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let (time, nodes) = (durations::text(first.sequential_seconds), first.sequential_nodes);
    writeln!(out, "one thread alone: {time}, {nodes} nodes to depth {depth}")?;
    // Where there are several processes, threads are those of each.
    let several = first.exchange.is_some();
    let processes = |count: String| if several { format!("{count:>9}  ") } else { String::new() };
    writeln!(
        out,
        "\nstrategy  {}threads        time        nodes  speedup  (least to most)  node rate  overhead %",
        processes("processes".to_owned())
    )?;
    for report in reports {
        writeln!(
            out,
            "{:<8}  {}{:>7}  {:>10}  {:>11}  {:>7.2}  {:>5.2} to {:>5.2}   {:>9.2}  {:>10.1}",
            report.strategy,
            processes(report.processes.to_string()),
            report.threads,
            durations::text(report.seconds),
            report.nodes,
            report.speedup,
            report.least_speedup,
            report.most_speedup,
            report.node_rate,
            100.0 * report.search_overhead,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallel::StrategyKind;

    #[test]
    fn the_speedup_is_the_node_rate_over_one_and_the_overhead() {
        let measured = |milliseconds, nodes| {
            let (time, sent) = (Duration::from_millis(milliseconds), Traffic::default());
            Measured { time, nodes, sent }
        };
        let alone = [measured(1000, 1_000_000), measured(1200, 1_000_000)];
        let together = [measured(500, 1_100_000), measured(700, 1_300_000)];
        let settings = Settings::new(StrategyKind::Abdada, 2);
        let report = Report::new(settings, 1, &alone, &together, &[9]);
        assert!((report.speedup - 2200.0 / 1200.0).abs() < 1e-9);
        assert!((report.least_speedup - 1200.0 / 700.0).abs() < 1e-9);
        assert!((report.most_speedup - 2.0).abs() < 1e-9);
        assert!((report.search_overhead - 0.2).abs() < 1e-9);
        let product = report.node_rate / (1.0 + report.search_overhead);
        assert!((product - report.speedup).abs() < 1e-9);
        // By the positions that were searched, in both repetitions: 110 and 50 milliseconds each.
        let reports = [report];
        assert_eq!(too_short(&reports, 20), None);
        assert!(too_short(&reports, 44).is_some_and(|note| note.contains(" takes 50")));
    }
}
