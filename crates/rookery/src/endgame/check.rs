//! `rookery endgame check`: our tables against Syzygy's on random positions.

use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use ::endgame::syzygy::Syzygy;
use ::endgame::{Metric, Tables};
use board::random::SplitMix;
use board::{Color, Position};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Which positions are compared.
#[derive(Clone, Copy)]
pub struct Sample {
    /// How many of each ending.
    pub positions: u32,
    /// Where the random numbers begin.
    pub seed: u64,
}

#[derive(Serialize)]
struct Line {
    ending: String,
    metric: &'static str,
    compared: u64,
    en_passant: u64,
    wrong: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wrong: Option<String>,
}

/// Compares the outcomes. Syzygy's values are taken without the fifty-move rule, as ours are.
pub fn syzygy(
    tables: &Tables,
    folder: &str,
    sample: Sample,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let syzygy = Syzygy::open(folder);
    if let Some(fault) = syzygy.faults().first() {
        return Err(Failure::Work(fault.clone()));
    }
    if syzygy.most_men() == 0 {
        return Err(Failure::Work(format!("there are no Syzygy tables in {folder}")));
    }
    let files = tables.files();
    let bar = Progress::new();
    let mut random = SplitMix(sample.seed);
    let mut lines = Vec::new();
    for (nth, file) in files.iter().enumerate() {
        let metric = file.header.metric;
        let mut line = Line {
            ending: file.header.ending.to_string(),
            metric: metric.name(),
            compared: 0,
            en_passant: 0,
            wrong: 0,
            first_wrong: None,
        };
        // Illegal placements are drawn again; some endings have no Syzygy table at all.
        for _ in 0..u64::from(sample.positions) * 8 {
            let (number, coin) = (random.next(), random.next());
            let index = (number % file.layout.size() as u64) as usize;
            let side = Color::from_white(coin & 1 == 0);
            let Some(position) = file.layout.position_with(index, side, coin & 2 == 0) else {
                continue;
            };
            let Some(wdl) = syzygy.probe(&position) else { continue };
            compare(tables, metric, &position, wdl.sign(false), &mut line)?;
            if line.compared >= u64::from(sample.positions) {
                break;
            }
        }
        lines.push(line);
        bar.set(nth as u64 + 1, files.len() as u64);
    }
    drop(bar);
    report(&lines, as_json, out)
}

fn compare(
    tables: &Tables,
    metric: Metric,
    position: &Position,
    expected: i32,
    line: &mut Line,
) -> Result<(), Failure> {
    let value = tables.probe(position, metric).map_err(|error| Failure::Work(error.to_string()))?;
    line.compared += 1;
    line.en_passant += u64::from(position.en_passant().is_some());
    if value.sign() != expected {
        line.wrong += 1;
        line.first_wrong.get_or_insert_with(|| position.fen());
    }
    Ok(())
}

fn report(lines: &[Line], as_json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if as_json {
        json::write(&lines, out)?;
    } else {
        for Line { ending, metric, compared, en_passant, wrong, first_wrong } in lines {
            write!(
                out,
                "{ending:6} {metric} {compared} compared, {en_passant} en passant, {wrong} wrong"
            )?;
            match first_wrong {
                Some(fen) => writeln!(out, ", first {fen}")?,
                None => writeln!(out)?,
            }
        }
        let sum = |count: fn(&Line) -> u64| lines.iter().map(count).sum::<u64>();
        let (compared, wrong) = (sum(|line| line.compared), sum(|line| line.wrong));
        writeln!(out, "{} compared, {wrong} wrong", counted(compared, "position"))?;
    }
    let wrong = lines.iter().any(|line| line.wrong > 0);
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
