//! `rookery lab`: the experiments of the papers as commands (inventory, section 14).
//!
//! An experiment is a function from a [`Lab`] to a [`Report`]. The laboratory gives it threads, a seed and a
//! memory of finished searches; the report is written in one way for all of them.

mod aspiration;
mod commands;
mod darksight;
mod deep;
mod deepening;
mod endgames;
mod enhancements;
mod equal_strength;
mod figures;
mod hypercube;
mod memory;
mod ordering;
mod pingpong;
mod positions;
mod printed;
mod report;
mod selectivity;
mod simulated;
mod statistics;
mod strategies;
mod work;
mod zugzwang;

use crate::arguments::LabArguments;
use crate::failure::Failure;
use crate::interrupt;
use cluster::Link;
use report::{Provenance, Report};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
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

const EXPERIMENTS: [Experiment; 12] = [
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
        about: "all strategies on one simulated machine and on real threads, by time to depth and to equal strength",
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
    Experiment {
        name: "selectivity",
        about: "fail-high reductions, the null move, neither and both",
        source: "Zugzwang, section 2, and the DarkSight thesis, section 3.3",
        run: selectivity::run,
    },
    Experiment {
        name: "ordering",
        about: "how often the first move cuts, and how often the caches of the evaluation hit",
        source: "the DarkSight thesis, section 3.3.2, and Marsland's survey, section 3",
        run: ordering::run,
    },
    Experiment {
        name: "memory",
        about: "the size of the transposition table against depth, by scheme of replacement",
        source: "Marsland's survey, section 3.6 (e)",
        run: memory::run,
    },
    Experiment {
        name: "pingpong",
        about: "a message there and back, by its size: between threads, processes, simulated processors",
        source: "the DarkSight thesis, Figure 4.1 and Table 4.1",
        run: pingpong::run,
    },
    Experiment {
        name: "endgames",
        about: "the longest wins of small endings, by tables that are built for it",
        source: "Marsland's survey, Table 2",
        run: endgames::run,
    },
];

/// What can be asked for on the command line.
pub fn names() -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.name).chain(["all", "list"]).collect()
}

/// Runs the command.
pub fn run(
    arguments: &LabArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    if arguments.name == "list" {
        return match arguments.not_for_list() {
            Some(option) => Err(Failure::Usage(format!("`lab list` has no {option}"))),
            None => list(arguments.json, out),
        };
    }
    interrupt::listen();
    let chosen = |experiment: &&Experiment| experiment.name == arguments.name;
    match EXPERIMENTS.iter().find(chosen) {
        Some(experiment) => {
            let folder = Path::new("lab").join(experiment.name);
            let folder = arguments.out.as_deref().unwrap_or(&folder);
            let place = Place { label: experiment.name, folder, link };
            conduct(experiment, &place, arguments, out)?;
        }
        None => conduct_all(arguments, link, out)?,
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

/// Where an experiment is run.
struct Place<'a> {
    /// What stands beside the bar.
    label: &'a str,
    folder: &'a Path,
    link: Option<&'a Arc<Link>>,
}

/// Runs one experiment and writes its report.
fn conduct(
    experiment: &Experiment,
    &Place { label, folder, link }: &Place<'_>,
    arguments: &LabArguments,
    out: &mut impl Write,
) -> Result<String, Failure> {
    let begun = Instant::now();
    let lab = Lab::open(label, folder, arguments, link)?;
    let report = (experiment.run)(&lab)?;
    let seconds = begun.elapsed().as_secs_f64();
    let provenance = Provenance::new(experiment.name, experiment.source, arguments, seconds);
    let json = report.write(folder, &provenance)?;
    match arguments.json {
        true => out.write_all(json.as_bytes())?,
        false => writeln!(out, "{}: {}", experiment.name, folder.join("report.md").display())?,
    }
    out.flush()?;
    Ok(report.title)
}

fn conduct_all(
    arguments: &LabArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from("lab"));
    let mut page = "# The laboratory\n\n".to_owned();
    for (experiment, number) in EXPERIMENTS.iter().zip(1..) {
        let Experiment { name, source, .. } = experiment;
        let label = format!("{name} ({number} of {})", EXPERIMENTS.len());
        let place = Place { label: &label, folder: &folder.join(name), link };
        let title = conduct(experiment, &place, arguments, out)?;
        page += &format!("- [{title}]({name}/report.md): {source}\n");
    }
    let page_file = folder.join("README.md");
    report::write_file(&page_file, &page)?;
    if !arguments.json {
        writeln!(out, "all: {}", page_file.display())?;
    }
    Ok(())
}
