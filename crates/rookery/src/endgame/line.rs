//! `rookery endgame line`: the best play of both sides.

use crate::failure::Failure;
use crate::json;
use ::endgame::{Metric, Tables};
use board::Position;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

#[derive(Serialize)]
struct LineReport {
    fen: String,
    value: &'static str,
    plies: usize,
    line: Vec<String>,
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
