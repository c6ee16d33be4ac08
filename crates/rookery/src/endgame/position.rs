//! `rookery endgame probe` and `line`: what the tables know about one position.

use crate::failure::Failure;
use crate::json;
use ::endgame::{Metric, Tables, Value};
use board::Position;
use serde::Serialize;
use std::io::{BufRead, Write};
use std::process::ExitCode;

#[derive(Serialize)]
struct Judged {
    #[serde(rename = "move")]
    mv: String,
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_mate: Option<u16>,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_mate: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_to_conversion: Option<u16>,
    moves: Vec<Judged>,
}

#[derive(Serialize)]
struct LineReport {
    fen: String,
    value: &'static str,
    plies: usize,
    line: Vec<String>,
}

/// The value by the best metric that is there.
fn value(tables: &Tables, position: &Position) -> Result<(Value, Metric), Failure> {
    let probe = |metric| tables.probe(position, metric).map(|value| (value, metric));
    probe(Metric::Mate)
        .or_else(|error| {
            probe(Metric::Conversion).or_else(|_| probe(Metric::Outcome)).map_err(|_| error)
        })
        .map_err(|error| Failure::Work(error.to_string()))
}

/// What the tables say.
pub fn probe(
    tables: &Tables,
    position: &Position,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let (value, metric) = value(tables, position)?;
    let mate = |value: Value| if metric == Metric::Mate { value.plies() } else { None };
    let conversion =
        tables.probe(position, Metric::Conversion).ok().and_then(|value| value.moves());
    let judged = tables.judge(position, metric).map_err(|error| Failure::Work(error.to_string()));
    let moves = judged?.into_iter().map(|(mv, value)| Judged {
        mv: position.san(mv),
        value: value.word(),
        plies_to_mate: mate(value),
    });
    let report = Report {
        fen: position.fen(),
        value: value.word(),
        plies_to_mate: mate(value),
        moves_to_conversion: conversion,
        moves: moves.collect(),
    };
    if as_json {
        json::write(&report, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", report.value)?;
    if let Some(plies) = report.plies_to_mate {
        write!(out, ", mate in {} ({plies} half-moves)", plies.div_ceil(2))?;
    }
    if let Some(moves) = report.moves_to_conversion {
        write!(out, ", conversion in {moves}")?;
    }
    writeln!(out)?;
    for Judged { mv, value, plies_to_mate } in &report.moves {
        match plies_to_mate {
            Some(plies) => writeln!(out, "  {mv:7} {value} {plies}")?,
            None => writeln!(out, "  {mv:7} {value}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the tables say of positions that are read line by line: `win 13`, `draw` or `loss 4` each, with
/// the half-moves to mate where they are known.
pub fn probe_lines(
    tables: &Tables,
    lines: impl BufRead,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    for (number, line) in (1..).zip(lines.lines()) {
        let broken = |reason: String| Failure::Work(format!("line {number}: {reason}"));
        let line = line.map_err(|error| broken(error.to_string()))?;
        let position = Position::from_fen(&line).map_err(|error| broken(error.to_string()))?;
        let (value, metric) = value(tables, &position)?;
        match value.plies().filter(|_| metric == Metric::Mate) {
            Some(plies) => writeln!(out, "{} {plies}", value.word())?,
            None => writeln!(out, "{}", value.word())?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The best play of both sides.
pub fn line(
    tables: &Tables,
    position: &Position,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let fail = |error: ::endgame::ProbeError| Failure::Work(error.to_string());
    let value = tables.probe(position, Metric::Mate).map_err(fail)?;
    let moves = tables.line(position).map_err(fail)?;
    let mut now = *position;
    let mut line = Vec::new();
    for &mv in &moves {
        line.push(now.san(mv));
        now = now.make(mv);
    }
    if as_json {
        let report =
            LineReport { fen: position.fen(), value: value.word(), plies: line.len(), line };
        json::write(&report, out)?;
    } else if line.is_empty() {
        writeln!(out, "{}", value.word())?;
    } else {
        writeln!(out, "{} in {} half-moves: {}", value.word(), line.len(), line.join(" "))?;
    }
    Ok(ExitCode::SUCCESS)
}
