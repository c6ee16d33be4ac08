//! The positions that games begin with.

use board::random::SplitMix;
use board::{Epd, Position};
use std::path::Path;

/// A list of positions, given out in random order.
#[derive(Clone, Debug)]
pub struct Openings {
    positions: Vec<Position>,
    random: SplitMix,
    next: usize,
}

impl Openings {
    /// Reads a file of EPD or FEN records, one a line; lines that begin with `#` are passed over.
    pub fn read(path: &Path, seed: u64) -> Result<Openings, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut positions = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim().trim_start_matches('\u{feff}');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let position = read_record(line)
                .map_err(|reason| format!("{}:{number}: {reason}", path.display()))?;
            if position.has_legal_move() {
                positions.push(position);
            }
        }
        match positions.is_empty() {
            true => Err(format!("{} holds no position with moves", path.display())),
            false => Ok(Openings::new(positions, seed)),
        }
    }

    /// A list that is not empty. Every position comes once before any comes again.
    pub fn new(positions: Vec<Position>, seed: u64) -> Openings {
        Openings { positions, random: SplitMix(seed), next: 0 }
    }

    /// All of them, in the order of the file before any was drawn.
    pub fn into_positions(self) -> Vec<Position> {
        self.positions
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// The next one. A step of a Fisher–Yates shuffle brings it to its place.
    pub fn draw(&mut self) -> Position {
        if self.next == self.positions.len() {
            self.next = 0;
        }
        let other =
            self.next + self.random.below((self.positions.len() - self.next) as u64) as usize;
        self.positions.swap(self.next, other);
        self.next += 1;
        self.positions[self.next - 1]
    }
}

/// Both forms are common in opening files: EPD, and FEN with its two clocks.
fn read_record(line: &str) -> Result<Position, String> {
    match Position::from_fen(line) {
        Ok(position) => Ok(position),
        Err(_) => {
            line.parse::<Epd>().map(|record| *record.position()).map_err(|error| error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_opening_comes_once_before_any_comes_again() {
        let startpos = Position::startpos();
        let positions: Vec<Position> =
            startpos.legal_moves().iter().map(|&mv| startpos.make(mv)).collect();
        let mut openings = Openings::new(positions, 9);
        for _ in 0..3 {
            let keys: BTreeSet<u64> =
                (0..openings.count()).map(|_| openings.draw().key()).collect();
            assert_eq!(keys.len(), 20);
        }
    }

    #[test]
    fn both_forms_of_records_are_read() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;";
        assert_eq!(read_record(fen).map(|position| position.fen()), Ok(fen.to_owned()));
        assert_eq!(read_record(epd).map(|position| position.fen()), Ok(fen.to_owned()));
        assert!(read_record("no position").is_err());
    }
}
