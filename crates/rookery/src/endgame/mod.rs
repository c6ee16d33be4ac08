//! `rookery endgame`: tables are built, checked and asked.

mod bar;
mod bench;
mod build;
mod check;
mod files;
mod line;
mod play;
mod probe;
mod recognisers;
mod records;
mod stages;
mod stats;
mod table2;

use crate::arguments::position::RequiredPosition;
use crate::arguments::{EndgameArguments, EndgameCommand, PlayArguments};
use crate::failure::Failure;
use crate::plain;
use ::endgame::{Ending, Tables};
use cluster::Link;
use search::Limits;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

pub use probe::Sources;

/// Runs the command.
pub fn run(
    arguments: &EndgameArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let json = arguments.json;
    match &arguments.command {
        EndgameCommand::Build {
            endings,
            men,
            metrics,
            memory,
            checkpoint,
            plan,
            processors,
            simulated,
        } => {
            let settings = build::BuildSettings {
                endings: build::wanted(endings, *men)?,
                metrics: metrics.iter().map(|&name| name.into()).collect(),
                memory_mb: *memory,
                checkpoint_seconds: *checkpoint,
                plan_only: *plan,
                processors: *processors,
                simulated: *simulated,
            };
            build::run(arguments, &settings, link, out)
        }
        EndgameCommand::Info => files::info(&open(arguments)?, json, out),
        EndgameCommand::Verify => files::verify(&open(arguments)?, threads(arguments), json, out),
        EndgameCommand::Probe { position, syzygy } => {
            probe(arguments, position, syzygy.as_deref(), out)
        }
        EndgameCommand::Line { position } => {
            let position = position.read()?.position;
            line::line(&open(arguments)?, &position, json, out)
        }
        EndgameCommand::Stats { endings } => {
            stats::run(&open(arguments)?, &parse(endings)?, json, out)
        }
        EndgameCommand::Table2 => table2::run(&open(arguments)?, json, out),
        EndgameCommand::Check { epd: Some(file), .. } => {
            records::run(&open(arguments)?, file, json, out)
        }
        EndgameCommand::Check { syzygy, positions, seed, .. } => {
            let sample = check::Sample { positions: *positions, seed: *seed };
            let folder = syzygy.as_deref().unwrap_or_default();
            check::syzygy(&open(arguments)?, folder, sample, json, out)
        }
        EndgameCommand::Bench { syzygy, probes, nodes, seed } => {
            let settings = bench::BenchSettings {
                dir: &arguments.dir,
                syzygy: syzygy.as_deref(),
                probes: *probes,
                nodes: *nodes,
                seed: *seed,
            };
            bench::run(&settings, json, out)
        }
        EndgameCommand::Stages { endings, out: folder } => {
            stages::run(&open(arguments)?, &parse(endings)?, folder, threads(arguments), out)
        }
        EndgameCommand::Play(play) => self::play(arguments, play, out),
        EndgameCommand::Recognisers { endings } => {
            let endings = parse(endings)?;
            recognisers::run(&open(arguments)?, &endings, threads(arguments), json, out)
        }
    }
}

fn probe(
    arguments: &EndgameArguments,
    position: &RequiredPosition,
    syzygy: Option<&str>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    if position.is_standard_input() {
        let sources = Sources::open(arguments, syzygy)?;
        return sources.probe_lines(std::io::stdin().lock(), arguments.json, out);
    }
    let position = position.read()?.position;
    Sources::open(arguments, syzygy)?.probe(&position, arguments.json, out)
}

fn play(
    arguments: &EndgameArguments,
    play: &PlayArguments,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let mut endings = parse(&play.endings)?;
    if let Some(men) = play.men {
        endings.extend(Ending::all(usize::from(men)));
    }
    let tables = open(arguments)?;
    let own = if play.tables { Some(open(arguments)?) } else { None };
    let nodes = if play.depth.is_none() { Some(play.nodes) } else { None };
    let games = play::Match {
        tables: &tables,
        oracle: play::oracle(own),
        starts: play.starts,
        limits: Limits { depth: play.depth, nodes, ..Limits::default() },
        most_nodes: play.most_nodes,
        most_moves: play.moves,
        seed: play.seed,
        threads: threads(arguments),
    };
    games.run(&endings, arguments.json, out)
}

/// The tables of the folder; files that cannot be used are named on stderr.
fn open(arguments: &EndgameArguments) -> Result<Tables, Failure> {
    let tables = open_folder(&arguments.dir)?;
    for fault in tables.faults() {
        plain::say(format_args!("not used: {fault}"));
    }
    Ok(tables)
}

/// The tables of a folder, which must have some.
fn open_folder(folder: &Path) -> Result<Tables, Failure> {
    let tables = match folder.exists() {
        true => Tables::open(folder).map_err(Failure::Work)?,
        false => Tables::new(),
    };
    match tables.files().is_empty() && tables.faults().is_empty() {
        true => Err(Failure::Work(no_tables(folder))),
        false => Ok(tables),
    }
}

fn no_tables(folder: &Path) -> String {
    format!(
        "no tables in {}: build them with `rookery endgame build`, or name their folder with --dir",
        folder.display()
    )
}

fn parse(names: &[String]) -> Result<Vec<Ending>, Failure> {
    let parse = |name: &String| Ending::parse(name);
    let endings: Result<Vec<Ending>, _> = names.iter().map(parse).collect();
    endings.map_err(|error| Failure::Usage(error.to_string()))
}

/// The endings that were named, or all that there are tables of.
fn chosen(tables: &Tables, named: &[Ending]) -> Vec<Ending> {
    if !named.is_empty() {
        return named.to_vec();
    }
    let files = tables.files();
    let mut endings: Vec<Ending> = files.iter().map(|file| file.header.ending.clone()).collect();
    endings.dedup();
    endings
}

fn threads(arguments: &EndgameArguments) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    arguments.threads.map_or_else(all, usize::from)
}
