//! `cargo xtask test`: everything that must hold before a change is sent in.
//!
//! One build serves all steps that run something: tests, doc tests, the clients, the cluster. So all of
//! them ask cargo for the same packages and features ([`Build`]), and none builds a part of it again.
//! The browser waits for pages and the dialogues over MPI for processes: they run at the same time ([`Lane`]).

mod build;
mod lane;
mod summary;

use crate::run::Cargo;
use crate::{bench, clients, cluster, endgame, tidy, tools, web};
use build::Build;
pub use build::dialogues_over_mpi;
use lane::Lane;
pub use lane::run_step;
use std::path::Path;
use std::time::{Duration, Instant};

/// The steps, in their order: what is quick to fail comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Step {
    Format,
    Tidy,
    Clippy,
    Build,
    Tests,
    Cluster,
    Clients,
    Web,
    Docs,
    Instructions,
}

/// The step beside which those run that mostly wait, or use one processor.
const ACCOMPANIED: Step = Step::Cluster;

/// How a step ended.
enum Outcome {
    Passed,
    /// Passed, but not as it should have been run.
    PassedBut(String),
    /// Failed: the command that repeats it.
    Failed(String),
    /// A tool is missing: which, and how to install it.
    Missing(String),
}

/// What the summary says of a step.
struct Line {
    step: Step,
    time: Duration,
    outcome: Outcome,
}

/// Runs the steps; whether all passed.
pub fn run(root: &Path, quick: bool) -> bool {
    let steps = Step::chosen(quick);
    let build = Build::choose(root, quick);
    let begun = Instant::now();
    let mut lines = Vec::new();
    let mut lane = None;
    for (index, &step) in steps.iter().enumerate() {
        println!("\n== {} ({} of {}) ==", step.name(), index + 1, steps.len());
        if step == ACCOMPANIED {
            lane = Some(Lane::start(root, steps.iter().filter(|step| step.waits()).copied()));
        }
        let start = Instant::now();
        let line = match lane.as_ref().filter(|_| step.waits()) {
            Some(lane) => lane.next(step),
            None => {
                let outcome = step.run(root, &build);
                Line { step, time: start.elapsed(), outcome }
            }
        };
        let bad = line.is_bad();
        lines.push(line);
        if bad {
            break;
        }
    }
    drop(lane);
    print!("{}", summary::text(&lines, steps, begun.elapsed()));
    lines.len() == steps.len() && !lines.iter().any(Line::is_bad)
}

impl Step {
    fn chosen(quick: bool) -> &'static [Step] {
        use Step::{Clients, Clippy, Cluster, Docs, Format, Instructions, Tests, Tidy, Web};
        match quick {
            false => &[
                Format,
                Tidy,
                Clippy,
                Step::Build,
                Tests,
                Cluster,
                Clients,
                Web,
                Docs,
                Instructions,
            ],
            true => &[Format, Tidy, Step::Build, Tests],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Step::Format => "formatting",
            Step::Tidy => "tidiness",
            Step::Clippy => "clippy",
            Step::Build => "build",
            Step::Tests => "tests",
            Step::Clients => "clients",
            Step::Web => "browser",
            Step::Cluster => "cluster",
            Step::Docs => "doc tests",
            Step::Instructions => "instructions",
        }
    }

    /// As the command line has it.
    fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Whether it runs beside another one.
    fn waits(self) -> bool {
        matches!(self, Step::Clients | Step::Web | Step::Docs | Step::Instructions)
    }

    fn run(self, root: &Path, build: &Build) -> Outcome {
        match self {
            Step::Format => {
                let command = Cargo::new("fmt --all --check");
                with_component(root, "rustfmt", "fmt", &command)
            }
            Step::Tidy if tidy::run(root) => Outcome::Passed,
            Step::Tidy => Outcome::Failed("cargo xtask tidy".to_owned()),
            Step::Clippy => match with_component(root, "clippy", "clippy", &build.lint()) {
                Outcome::Passed => call(root, &Build::lint_as_released()),
                failed => failed,
            },
            Step::Build => call(root, &build.compile()),
            Step::Tests => tests(root, build),
            Step::Clients => other_clients(root),
            Step::Web => in_a_browser(root),
            Step::Cluster => over_mpi(root, build),
            Step::Docs => call(root, &build.doc_tests()),
            Step::Instructions => instructions(root),
        }
    }
}

