//! `rookery endgame probe`: what tables and recognisers know about one position, or about many.

use super::no_tables;
use crate::arguments::{DEFAULT_DIR, EndgameArguments};
use crate::failure::Failure;
use crate::input;
use crate::json;
use crate::lines::{self, Line};
use crate::plain;
use ::endgame::recognise::RECOGNISERS;
use ::endgame::syzygy::Syzygy;
use ::endgame::{Metric, ProbeError, Tables, Value};
use board::fen::Repair;
use board::{Epd, Position};
use serde::Serialize;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Who is asked.
pub struct Sources {
    tables: Tables,
    folder: PathBuf,
    syzygy: Option<Syzygy>,
}

/// What is known about a position.
#[derive(Serialize)]
struct Report {
    /// The line of the input, where there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    fen: String,
    /// By the first source that knows.
    value: &'static str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_mate: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_to_conversion: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    syzygy: Option<ByDistance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recogniser: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveValue>>,
}

/// What Syzygy tables say.
#[derive(Serialize)]
struct ByDistance {
    value: &'static str,
    /// Half-moves to the next capture or pawn move on the way to the win (or loss, negative).
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<i32>,
}

#[derive(Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_mate: Option<u16>,
}

/// A line of the input that has no answer.
#[derive(Serialize)]
struct Unanswered<'a> {
    line: u64,
    error: &'a str,
}

impl Sources {
    /// The tables of the folder, where there are some, and of a list of Syzygy folders.
    pub fn open(arguments: &EndgameArguments, folders: Option<&str>) -> Result<Sources, Failure> {
        let folder = &arguments.dir;
        Sources::new(folder.exists().then_some(folder), folders)
            .map(|sources| Sources { folder: folder.clone(), ..sources })
            .map_err(Failure::Work)
    }

    /// The same, of a folder that must be there if one is given.
    pub fn new(folder: Option<&Path>, folders: Option<&str>) -> Result<Sources, String> {
        let tables = folder.map_or_else(|| Ok(Tables::new()), Tables::open)?;
        let syzygy = folders.map(Syzygy::open);
        let faults = syzygy.iter().flat_map(|syzygy| syzygy.faults());
        for fault in tables.faults().iter().chain(faults) {
            plain::say(format_args!("not used: {fault}"));
        }
        if let (Some(folders), Some(0)) = (folders, syzygy.as_ref().map(Syzygy::most_men)) {
            return Err(format!("there are no Syzygy tables in {folders}"));
        }
        Ok(Sources { tables, folder: folder.unwrap_or(Path::new(DEFAULT_DIR)).into(), syzygy })
    }

    /// What is known about a position and its moves, if something is, for programs.
    #[cfg(feature = "web")]
    pub fn report(&self, position: &Position) -> Option<impl Serialize + use<>> {
        self.ask(position, true).ok()
    }

    /// Says so where a folder was named that holds no tables: other sources may know the answer, but a
    /// folder that was named should be used.
    fn warn_of_empty_folder(&self) {
        let is_empty = self.tables.files().is_empty() && self.tables.faults().is_empty();
        if is_empty && self.folder != Path::new(DEFAULT_DIR) {
            plain::say(no_tables(&self.folder));
        }
    }

    /// The value by the best metric that is there.
    fn own(&self, position: &Position) -> Result<(Value, Metric), ProbeError> {
        let probe = |metric| self.tables.probe(position, metric).map(|value| (value, metric));
        probe(Metric::Mate).or_else(|error| {
            probe(Metric::Conversion).or_else(|_| probe(Metric::Outcome)).map_err(|_| error)
        })
    }

    /// What is known, with the moves where they are wanted; or why nothing is.
    fn ask(&self, position: &Position, with_moves: bool) -> Result<Report, String> {
        let own = self.own(position);
        let syzygy = self.syzygy.as_ref();
        let wdl = syzygy.and_then(|syzygy| syzygy.probe(position));
        let claim = RECOGNISERS.claim(position).map(|claim| claim.word());
        let (value, source) = match (&own, wdl, claim) {
            (Ok((value, _)), ..) => (value.word(), "tables"),
            (_, Some(wdl), _) => (wdl.word(), "syzygy"),
            (.., Some(word)) => (word, "recognisers"),
            (Err(error), None, None) => return Err(self.reason(error)),
        };
        let mate = |value: Value, metric| value.plies().filter(|_| metric == Metric::Mate);
        let conversion = self.tables.probe(position, Metric::Conversion).ok();
        Ok(Report {
            line: None,
            fen: position.fen(),
            value,
            source,
            plies_to_mate: own.as_ref().ok().and_then(|&(value, metric)| mate(value, metric)),
            moves_to_conversion: conversion.and_then(|value| value.moves()),
            syzygy: wdl.map(|wdl| ByDistance {
                value: wdl.word(),
                distance: syzygy.and_then(|syzygy| syzygy.distance(position)),
            }),
            recogniser: claim,
            moves: if with_moves { Some(self.moves(position, &own)?) } else { None },
        })
    }

