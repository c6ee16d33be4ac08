//! Reading a suite: records with a task, and those that have none.

use crate::lines::{self, Line};
use board::{Epd, Move, Position};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

/// A position and its right moves.
pub struct Problem {
    /// The line in the file.
    pub line: usize,
    /// Its name: the record's, or `line 7`.
    pub name: String,
    /// The position.
    pub position: Position,
    /// One of these is right, if there are any.
    pub best: Vec<Move>,
    /// None of these is.
    pub avoid: Vec<Move>,
}

/// A record that cannot be used.
#[derive(Serialize, Debug)]
pub struct Broken {
    /// The line in the file.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl Problem {
    /// Whether a move solves it.
    pub fn is_right(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// `bm Qd1+ am Nf3`
    pub fn task(&self) -> String {
        let words = [("bm", &self.best), ("am", &self.avoid)].into_iter();
        let words = words.filter(|(_, moves)| !moves.is_empty()).map(|(opcode, moves)| {
            let moves: Vec<String> = moves.iter().map(|&mv| self.position.san(mv)).collect();
            format!("{opcode} {}", moves.join(" "))
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Reads a file. Empty lines and lines that begin with `#` are passed over.
pub fn read(file: &Path) -> io::Result<(Vec<Problem>, Vec<Broken>)> {
    let mut input = BufReader::new(File::open(file)?);
    let (mut problems, mut broken, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
    for line in 1.. {
        let read = match lines::read(&mut input, &mut buffer)? {
            Line::End => break,
            Line::TooLong => Err(format!("longer than {} bytes, passed over", lines::LONGEST)),
            Line::Whole => read_line(line, &String::from_utf8_lossy(&buffer)),
        };
        match read {
            Ok(problem) => problems.extend(problem),
            Err(reason) => broken.push(Broken { line, reason }),
        }
    }
    Ok((problems, broken))
}

fn read_line(line: usize, text: &str) -> Result<Option<Problem>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let record: Epd = text.parse().map_err(|error: board::EpdError| error.to_string())?;
    let (best, avoid) = (record.best_moves().to_vec(), record.avoid_moves().to_vec());
    if best.is_empty() && avoid.is_empty() {
        return Err("neither bm nor am says which moves are right".to_owned());
    }
    let name = record.id().map_or_else(|| format!("line {line}"), str::to_owned);
    Ok(Some(Problem { line, name, position: *record.position(), best, avoid }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_needs_a_task() {
        assert!(matches!(read_line(1, "  # nothing"), Ok(None)));
        assert!(read_line(1, "4k3/8/8/8/8/8/8/4K2R w K -").is_err());
        assert!(read_line(1, "4k3/8/8/8/8/8/8/4K2R w K - bm Qh8;").is_err());
        let record = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; am Rh8+;";
        let problem = read_line(7, record).expect("a record").expect("not empty");
        assert_eq!((problem.name.as_str(), problem.best.len()), ("line 7", 2));
        let right = |san: &str| {
            problem.is_right(problem.position.parse_san(san.as_bytes()).expect("a legal move"))
        };
        assert!(right("O-O") && !right("Rh8") && !right("Rh7"));
        assert_eq!(problem.task(), "bm O-O Rh8+ am Rh8+");
    }
}
