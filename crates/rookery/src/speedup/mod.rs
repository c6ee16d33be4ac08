//! `rookery speedup`: several threads against the sequential search, to the same depth.

mod report;

use crate::arguments::SpeedupArguments;
use crate::engine::STACK;
use crate::failure::Failure;
use crate::json;
use crate::memory;
use crate::progress;
use crate::sim::{BRATKO_KOPEC, read_positions, read_text};
use board::{History, Position};
use cluster::{Link, Traffic};
use parallel::StrategyKind;
use parallel::threads::{Settings, Team};
use report::{Measured, Report};
use search::{Host, Iteration, Limits, Outcome, Progress, Quiet, Report as LineReport, Worker};
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
    let mut positions = match &arguments.positions {
        Some(path) => read_positions(&read_text(path)?, &path.display().to_string())?,
        None => read_positions(BRATKO_KOPEC, "the built-in positions")?,
    };
    arguments.sharing.apply(link)?;
    positions.truncate(arguments.first.unwrap_or(usize::MAX).max(1));
    memory::check_free(arguments.hash)
        .map_err(|reason| Failure::Usage(format!("--hash: {reason}")))?;
    let reports = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let work = || Trial::new(arguments, &positions, link)?.measure();
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("the system gives no thread: {error}"))?;
        thread.join().unwrap_or_else(|_| Err("the measurement failed: please report it".to_owned()))
    });
    let reports = reports.map_err(Failure::Work)?;
    match arguments.json {
        true => reports.iter().try_for_each(|report| json::write(report, out))?,
        false => report::write(arguments, positions.len(), &reports, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is measured, with what.
struct Trial<'a> {
    arguments: &'a SpeedupArguments,
    positions: &'a [Position],
    table: Arc<AnyTable>,
    settings: Vec<Settings>,
    bar: progress::Progress,
    done: u64,
    /// Other processes that search with this one.
    link: Option<&'a Arc<Link>>,
    /// What had been sent after the last search.
    sent: Traffic,
}

/// Ends a search after the first iteration that ends beyond a time.
struct Until(Instant);

impl Host for Until {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }

    fn report(&mut self, _: &LineReport<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        Instant::now() < self.0
    }
}

impl<'a> Trial<'a> {
    fn new(
        arguments: &'a SpeedupArguments,
        positions: &'a [Position],
        link: Option<&'a Arc<Link>>,
    ) -> Result<Trial<'a>, String> {
        let table = AnyTable::new(arguments.profile.policy(), arguments.hash);
        let table = Arc::new(table.map_err(|error| format!("--hash: {error}"))?);
        if arguments.grain == Some(0)
            && arguments.strategies.iter().any(|&it| it != StrategyKind::Tds)
        {
            return Err("--grain 0: only tds chooses the grain by itself".to_owned());
        }
        let strategies = arguments.strategies.iter();
        let pairs = strategies.flat_map(|&strategy| {
            arguments.threads.iter().map(move |&threads| Settings::new(strategy, threads))
        });
        let settings = pairs.map(|settings| Settings {
            grain: arguments.grain.unwrap_or(settings.grain),
            deferral: arguments.deferral.unwrap_or(settings.deferral),
            ..settings
        });
        let bar = progress::Progress::new(1);
        if let Some(link) = link {
            link.order(&format!("profile {}", arguments.profile));
            link.order(&format!("hash {}", arguments.hash));
            link.share_far_grain(arguments.far_grain.unwrap_or(0));
        }
        let (settings, sent) = (settings.collect(), Traffic::default());
        Ok(Trial { arguments, positions, table, settings, bar, done: 0, link, sent })
    }

    /// One search of all is done.
    fn tick(&mut self) {
        self.done += 1;
        let each = u64::from(self.arguments.repetitions) * (self.settings.len() as u64 + 1);
        let calibrations = u64::from(self.arguments.depth.is_none());
        self.bar.set(self.done, self.positions.len() as u64 * (each + calibrations));
    }

    fn measure(mut self) -> Result<Vec<Report>, String> {
        let depths = self.depths();
        let repetitions = self.arguments.repetitions as usize;
        let mut sequential = vec![Measured::default(); repetitions];
        let mut parallel = vec![vec![Measured::default(); repetitions]; self.settings.len()];
        let settings = self.settings.clone();
        for (repetition, alone) in sequential.iter_mut().enumerate() {
            for (position, &depth) in self.positions.iter().zip(&depths) {
                alone.add(self.search_alone(position, depth));
                for (&settings, runs) in settings.iter().zip(&mut parallel) {
                    let (time, nodes, sent) = self.search_together(settings, position, depth)?;
                    runs[repetition].add((time, nodes));
                    runs[repetition].sent.add(&sent);
                }
            }
        }
        let processes = self.link.map_or(1, |link| link.others().count() as u32 + 1);
        let runs = settings.into_iter().zip(&parallel);
        Ok(runs
            .map(|(settings, runs)| {
                let report = Report::new(settings, processes, &sequential, runs, &depths);
                report.with_exchange(self.link.map(|link| link.table()), runs)
            })
            .collect())
    }

    /// How deep each position is searched.
    fn depths(&mut self) -> Vec<i32> {
        if let Some(depth) = self.arguments.depth {
            return vec![depth; self.positions.len()];
        }
        let effort = Duration::from_secs_f64(self.arguments.effort);
        let mut depths = Vec::new();
        for position in self.positions {
            self.clear();
            let mut worker = Worker::new(self.arguments.profile);
            let mut host = Until(Instant::now() + effort);
            let limits = Limits::default();
            let found = worker.search(&self.table, position, &History::new(), &limits, &mut host);
            depths.push(found.depth);
            self.tick();
        }
        depths
    }

    fn clear(&self) {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        self.table.clear(threads);
    }

    fn search_alone(&mut self, position: &Position, depth: i32) -> (Duration, u64) {
        self.clear();
        let mut worker = Worker::new(self.arguments.profile);
        let limits = limits(depth);
        let timed =
            time(|| worker.search(&self.table, position, &History::new(), &limits, &mut Quiet));
        self.tick();
        timed
    }

    fn search_together(
        &mut self,
        settings: Settings,
        position: &Position,
        depth: i32,
    ) -> Result<(Duration, u64, Traffic), String> {
        let mut team = Team::new(self.arguments.profile, settings)?;
        // The sequential search has its memory before the clock runs too.
        team.prepare(&self.table);
        if let Some(link) = self.link {
            team.connect(Some(Arc::clone(link) as _));
            link.order("newgame");
            // They are to begin together.
            link.sync();
        }
        self.clear();
        let limits = limits(depth);
        let (elapsed, _) =
            time(|| team.search(&self.table, position, &History::new(), &limits, &mut Quiet));
        // Threads count to the end: a little more than the answer knew.
        let nodes = team.reports().iter().map(|report| report.nodes).sum();
        let sent = self.link.map_or_else(Traffic::default, |link| {
            let after = link.traffic_of_all();
            after.since(&std::mem::replace(&mut self.sent, after))
        });
        self.tick();
        Ok((elapsed, nodes, sent))
    }
}

fn limits(depth: i32) -> Limits {
    Limits { depth: Some(depth), lines: 1, ..Limits::default() }
}

fn time(search: impl FnOnce() -> Outcome) -> (Duration, u64) {
    let begun = Instant::now();
    let found = search();
    (begun.elapsed(), found.nodes)
}
