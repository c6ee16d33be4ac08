//! One count from one position.

use super::Speed;
use crate::arguments::PerftArguments;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use board::perft::Counting;
use board::{CastlingStyle, Position};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

#[derive(serde::Serialize)]
struct Report {
    fen: String,
    depth: u32,
    #[serde(flatten)]
    speed: Speed,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Divided>,
}

/// The moves with their counts, in the order of generation.
struct Divided(Vec<(String, u64)>);

impl Serialize for Divided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (mv, count) in &self.0 {
            map.serialize_entry(mv, count)?;
        }
        map.end()
    }
}

/// Counts, and shows the outcome.
pub fn run(
    arguments: &PerftArguments,
    counting: Counting,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let depth = arguments.depth.unwrap_or(0);
    let (position, style) = match arguments.position.read()? {
        Some(fen) => (fen.position, fen.style),
        None => (Position::startpos(), CastlingStyle::Standard),
    };
    let begun = Instant::now();
    let (nodes, divided) = count(&position, depth, arguments.divide, counting)
        .ok_or_else(|| Failure::Work(format!("depth {depth}: 64 bits do not hold the count")))?;
    let speed = Speed::new(nodes, begun.elapsed());
    let divide = divided.map(|divided| {
        Divided(divided.into_iter().map(|(mv, count)| (mv.uci(style), count)).collect())
    });
    if arguments.json {
        json::write(&Report { fen: position.fen(), depth, speed, divide }, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(Divided(moves)) = divide {
        for (mv, count) in moves {
            writeln!(out, "{mv}: {count}")?;
        }
        writeln!(out)?;
    }
    speed.write(out)?;
    Ok(ExitCode::SUCCESS)
}

type Count = (u64, Option<Vec<(board::Move, u64)>>);

fn count(position: &Position, depth: u32, divide: bool, counting: Counting) -> Option<Count> {
    let bar = Progress::new();
    let progress = |done: usize, total: usize| bar.set(done as u64, total as u64);
    let counting = Counting { progress: &progress, ..counting };
    match divide && depth > 0 {
        false => Some((counting.count(position, depth)?, divide.then(Vec::new))),
        true => {
            let divided = counting.divide(position, depth)?;
            let counts = divided.iter().map(|&(_, count)| count);
            let nodes = counts.into_iter().try_fold(0u64, u64::checked_add)?;
            Some((nodes, Some(divided)))
        }
    }
}
