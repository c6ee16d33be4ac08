//! Games that other processes play, where `mpirun` has started several.
//!
//! All have the same command line, so all know engines, openings and rules: the first process names a game
//! of the schedule, another plays it with engines on its own host and tells how it went. A process that is
//! lost, or on whose host an engine does not start, gets no more games; the one that it had is played by
//! another.

use super::course::Course;
use super::driver::Report;
use super::game::{self, Played, Record, Seat, Warning};
use super::openings::{Opening, Openings};
use super::plan::Plan;
use super::process::Recall;
use super::schedule::Fixture;
use super::tablebase::Tablebase;
use super::verdict::{Cause, Verdict};
use crate::arguments::MatchArguments;
use board::Color;
use cluster::{Call, Link};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// How often it is looked whether a game is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// A finished game on its way.
#[derive(Serialize, Deserialize)]
struct Told {
    played: Vec<(String, Report, Option<Duration>)>,
    /// Whether White won, or Black; nothing for a draw.
    white_won: Option<bool>,
    cause: Cause,
    detail: Option<String>,
    warnings: Vec<ToldWarning>,
}

#[derive(Serialize, Deserialize)]
struct ToldWarning {
    white: bool,
    count: u32,
    detail: String,
    position: String,
    fen: String,
}

fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

impl Told {
    fn new(record: &Record) -> Told {
        let style = record.course.style;
        let played = record.played.iter().map(|it| (it.mv.uci(style), it.report, it.elapsed));
        let warnings = record.warnings.iter().map(|warning| ToldWarning {
            white: warning.side == Color::White,
            count: warning.count,
            detail: warning.detail.clone(),
            position: warning.position.clone(),
            fen: warning.fen.clone(),
        });
        Told {
            played: played.collect(),
            white_won: record.verdict.winner.map(|winner| winner == Color::White),
            cause: record.verdict.cause,
            detail: record.verdict.detail.clone(),
            warnings: warnings.collect(),
        }
    }

    /// The game, played again by our own board; nothing if a move of it is not legal.
    fn record(self, opening: &Opening) -> Option<Record> {
        let mut course = Course::new(&Opening { start: opening.start, moves: Vec::new() });
        let mut played = Vec::new();
        for (text, report, elapsed) in self.played {
            let mv = course.position.parse_uci(&text).ok()?;
            course.play(mv);
            played.push(Played { mv, report, elapsed });
        }
        let warnings = self.warnings.into_iter().map(|told| Warning {
            side: color(told.white),
            count: told.count,
            detail: told.detail,
            position: told.position,
            fen: told.fen,
        });
        let (winner, cause, detail) = (self.white_won.map(color), self.cause, self.detail);
        let verdict = Verdict { winner, cause, detail };
        Some(Record { course, played, verdict, warnings: warnings.collect() })
    }
}

/// What came of a game that was given to another process.
pub enum Away {
    /// It was played.
    Played(Box<Record>),
    /// Nobody wants it any more.
    CalledOff,
    /// The process can play no games; why.
    Unfit(String),
}

/// Has a game played by another process, by one of its hands.
pub fn play_there(
    link: &Link,
    process: u32,
    slot: u32,
    fixture: &Fixture,
    opening: &Opening,
    recall: &Recall,
) -> Away {
    let number = fixture.index as u64;
    let id = link.send_call(process, slot, number.to_le_bytes().to_vec());
    loop {
        if let Some((_, answer)) = link.next_answer(id) {
            let told: Option<Told> = serde_json::from_slice(&answer).ok();
            return match told.and_then(|told| told.record(opening)) {
                Some(record) if record.verdict.cause == Cause::NotStarted => {
                    Away::Unfit(record.verdict.detail.unwrap_or_default())
                }
                Some(record) => Away::Played(Box::new(record)),
                None => Away::Unfit(String::from_utf8_lossy(&answer).into_owned()),
            };
        }
        if link.is_lost_process(process) {
            return Away::Unfit("it is lost".to_owned());
        }
        if recall.is_called_off() {
            link.cut_short(process, id);
            return Away::CalledOff;
        }
    }
}

/// What a process needs that plays games for the first.
pub struct Guests {
    plan: Plan,
    openings: Openings,
    tablebase: Option<Tablebase>,
}

impl Guests {
    /// By the same command line.
    pub fn new(arguments: &MatchArguments) -> Result<Guests, String> {
        let plan = Plan::new(arguments)?;
        let openings = super::read_openings(&plan)?;
        let tablebase = plan.tablebase()?;
        Ok(Guests { plan, openings, tablebase })
    }

    /// Plays the game that is asked for, and tells how it went.
    pub fn play(&self, link: &Arc<Link>, call: &Call) {
        let answer = match self.record(link, call) {
            Ok(Some(record)) => serde_json::to_vec(&Told::new(&record)).unwrap_or_default(),
            // Nobody waits for the answer.
            Ok(None) => Vec::new(),
            Err(reason) => reason.into_bytes(),
        };
        link.answer(call.id, true, answer);
    }

    fn record(&self, link: &Arc<Link>, call: &Call) -> Result<Option<Record>, String> {
        let unknown = || "no game of the schedule".to_owned();
        let number = <[u8; 8]>::try_from(&call.content[..]).map_err(|_| unknown())?;
        let number = usize::try_from(u64::from_le_bytes(number)).map_err(|_| unknown())?;
        let fixture = self.plan.schedule.fixture(number).ok_or_else(unknown)?;
        let contestants = &self.plan.contestants;
        let (Some(white), Some(black)) =
            (contestants.get(fixture.white), contestants.get(fixture.black))
        else {
            return Err(unknown());
        };
        let opening = self.openings.of_round(fixture.round);
        let (recall, over) = (Recall::default(), AtomicBool::new(false));
        let mut seats = [white, black].map(|it| Seat::new(it, self.plan.patience, &recall));
        Ok(thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    if link.is_cut_short(call.id) || link.is_lost_process(0) {
                        recall.call_off();
                    }
                    thread::sleep(LOOK);
                }
            });
            let tablebase = self.tablebase.as_ref();
            let record = game::play(&mut seats, &opening, self.plan.rules, tablebase, &recall);
            over.store(true, Relaxed);
            record
        }))
    }
}
