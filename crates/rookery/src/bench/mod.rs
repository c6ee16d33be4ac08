//! `rookery bench`: fixed positions to a fixed depth.
//!
//! The sum of the nodes is a signature: it changes when, and only when, the search or the evaluation
//! changes. The last line has the form that test farms read (`1234567 nodes 987654 nps`); the quality
//! of the ordering (D33), of the caches (M16, M17) and the branching factor (F2) stand above it.

mod positions;

#[cfg(feature = "mpi")]
pub use positions::all as positions;

use crate::arguments::{BenchArguments, Evaluation};
use crate::counted::counted;
use crate::engine::{DEFAULT_HASH_MB, DEFAULT_STRATEGY, Engine, ThreadRecord, on_search_stack};
use crate::failure::Failure;
use crate::hosts::Exchange;
use crate::interrupt;
use crate::json;
use crate::network;
use crate::progress::Progress;
use crate::uci::per_second;
use board::fen::quote;
use board::{History, Position};
use cluster::Link;
use eval::nnue::Network;
use parallel::StrategyKind;
use search::{Limits, Profile, Statistics};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The usual depth: a few seconds.
pub const DEFAULT_DEPTH: i32 = 12;

/// The depths that can be asked for.
pub const DEPTHS: std::ops::RangeInclusive<i32> = 1..=100;

/// What came of it.
#[derive(Serialize)]
struct Report {
    profile: String,
    depth: i32,
    positions: usize,
    nodes: u64,
    seconds: f64,
    nps: u64,
    quiescence_share: f64,
    /// At CUT nodes, where a cut is expected (D33).
    first_move_cut_rate: f64,
    /// At all nodes of the main search that were cut off, and with those of the quiescence search.
    main_first_move_cut_rate: f64,
    overall_first_move_cut_rate: f64,
    /// Nothing where the evaluation does not keep pawns, or shelters.
    pawn_hit_rate: Option<f64>,
    king_hit_rate: Option<f64>,
    /// The mean over the positions of the last iteration's nodes over those of the one before.
    branching_factor: Option<f64>,
    threads: u32,
    /// Processes, each with this number of threads.
    processes: u32,
    /// How they searched together; nothing where there is one.
    parallel: Option<String>,
    /// What each thread did.
    per_thread: Vec<ThreadRecord>,
    /// What the processes told each other, where there are several.
    #[serde(flatten)]
    exchange: Option<Exchange>,
}

/// What is to be searched, and by whom.
#[derive(Clone)]
struct BenchTask {
    profile: Profile,
    depth: i32,
    hash_mb: u64,
    threads: u32,
    strategy: StrategyKind,
    network: Option<Arc<Network>>,
    link: Option<Arc<Link>>,
}

/// Runs the command.
pub fn run(
    arguments: &BenchArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    arguments.sharing.apply(link)?;
    let chosen = arguments.evaluation.open(Evaluation::Net)?;
    network::share(chosen.as_ref(), link).map_err(Failure::Work)?;
    let task = BenchTask {
        network: chosen.map(|chosen| chosen.network),
        profile: arguments.profile,
        depth: arguments.depth.unwrap_or(DEFAULT_DEPTH),
        hash_mb: arguments.hash,
        threads: arguments.threads,
        strategy: arguments.parallel,
        link: link.cloned(),
    };
    interrupt::listen();
    let report = measure(task, interrupt::requested).map_err(Failure::Work)?;
    let (searched, all) = (report.positions, positions::all().count());
    match (arguments.json, searched) {
        (true, _) => json::write(&report, out)?,
        (false, 0) => (),
        (false, _) => report.write(out)?,
    }
    if searched == all {
        return Ok(ExitCode::SUCCESS);
    }
    if !arguments.json {
        writeln!(out, "interrupted after {searched} of {}", counted(all, "position"))?;
    }
    Err(Failure::Interrupted)
}

/// Reads the words of the console's `bench [DEPTH]`.
pub fn read_depth(words: &[&str]) -> Result<i32, String> {
    match words {
        [] => Ok(DEFAULT_DEPTH),
        [depth, ..] => match depth.parse() {
            Ok(number) if DEPTHS.contains(&number) => Ok(number),
            _ => {
                let (least, most) = (DEPTHS.start(), DEPTHS.end());
                Err(format!("bench: depth {} is not from {least} to {most}", quote(depth)))
            }
        },
    }
}

