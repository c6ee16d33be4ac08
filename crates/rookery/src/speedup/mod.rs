//! `rookery speedup`: several threads against the sequential search, to the same depth.

mod report;

use crate::arguments::SpeedupArguments;
use crate::counted::counted;
use crate::engine::on_search_stack;
use crate::failure::Failure;
use crate::hosts::ProcessCommand;
use crate::interrupt::{self, unwatched};
use crate::json;
use crate::memory;
use crate::progress;
use crate::sim::{positions, say};
use board::{History, Position};
use cluster::{Link, Traffic};
use eval::nnue::embedded;
use parallel::StrategyKind;
use parallel::threads::{Settings, ThreadPool, Uplink};
use report::{Measured, Report};
use search::{Iteration, Limits, Observer, Outcome, Progress, Report as LineReport, Worker};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::AnyTable;

/// Runs the command.
pub fn run(
    arguments: &SpeedupArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let mut positions = positions(arguments.positions.as_deref())?;
    arguments.sharing.apply(link)?;
    positions.truncate(arguments.first.unwrap_or(usize::MAX));
    if arguments.depth.len() > 1 && arguments.depth.len() != positions.len() {
        let (depths, positions) = (arguments.depth.len(), counted(positions.len(), "position"));
        let reason = format!("--depth: {depths} numbers for {positions}");
        return Err(Failure::Usage(reason));
    }
    memory::check_free(arguments.hash)
        .map_err(|reason| Failure::Usage(format!("--hash: {reason}")))?;
    interrupt::listen();
    if !arguments.json {
        report::write_head(arguments, positions.len(), out)?;
        out.flush()?;
    }
    let measurement = on_search_stack(|| Trial::new(arguments, &positions, link)?.measure());
    let Measurement { reports, searched, wanted } = measurement?;
    let mut notes: Vec<String> = report::too_short(&reports, searched).into_iter().collect();
    if searched < wanted {
        notes.push(format!(
            "interrupted after {searched} of {} over a position",
            counted(wanted, "round")
        ));
    }
    match arguments.json {
        true => reports.iter().try_for_each(|report| json::write(report, out))?,
        false => report::write(&reports, out)?,
    }
    say(&notes, arguments.json, out)?;
    if searched < wanted { Err(Failure::Interrupted) } else { Ok(ExitCode::SUCCESS) }
}

/// What was measured until the end or until Ctrl-C. In a round a position is searched in every way.
struct Measurement {
    reports: Vec<Report>,
    searched: usize,
    wanted: usize,
}

/// What is measured, with what.
struct Trial<'a> {
    arguments: &'a SpeedupArguments,
    positions: &'a [Position],
    table: Arc<AnyTable>,
    /// Ways of searching, each with a number of processes.
    ways: Vec<(u32, Settings)>,
    bar: progress::Progress,
    done: u64,
    /// Other processes that search with this one.
    link: Option<&'a Arc<Link>>,
    /// What had been sent after the last search.
    sent: Traffic,
}

/// Ends a search after the first iteration that ends beyond a time.
struct Until(Instant);

impl Observer for Until {
    fn should_stop(&mut self, _: &Progress) -> bool {
        interrupt::requested()
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &LineReport<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        Instant::now() < self.0 && !interrupt::requested()
    }
}

