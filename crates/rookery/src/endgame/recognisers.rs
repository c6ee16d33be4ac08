//! `rookery endgame recognisers`: what the recognisers claim, against every position of the tables.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, json};
use ::endgame::build::for_chunks;
use ::endgame::file::TableFile;
use ::endgame::recognise::RECOGNISERS;
use ::endgame::{Ending, Metric, Tables};
use board::Color;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that a thread looks at before it takes others.
const CHUNK: usize = 1 << 14;

#[derive(Serialize, Default, Clone)]
struct Line {
    ending: String,
    positions: u64,
    recognised: u64,
    wrong: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wrong: Option<String>,
}

/// Compares, with a line for each ending.
pub fn run(
    tables: &Tables,
    endings: &[Ending],
    threads: usize,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let wanted = super::chosen(tables, endings);
    interrupt::listen();
    let mut lines = Vec::new();
    for ending in &wanted {
        let files = Metric::ALL.map(|metric| tables.file(ending, metric));
        let Some(file) = files.into_iter().rev().flatten().next() else {
            return Err(Failure::Work(format!("there is no table of {ending}")));
        };
        let line = compare(tables, file, threads)?;
        if !as_json {
            let Line { ending, positions, recognised, wrong, first_wrong } = &line;
            write!(
                out,
                "{ending:6} {positions} positions, {recognised} recognised, {wrong} wrong"
            )?;
            match first_wrong {
                Some(fen) => writeln!(out, ", first {fen}")?,
                None => writeln!(out)?,
            }
        }
        lines.push(line);
        if interrupt::requested() {
            break;
        }
    }
    if as_json {
        json::write(&lines, out)?;
    }
    interrupt::status()?;
    let wrong = lines.iter().any(|line| line.wrong > 0);
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn compare(tables: &Tables, file: &TableFile, threads: usize) -> Result<Line, Failure> {
    let chunks = file.layout.size().div_ceil(CHUNK);
    let (bar, done) = (Progress::new(), AtomicU64::new(0));
    let metric = file.header.metric;
    let parts = for_chunks(chunks, threads, |chunk| {
        let mut line = Line::default();
        if interrupt::requested() {
            return Ok(line);
        }
        for index in chunk * CHUNK..file.layout.size().min((chunk + 1) * CHUNK) {
            for side in Color::ALL {
                let Some(position) = file.layout.position(index, side) else { continue };
                line.positions += 1;
                let Some(claim) = RECOGNISERS.claim(&position) else { continue };
                line.recognised += 1;
                let value = tables.probe(&position, metric)?;
                if !claim.allows(value) {
                    line.wrong += 1;
                    line.first_wrong.get_or_insert_with(|| position.fen());
                }
            }
        }
        bar.set(done.fetch_add(1, Relaxed) + 1, chunks as u64);
        Ok(line)
    });
    let mut sum = Line { ending: file.header.ending.to_string(), ..Line::default() };
    for part in parts {
        let part = part.map_err(|error: ::endgame::ProbeError| Failure::Work(error.to_string()))?;
        sum.positions += part.positions;
        sum.recognised += part.recognised;
        sum.wrong += part.wrong;
        sum.first_wrong = sum.first_wrong.or(part.first_wrong);
    }
    Ok(sum)
}