    /// The moves by the source of the value; none by recognisers, who know only the position.
    fn moves(
        &self,
        position: &Position,
        own: &Result<(Value, Metric), ProbeError>,
    ) -> Result<Vec<MoveValue>, String> {
        if let Ok((_, metric)) = *own {
            let evaluated =
                self.tables.evaluate_moves(position, metric).map_err(|error| error.to_string())?;
            let moves = evaluated.into_iter().map(|(mv, value)| MoveValue {
                mv: position.san(mv),
                value: value.word(),
                plies_to_mate: value.plies().filter(|_| metric == Metric::Mate),
            });
            return Ok(moves.collect());
        }
        let evaluated = self.syzygy.as_ref().and_then(|syzygy| syzygy.evaluate_moves(position));
        let moves = evaluated.into_iter().flatten().map(|(mv, wdl)| MoveValue {
            mv: position.san(mv),
            value: wdl.word(),
            plies_to_mate: None,
        });
        Ok(moves.collect())
    }

    /// Why no source knows the position.
    fn reason(&self, error: &ProbeError) -> String {
        match error {
            ProbeError::Missing(..) if self.tables.files().is_empty() && self.syzygy.is_none() => {
                no_tables(&self.folder)
            }
            _ => error.to_string(),
        }
    }

    /// Says what is known about one position.
    pub fn probe(
        &self,
        position: &Position,
        as_json: bool,
        out: &mut impl Write,
    ) -> Result<ExitCode, Failure> {
        let report = self.ask(position, true).map_err(Failure::Work)?;
        self.warn_of_empty_folder();
        match as_json {
            true => json::write(&report, out)?,
            false => report.write(out)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Says what is known about the positions of a text, one a line: `win 13`, `draw` or `loss 4`, with
    /// the half-moves to mate where they are known, or a line of JSON. A line that is no position is named
    /// and answered by `invalid`; where nothing is known the answer is `unknown`. The exit status is 1 if
    /// there was either.
    pub fn probe_lines(
        &self,
        mut input: impl BufRead,
        as_json: bool,
        out: &mut impl Write,
    ) -> Result<ExitCode, Failure> {
        self.warn_of_empty_folder();
        let (mut buffer, mut all_known) = (Vec::new(), true);
        for number in 1.. {
            let text = match lines::read(&mut input, &mut buffer) {
                Ok(Line::End) => break,
                Ok(Line::Whole) => Ok(String::from_utf8_lossy(&buffer)),
                Ok(Line::TooLong) => Err(format!("longer than {} bytes", lines::LONGEST)),
                Err(error) => return Err(Failure::Work(format!("line {number}: {error}"))),
            };
            if text.as_ref().is_ok_and(|text| text.trim().is_empty() || text.starts_with('#')) {
                continue;
            }
            let position = text.and_then(|text| {
                let (position, repairs) = read(&text)?;
                input::tell_repairs(&format!("line {number}"), &repairs);
                Ok(position)
            });
            let is_bad = position.is_err();
            let answer = position.and_then(|position| self.ask(&position, false));
            all_known &= answer.is_ok();
            match answer {
                Ok(report) if as_json => json::write(&report.of_line(number), out)?,
                Ok(report) => report.write_short(out)?,
                Err(error) if as_json => {
                    json::write(&Unanswered { line: number, error: &error }, out)?;
                }
                Err(error) => {
                    // Where stderr is closed the exit status still tells.
                    plain::say(format_args!("line {number}: {error}"));
                    writeln!(out, "{}", if is_bad { "invalid" } else { "unknown" })?;
                }
            }
        }
        Ok(if all_known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Reads a position, a FEN or an EPD record, of which the operations are not looked at.
fn read(line: &str) -> Result<(Position, Vec<Repair>), String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    Position::from_fen_repaired(line).or_else(|error| match Epd::scan_repaired(line) {
        Ok(((position, _), repairs)) => Ok((position, repairs)),
        Err(_) => Err(error.to_string()),
    })
}

impl Report {
    fn of_line(self, number: u64) -> Report {
        Report { line: Some(number), ..self }
    }

    fn write_short(&self, out: &mut impl Write) -> io::Result<()> {
        match self.plies_to_mate {
            Some(plies) => writeln!(out, "{} {plies}", self.value),
            None => writeln!(out, "{}", self.value),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.source == "tables" {
            write!(out, "{}", self.value)?;
            if let Some(plies) = self.plies_to_mate {
                write!(out, ", mate in {} ({plies} half-moves)", plies.div_ceil(2))?;
            }
            if let Some(moves) = self.moves_to_conversion {
                write!(out, ", conversion in {moves}")?;
            }
            writeln!(out)?;
        }
        if let Some(ByDistance { value, distance }) = &self.syzygy {
            write!(out, "Syzygy: {value}")?;
            match distance.map_or(0, i32::abs) {
                0 => writeln!(out)?,
                plies => {
                    writeln!(out, ", {plies} half-moves to the next capture or pawn move")?;
                }
            }
        }
        if let Some(word) = self.recogniser {
            writeln!(out, "recognisers: {word}")?;
        }
        for MoveValue { mv, value, plies_to_mate } in self.moves.iter().flatten() {
            match plies_to_mate {
                Some(plies) => writeln!(out, "  {mv:7} {value} {plies}")?,
                None => writeln!(out, "  {mv:7} {value}")?,
            }
        }
        Ok(())
    }
}
