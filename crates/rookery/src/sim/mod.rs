//! `rookery sim`: positions on a simulated parallel machine.

mod plot;
mod report;
mod trace;

use crate::arguments::{Memory, SimArguments};
use crate::engine::STACK;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use board::{Epd, History, Position};
use parallel::RootOrder;
use parallel::accounting::Balance;
use parallel::sim::{self, Faults, Model, Run, Setup, TableSettings};
use report::Report;
use search::{Limits, Quiet, Worker};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use table::{AnyTable, PolicyKind};

/// The positions that all four papers used.
const BRATKO_KOPEC: &str = include_str!("../../../../testdata/epd/bk.epd");

/// Runs the command.
pub fn run(arguments: &SimArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let model = read_model(&arguments.machine)?;
    let mut positions = match &arguments.positions {
        Some(path) => read_positions(&read_text(path)?, &path.display().to_string())?,
        None => read_positions(BRATKO_KOPEC, "the built-in positions")?,
    };
    positions.truncate(arguments.first.unwrap_or(usize::MAX).max(1));
    let setups: Result<Vec<Setup>, Failure> =
        arguments.processors.iter().map(|&peers| setup(arguments, &model, peers)).collect();
    let setups = setups?;
    let units = positions.len() * (setups.len() + 1);
    let bar = Progress::new(units as u64);
    let done = AtomicUsize::new(0);
    let tick = || bar.set(done.fetch_add(1, Relaxed) as u64 + 1, units as u64);
    let sequential = each(arguments.threads, &positions, |_, position| {
        let nodes = search_sequentially(arguments, position);
        tick();
        nodes
    })?;
    if !arguments.json {
        bar.pause(|| report::write_head(arguments, &model, positions.len(), &sequential, out))?;
    }
    for (number, setup) in setups.iter().enumerate() {
        let last = number + 1 == setups.len();
        let runs = each(arguments.threads, &positions, |index, position| {
            let wanted = arguments.plot.is_some() || arguments.trace.is_some();
            let setup = Setup { record: last && index == 0 && wanted, ..setup.clone() };
            let run = sim::run(&setup, &order(position, arguments.depth));
            tick();
            run.map_err(|error| format!("{}: {error}", position.fen()))
        })?;
        if let Some(Run { timeline: Some(timeline), .. }) = runs.first() {
            write_pictures(arguments, timeline)?;
        }
        let mut balance = Balance::default();
        for (run, &nodes) in runs.iter().zip(&sequential) {
            balance.add(&run.accounts, run.time, nodes, nodes * model.node);
        }
        let report = Report::new(arguments, &model, positions.len(), &balance, &runs);
        bar.pause(|| match arguments.json {
            true => json::write(&report, out),
            false => report.write(out),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_pictures(arguments: &SimArguments, timeline: &sim::Timeline) -> Result<(), Failure> {
    if let Some(path) = &arguments.trace {
        trace::write(path, timeline).map_err(|error| cannot("write", path, &error))?;
    }
    if let Some(path) = &arguments.plot {
        plot::write(path, timeline).map_err(|error| cannot("write", path, &error))?;
    }
    Ok(())
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Work(format!("cannot {what} {}: {error}", path.display()))
}

fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| cannot("read", path, &error))
}

/// A built-in machine, or one from a file.
fn read_model(name: &str) -> Result<Model, Failure> {
    if let Some(model) = Model::named(name) {
        return Ok(model);
    }
    let names: Vec<String> = Model::all().map(|model| model.name).collect();
    let path = Path::new(name);
    let text = std::fs::read_to_string(path).map_err(|error| {
        let built_in = names.join(", ");
        Failure::Usage(format!("--machine {name}: neither one of {built_in} nor a file: {error}"))
    })?;
    Model::parse(&text).map_err(|reason| Failure::Work(format!("{name}, {reason}")))
}

fn read_positions(text: &str, name: &str) -> Result<Vec<Position>, Failure> {
    let mut positions = Vec::new();
    for (line, record) in board::epd::records(text) {
        let position = record.map(|epd: Epd| *epd.position());
        positions.push(
            position.map_err(|error| Failure::Work(format!("{name}, line {line}: {error}")))?,
        );
    }
    match positions.is_empty() {
        true => Err(Failure::Work(format!("{name} holds no positions"))),
        false => Ok(positions),
    }
}

fn setup(arguments: &SimArguments, model: &Model, peers: u32) -> Result<Setup, Failure> {
    let mut setup = Setup::new(arguments.strategy, model.clone(), peers, arguments.profile);
    let scale = match arguments.memory {
        Memory::Fixed => 1,
        Memory::Scaled => u64::from(peers),
    };
    let tuning = &arguments.tuning;
    setup.table = TableSettings {
        kind: arguments.table,
        kilobytes: (arguments.hash << 10) * scale,
        read_from: tuning.read_from.unwrap_or(setup.table.read_from),
        read_below_known: tuning.read_below_known,
        write_from: tuning.write_from.unwrap_or(setup.table.write_from),
        cache_kilobytes: tuning.cache,
    };
    setup.ybw.wait_more = tuning.wait_more.unwrap_or(setup.ybw.wait_more);
    setup.ybw.hop_limit = tuning.hops.unwrap_or(setup.ybw.hop_limit);
    setup.ybw.retry = tuning.retry.map_or(setup.ybw.retry, |micros| micros * 1000);
    setup.history_from = tuning.history_from.unwrap_or(setup.history_from);
    setup.ybw.local = tuning.local;
    setup.ybw.killers = !tuning.no_killers;
    setup.ybw.helpful = !tuning.no_help;
    (setup.grain, setup.seed) = (arguments.grain.unwrap_or(setup.grain), arguments.seed);
    let grain = arguments.grain.unwrap_or(setup.tds.grain);
    setup.tds = arguments.tds.settings(grain, tuning.wait_more, model);
    if let Some(path) = &arguments.faults {
        let faults = Faults::parse(&read_text(path)?, peers);
        setup.faults =
            faults.map_err(|reason| Failure::Work(format!("{}, {reason}", path.display())))?;
    }
    Ok(setup)
}

fn order(position: &Position, depth: i32) -> RootOrder {
    RootOrder { position: *position, game: History::new(), limits: limits(depth) }
}

fn limits(depth: i32) -> Limits {
    Limits { depth: Some(depth), lines: 1, ..Limits::default() }
}

/// Nodes of the sequential search.
fn search_sequentially(arguments: &SimArguments, position: &Position) -> Result<u64, String> {
    let table = AnyTable::new(PolicyKind::TwoDeep, arguments.hash);
    let table = table.map_err(|error| format!("--hash: {error}"))?;
    let limits = limits(arguments.depth);
    let mut worker = Worker::new(arguments.profile);
    Ok(worker.search(&table, position, &History::new(), &limits, &mut Quiet).nodes)
}

/// Does something for each position, on several threads; the results are in the order of the
/// positions.
fn each<A: Send>(
    threads: u16,
    positions: &[Position],
    work: impl Fn(usize, &Position) -> Result<A, String> + Sync,
) -> Result<Vec<A>, Failure> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result<A, String>)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..usize::from(threads).min(positions.len()) {
            let worker = || {
                while let Some((index, position)) = {
                    let index = next.fetch_add(1, Relaxed);
                    positions.get(index).map(|position| (index, position))
                } {
                    let result = work(index, position);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            };
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker)
                .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))?;
        }
        Ok::<(), Failure>(())
    })?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result.map_err(Failure::Work)).collect()
}
