//! Files of positions with their expected counts.
//!
//! Three dialects are read, also mixed in one file; `#` begins a comment line, empty lines are free:
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//! 8/5kpp/8/8/1p3P2/6PP/r3KP2/1R1q4 w - -  0 1; D4 23441
//!
//! id kiwipete
//! epd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
//! perft 1 48
//! perft 2 2039
//! ```
//!
//! A broken line is an error with its number and a reason, and the rest of the file is read.

use super::MAX_DEPTH;
use crate::Position;
use crate::fen::{Repair, quote};

/// A position and what is claimed about it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line of the position.
    pub line: usize,
    /// The position as the file writes it.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// What had to be repaired in it.
    pub repairs: Vec<Repair>,
    /// The claims.
    pub counts: Vec<Expected>,
}

/// The claimed number of lines of a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The line of the claim.
    pub line: usize,
    /// The depth.
    pub depth: u32,
    /// The count.
    pub nodes: u64,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for SuiteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for SuiteError {}

/// What was read: the good entries and the errors, both in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The positions with at least one count.
    pub entries: Vec<Entry>,
    /// The broken lines.
    pub errors: Vec<SuiteError>,
}

/// Reads a suite line by line.
#[derive(Default)]
pub struct SuiteReader {
    suite: Suite,
    lines: usize,
    open: Open,
}

/// What a `perft` line would belong to.
#[derive(Default)]
enum Open {
    /// Nothing.
    #[default]
    Nothing,
    /// An `epd` line that was broken: its counts are passed over.
    Broken,
    /// The position of the last `epd` line.
    Entry(Box<Entry>),
}

impl Suite {
    /// Reads a whole file.
    pub fn parse(text: &[u8]) -> Suite {
        let mut reader = SuiteReader::default();
        text.split(|&byte| byte == b'\n').for_each(|line| reader.line(line));
        reader.finish()
    }
}

impl SuiteReader {
    /// Takes the next line, with or without its end.
    pub fn line(&mut self, line: &[u8]) {
        self.lines += 1;
        let line = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if self.lines == 1 => rest,
            _ => line,
        };
        match std::str::from_utf8(line) {
            Ok(text) => self.text(text.trim()),
            Err(error) => {
                self.error(format!("byte {} is not UTF-8 text", error.valid_up_to() + 1));
            }
        }
    }

    /// Takes note of a line that could not be handed over.
    pub fn skipped(&mut self, reason: impl Into<String>) {
        self.lines += 1;
        self.error(reason.into());
    }

    /// The end of the file.
    pub fn finish(mut self) -> Suite {
        self.close();
        // A position without counts is noticed only when the next one begins.
        self.suite.errors.sort_by_key(|error| error.line);
        self.suite
    }

    fn text(&mut self, text: &str) {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => (),
            _ if word.starts_with('#') => (),
            "id" => self.close(),
            "epd" => {
                self.close();
                self.open =
                    self.position(rest).map_or(Open::Broken, |entry| Open::Entry(Box::new(entry)));
            }
            "perft" => self.perft(rest),
            _ => self.position_with_counts(text),
        }
    }

    fn perft(&mut self, rest: &str) {
        let expected = self.expected(rest);
        match (&mut self.open, expected) {
            (Open::Entry(entry), Ok(expected)) => entry.counts.push(expected),
            (Open::Nothing, _) => {
                self.error("perft without an epd line before it".to_owned());
            }
            (Open::Broken, _) => (),
            (_, Err(reason)) => self.error(reason),
        }
    }

    /// `FEN ;D1 20 ;D2 400`
    fn position_with_counts(&mut self, text: &str) {
        self.close();
        let (fen, claims) = text.split_once(';').unwrap_or((text, ""));
        let Some(mut entry) = self.position(fen) else { return };
        for claim in claims.split(';').map(str::trim).filter(|claim| !claim.is_empty()) {
            match claim.strip_prefix(['D', 'd']).map(|claim| self.expected(claim)) {
                Some(Ok(expected)) => entry.counts.push(expected),
                Some(Err(reason)) => self.error(reason),
                None => self.error(format!("{} is not of the form D1 20", quote(claim))),
            }
        }
        self.open = Open::Entry(Box::new(entry));
        self.close();
    }

    fn position(&mut self, fen: &str) -> Option<Entry> {
        let fen = fen.trim();
        match Position::from_fen_repaired(fen) {
            Ok((position, repairs)) => {
                let (line, counts) = (self.lines, Vec::new());
                Some(Entry { line, fen: fen.to_owned(), position, repairs, counts })
            }
            Err(error) => {
                self.error(error.to_string());
                None
            }
        }
    }

    /// `1 20`
    fn expected(&self, text: &str) -> Result<Expected, String> {
        let mut words = text.split_whitespace();
        let (Some(depth), Some(nodes), None) = (words.next(), words.next(), words.next()) else {
            return Err(format!("{} is not a depth and a count", quote(text.trim())));
        };
        let depth = number(depth)
            .and_then(|depth| u32::try_from(depth).ok())
            .filter(|&depth| depth <= MAX_DEPTH)
            .ok_or_else(|| format!("depth {} is not from 0 to {MAX_DEPTH}", quote(depth)))?;
        let nodes = number(nodes)
            .ok_or_else(|| format!("count {} is not a number of 64 bits", quote(nodes)))?;
        Ok(Expected { line: self.lines, depth, nodes })
    }

    /// Ends the entry that counts may still come to.
    fn close(&mut self) {
        let Open::Entry(entry) = std::mem::take(&mut self.open) else { return };
        let told = self.suite.errors.iter().any(|error| error.line >= entry.line);
        if !entry.counts.is_empty() {
            self.suite.entries.push(*entry);
        } else if !told {
            let reason = "a position without counts".to_owned();
            self.suite.errors.push(SuiteError { line: entry.line, reason });
        }
    }

    fn error(&mut self, reason: String) {
        self.suite.errors.push(SuiteError { line: self.lines, reason });
    }
}

