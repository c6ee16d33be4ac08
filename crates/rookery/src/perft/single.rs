//! One count from one position.

use super::Speed;
use crate::arguments::PerftArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use board::perft::{Counting, Part};
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
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

/// Counts, and shows the outcome; after Ctrl-C what was counted until then.
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
    let parts = count(&position, depth, counting);
    let sum = parts.iter().try_fold(u64::from(depth == 0), |sum, part| sum.checked_add(part.count));
    let nodes = sum
        .filter(|&sum| sum < u64::MAX)
        .ok_or_else(|| Failure::Work(format!("depth {depth}: 64 bits do not hold the count")))?;
    let speed = Speed::new(nodes, begun.elapsed());
    let whole: Vec<&Part> = parts.iter().filter(|part| part.is_whole).collect();
    let interrupted = whole.len() < parts.len();
    let counts = || whole.iter().map(|part| (part.mv.uci(style), part.count)).collect();
    let divide = arguments.divide.then(|| Divided(counts()));
    if arguments.json {
        json::write(&Report { fen: position.fen(), depth, speed, divide, interrupted }, out)?;
    } else {
        if let Some(Divided(moves)) = divide {
            for (mv, count) in moves {
                writeln!(out, "{mv}: {count}")?;
            }
            writeln!(out)?;
        }
        speed.write(out)?;
        if interrupted {
            let (done, all) = (whole.len(), counted(parts.len(), "move"));
            writeln!(out, "interrupted: {done} of {all} are counted to the end")?;
        }
    }
    if interrupted { Err(Failure::Interrupted) } else { Ok(ExitCode::SUCCESS) }
}

fn count(position: &Position, depth: u32, counting: Counting) -> Vec<Part> {
    let bar = Progress::new();
    let progress = |done: usize, total: usize| bar.set(done as u64, total as u64);
    Counting { progress: &progress, ..counting }.divide_so_far(position, depth)
}
