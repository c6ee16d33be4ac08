//! `rookery endgame play`: won positions are played out against the tables' best defence.
//!
//! Every game depends on its start and its limits alone, so neither the number of threads nor the other
//! games change a result.

mod game;
mod starts;

use crate::counted::counted;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, json};
use ::endgame::build::for_chunks;
use ::endgame::{Ending, Metric, Oracle, Tables, Usage};
use game::{Ended, Players};
use search::{Limits, Profile};
use serde::Serialize;
use starts::Start;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Megabytes of a winner's transposition table: games are short, and it is emptied before each.
const HASH_MB: u64 = 1;
/// A start that was missed is played again with the nodes times this factor.
const MORE: u64 = 4;

/// How games are played.
pub struct Match<'a> {
    /// The loser's tables.
    pub tables: &'a Tables,
    /// Who tells the winner about endings.
    pub oracle: Arc<Oracle>,
    /// Starts of each ending.
    pub starts: u32,
    /// Limits of a move.
    pub limits: Limits,
    /// Missed starts are played again with more nodes, up to this number.
    pub most_nodes: u64,
    /// Moves of the winner after which a win counts as missed.
    pub most_moves: u32,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Games that are played at a time.
    pub threads: usize,
}

/// What came of the games of one ending.
#[derive(Serialize)]
struct Report {
    ending: String,
    starts: u32,
    won: u32,
    /// Wins in the fewest moves possible.
    optimal: u32,
    /// Moves more than needed, on average over the wins.
    excess: f64,
    /// The winner's moves in the longest win.
    longest: u32,
    /// Budget by budget: a start that was missed is tried with the next.
    budgets: Vec<Budget>,
    missed: Vec<Missed>,
}

#[derive(Serialize)]
struct Budget {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    games: u32,
    won: u32,
}

#[derive(Serialize)]
struct Missed {
    fen: String,
    moves_to_mate: u32,
    reason: &'static str,
}

/// What plays.
pub fn oracle(own: Option<Tables>) -> Arc<Oracle> {
    let recognises = own.is_none();
    Arc::new(Oracle::new(own, None, recognises, Usage::default()))
}

impl Match<'_> {
    /// Plays the games of some endings.
    pub fn run(
        self,
        endings: &[Ending],
        as_json: bool,
        out: &mut impl Write,
    ) -> Result<ExitCode, Failure> {
        let players = (0..self.threads.max(1)).map(|_| self.players().map(Mutex::new));
        let players = players.collect::<Result<Vec<_>, Failure>>()?;
        let total = endings.len() as u64 * u64::from(self.starts);
        let bar = Progress::new();
        interrupt::listen();
        let mut reports = Vec::new();
        for (nth, ending) in endings.iter().enumerate() {
            let file = self.tables.file(ending, Metric::Mate);
            let file = file.ok_or_else(|| {
                Failure::Work(format!("there is no table {ending}.dtm to defend by"))
            })?;
            let starts = starts::draw(file, self.starts, self.seed, self.most_moves, self.threads)?;
            let begun = nth as u64 * u64::from(self.starts);
            let report =
                self.play_all(ending, &starts, &players, |done| bar.set(begun + done, total))?;
            if !as_json {
                bar.pause(|| write(&report, out))?;
            }
            reports.push(report);
            if interrupt::requested() {
                break;
            }
        }
        drop(bar);
        if as_json {
            json::write(&reports, out)?;
        }
        interrupt::status()?;
        let missed = reports.iter().any(|report| report.won < report.starts);
        Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn players(&self) -> Result<Players<'_>, Failure> {
        let mut engine = Engine::new(Profile::Modern, HASH_MB).map_err(Failure::Work)?;
        engine.set_oracle(Some(self.oracle.clone()));
        Ok(Players { tables: self.tables, engine, most_moves: self.most_moves })
    }

    /// Plays every start, and those that were missed again with more nodes.
    fn play_all(
        &self,
        ending: &Ending,
        starts: &[Start],
        players: &[Mutex<Players<'_>>],
        told: impl Fn(u64) + Sync,
    ) -> Result<Report, Failure> {
        let mut report = Report {
            ending: ending.to_string(),
            starts: starts.len() as u32,
            won: 0,
            optimal: 0,
            excess: 0.0,
            longest: 0,
            budgets: Vec::new(),
            missed: Vec::new(),
        };
        let mut left: Vec<Start> = starts.to_vec();
        let mut limits = self.limits.clone();
        loop {
            let done = AtomicU64::new((starts.len() - left.len()) as u64);
            let games = for_chunks(left.len(), self.threads, |nth| {
                if interrupt::requested() {
                    return Ok(None);
                }
                let free = players.iter().find_map(|player| player.try_lock().ok());
                let ended = match free {
                    Some(mut player) => player.play(&left[nth], &limits),
                    None => self.players()?.play(&left[nth], &limits),
                };
                told(done.fetch_add(1, Relaxed) + 1);
                ended.map(Some)
            });
            let games = games.into_iter().collect::<Result<Vec<Option<Ended>>, Failure>>()?;
            let games: Vec<(Start, Ended)> = left
                .iter()
                .zip(games)
                .filter_map(|(start, ended)| Some((*start, ended?)))
                .collect();
            let missed = report.count(&games, limits.nodes);
            let more = limits.nodes.map(|nodes| nodes * MORE);
            let more = more.filter(|&more| more <= self.most_nodes && !interrupt::requested());
            match more {
                Some(more) if !missed.is_empty() => limits.nodes = Some(more),
                _ => {
                    report.missed = missed.iter().map(|(start, ended)| of(start, *ended)).collect();
                    report.excess /= f64::from(report.won.max(1));
                    // Fewer were played where Ctrl-C has ended it.
                    report.starts = report.won + report.missed.len() as u32;
                    return Ok(report);
                }
            }
            left = missed.into_iter().map(|(start, _)| start).collect();
        }
    }
}

fn of(start: &Start, ended: Ended) -> Missed {
    Missed { fen: start.position.fen(), moves_to_mate: start.moves, reason: ended.word() }
}

impl Report {
    /// Counts the games of one budget and gives back those that were not won.
    fn count(&mut self, games: &[(Start, Ended)], nodes: Option<u64>) -> Vec<(Start, Ended)> {
        let mut missed = Vec::new();
        let before = self.won;
        for &(start, ended) in games {
            let Ended::Mate(moves) = ended else {
                missed.push((start, ended));
                continue;
            };
            self.won += 1;
            self.optimal += u32::from(moves <= start.moves);
            self.excess += f64::from(moves.saturating_sub(start.moves));
            self.longest = self.longest.max(moves);
        }
        self.budgets.push(Budget { nodes, games: games.len() as u32, won: self.won - before });
        missed
    }
}

fn write(report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    let Report { ending, starts, won, optimal, excess, longest, .. } = report;
    write!(
        out,
        "{ending:6} {}, {won} won, {optimal} in the fewest moves, {excess:.1} moves more than needed, the longest win {}",
        counted(starts, "start"),
        counted(longest, "move")
    )?;
    for Budget { nodes, games, won } in report.budgets.iter().skip(1) {
        write!(out, "; {won} of {games} with {}", counted(nodes.unwrap_or(0), "node"))?;
    }
    writeln!(out)?;
    for Missed { fen, moves_to_mate, reason } in &report.missed {
        writeln!(out, "  missed, mate in {moves_to_mate}: {fen} ({reason})")?;
    }
    Ok(())
}
