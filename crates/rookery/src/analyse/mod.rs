//! `rookery analyse`: positions searched, games annotated.
//!
//! Start with [`input`], which finds out what was given. One position goes to [`single`]; streams
//! (opened by [`stream`]) become the tasks of [`source`], which [`queue`] gives to several searchers and
//! [`batch`] writes down in their order. A game is searched in [`study`], which rates its moves by
//! [`quality`], and written by [`annotate`]; [`output`] and [`journal`] let a killed run go on.

mod analyst;
mod annotate;
mod batch;
mod chart;
mod input;
mod journal;
mod knowledge;
mod output;
mod quality;
mod queue;
mod read;
mod record;
mod report;
mod score;
mod single;
mod source;
pub mod stream;
mod study;

use crate::arguments::{AnalyseArguments, position};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::hosts::ProcessCommand;
use crate::{interrupt, picture};
use analyst::Effort;
use batch::{Batch, Sink};
use board::{Epd, History};
use cluster::Link;
use files::Replacement;
use input::Input;
use output::{Output, cannot_write};
use source::Source;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

pub use knowledge::Knowledge;
pub use record::end_of;
pub use score::{Plain as PlainScore, Score};
pub use stream::Format;

/// Time for one position, unless there is a limit: enough for a good answer, short enough to wait for.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Nodes for each position of a file, unless there is a limit. Nodes, not time: the same file then has
/// the same annotations on every machine and however many are at work.
const DEFAULT_NODES: u64 = 500_000;
/// Megabytes of the table for one position.
const SINGLE_HASH_MB: u64 = 256;
/// Megabytes of each table for files.
const BATCH_HASH_MB: u64 = 32;
const NO_GAME: &str = "--plot draws the evaluation over a game: give games (PGN)";

/// Runs the command.
pub fn run(
    arguments: &AnalyseArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    arguments.sharing.apply(link)?;
    for (option, output) in [("--output", &arguments.output), ("--plot", &arguments.plot)] {
        let (own, syzygy) = (arguments.tables.as_deref(), arguments.syzygy.as_deref());
        if let Some(output) = output {
            crate::input::refuse_output_over_tables(option, output, own, syzygy)?;
        }
    }
    let knowledge = Knowledge::open(arguments)?;
    if let Some(link) = link.filter(|_| knowledge.oracle.is_some()) {
        let (own, syzygy) = (arguments.tables.clone(), arguments.syzygy.clone());
        link.command(&ProcessCommand::OpenTables { own, syzygy });
    }
    let input = match &arguments.fen {
        Some(fen) => input::given(position::text(&arguments.input, Some(fen))?)?,
        None => input::open(&arguments.input, arguments.format)?,
    };
    interrupt::listen();
    match input {
        Input::Position(..) if arguments.plot.is_some() => Err(Failure::Usage(NO_GAME.to_owned())),
        Input::Position(record, history) => {
            run_single(arguments, &knowledge, (&record, &history), link, out)
        }
        Input::Stream(source, length) => {
            run_stream(arguments, &knowledge, *source, length, link, out)
        }
    }
}

fn run_single(
    arguments: &AnalyseArguments,
    knowledge: &Knowledge,
    (record, history): (&Epd, &History),
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let effort = effort(arguments, Some(DEFAULT_TIME), None);
    let mut engine = engine(arguments, SINGLE_HASH_MB);
    // A small machine gets a small table, unless its size was asked for.
    for halvings in 1..=8 {
        if engine.is_err() && arguments.hash.is_none() {
            engine = self::engine(arguments, SINGLE_HASH_MB >> halvings);
        }
    }
    let (mut engine, json) = (engine?, arguments.json);
    engine
        .set_threads(u32::from(arguments.threads.unwrap_or(1)))
        .map_err(|reason| Failure::Usage(format!("--threads: {reason}")))?;
    engine.set_oracle(knowledge.oracle.clone());
    link.map_or(Ok(()), |link| engine.connect(link)).map_err(Failure::Work)?;
    let task = single::SingleAnalysis { record, history, effort, json, words: &knowledge.words };
    match &arguments.output {
        None => single::run(task, engine, out)?,
        Some(path) if is_device(path) => single::run(task, engine, &mut open_device(path)?)?,
        Some(path) => {
            output::check_free(path, arguments.overwrite)?;
            // Made now: a folder that cannot be written to is told before the search, not after it.
            let mut file = Replacement::create(path).map_err(|error| cannot_write(path, &error))?;
            single::run(task, engine, &mut file)?;
            file.commit().map_err(|error| cannot_write(path, &error))?;
        }
    }
    interrupt::status()
}

