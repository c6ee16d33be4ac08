//! Games that other processes play, where `mpirun` has started several.
//!
//! All have the same command line, so all know engines, openings and rules: the first process names a game
//! of the schedule, another plays it with engines on its own host and sends it back. A process that is
//! lost, or on whose host an engine does not start, gets no more games; the one that it had is played by
//! another.

use super::course::Course;
use super::driver::Report;
use super::game::{self, Played, Player, Record, Warning};
use super::game_end::{Cause, GameEnd};
use super::odds::Stage;
use super::openings::{Opening, Openings};
use super::plan::Plan;
use super::process::Recall;
use super::schedule::Fixture;
use super::tablebase::Tablebase;
use crate::arguments::MatchArguments;
use crate::hosts::Request;
use board::Color;
use cluster::Link;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Time between two looks whether a game is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// A finished game on its way.
#[derive(Serialize, Deserialize)]
struct SentGame {
    played: Vec<(String, Report, Option<Duration>)>,
    /// Whether White won, or Black; nothing for a draw.
    white_won: Option<bool>,
    cause: Cause,
    detail: Option<String>,
    warnings: Vec<SentWarning>,
}

#[derive(Serialize, Deserialize)]
struct SentWarning {
    white: bool,
    count: u32,
    detail: String,
    position: String,
    fen: String,
}

fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

impl SentGame {
    fn new(record: &Record) -> SentGame {
        let style = record.course.style;
        let played = record.played.iter().map(|it| (it.mv.uci(style), it.report, it.elapsed));
        let warnings = record.warnings.iter().map(|warning| SentWarning {
            white: warning.side == Color::White,
            count: warning.count,
            detail: warning.detail.clone(),
            position: warning.position.clone(),
            fen: warning.fen.clone(),
        });
        SentGame {
            played: played.collect(),
            white_won: record.end.winner.map(|winner| winner == Color::White),
            cause: record.end.cause,
            detail: record.end.detail.clone(),
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
        let warnings = self.warnings.into_iter().map(|sent| Warning {
            side: color(sent.white),
            count: sent.count,
            detail: sent.detail,
            position: sent.position,
            fen: sent.fen,
        });
        let (winner, cause, detail) = (self.white_won.map(color), self.cause, self.detail);
        let end = GameEnd { winner, cause, detail };
        Some(Record { course, played, end, warnings: warnings.collect() })
    }
}

/// What came of a game that was given to another process.
pub enum Away {
    /// It was played.
    Played(Box<Record>),
    /// It is not wanted any more.
    CalledOff,
    /// The process can play no games; why.
    Unfit(String),
}

/// Has a game played by another process, on one of its threads for calls.
pub fn play_there(
    link: &Link,
    process: u32,
    slot: u32,
    fixture: &Fixture,
    opening: &Opening,
    stage: Stage,
    recall: &Recall,
) -> Away {
    let id = link.call(process, slot, &Request::Game(fixture.index as u64, stage));
    loop {
        if let Some((_, answer)) = link.next_answer(id) {
            let answer = answer.read::<Result<Option<SentGame>, String>>();
            return match answer.unwrap_or_else(|damage| Err(damage.to_string())) {
                Ok(Some(game)) => match game.record(opening) {
                    Some(record) if record.end.cause == Cause::NotStarted => {
                        Away::Unfit(record.end.detail.unwrap_or_default())
                    }
                    Some(record) => Away::Played(Box::new(record)),
                    None => Away::Unfit("a game with an illegal move".to_owned()),
                },
                Ok(None) => Away::CalledOff,
                Err(reason) => Away::Unfit(reason),
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
pub struct RemotePlayer {
    plan: Plan,
    openings: Openings,
    tablebase: Option<Tablebase>,
}

impl RemotePlayer {
    /// By the same command line.
    pub fn new(arguments: &MatchArguments) -> Result<RemotePlayer, String> {
        let plan = Plan::new(arguments)?;
        let openings = super::read_openings(&plan)?;
        let tablebase = plan.tablebase()?;
        Ok(RemotePlayer { plan, openings, tablebase })
    }

    /// Plays a game of the schedule, and answers the call for it; by nothing if it was called off.
    pub fn play(&self, link: &Arc<Link>, id: u32, number: u64, stage: Stage) {
        let record = self.record(link, id, number, stage);
        link.answer(id, true, &record.map(|it| it.as_ref().map(SentGame::new)));
    }

    fn record(
        &self,
        link: &Arc<Link>,
        id: u32,
        number: u64,
        stage: Stage,
    ) -> Result<Option<Record>, String> {
        let unknown = || "no game of the schedule".to_owned();
        let number = usize::try_from(number).map_err(|_| unknown())?;
        let plan = self.plan.at(stage);
        let fixture = plan.schedule.fixture(number).ok_or_else(unknown)?;
        let contestants = &plan.contestants;
        let (Some(white), Some(black)) =
            (contestants.get(fixture.white), contestants.get(fixture.black))
        else {
            return Err(unknown());
        };
        let opening = self.openings.of_round(fixture.round);
        let (recall, over) = (Recall::default(), AtomicBool::new(false));
        let mut players = [white, black].map(|it| Player::new(it, self.plan.timeouts, &recall));
        Ok(thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    if link.is_cut_short(id) || link.is_lost_process(0) {
                        recall.call_off();
                    }
                    thread::sleep(LOOK);
                }
            });
            let tablebase = self.tablebase.as_ref();
            let record = game::play(&mut players, &opening, self.plan.rules, tablebase, &recall);
            over.store(true, Relaxed);
            record
        }))
    }
}
