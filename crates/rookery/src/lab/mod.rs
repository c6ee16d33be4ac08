//! `rookery lab`: the experiments of the papers as commands (inventory, section 14).
//!
//! An experiment is a function from a [`Lab`] to a [`Report`]. The laboratory gives it threads, a seed and a
//! memory of finished searches; the report is written in one way for all of them.

mod aspiration;
mod darksight;
mod deep;
mod deepening;
mod enhancements;
mod figures;
mod hypercube;
mod positions;
mod printed;
mod report;
mod simulated;
mod statistics;
mod strategies;
mod work;
mod zugzwang;

use crate::arguments::LabArguments;
use crate::failure::Failure;
use crate::interrupt;
use report::{Provenance, Report};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use work::Lab;

/// An experiment.
#[derive(Serialize)]
struct Experiment {
    name: &'static str,
    /// What it shows, in one line.
    about: &'static str,
    /// Where it was published.
    source: &'static str,
    #[serde(skip)]
    run: fn(&Lab) -> Result<Report, Failure>,
}

const EXPERIMENTS: [Experiment; 7] = [
    Experiment {
        name: "zugzwang",
        about: "young brothers wait on up to 1024 simulated processors",
        source: "Zugzwang, Figures 4 and 5",
        run: zugzwang::run,
    },
    Experiment {
        name: "darksight",
        about: "transposition-driven scheduling, with the best grain for each number of processors",
        source: "the DarkSight thesis, Table 5.1 and Figures 5.7 to 5.10",
        run: darksight::run,
    },
    Experiment {
        name: "hypercube",
        about: "teams on up to 512 simulated processors, and what reorganising them gains",
        source: "Felten and Otto, Figure 6",
        run: hypercube::run,
    },
    Experiment {
        name: "strategies",
        about: "all strategies on one simulated machine",
        source: "the open question of all four papers",
        run: strategies::run,
    },
    Experiment {
        name: "enhancements",
        about: "what each enhancement of alpha-beta saves, by depth",
        source: "Marsland's survey, Figure 8",
        run: enhancements::run,
    },
    Experiment {
        name: "aspiration",
        about: "how far the value moves from one depth to the next, and which window costs least",
        source: "the DarkSight thesis, section 5.1",
        run: aspiration::run,
    },
    Experiment {
        name: "deep",
        about: "how often the best move changes with depth, and is one never seen before",
        source: "the DarkSight thesis, section 5.2",
        run: deep::run,
    },
];

/// What can be asked for on the command line.
pub fn names() -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.name).chain(["all", "list"]).collect()
}

/// Runs the command.
pub fn run(arguments: &LabArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if arguments.name == "list" {
        return list(arguments.json, out);
    }
    interrupt::listen();
    let chosen = |experiment: &&Experiment| experiment.name == arguments.name;
    match EXPERIMENTS.iter().find(chosen) {
        Some(experiment) => {
            let folder = Path::new("lab").join(experiment.name);
            conduct(experiment, arguments.out.as_deref().unwrap_or(&folder), arguments, out)?;
        }
        None => conduct_all(arguments, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    for experiment in &EXPERIMENTS {
        match json {
            true => crate::json::write(experiment, out)?,
            false => {
                let Experiment { name, about, source, .. } = experiment;
                writeln!(out, "{name:14}{about}\n{:14}{source}", "")?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one experiment and writes its report.
fn conduct(
    experiment: &Experiment,
    folder: &Path,
    arguments: &LabArguments,
    out: &mut impl Write,
) -> Result<String, Failure> {
    let begun = Instant::now();
    let lab = Lab::open(folder, arguments)?;
    let report = (experiment.run)(&lab)?;
    let seconds = begun.elapsed().as_secs_f64();
    let provenance = Provenance::new(experiment.name, experiment.source, arguments, seconds);
    report.write(folder, &provenance)?;
    writeln!(out, "{}: {}", experiment.name, folder.join("report.md").display())?;
    Ok(report.title)
}

fn conduct_all(arguments: &LabArguments, out: &mut impl Write) -> Result<(), Failure> {
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from("lab"));
    let mut page = "# The laboratory\n\n".to_owned();
    for experiment in &EXPERIMENTS {
        let Experiment { name, source, .. } = experiment;
        let title = conduct(experiment, &folder.join(name), arguments, out)?;
        page += &format!("- [{title}]({name}/report.md): {source}\n");
    }
    let page_file = folder.join("README.md");
    report::write_file(&page_file, &page)?;
    Ok(writeln!(out, "all: {}", page_file.display())?)
}