fn run_stream(
    arguments: &AnalyseArguments,
    knowledge: &Knowledge,
    mut source: Source,
    length: Option<u64>,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let effort = effort(arguments, None, Some(DEFAULT_NODES));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(processors, usize::from);
    let hash_mb = arguments.hash.unwrap_or(BATCH_HASH_MB);
    let mut engines = Engine::everywhere(arguments.profile, hash_mb, threads as u32, link)
        .map_err(|reason| Failure::Usage(format!("--hash: {reason}")))?;
    engines.iter_mut().for_each(|engine| engine.set_oracle(knowledge.oracle.clone()));
    let picture = open_picture(arguments, &source)?;
    let batch = Batch { engines, effort, json: arguments.json, length, picture };
    let is_clean = match &arguments.output {
        None => batch.run(source, Sink::Stream(out))?,
        Some(path) if is_device(path) => batch.run(source, Sink::Stream(open_device(path)?))?,
        Some(path) => {
            let settings = settings(arguments, &effort, source.unit());
            let (output, mark, is_damaged) =
                Output::open(path, &settings, arguments.overwrite, source.words())?;
            if is_damaged {
                let (done, unit) = (mark.tasks, source.unit());
                writeln!(
                    out,
                    "{}.part is damaged behind {done} {unit}s: what follows is done again",
                    path.display()
                )?;
            }
            if mark.tasks > 0 {
                if arguments.plot.is_some() {
                    let why = "--plot: the output was begun before, and what is done is not drawn: \
                               leave --plot away, or begin anew with --overwrite";
                    return Err(Failure::Usage(why.to_owned()));
                }
                let unit = source.unit();
                writeln!(out, "{} {unit}s are done already", mark.tasks)?;
                source.pass_over(mark.tasks, mark.digest)?;
            }
            batch.run(source, Sink::File(output, out))?
        }
    };
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Annotates a game with this many nodes for each position. `tick` hears after each how many of all are done.
#[cfg(feature = "web")]
pub fn annotated(
    game: &mut board::pgn::Game,
    engine: Engine,
    nodes: u64,
    stop: &std::sync::atomic::AtomicBool,
    tick: impl FnMut(usize, usize),
) -> Result<(), String> {
    let effort = Effort { depth: None, nodes: Some(nodes), time: None, lines: 1 };
    let study = study::Study::new(game, &mut analyst::Analyst::new(engine, effort, stop), tick)?;
    annotate::annotate(game, &study);
    Ok(())
}

/// The file of the picture, if games are to be drawn.
fn open_picture(
    arguments: &AnalyseArguments,
    source: &Source,
) -> Result<Option<Replacement>, Failure> {
    let Some(plot) = arguments.plot.as_deref() else { return Ok(None) };
    crate::input::refuse_output("--plot", plot, source.words())?;
    let why = match arguments.output.as_deref() {
        _ if source.unit() != "game" => NO_GAME,
        Some(output) if files::same(output, plot) => "--output and --plot are the same file",
        _ => return picture::open(Some(plot)),
    };
    Err(Failure::Usage(why.to_owned()))
}

/// Whether it is a pipe or a device: it is written to directly, and such an output cannot be resumed.
fn is_device(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

fn open_device(path: &Path) -> Result<File, Failure> {
    files::stream(path).map_err(|error| cannot_write(path, &error))
}

/// The limits that were asked for, or the usual ones.
fn effort(arguments: &AnalyseArguments, time: Option<Duration>, nodes: Option<u64>) -> Effort {
    let lines = usize::from(arguments.multipv);
    match (arguments.depth, arguments.nodes, arguments.time) {
        (None, None, None) => Effort { depth: None, nodes, time, lines },
        (depth, nodes, time) => Effort { depth, nodes, time, lines },
    }
}

fn engine(arguments: &AnalyseArguments, usual_hash_mb: u64) -> Result<Engine, Failure> {
    let hash_mb = arguments.hash.unwrap_or(usual_hash_mb);
    Engine::new(arguments.profile, hash_mb)
        .map_err(|reason| Failure::Usage(format!("--hash: {reason}")))
}

/// Everything that the results depend on but the input.
fn settings(arguments: &AnalyseArguments, effort: &Effort, unit: &str) -> String {
    let form = if arguments.json { "JSON" } else { "text" };
    let hash_mb = arguments.hash.unwrap_or(BATCH_HASH_MB);
    let (profile, version) = (arguments.profile, env!("CARGO_PKG_VERSION"));
    let mut text =
        format!("{effort}, table of {hash_mb} MB, {profile} {version}, {unit}s as {form}");
    if let Some(folder) = &arguments.tables {
        text += &format!(", tables of {}", folder.display());
    }
    if let Some(folders) = &arguments.syzygy {
        text += &format!(", Syzygy tables of {folders}");
    }
    text
}
