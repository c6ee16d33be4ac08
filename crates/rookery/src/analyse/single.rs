//! One position, shown as the search goes.

use super::analyst::{Analyst, Effort, numbered};
use super::record::{self, Record};
use super::score::Score;
use crate::engine::{Engine, STACK, ThreadRecord};
use crate::failure::Failure;
use crate::interrupt;
use crate::uci::per_second;
use board::{CastlingStyle, Epd, History, Position};
use eval::score::MATE_LIMIT;
use search::{Outcome, Profile};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line of play in the table, in half-moves. The summary has all of it.
const LONGEST_LINE: usize = 10;
/// How often Ctrl-C is looked for.
const REFRESH: Duration = Duration::from_millis(50);

/// What is to be searched and how it is shown.
pub struct SingleAnalysis<'a> {
    /// The position and what is said about it.
    pub record: &'a Epd,
    /// The keys of the positions before it.
    pub history: &'a History,
    /// The limits.
    pub effort: Effort,
    /// Whether a program reads it.
    pub json: bool,
    /// What is said about tables of endings.
    pub words: &'a str,
}

/// Searches a position and shows what is found.
pub fn run(task: SingleAnalysis<'_>, engine: Engine, out: &mut impl Write) -> Result<(), Failure> {
    let SingleAnalysis { record, history, effort, json, words } = task;
    let position = record.position();
    if let Some(end) = record::end_of(position) {
        return match json {
            true => write_json(record, None, out),
            false => Ok(writeln!(out, "{}\nThe game is over: {end}.", position.fen())?),
        };
    }
    if !json {
        let settings = (engine.profile(), engine.hash_mb(), words);
        write_head(record, settings, &effort, out)?;
    }
    let found = search((position, history), engine, effort, |line| {
        if json {
            return Ok(());
        }
        writeln!(out, "{line}")?;
        out.flush()
    })?;
    match json {
        true => write_json(record, Some(found), out),
        false => Ok(write_summary(position, &found.outcome, found.elapsed, out)?),
    }
}

/// What came of a search.
struct Found {
    outcome: Outcome,
    elapsed: Duration,
    threads: Vec<ThreadRecord>,
}

/// Searches on a thread with the stack that a search needs; `show` gets a line for each line of play.
/// The time does not count in which the system makes room for the table.
fn search(
    (position, history): (&Position, &History),
    engine: Engine,
    effort: Effort,
    mut show: impl FnMut(String) -> io::Result<()>,
) -> Result<Found, Failure> {
    let stop = AtomicBool::new(false);
    let mut analyst = Analyst::new(engine, effort, &stop);
    thread::scope(|scope| {
        let (sender, lines) = mpsc::channel();
        let work = move || {
            analyst.begin();
            let begun = Instant::now();
            let mut told = None;
            // Later lines may move up: all of an iteration are shown in order when the last is known.
            let (mut rows, wanted) = (Vec::new(), effort.lines.min(position.legal_moves().len()));
            let found = analyst.watch(position, history, |report| {
                // The same mate deeper and deeper would fill the screen.
                let is_mate = report.line.score.abs() >= i32::from(MATE_LIMIT);
                if is_mate && told.replace(report.line.clone()).as_ref() == Some(report.line) {
                    return;
                }
                let (depth, nodes, seconds) =
                    (report.depth, report.nodes, begun.elapsed().as_secs_f64());
                let score = Score::new(report.line.score, position.side_to_move()).text();
                let play = numbered(*position, &report.line.moves, LONGEST_LINE);
                rows.truncate(report.rank - 1);
                rows.push(format!("{depth:>5}  {score:>7}  {seconds:>6.2} s  {nodes:>10}  {play}"));
                if rows.len() == wanted {
                    // A receiver that no longer listens ends the search by the flag.
                    let _ = sender.send(rows.join("\n"));
                }
            });
            let elapsed = begun.elapsed();
            let threads = analyst.thread_records();
            found.map(|outcome| Found { outcome, elapsed, threads })
        };
        let thread = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))?;
        let shown = show_all(&lines, &stop, &mut show);
        stop.store(shown.is_err(), Relaxed);
        let found = thread.join().unwrap_or_else(|_| Err("the search failed".to_owned()));
        shown?;
        found.map_err(Failure::Work)
    })
}

/// Shows the lines as they come; Ctrl-C ends the search.
fn show_all(
    lines: &Receiver<String>,
    stop: &AtomicBool,
    show: &mut impl FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    loop {
        match lines.recv_timeout(REFRESH) {
            Ok(line) => show(line)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => (),
        }
        if interrupt::requested() {
            stop.store(true, Relaxed);
        }
    }
}

fn write_head(
    record: &Epd,
    (profile, hash_mb, words): (Profile, u64, &str),
    effort: &Effort,
    out: &mut impl Write,
) -> io::Result<()> {
    let position = record.position();
    if let Some(id) = record.id() {
        writeln!(out, "{id}")?;
    }
    writeln!(out, "{}", position.fen())?;
    let side = position.side_to_move();
    writeln!(out, "{side} to move. {effort}, table of {hash_mb} MB, profile {profile}{words}.\n")?;
    writeln!(out, "{:>5}  {:>7}  {:>8}  {:>10}  line", "depth", "score", "time", "nodes")
}

fn write_summary(
    position: &Position,
    found: &Outcome,
    elapsed: Duration,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out)?;
    for (rank, line) in (1..).zip(&found.lines) {
        let Some(&best) = line.moves.first() else { continue };
        let score = Score::new(line.score, position.side_to_move());
        let title = if rank == 1 { "Best move:".to_owned() } else { format!("Number {rank}:") };
        let (san, uci) = (position.san(best), best.uci(CastlingStyle::Standard));
        writeln!(out, "{title:<11} {san} ({uci}), {}: {}", score.text(), score.words())?;
        writeln!(out, "{:<11} {}", "Line:", numbered(*position, &line.moves, usize::MAX))?;
    }
    let (depth, selective, nodes) = (found.depth, found.selective_depth, found.nodes);
    writeln!(out, "{:<11} {depth}, lines up to {selective} half-moves", "Depth:")?;
    let (seconds, speed) = (elapsed.as_secs_f64(), per_second(nodes, elapsed));
    writeln!(out, "{:<11} {nodes} in {seconds:.2} s, {speed} nodes per second", "Nodes:")
}

fn write_json(record: &Epd, found: Option<Found>, out: &mut impl Write) -> Result<(), Failure> {
    let outcome = found.as_ref().map(|found| &found.outcome);
    let mut plain = Record::new(record.position(), outcome).named(record, None);
    plain.seconds = found.as_ref().map(|found| found.elapsed.as_secs_f64());
    plain.threads = found.map(|found| found.threads).filter(|threads| threads.len() > 1);
    let line = plain.to_line().map_err(Failure::Work)?;
    Ok(out.write_all(line.as_bytes())?)
}
