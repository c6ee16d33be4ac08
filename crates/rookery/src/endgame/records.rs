//! `rookery endgame check --epd`: distances to mate that others have published.

use crate::counted::counted;
use crate::failure::Failure;
use crate::input;
use crate::json;
use ::endgame::{Metric, ProbeError, Tables, Value};
use board::Position;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

#[derive(Serialize, Default)]
struct Report {
    positions: u64,
    compared: u64,
    missing: u64,
    wrong: Vec<String>,
}

/// The moves to mate that a record tells, negative for the loser: `dm 28` or `bm #-7`.
fn moves(record: &str) -> Option<i32> {
    let mut words = record.split([' ', ';']).filter(|word| !word.is_empty()).skip(4);
    match (words.next()?, words.next()?) {
        ("dm", number) => number.parse().ok(),
        ("bm", mate) => mate.strip_prefix('#')?.parse().ok(),
        _ => None,
    }
}

/// Compares every record; broken ones are named.
pub fn run(
    tables: &Tables,
    path: &Path,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let fail = |line: String| Failure::Work(format!("{}: {line}", path.display()));
    let text = input::text(path).map_err(|error| fail(error.to_string()))?;
    let mut report = Report::default();
    for (number, record) in (1..).zip(text.lines()) {
        if record.is_empty() || record.starts_with('#') {
            continue;
        }
        let broken = |why: String| fail(format!("line {number}: {why}"));
        let fen: Vec<&str> = record.split_whitespace().take(4).collect();
        let position =
            Position::from_fen(&fen.join(" ")).map_err(|error| broken(error.to_string()))?;
        let expected =
            moves(record).ok_or_else(|| broken("there is no `dm N` or `bm #N`".to_owned()))?;
        report.positions += 1;
        match tables.probe(&position, Metric::Mate) {
            Ok(value) => {
                report.compared += 1;
                let found = i32::from(value.moves().unwrap_or(0)) * value.sign();
                if found != expected || (value == Value::Draw) != (expected == 0) {
                    report.wrong.push(format!("line {number}: {found} instead of {expected}"));
                }
            }
            Err(ProbeError::Missing(..)) => report.missing += 1,
            Err(error) => return Err(broken(error.to_string())),
        }
    }
    if as_json {
        json::write(&report, out)?;
    } else {
        for line in &report.wrong {
            writeln!(out, "{line}")?;
        }
        let Report { positions, compared, missing, wrong } = &report;
        let wrong = wrong.len();
        writeln!(
            out,
            "{}, {compared} compared, {missing} without a table, {wrong} wrong",
            counted(positions, "position")
        )?;
    }
    Ok(if report.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_are_read() {
        assert_eq!(moves("8/8/8/8/8/2k5/1R6/K7 w - - dm 16;"), Some(16));
        assert_eq!(moves("8/8/8/8/8/2k5/1R6/K7 w - - bm #-7; PV: a1a2;"), Some(-7));
        assert_eq!(moves("8/8/8/8/8/2k5/1R6/K7 w - - bm Kb1;"), None);
        assert_eq!(moves("8/8"), None);
    }
}