fn call(root: &Path, command: &Cargo) -> Outcome {
    println!("{command}");
    if command.run(root) { Outcome::Passed } else { Outcome::Failed(command.to_string()) }
}

fn with_component(root: &Path, component: &str, subcommand: &str, command: &Cargo) -> Outcome {
    match tools::component(root, component, subcommand) {
        Ok(()) => call(root, command),
        Err(missing) => Outcome::Missing(missing),
    }
}

fn tests(root: &Path, build: &Build) -> Outcome {
    let outcome = call(root, &build.tests());
    if build.has_nextest() {
        return outcome;
    }
    let warning = "WITHOUT cargo-nextest, which is missing and could not be installed";
    eprintln!("xtask: WARNING: tested with plain `cargo test`, {warning}");
    match outcome {
        Outcome::Passed => Outcome::PassedBut(warning.to_owned()),
        other => other,
    }
}

/// The program under mpirun. Everything else can be tested without an MPI.
fn over_mpi(root: &Path, build: &Build) -> Outcome {
    match build.without_mpi() {
        None => match cluster::quick(root, &build.dialogues_over_mpi()) {
            Ok(()) => Outcome::Passed,
            Err(command) => Outcome::Failed(command),
        },
        Some(missing) => {
            eprintln!("xtask: WARNING: SKIPPED all tests of the cluster under mpirun: {missing}");
            Outcome::PassedBut(format!("SKIPPED: {missing}"))
        }
    }
}

/// A short conversation with another program. Everything else can be tested without a Python.
fn other_clients(root: &Path) -> Outcome {
    match clients::python(root) {
        Ok(python) if !clients::quick(root, &python) => {
            Outcome::Failed("cargo xtask clients".to_owned())
        }
        Ok(python) if !endgame::quick(root, &python) => {
            Outcome::Failed("cargo xtask endgame oracles".to_owned())
        }
        Ok(_) => Outcome::Passed,
        Err(missing) => {
            eprintln!("xtask: WARNING: SKIPPED the conversation with other clients: {missing}");
            Outcome::PassedBut(format!("SKIPPED: {missing}"))
        }
    }
}

/// The cost of a node, where it can be counted and compared.
fn instructions(root: &Path) -> Outcome {
    match bench::instructions::gate(root) {
        Ok(None) => Outcome::Passed,
        Ok(Some(why)) => {
            eprintln!("xtask: WARNING: SKIPPED the count of instructions: {why}");
            Outcome::PassedBut(format!("SKIPPED: {why}"))
        }
        Err(reason) => {
            eprintln!("xtask: {reason}");
            Outcome::Failed("cargo xtask bench instructions --tests".to_owned())
        }
    }
}

/// The page, built and in a browser. Everything else can be tested without a Node.
fn in_a_browser(root: &Path) -> Outcome {
    match web::quick(root) {
        Ok(()) => Outcome::Passed,
        Err(web::Problem::Failed(command)) => Outcome::Failed(command),
        Err(web::Problem::Skipped(missing)) => {
            eprintln!("xtask: WARNING: SKIPPED tests of the page: {missing}");
            Outcome::PassedBut(format!("SKIPPED: {missing}"))
        }
    }
}

impl Outcome {
    fn is_bad(&self) -> bool {
        matches!(self, Outcome::Failed(_) | Outcome::Missing(_))
    }
}

impl Line {
    fn is_bad(&self) -> bool {
        self.outcome.is_bad()
    }
}

#[cfg(test)]
mod tests {
    use super::Step;

    #[test]
    fn the_quick_run_leaves_out_what_needs_other_builds_or_programs() {
        let left_out: Vec<Step> = Step::chosen(false)
            .iter()
            .filter(|step| !Step::chosen(true).contains(step))
            .copied()
            .collect();
        use Step::{Clients, Clippy, Cluster, Docs, Instructions, Web};
        assert_eq!(left_out, [Clippy, Cluster, Clients, Web, Docs, Instructions]);
    }
}
