//! `rookery suite`: solving the positions of a file.

mod record;
mod report;
mod rival;
mod solve;

use crate::arguments::{Evaluation, SuiteArguments};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::input;
use crate::interrupt;
use crate::json;
use crate::network;
use crate::progress::Progress;
use cluster::Link;
use lab::workers::{Stop, as_they_come};
use record::{Broken, Problem};
use report::Report;
use solve::Solution;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use rival::{ENDLESS, Rival};
pub use solve::Limit;

/// Time for a position unless something else is asked for.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// More than a week for one position is a mistake.
const LONGEST_SECONDS: f64 = 604_800.0;

/// Reads the argument of `--time`.
pub fn read_seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST_SECONDS => {
            Ok(Duration::from_secs_f64(seconds))
        }
        _ => Err(format!("expected seconds, more than 0 and at most {LONGEST_SECONDS}")),
    }
}

/// Runs the command.
pub fn run(
    arguments: &SuiteArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let name = input::name(&arguments.file);
    let (problems, broken) = record::read(&arguments.file)
        .map_err(|error| Failure::Work(input::unreadable(&name, &error)))?;
    if problems.is_empty() && broken.is_empty() {
        return Err(Failure::Work(format!("{name} holds no positions")));
    }
    if let ([], [first, ..]) = (&problems[..], &broken[..]) {
        let first = format!("line {}: {}", first.line, first.reason);
        return Err(Failure::Work(input::wrong_kind(&name, "a list of problems (EPD)", &first)));
    }
    if !arguments.json {
        broken.iter().try_for_each(|Broken { line, reason }| {
            writeln!(out, "line {line}: error: {reason}")
        })?;
    }
    let limit = match (arguments.depth, arguments.nodes) {
        (Some(depth), _) => Limit::Depth(depth),
        (_, Some(nodes)) => Limit::Nodes(nodes),
        _ => Limit::Time(arguments.time.unwrap_or(DEFAULT_TIME)),
    };
    interrupt::listen();
    let begun = Instant::now();
    let solvers = solvers(arguments, link, problems.len())?;
    let who = solvers.first().map_or(String::new(), Solver::name);
    let solutions = solve_all(arguments, solvers, &problems, limit, out)?;
    let report = Report::new(
        arguments.file.display().to_string(),
        who,
        &problems,
        solutions,
        broken,
        begun.elapsed(),
    );
    match arguments.json {
        true => json::write(&report, out)?,
        false => report.write_summary(out)?,
    }
    match interrupt::requested() {
        true => Err(Failure::Interrupted),
        false if report.is_clean() => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::FAILURE),
    }
}

/// Who solves: our engine, or another program.
enum Solver {
    Own(Box<Engine>),
    Rival(Rival),
}

impl Solver {
    fn name(&self) -> String {
        match self {
            Solver::Own(engine) => engine.profile().to_string(),
            Solver::Rival(rival) => rival.name.clone(),
        }
    }

    /// Solves a problem; nothing after Ctrl-C.
    fn solve(&mut self, problem: &Problem, limit: Limit) -> Result<Option<Solution>, String> {
        let solution = match self {
            Solver::Own(engine) => solve::solve(engine, problem, limit),
            Solver::Rival(rival) => rival.solve(problem, limit).map(Some),
        };
        if interrupt::requested() { Ok(None) } else { solution }
    }
}

/// One for each thread, of all processes if the engine is ours, as far as there is work.
fn solvers(
    arguments: &SuiteArguments,
    link: Option<&Arc<Link>>,
    problems: usize,
) -> Result<Vec<Solver>, Failure> {
    let threads = usize::from(arguments.threads).min(problems);
    let solvers: Result<Vec<Solver>, String> = match &arguments.engine {
        Some(command) => {
            let start = |_| Ok(Solver::Rival(Rival::start(command, arguments.hash)?));
            (0..threads).map(start).collect()
        }
        None => {
            let chosen = arguments.evaluation.open(Evaluation::Net)?;
            network::share(chosen.as_ref(), link).map_err(Failure::Work)?;
            let network = chosen.map(|chosen| chosen.network);
            let own = |mut engine: Engine| {
                engine.set_network(network.clone());
                Solver::Own(Box::new(engine))
            };
            Engine::everywhere(arguments.profile, arguments.hash, threads as u32, link)
                .map(|all| all.into_iter().map(own).collect())
                .map_err(|reason| format!("--hash: {reason}"))
        }
    };
    match solvers {
        // Ctrl-C while a program starts: there are no solvers.
        Err(_) if interrupt::requested() => Ok(Vec::new()),
        solvers => solvers.map_err(Failure::Usage),
    }
}

/// Solves the problems with several engines; each takes the next free one. Lines are
/// written as solutions come in, in the order of the file.
fn solve_all(
    arguments: &SuiteArguments,
    solvers: Vec<Solver>,
    problems: &[Problem],
    limit: Limit,
    out: &mut impl Write,
) -> Result<Vec<Solution>, Failure> {
    let (bar, mut error) = (Progress::new(), None);
    let mut solutions: Vec<Option<Solution>> = problems.iter().map(|_| None).collect();
    let (mut done, mut written) = (0, 0);
    let workers = solvers.into_iter().map(|solver| || Ok(Some(solver)));
    // One that fails does no more; the others go on.
    let work = |solver: &mut Option<Solver>, index: u64, _: &Stop<'_>| {
        let mut one = solver.take();
        let solution =
            one.as_mut().map_or(Ok(None), |one| one.solve(&problems[index as usize], limit));
        *solver = one.filter(|_| solution.is_ok());
        Ok(solution.transpose())
    };
    let all = 0..problems.len() as u64;
    as_they_come(workers, all, &interrupt::requested, &work, |index, solution| {
        match solution {
            Ok(solution) => solutions[index as usize] = Some(solution),
            Err(reason) => {
                error = Some(reason);
                return Ok(true);
            }
        }
        while let Some((Some(solution), problem)) =
            solutions.get(written).zip(problems.get(written)).map(|(s, p)| (s.as_ref(), p))
        {
            if !arguments.json {
                bar.pause(|| solution.write(problem, out))?;
            }
            written += 1;
        }
        done += 1;
        bar.set(done, problems.len() as u64);
        Ok::<bool, Failure>(true)
    })?;
    // After Ctrl-C there may be some behind one that is missing.
    let rest = solutions.iter().zip(problems).skip(written);
    for (solution, problem) in rest.filter_map(|(s, p)| Some((s.as_ref()?, p))) {
        if !arguments.json {
            bar.pause(|| solution.write(problem, out))?;
        }
    }
    match error {
        Some(reason) => Err(Failure::Work(reason)),
        None => Ok(solutions.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_and_finite() {
        assert_eq!(read_seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["0", "-1", "inf", "NaN", "", "1s", "1e99"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }
}