/// Runs the command of the console: the report, or why there is none.
pub fn in_console(
    depth: i32,
    profile: Profile,
    network: Option<Arc<Network>>,
    should_stop: impl Fn() -> bool + Send,
) -> Result<String, String> {
    let (hash_mb, strategy) = (DEFAULT_HASH_MB, DEFAULT_STRATEGY);
    let task = BenchTask { profile, depth, hash_mb, threads: 1, strategy, network, link: None };
    let mut text = Vec::new();
    let report = measure(task, should_stop)?;
    if report.positions < positions::all().count() {
        return Err("bench: stopped".to_owned());
    }
    report.write(&mut text).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Searches all positions on a thread with the stack that a search needs. When it is stopped, the report is
/// of those that were searched to the end.
fn measure(task: BenchTask, should_stop: impl Fn() -> bool + Send) -> Result<Report, String> {
    on_search_stack(move || search_all(task, &should_stop))
}

fn search_all(task: BenchTask, should_stop: &dyn Fn() -> bool) -> Result<Report, String> {
    let BenchTask { profile, depth, hash_mb, threads, strategy, network, link } = task;
    let mut engine = Engine::new(profile, hash_mb)?;
    engine.set_network(network);
    engine.set_strategy(strategy);
    engine.set_threads(threads)?;
    link.map_or(Ok(()), |link| engine.connect(&link))?;
    let processes = engine.processes();
    let before = engine.cluster_traffic();
    let limits = Limits { depth: Some(depth), lines: 1, ..Limits::default() };
    let count = positions::all().count();
    let bar = Progress::new();
    let (mut statistics, mut time, mut searched) = (Statistics::default(), Duration::ZERO, 0);
    let mut factors = Vec::new();
    let mut per_thread = vec![ThreadRecord::default(); (threads * processes) as usize];
    for fen in positions::all() {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        // Each position by itself, so that a change of one does not spread to the others.
        engine.new_game();
        let begun = Instant::now();
        engine.search(&position, &History::new(), &limits, &mut interrupt::Until(should_stop))?;
        if should_stop() {
            break;
        }
        searched += 1;
        time += begun.elapsed();
        let counted = engine.statistics();
        statistics.add(&counted);
        factors.extend(counted.branching_factor());
        let records = engine.thread_records();
        per_thread.iter_mut().zip(&records).for_each(|(sum, record)| sum.add(record));
        bar.set(searched as u64, count as u64);
    }
    let mut report = Report::new(profile, depth, searched, &statistics, time);
    report.branching_factor = geometric_mean(&factors);
    (report.threads, report.processes, report.per_thread) = (threads, processes, per_thread);
    report.exchange = Exchange::between(before, engine.cluster_traffic());
    report.parallel = (threads * processes > 1).then(|| strategy.to_string());
    Ok(report)
}

/// The mean of factors; none of none.
fn geometric_mean(factors: &[f64]) -> Option<f64> {
    let logarithms: f64 = factors.iter().map(|factor| factor.max(f64::MIN_POSITIVE).ln()).sum();
    (!factors.is_empty()).then(|| (logarithms / factors.len() as f64).exp())
}

impl Report {
    fn new(
        profile: Profile,
        depth: i32,
        positions: usize,
        statistics: &Statistics,
        time: Duration,
    ) -> Report {
        let nodes = statistics.nodes;
        Report {
            profile: profile.to_string(),
            depth,
            positions,
            nodes,
            seconds: time.as_secs_f64(),
            nps: per_second(nodes, time),
            quiescence_share: statistics.quiescence_nodes as f64 / nodes.max(1) as f64,
            first_move_cut_rate: statistics.expected_first_share(),
            main_first_move_cut_rate: statistics.main_first_move_share(),
            overall_first_move_cut_rate: statistics.first_move_share(),
            pawn_hit_rate: (statistics.pawn_probes > 0).then(|| statistics.pawn_hit_share()),
            king_hit_rate: statistics.king_hit_share(),
            branching_factor: None,
            threads: 1,
            processes: 1,
            parallel: None,
            per_thread: Vec::new(),
            exchange: None,
        }
    }

    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        writeln!(
            out,
            "profile {}, depth {}, {}",
            self.profile,
            self.depth,
            counted(self.positions, "position")
        )?;
        if let Some(strategy) = &self.parallel {
            let processes = match self.processes {
                1 => String::new(),
                many => format!(" in each of {many} processes"),
            };
            writeln!(out, "threads              {}{processes} ({strategy})", self.threads)?;
        }
        let main = percent(self.main_first_move_cut_rate);
        let (cut, all) =
            (percent(self.first_move_cut_rate), percent(self.overall_first_move_cut_rate));
        writeln!(out, "first-move cut rate  {cut} at CUT nodes")?;
        writeln!(out, "  wherever it was cut {main} in the main search, {all} with quiescence")?;
        if let Some(rate) = self.pawn_hit_rate {
            writeln!(out, "pawn-hash hit rate   {}", percent(rate))?;
        }
        if let Some(rate) = self.king_hit_rate {
            writeln!(out, "king-hash hit rate   {}", percent(rate))?;
        }
        writeln!(out, "quiescence nodes     {}", percent(self.quiescence_share))?;
        match self.branching_factor {
            Some(factor) => writeln!(out, "branching factor     {factor:.2}")?,
            None => writeln!(out, "branching factor     not known at this depth")?,
        }
        if let Some(exchange) = &self.exchange {
            writeln!(out, "between processes    {exchange}")?;
        }
        writeln!(out, "time                 {:.3} s", self.seconds)?;
        writeln!(out, "{} nodes {} nps", self.nodes, self.nps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn what_was_searched_before_a_stop_is_reported() {
        let task = |profile| BenchTask {
            profile,
            depth: 3,
            hash_mb: 1,
            threads: 1,
            strategy: DEFAULT_STRATEGY,
            network: None,
            link: None,
        };
        // Asked at least once a position, so before the last one it says stop.
        let asked = AtomicUsize::new(0);
        let should_stop = move || asked.fetch_add(1, Relaxed) >= 20;
        let report = measure(task(Profile::Modern), should_stop).expect("a report");
        assert!((1..=20).contains(&report.positions), "{}", report.positions);
        let whole = measure(task(Profile::Modern), || false).expect("a report");
        assert!(0 < report.nodes && report.nodes < whole.nodes);
        assert_eq!(whole.positions, positions::all().count());
    }
}