/// Digits only: no sign, nothing else that the standard library would let pass.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

    fn reasons(text: &str) -> Vec<String> {
        Suite::parse(text.as_bytes()).errors.iter().map(SuiteError::to_string).collect()
    }

    #[test]
    fn the_dialects_say_the_same() {
        let semicolons = format!("\u{feff}# comment\r\n\r\n{KINGS} ;D1 5 ;D2 25\r\n");
        let spaced = "4k3/8/8/8/8/8/8/4K3 w - -  0 1; D1 5; D2 25;\n".to_owned();
        let words = "id kings\nepd 4k3/8/8/8/8/8/8/4K3 w - -\nperft 1 5\nperft 2 25".to_owned();
        for text in [semicolons, spaced, words] {
            let suite = Suite::parse(text.as_bytes());
            assert_eq!(suite.errors, []);
            let [entry] = &suite.entries[..] else { panic!("one entry") };
            let counts: Vec<_> = entry.counts.iter().map(|one| (one.depth, one.nodes)).collect();
            assert_eq!((counts, entry.position.fen().as_str()), (vec![(1, 5), (2, 25)], KINGS));
        }
    }

    #[test]
    fn broken_lines_are_named_and_the_rest_is_read() {
        let text = format!(
            "nonsense ;D1 1\n{KINGS} ;D1 5 ;Dx 3 ;D2 99999999999999999999\n{KINGS}\n\
             perft 1 5\nepd 8/8 w\nperft 1 5\nid x\nepd {KINGS}\nid y\n{KINGS} ;D1 +5"
        );
        let suite = Suite::parse(text.as_bytes());
        assert_eq!(suite.entries.len(), 1);
        assert_eq!(suite.entries[0].counts, [Expected { line: 2, depth: 1, nodes: 5 }]);
        assert_eq!(
            reasons(&text),
            [
                "line 1: FEN, piece placement: \"nonsense\" is no board of 8 ranks with / between them",
                "line 2: depth \"x\" is not from 0 to 255",
                "line 2: count \"99999999999999999999\" is not a number of 64 bits",
                "line 3: a position without counts",
                "line 4: perft without an epd line before it",
                "line 5: FEN, piece placement: 2 ranks instead of 8",
                "line 8: a position without counts",
                "line 10: count \"+5\" is not a number of 64 bits",
            ]
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error_of_their_line() {
        let suite = Suite::parse(b"\n\xff\xfe\n");
        assert_eq!(suite.errors[0].to_string(), "line 2: byte 1 is not UTF-8 text");
    }
}
