//! `rookery match`: engines play each other, and the statistics say what it means.
//!
//! Start with [`tournament`], which hands the games of a [`schedule`] to threads; a [`game`] asks the
//! two engines for moves through their [`driver`]s, charges their clocks, and lets our own board
//! decide what is legal and when it is over. Nothing that an engine does ends the match: a crash, a
//! hang, an illegal move or a lost clock is a lost game with a reason.

mod adjudication;
mod arrival;
mod chart;
mod contestant;
mod control;
mod copies;
mod course;
mod driver;
mod elo;
mod game;
mod game_end;
mod games;
mod journal;
mod notation;
mod odds;
mod openings;
mod plan;
mod process;
mod queue;
mod remote;
mod report;
mod schedule;
mod summary;
mod tablebase;
mod tally;
mod tournament;
pub mod words;

use crate::arguments::MatchArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::{input, interrupt, json, picture};
use cluster::Link;
use driver::EngineError;
use game::Player;
use journal::Journal;
use openings::Openings;
use plan::Plan;
use report::{Setting, clock};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use summary::Summary;
use tally::Tally;
use tournament::{Tell, Tournament};

pub use driver::{Info, Score};
pub use odds::Stage;
pub use process::{Process, Recall};
pub use queue::Silence;
pub use remote::RemotePlayer;

/// Reads a number of seconds above 0.
pub fn read_duration(text: &str) -> Result<Duration, String> {
    control::read_seconds(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| String::from("expected seconds, more than 0 and at most a week"))
}

/// Runs the command.
pub fn run(
    arguments: &MatchArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let plan = Plan::new(arguments).map_err(Failure::Usage)?;
    let (pgn, state) = (arguments.pgn.as_deref(), arguments.state.as_deref());
    let drawn = arguments.plot.as_deref();
    check_names(pgn, state, drawn, &plan)?;
    for (option, output) in [("--pgn", pgn), ("--state", state)] {
        let syzygy = arguments.syzygy.as_deref();
        output.map_or(Ok(()), |it| input::refuse_output_over_tables(option, it, None, syzygy))?;
    }
    interrupt::listen();
    if let Some(range) = plan.odds {
        return odds::run(arguments, &plan, range, link, out);
    }
    let openings = read_openings(&plan).map_err(Failure::Work)?;
    let tablebase = plan.tablebase().map_err(Failure::Work)?;
    let picture = picture::open(drawn)?;
    let mut tally = Tally::new(&plan.schedule, plan.contestants.len());
    let journal = Journal::open(pgn, state, plan.identity(), &mut tally).map_err(Failure::Work)?;
    let names = plan.names();
    let setting = setting(&names, &plan);
    let mut warnings = warnings(&plan, &openings, &journal.notices);
    if !arguments.json {
        warnings.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        introduce(&plan, &tally, out)?;
    }
    // Nothing is played before every engine has shown that it starts.
    warnings.extend(greet_all(&plan, arguments.json, out)?);
    let begun = Instant::now();
    let mut tournament = Tournament {
        plan: &plan,
        link,
        setting: &setting,
        openings: &openings,
        tablebase: tablebase.as_ref(),
        journal: &journal,
        tally: &mut tally,
        every: arguments.every,
        tell: if arguments.json { Tell::Nothing } else { Tell::Games },
        event: &arguments.event,
    };
    tournament.run(out)?;
    picture::draw(picture, || chart::draw(&setting, &tally))?;
    let time = journal.earlier + begun.elapsed();
    match arguments.json {
        true => json::write(&Summary::new(&setting, &tally, time, &warnings), out)?,
        false => conclude(&setting, &tally, time, state, out)?,
    }
    interrupt::status()
}

/// What the reports say about a match.
fn setting<'a>(names: &'a [String], plan: &'a Plan) -> Setting<'a> {
    let (controls, openings) = (plan.controls(), describe(plan));
    Setting { names, schedule: &plan.schedule, sprt: plan.sprt, controls, openings }
}

