//! `rookery endgame info` and `verify`: the files themselves.

use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use ::endgame::Tables;
use ::endgame::file::TableFile;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

#[derive(Serialize)]
struct Line {
    ending: String,
    metric: &'static str,
    positions: usize,
    bytes: u64,
    bits_per_position: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    files: &'a [Line],
    faults: &'a [String],
}

fn line(file: &TableFile) -> Line {
    let positions = 2 * file.layout.size();
    let bytes = file.data_length();
    Line {
        ending: file.header.ending.to_string(),
        metric: file.header.metric.name(),
        positions,
        bytes,
        bits_per_position: bytes as f64 * 8.0 / positions as f64,
    }
}

/// Lists the tables.
pub fn info(tables: &Tables, as_json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let lines: Vec<Line> = tables.files().into_iter().map(line).collect();
    if as_json {
        json::write(&Report { files: &lines, faults: tables.faults() }, out)?;
    } else {
        for Line { ending, metric, positions, bytes, bits_per_position } in &lines {
            writeln!(
                out,
                "{ending:6} {metric} {positions:>10} positions {bytes:>10} bytes {bits_per_position:6.3} bits each"
            )?;
        }
        let bytes: u64 = lines.iter().map(|line| line.bytes).sum();
        writeln!(out, "{}, {bytes} bytes", counted(lines.len(), "file"))?;
    }
    Ok(if tables.faults().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads everything.
pub fn verify(
    tables: &Tables,
    threads: usize,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let files = tables.files();
    let total: u64 = files.iter().map(|file| file.data_length()).sum();
    let bar = Progress::new();
    let mut done = 0;
    let mut faults = tables.faults().to_vec();
    for file in &files {
        if let Err(fault) = file.load(threads) {
            faults.push(fault);
        }
        done += file.data_length();
        bar.set(done, total);
    }
    drop(bar);
    if as_json {
        let lines: Vec<Line> = files.into_iter().map(line).collect();
        json::write(&Report { files: &lines, faults: &faults }, out)?;
    } else {
        for fault in &faults {
            writeln!(out, "{fault}")?;
        }
        let whole = files.len() + tables.faults().len() - faults.len();
        let verb = if whole == 1 { "is" } else { "are" };
        writeln!(out, "{} {verb} whole, {} not", counted(whole, "file"), faults.len())?;
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
