//! Labelled positions, as the counts of weights that their evaluation is made of.

use board::{Color, Epd};
use eval::weights::{COUNT, Role, role};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A weight that counted, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The weight's number.
    pub weight: u16,
    /// How often; for ordinary weights White's count less Black's.
    pub times: i16,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its counts begin: ordinary ones, White's danger, Black's danger, winnable; and the end.
    pub bounds: [u32; 5],
    /// The share of the middlegame's half.
    pub middlegame: f32,
    /// The share of the endgame's half, scale included.
    pub endgame: f32,
    /// What White got or is expected to get, from 0 to 1.
    pub label: f32,
}

/// All positions.
#[derive(Clone, Default, Debug)]
pub struct Samples {
    /// The counts of all, one after the other.
    pub counts: Vec<Count>,
    /// The positions.
    pub samples: Vec<Sample>,
}

/// Lines of a file that could not be used.
#[derive(Clone, Default, Debug)]
pub struct Skipped {
    /// How many.
    pub lines: usize,
    /// The first, with its number and what is wrong.
    pub first: Option<String>,
}

/// The `K` that turns the recorded scores of strong engines into expectations: the best fit to the
/// results of the same games, where 0.004 has a loss of 0.0614, 0.009 one of 0.0537.
const RECORDED_SCALE: f64 = 0.009;

/// How a part takes its count from White's and Black's.
type Times = fn(i16, i16) -> i16;

impl Samples {
    /// Adds a position that White scores `label` with, unless its ending is known.
    pub fn add(&mut self, position: &board::Position, label: f64) {
        let Some(trace) = eval::trace(position) else { return };
        let mut bounds = [self.counts.len() as u32; 5];
        let [white, black] = &*trace.counts;
        let parts: [(Role, Times); 4] = [
            (Role::Score, |white, black| white - black),
            (Role::Danger, |white, _| white),
            (Role::Danger, |_, black| black),
            (Role::Winnable, |white, _| white),
        ];
        for (part, (wanted, times)) in parts.into_iter().enumerate() {
            for weight in 0..COUNT {
                let times = times(white[weight], black[weight]);
                if times != 0 && role(weight) == wanted {
                    self.counts.push(Count { weight: weight as u16, times });
                }
            }
            bounds[part + 1] = self.counts.len() as u32;
        }
        let phase = trace.phase as f32 / eval::trace::FULL_PHASE as f32;
        let scale = trace.scale as f32 / eval::trace::FULL_SCALE as f32;
        self.samples.push(Sample {
            bounds,
            middlegame: phase,
            endgame: (1.0 - phase) * scale,
            label: label as f32,
        });
    }

    /// The numbers of the positions to learn from, and of the tenth that is held out.
    pub fn split(&self) -> (Vec<u32>, Vec<u32>) {
        (0..self.samples.len() as u32).partition(|number| number % 10 != 9)
    }
}

/// Reads up to `most` labelled positions of an EPD file; what cannot be used is counted.
pub fn read(path: &Path, most: usize, result_share: f64) -> Result<(Samples, Skipped), String> {
    let name = path.display();
    let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
    let (mut samples, mut skipped) = (Samples::default(), Skipped::default());
    for (line, number) in BufReader::new(file).lines().zip(1..) {
        if samples.samples.len() >= most {
            break;
        }
        let line = line.map_err(|error| format!("{name}, line {number}: {error}"))?;
        if line.trim().is_empty() {
            continue;
        }
        match label(&line, result_share) {
            Ok((record, label)) => samples.add(record.position(), label),
            Err(reason) => {
                skipped.lines += 1;
                skipped.first.get_or_insert(format!("line {number}: {reason}"));
            }
        }
    }
    Ok((samples, skipped))
}

/// The record and what White is expected to get.
fn label(line: &str, result_share: f64) -> Result<(Epd, f64), String> {
    let record: Epd = line.parse().map_err(|error: board::EpdError| error.to_string())?;
    let result = match record.text("c9") {
        Some("1-0") => 1.0,
        Some("1/2-1/2") => 0.5,
        Some("0-1") => 0.0,
        _ => return Err("no result in c9".to_owned()),
    };
    let Some(score) = record.number("ce") else { return Err("no score in ce".to_owned()) };
    let white = match record.position().side_to_move() {
        Color::White => score as f64,
        Color::Black => -(score as f64),
    };
    let expected = 1.0 / (1.0 + (-RECORDED_SCALE * white).exp());
    let share = result_share.clamp(0.0, 1.0);
    Ok((record, share * result + (1.0 - share) * expected))
}
