//! `rookery sim`: positions on a simulated parallel machine.

mod chart;
mod columns;
mod compare;
pub mod csv;
pub mod each;
mod figure6;
pub mod keep;
mod outcome;
mod pictures;
pub mod plan;
pub mod plot;
mod report;
mod row_writer;
pub mod rows;
pub mod spread;
pub mod trace;

use crate::arguments::{Memory, SimArguments, YbwRules};
use crate::failure::Failure;
use crate::input;
use crate::interrupt::{self, unwatched};
use crate::memory;
use crate::progress::Progress;
use board::{Epd, History, Position};
use each::{Event, each};
use keep::Keep;
use outcome::{Sequential, Simulated, Stopwatch};
use parallel::sim::{self, Faults, Model, Setup, TableKind, TableSettings, Timeline};
use parallel::strategy::TdsSettings;
use parallel::{RootSearch, StrategyKind};
use pictures::Pictures;
use row_writer::RowWriter;
use rows::{Case, Row, Unit};
use search::{Limits, Worker};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use table::{AnyTable, PolicyKind};

pub use row_writer::say;

/// The positions that all four papers used.
pub const BRATKO_KOPEC: &str = include_str!("bk.epd");

/// Runs the command.
pub fn run(arguments: &SimArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    arguments.check_rules().map_err(Failure::Usage)?;
    let model = read_model(&arguments.machine)?;
    let positions = positions(arguments.positions.as_deref())?;
    let keep = Keep::open(arguments.keep.as_deref()).map_err(Failure::Work)?;
    let pictures = Pictures::open(arguments)?;
    interrupt::listen();
    if arguments.ybw.ybw == YbwRules::Paper && !arguments.quiet {
        let tables: Vec<String> = arguments.table.iter().map(TableKind::to_string).collect();
        let (tables, whose) = (tables.join(", "), if arguments.compare { " of all" } else { "" });
        let note = format!(
            "--ybw paper: Zugzwang's rules; the table{whose} is {tables}, which --table can change"
        );
        row_writer::say(&[note], true, out)?;
    }
    match arguments.compare {
        true => compare::run(arguments, &model, &positions, &keep, pictures, out)?,
        false => simulate_rows(arguments, &model, &positions, &keep, pictures, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Row by row, for each number of processors.
fn simulate_rows(
    arguments: &SimArguments,
    model: &Model,
    positions: &[Position],
    keep: &Keep,
    pictures: Pictures,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let explored = explore(arguments, model, positions, keep)?;
    let rows = rows::rows(arguments, model, positions.len(), &explored)?;
    let units = match arguments.threads {
        1 => rows::plan(&rows),
        _ => rows::longest_first(rows::plan(&rows), &rows),
    };
    let work = Work { arguments, positions, rows: &rows, keep, explored: &explored };
    let needs = units.iter().map(|&unit| work.megabytes(unit));
    memory::check_free_at_once(arguments.threads, needs).map_err(too_large)?;
    let total = units.len() as u64;
    let (bar, mut done) = (Progress::new(), 0);
    let mut writer = RowWriter::new(arguments, model, &rows, positions.len(), pictures);
    if !arguments.is_for_programs() {
        bar.pause(|| columns::write_head(arguments, model, out))?;
    }
    each(
        arguments.threads,
        &units,
        |unit| work.go(unit),
        |event| match event {
            Event::Done(unit, found) => {
                done += 1;
                bar.set(done, total);
                writer.take(unit, found);
                bar.pause(|| writer.write_complete(out))
            }
            Event::Interrupted => bar.pause(|| writer.write_rest(out)),
        },
    )?;
    drop(bar);
    writer.finish(keep, out)
}

/// The sequential searches by which Figure 6 chooses its depths, by position; none for other rows.
fn explore(
    arguments: &SimArguments,
    model: &Model,
    positions: &[Position],
    keep: &Keep,
) -> Result<Vec<Option<Sequential>>, Failure> {
    let mut explored = vec![None; positions.len()];
    if arguments.figure6.is_empty() {
        return Ok(explored);
    }
    let search = |number: usize| {
        let position = &positions[number];
        let what = sequential_name(arguments, position, 1);
        figure6::explore(arguments, model, |depth| {
            let search = || search_sequentially(arguments, position, depth, 1);
            keep.sequential(&what, depth, 1, search)
        })
    };
    let numbers = figure6::positions(arguments, positions.len())?;
    let (bar, mut done) = (Progress::new(), 0);
    each(arguments.threads, &numbers, search, |event| {
        if let Event::Done(number, found) = event {
            explored[number] = Some(found);
            done += 1;
            bar.set(done, numbers.len() as u64);
        }
        Ok(())
    })?;
    Ok(explored)
}

/// What a piece of work came to.
enum Found {
    Sequential(Sequential),
    Simulated(Box<Simulated>, Option<Timeline>),
}

/// All that the pieces of work need.
struct Work<'a> {
    arguments: &'a SimArguments,
    positions: &'a [Position],
    rows: &'a [Row],
    keep: &'a Keep,
    explored: &'a [Option<Sequential>],
}

impl Work<'_> {
    fn go(&self, unit: Unit) -> Result<Found, String> {
        match unit {
            Unit::Sequential { position, depth, step } => {
                let explored = self.explored.get(position).and_then(Option::as_ref);
                if let Some(found) = explored.filter(|found| found.reaches(depth, step)) {
                    return Ok(Found::Sequential(found.clone()));
                }
                let position = &self.positions[position];
                let what = sequential_name(self.arguments, position, step);
                let search = || search_sequentially(self.arguments, position, depth, step);
                self.keep.sequential(&what, depth, step, search).map(Found::Sequential)
            }
            Unit::Simulated { row, case, seed } => self.simulate(row, case, seed),
        }
    }

    /// What a simulation needs, if it is not kept. A sequential search needs less than any of them.
    fn megabytes(&self, unit: Unit) -> u64 {
        let Unit::Simulated { row, case, seed } = unit else { return 0 };
        let Row { setup, cases, seeds, .. } = &self.rows[row];
        let Case { position, depth } = cases[case];
        need(self.keep, &named(setup, seeds[seed], &self.positions[position], depth))
    }

    fn simulate(&self, number: usize, case: usize, seed: usize) -> Result<Found, String> {
        let row = &self.rows[number];
        let drawn = self.arguments.plot.is_some() || self.arguments.trace.is_some();
        let is_first = number + 1 == self.rows.len() && (case, seed) == (0, 0);
        let Case { position, depth } = row.cases[case];
        let (position, seed) = (&self.positions[position], row.seeds[seed]);
        let mut setup = Setup { seed, ..row.setup.clone() };
        if drawn && is_first && row.seconds.is_none() {
            setup.record = true;
            let (found, timeline) = simulate(&setup, position, depth)?;
            return Ok(Found::Simulated(Box::new(found), timeline));
        }
        let what = simulated_name(&setup, depth, position);
        let found = self.keep.simulated(&what, || Ok(simulate(&setup, position, depth)?.0))?;
        Ok(Found::Simulated(Box::new(found), None))
    }
}

/// By what a sequential search is kept.
fn sequential_name(arguments: &SimArguments, position: &Position, step: i32) -> String {
    let SimArguments { profile, hash, .. } = arguments;
    format!("{profile}, {hash} MB, step {step}, {}", position.fen())
}

/// By what a simulated search is kept.
fn simulated_name(setup: &Setup, depth: i32, position: &Position) -> String {
    format!("{setup:?}, depth {depth}, {}", position.fen())
}

/// What is simulated with one of the seeds, and that name.
fn named(setup: &Setup, seed: u64, position: &Position, depth: i32) -> (Setup, String) {
    let setup = Setup { seed, ..setup.clone() };
    let name = simulated_name(&setup, depth, position);
    (setup, name)
}

/// The megabytes that a simulation needs, if it is not kept.
fn need(keep: &Keep, (setup, name): &(Setup, String)) -> u64 {
    if keep.has_simulated(name) { 0 } else { setup.megabytes() }
}

fn simulate(
    setup: &Setup,
    position: &Position,
    depth: i32,
) -> Result<(Simulated, Option<Timeline>), String> {
    let watch = Stopwatch::start();
    let run = sim::run(setup, &root_search(position, depth));
    let of = |error| {
        let (strategy, fen) = (setup.strategy, position.fen());
        format!("{strategy}, {} processors, depth {depth}, {fen}: {error}", setup.peers)
    };
    let run = run.map_err(of)?;
    Ok((Simulated::new(&run, watch.seconds()), run.timeline))
}

/// Why machines of this size are not simulated.
fn too_large(reason: String) -> Failure {
    Failure::Usage(format!("--processors, --threads: {reason}"))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Work(format!("cannot {what} {}: {error}", path.display()))
}

/// The positions of a file, or those that all four papers used.
pub fn positions(path: Option<&Path>) -> Result<Vec<Position>, Failure> {
    let Some(path) = path else { return read_positions(BRATKO_KOPEC, "the built-in positions") };
    let name = input::name(path);
    let text =
        input::text(path).map_err(|error| Failure::Work(input::unreadable(&name, &error)))?;
    read_positions(&text, &name)
}

/// A built-in machine, or one from a file.
pub fn read_model(name: &str) -> Result<Model, Failure> {
    if let Some(model) = Model::named(name) {
        return Ok(model);
    }
    let names: Vec<String> = Model::all().map(|model| model.name).collect();
    let path = Path::new(name);
    let text = input::plain_text(path).map_err(|error| {
        let built_in = names.join(", ");
        Failure::Usage(format!("--machine {name}: neither one of {built_in} nor a file: {error}"))
    })?;
    Model::parse(&text).map_err(|reason| Failure::Work(format!("{name}, {reason}")))
}

/// The positions of a text, one a line; `name` is where it came from.
fn read_positions(text: &str, name: &str) -> Result<Vec<Position>, Failure> {
    let mut positions = Vec::new();
    for (line, record) in board::epd::record_lines(text) {
        let place = format!("{name}, line {line}");
        let (record, repairs) = Epd::parse_repaired(record)
            .map_err(|error| Failure::Work(format!("{place}: {error}")))?;
        input::tell_repairs(&place, &repairs);
        positions.push(*record.position());
    }
    match positions.is_empty() {
        true => Err(Failure::Work(format!("{name} holds no positions"))),
        false => Ok(positions),
    }
}

fn setup(
    arguments: &SimArguments,
    strategy: StrategyKind,
    model: &Model,
    peers: u32,
    grain: Option<i32>,
    kind: TableKind,
) -> Result<Setup, Failure> {
    let usual = Setup::new(arguments.strategy, model.clone(), peers, arguments.profile);
    let mut setup = arguments.ybw.apply(usual, strategy, kind);
    let scale = match arguments.memory {
        Memory::Fixed => 1,
        Memory::Scaled => u64::from(peers),
    };
    let tuning = &arguments.tuning;
    setup.table = TableSettings {
        kind,
        kilobytes: (arguments.hash << 10) * scale,
        read_from: tuning.read_from.unwrap_or(setup.table.read_from),
        read_below_known: tuning.read_below_known || setup.table.read_below_known,
        write_from: tuning.write_from.unwrap_or(setup.table.write_from),
        batch: tuning.batch,
        cache_kilobytes: tuning.cache.unwrap_or(setup.table.cache_kilobytes),
        ..setup.table
    };
    setup.ybw.wait_more = tuning.wait_more.unwrap_or(setup.ybw.wait_more);
    setup.ybw.wait_hops = tuning.wait_hops.unwrap_or(setup.ybw.wait_hops);
    setup.ybw.hop_limit = tuning.hops.or(setup.ybw.hop_limit);
    setup.ybw.retry_ns = tuning.retry_us.map_or(setup.ybw.retry_ns, |micros| micros * 1000);
    setup.teams = arguments.teams.apply(setup.teams, model.node);
    setup.history_from = tuning.history_from.unwrap_or(setup.history_from);
    setup.ybw.back_off = tuning.back_off.unwrap_or(setup.ybw.back_off);
    setup.ybw.local |= tuning.local;
    setup.step = tuning.step.unwrap_or(setup.step);
    setup.ybw.killers &= !tuning.no_killers;
    setup.ybw.helpful &= !tuning.no_help;
    (setup.grain, setup.seed) = (grain.unwrap_or(setup.grain), arguments.seed);
    setup.contention = arguments.contention;
    // Searched plies alone decide where only they are named.
    let usual = arguments.tds.searched.map_or(setup.tds.grain, |_| 1);
    let grain = grain.unwrap_or(usual);
    let usual = TdsSettings { grain, open_grain: grain, ..setup.tds };
    setup.tds = arguments.tds.settings(usual, tuning.wait_more, model);
    if let Some(path) = &arguments.faults {
        let text = input::plain_text(path).map_err(|error| cannot("read", path, &error))?;
        let faults = Faults::parse(&text, peers);
        setup.faults =
            faults.map_err(|reason| Failure::Work(format!("{}, {reason}", path.display())))?;
    }
    Ok(setup)
}

pub fn root_search(position: &Position, depth: i32) -> RootSearch {
    RootSearch { position: *position, game: History::new(), limits: limits(depth) }
}

fn limits(depth: i32) -> Limits {
    Limits { depth: Some(depth), lines: 1, ..Limits::default() }
}

/// The sequential search; a single simulated processor, which visits the same nodes, where iterations are
/// farther apart than the usual ply.
fn search_sequentially(
    arguments: &SimArguments,
    position: &Position,
    depth: i32,
    step: i32,
) -> Result<Sequential, String> {
    let watch = Stopwatch::start();
    let (found, mut nodes) = if step == 1 {
        let table = AnyTable::new(PolicyKind::TwoDeep, arguments.hash);
        let table = table.map_err(|error| format!("--hash: {error}"))?;
        let mut worker = Worker::new(arguments.profile);
        let found =
            worker.search(&table, position, &History::new(), &limits(depth), &mut unwatched());
        (found.nodes, worker.statistics().iterations.clone())
    } else {
        let model = Model::named("ideal").ok_or("the machine without costs is missing")?;
        let mut setup = Setup::new(StrategyKind::Ybw, model, 1, arguments.profile);
        (setup.step, setup.table.kilobytes) = (step, arguments.hash << 10);
        let run =
            sim::run(&setup, &root_search(position, depth)).map_err(|error| error.to_string())?;
        (run.nodes(), run.statistics.iterations)
    };
    // Where there is no move there is no iteration.
    if nodes.is_empty() {
        nodes.push(found);
    }
    Ok(Sequential { depth, step, nodes, seconds: watch.seconds() })
}