/// A file that is read must not be written to, nor one by two writers.
fn check_names(
    pgn: Option<&Path>,
    state: Option<&Path>,
    plot: Option<&Path>,
    plan: &Plan,
) -> Result<(), Failure> {
    let openings = plan.openings.as_ref().and_then(openings::Source::path);
    let named = [("--pgn", pgn), ("--state", state), ("--plot", plot)];
    let same = |one: Option<&Path>, two: Option<&Path>| {
        one.zip(two).is_some_and(|(one, two)| one == two || files::same(one, two))
    };
    for (place, &(name, path)) in named.iter().enumerate() {
        if path.is_some_and(|path| files::is_read(path, openings)) {
            return Err(Failure::Usage(format!("{name}: this is the file of the openings")));
        }
        if let Some((other, _)) = named[..place].iter().find(|&&(_, other)| same(path, other)) {
            return Err(Failure::Usage(format!("{other} and {name} are the same file")));
        }
    }
    Ok(())
}

/// Says how it ended, or how it stands where Ctrl-C has ended it.
fn conclude(
    setting: &Setting,
    tally: &Tally,
    time: Duration,
    state: Option<&Path>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if interrupt::requested() {
        let (played, total) = (tally.played(), counted(setting.schedule.total(), "game"));
        writeln!(out, "Interrupted after {played} of {total}")?;
    }
    write!(out, "{}{}", setting.standing(tally, None), setting.conduct(tally))?;
    writeln!(out, "Time   {}", clock(time))?;
    if let Some(state) = state.filter(|_| interrupt::requested()) {
        writeln!(out, "The same command goes on from {}", state.display())?;
    }
    Ok(out.flush()?)
}

/// The openings that were asked for.
fn read_openings(plan: &Plan) -> Result<Openings, String> {
    match &plan.openings {
        None => Ok(Openings::none()),
        Some(source) => Openings::read(source, plan.seed, plan.rounds()),
    }
}

/// The openings in a few words.
fn describe(plan: &Plan) -> String {
    let openings = plan.openings.as_ref();
    openings.map_or_else(|| String::from("the usual start"), openings::Source::name)
}

/// What the user should know before it begins.
fn warnings(plan: &Plan, openings: &Openings, notices: &[String]) -> Vec<String> {
    let mut warnings = notices.to_vec();
    if let Some(first) = &openings.first_broken {
        let broken = counted(openings.broken, "broken opening");
        warnings.push(format!("{broken} passed over, first: {first}"));
    }
    let (count, rounds) = (openings.len(), plan.rounds());
    if plan.openings.is_none() {
        warnings.push(String::from("--openings none: every game begins from the usual start"));
    } else if count < rounds && plan.sprt.is_none() {
        let (count, rounds) = (counted(count, "opening"), counted(rounds, "round"));
        warnings.push(format!("{count} for {rounds}: they come again"));
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    warnings.extend(plan.crowding(processors));
    warnings
}

/// Says what will be played.
fn introduce(plan: &Plan, tally: &Tally, out: &mut impl Write) -> Result<(), Failure> {
    let played = tally.played();
    if played > 0 {
        writeln!(out, "Going on after {played} of {}", counted(plan.schedule.total(), "game"))?;
    }
    Ok(())
}

/// Starts every engine once and says who each is, unless a program reads it; what is odd about them.
fn greet_all(plan: &Plan, quietly: bool, out: &mut impl Write) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for contestant in &plan.contestants {
        let name = &contestant.name;
        let mut player = Player::new(contestant, plan.timeouts, &Recall::default());
        let driver = player.driver().map_err(|error| match error {
            EngineError::CalledOff => Failure::Interrupted,
            error => Failure::Work(format!("{name}: {}", error.words())),
        })?;
        let title = driver.title().unwrap_or("without a name");
        let complaints = driver.complaints().iter().map(|what| format!("{name} {what}"));
        let complaints: Vec<String> = complaints.collect();
        if !quietly {
            writeln!(out, "{name}: {title}, {}", contestant.limits)?;
            complaints.iter().try_for_each(|line| writeln!(out, "Warning: {line}"))?;
        }
        all.extend(complaints);
    }
    out.flush()?;
    Ok(all)
}