impl<'a> Trial<'a> {
    fn new(
        arguments: &'a SpeedupArguments,
        positions: &'a [Position],
        link: Option<&'a Arc<Link>>,
    ) -> Result<Trial<'a>, String> {
        let (policy, hash) = (arguments.profile.policy(), arguments.hash);
        let table = match link {
            None => AnyTable::new(policy, hash),
            Some(link) => {
                let (profile, hash_mb, number) = (arguments.profile, hash, link.next_table());
                let table = link.make_table(policy, hash_mb, number);
                link.command(&ProcessCommand::Begin { profile, hash_mb, table: number });
                link.share_remote_grain(arguments.remote_grain.unwrap_or(0));
                table
            }
        };
        let table = Arc::new(table.map_err(|error| format!("--hash: {error}"))?);
        let ways = ways(arguments, link.map_or(1, |link| link.place().processes))?;
        let (bar, sent) = (progress::Progress::new(), Traffic::default());
        Ok(Trial { arguments, positions, table, ways, bar, done: 0, link, sent })
    }

    /// One search of all is done.
    fn tick(&mut self) {
        self.done += 1;
        let each = u64::from(self.arguments.repetitions) * (self.ways.len() as u64 + 1);
        let calibrations = u64::from(self.arguments.depth.is_empty());
        self.bar.set(self.done, self.positions.len() as u64 * (each + calibrations));
    }

    fn measure(mut self) -> Result<Measurement, String> {
        let depths = self.depths();
        let repetitions = self.arguments.repetitions as usize;
        let mut sequential = vec![Measured::default(); repetitions];
        let mut parallel = vec![vec![Measured::default(); repetitions]; self.ways.len()];
        let (positions, ways) = (self.positions, self.ways.clone());
        let (mut searched, wanted) = (0_usize, repetitions * positions.len());
        let rounds = (0..repetitions).flat_map(|repetition| {
            positions
                .iter()
                .zip(&depths)
                .map(move |(position, &depth)| (repetition, position, depth))
        });
        for (repetition, position, depth) in rounds {
            let alone = self.search_alone(position, depth);
            let together: Result<Vec<_>, String> =
                ways.iter().map(|&way| self.search_together(way, position, depth)).collect();
            let together = together?;
            // What Ctrl-C has cut off is not counted, nor what stands beside it.
            if interrupt::requested() {
                break;
            }
            sequential[repetition].add(alone);
            for ((time, nodes, sent), runs) in together.into_iter().zip(&mut parallel) {
                runs[repetition].add((time, nodes));
                runs[repetition].sent = runs[repetition].sent.plus(&sent);
            }
            searched += 1;
        }
        let begun = searched.div_ceil(positions.len().max(1));
        sequential.truncate(begun);
        parallel.iter_mut().for_each(|runs| runs.truncate(begun));
        let runs = ways.into_iter().zip(&parallel).filter(|_| begun > 0);
        let reports = runs
            .map(|((processes, settings), runs)| {
                let report = Report::new(settings, processes, &sequential, runs, &depths);
                report.with_exchange(self.link.map(|link| link.table()), runs)
            })
            .collect();
        Ok(Measurement { reports, searched, wanted })
    }

    /// How deep each position is searched.
    fn depths(&mut self) -> Vec<i32> {
        match self.arguments.depth[..] {
            [] => (),
            [depth] => return vec![depth; self.positions.len()],
            _ => return self.arguments.depth.clone(),
        }
        let effort = Duration::from_secs_f64(self.arguments.effort);
        let mut depths = Vec::new();
        for position in self.positions {
            self.clear();
            let mut worker = self.worker();
            let mut host = Until(Instant::now() + effort);
            let limits = Limits::default();
            let found = worker.search(&self.table, position, &History::new(), &limits, &mut host);
            depths.push(found.depth);
            self.tick();
        }
        depths
    }

    /// One that searches alone, by what the engine plays with.
    fn worker(&self) -> Worker {
        let mut worker = Worker::new(self.arguments.profile);
        worker.set_network(Some(embedded()));
        worker
    }

    fn clear(&self) {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        self.table.clear(threads);
    }

    fn search_alone(&mut self, position: &Position, depth: i32) -> (Duration, u64) {
        self.clear();
        let mut worker = self.worker();
        let limits = limits(depth);
        let timed = time(|| {
            worker.search(&self.table, position, &History::new(), &limits, &mut unwatched())
        });
        self.tick();
        timed
    }

    fn search_together(
        &mut self,
        (processes, settings): (u32, Settings),
        position: &Position,
        depth: i32,
    ) -> Result<(Duration, u64, Traffic), String> {
        let mut pool = ThreadPool::new(self.arguments.profile, settings)?;
        pool.set_network(Some(Arc::clone(embedded())));
        // The sequential search has its memory before the clock runs too.
        pool.prepare(&self.table);
        if let Some(link) = self.link {
            link.share_search(processes);
            pool.connect(Some(Arc::clone(link) as _));
            link.command(&ProcessCommand::NewGame);
            // They are to begin together.
            link.sync();
        }
        self.clear();
        let limits = limits(depth);
        let (elapsed, _) =
            time(|| pool.search(&self.table, position, &History::new(), &limits, &mut unwatched()));
        // Threads count to the end: a little more than the answer knew.
        let nodes = pool.reports().iter().map(|report| report.nodes).sum();
        let sent = self.link.map_or_else(Traffic::default, |link| {
            let after = link.traffic_of_all();
            after.since(&std::mem::replace(&mut self.sent, after))
        });
        self.tick();
        Ok((elapsed, nodes, sent))
    }
}

/// All ways of searching that are asked for; `all` is the number of processes that were started.
fn ways(arguments: &SpeedupArguments, all: u32) -> Result<Vec<(u32, Settings)>, String> {
    if let Some(more) = arguments.processes.iter().find(|&&processes| processes > all) {
        return Err(format!("--processes {more}: there are {all}; start more with mpirun"));
    }
    let counts = match arguments.processes.is_empty() {
        true => vec![all],
        false => arguments.processes.clone(),
    };
    let mut ways = Vec::new();
    for &strategy in &arguments.strategies {
        if arguments.grain == Some(0) && strategy != StrategyKind::Tds {
            return Err(format!("--grain 0: only tds chooses the grain by itself, not {strategy}"));
        }
        for &processes in &counts {
            for &threads in &arguments.threads {
                let usual = Settings::new(strategy, threads);
                let grain = arguments.grain.unwrap_or(usual.grain);
                let extras = arguments.extras;
                let deferral = arguments.deferral.unwrap_or(usual.deferral);
                ways.push((processes, Settings { grain, deferral, extras, ..usual }));
            }
        }
    }
    Ok(ways)
}

fn limits(depth: i32) -> Limits {
    Limits { depth: Some(depth), lines: 1, ..Limits::default() }
}

fn time(search: impl FnOnce() -> Outcome) -> (Duration, u64) {
    let begun = Instant::now();
    let found = search();
    (begun.elapsed(), found.nodes)
}
