//! `cargo xtask test`: everything that must hold before a change is sent in.

use crate::run::Cargo;
use crate::{clients, cluster, endgame, tidy, tools};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// The steps, in their order: what is quick to fail comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Format,
    Clippy,
    Tidy,
    Tests,
    Clients,
    Cluster,
    Docs,
}

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
    let mut lines = Vec::new();
    for (index, &step) in steps.iter().enumerate() {
        println!("\n== {} ({} of {}) ==", step.name(), index + 1, steps.len());
        let start = Instant::now();
        let outcome = step.run(root);
        let bad = matches!(outcome, Outcome::Failed(_) | Outcome::Missing(_));
        lines.push(Line { step, time: start.elapsed(), outcome });
        if bad {
            break;
        }
    }
    print!("{}", summary(&lines, steps));
    lines.len() == steps.len() && !lines.iter().any(Line::is_bad)
}

impl Step {
    fn chosen(quick: bool) -> &'static [Step] {
        match quick {
            false => {
                use Step::{Clients, Clippy, Cluster, Docs, Format, Tests, Tidy};
                &[Format, Clippy, Tidy, Tests, Clients, Cluster, Docs]
            }
            true => &[Step::Format, Step::Tidy, Step::Tests],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Step::Format => "formatting",
            Step::Clippy => "clippy",
            Step::Tidy => "tidiness",
            Step::Tests => "tests",
            Step::Cluster => "cluster",
            Step::Clients => "clients",
            Step::Docs => "doc tests",
        }
    }

    fn run(self, root: &Path) -> Outcome {
        match self {
            Step::Format => {
                let command = Cargo::new("fmt --all --check");
                with_component(root, "rustfmt", "fmt", &command)
            }
            Step::Clippy => {
                let command = Cargo::new("clippy --workspace --all-targets -- -D warnings");
                match with_component(root, "clippy", "clippy", &command) {
                    // What only tuners need is built with a feature of its own.
                    Outcome::Passed => call(
                        root,
                        &Cargo::new("clippy -p lab -p rookery --all-targets --features tune")
                            .argument("--")
                            .argument("-Dwarnings"),
                    ),
                    failed => failed,
                }
            }
            Step::Tidy if tidy::run(root) => Outcome::Passed,
            Step::Tidy => Outcome::Failed("cargo xtask tidy".to_owned()),
            Step::Tests => tests(root),
            Step::Cluster => over_mpi(root),
            Step::Clients => other_clients(root),
            Step::Docs => call(root, &Cargo::new("test --doc --workspace")),
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

fn tests(root: &Path) -> Outcome {
    if tools::nextest(root) {
        return call(root, &Cargo::new("nextest run --workspace"));
    }
    let warning = "WITHOUT cargo-nextest, which is missing and could not be installed";
    eprintln!("xtask: WARNING: testing with plain `cargo test`, {warning}");
    match call(root, &Cargo::new("test --workspace --all-targets")) {
        Outcome::Passed => Outcome::PassedBut(warning.to_owned()),
        other => other,
    }
}

/// The program under mpirun. Who has no MPI tests everything else.
fn over_mpi(root: &Path) -> Outcome {
    match tools::mpi() {
        Ok(()) => match cluster::quick(root) {
            Ok(()) => Outcome::Passed,
            Err(command) => Outcome::Failed(command),
        },
        Err(missing) => {
            eprintln!("xtask: WARNING: SKIPPED all tests of the cluster under mpirun: {missing}");
            Outcome::PassedBut(format!("SKIPPED: {missing}"))
        }
    }
}

/// A short conversation with another program. Who has no Python tests everything else.
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

impl Line {
    fn is_bad(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_) | Outcome::Missing(_))
    }
}

/// The times of the steps, and a last line that says what to do.
fn summary(lines: &[Line], steps: &[Step]) -> String {
    let mut text = String::from("\n== summary ==\n");
    let mut advice = None;
    for line in lines {
        let (word, note) = match &line.outcome {
            Outcome::Passed => ("ok", String::new()),
            Outcome::PassedBut(note) => ("ok", format!("  ({note})")),
            Outcome::Failed(command) => {
                advice = Some(format!("repeat it with: {command}"));
                ("FAILED", String::new())
            }
            Outcome::Missing(what) => {
                advice = Some(what.clone());
                ("MISSING", String::new())
            }
        };
        let (name, seconds) = (line.step.name(), line.time.as_secs_f64());
        let _ = writeln!(text, "{name:<12} {word:<8} {seconds:>7.1} s{note}");
    }
    for step in &steps[lines.len()..] {
        let _ = writeln!(text, "{:<12} not run", step.name());
    }
    let total: Duration = lines.iter().map(|line| line.time).sum();
    let seconds = total.as_secs_f64();
    let _ = match (advice, lines.last()) {
        (Some(advice), Some(last)) => {
            let name = last.step.name();
            writeln!(text, "xtask: the step `{name}` failed after {seconds:.1} s; {advice}")
        }
        _ => writeln!(text, "xtask: all steps passed in {seconds:.1} s"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(step: Step, outcome: Outcome) -> Line {
        Line { step, time: Duration::from_millis(1500), outcome }
    }

    #[test]
    fn the_quick_run_leaves_out_clippy_the_cluster_the_clients_and_the_doc_tests() {
        let left_out: Vec<Step> = Step::chosen(false)
            .iter()
            .filter(|step| !Step::chosen(true).contains(step))
            .copied()
            .collect();
        assert_eq!(left_out, [Step::Clippy, Step::Clients, Step::Cluster, Step::Docs]);
    }

    #[test]
    fn the_summary_gives_the_time_of_each_step() {
        let lines = [
            line(Step::Format, Outcome::Passed),
            line(Step::Tests, Outcome::PassedBut("without a tool".to_owned())),
        ];
        assert_eq!(
            summary(&lines, &[Step::Format, Step::Tests]),
            "\n== summary ==\n\
             formatting   ok           1.5 s\n\
             tests        ok           1.5 s  (without a tool)\n\
             xtask: all steps passed in 3.0 s\n"
        );
    }

    #[test]
    fn the_summary_names_the_step_that_failed_and_how_to_repeat_it() {
        let failed = Outcome::Failed("cargo fmt --all --check".to_owned());
        assert_eq!(
            summary(&[line(Step::Format, failed)], &[Step::Format, Step::Tidy]),
            "\n== summary ==\n\
             formatting   FAILED       1.5 s\n\
             tidiness     not run\n\
             xtask: the step `formatting` failed after 1.5 s; repeat it with: cargo fmt --all --check\n"
        );
    }

    #[test]
    fn a_missing_tool_is_named() {
        let missing = Outcome::Missing("clippy is missing".to_owned());
        let text = summary(&[line(Step::Clippy, missing)], &[Step::Clippy]);
        assert!(
            text.ends_with("the step `clippy` failed after 1.5 s; clippy is missing\n"),
            "{text}"
        );
    }
}
