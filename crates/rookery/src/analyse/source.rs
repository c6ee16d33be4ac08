//! What is to be analysed, one task after the other from a stream of any length.

use crate::failure::Failure;
use crate::lines::{self, Line};
use board::Epd;
use board::pgn::{Game, Games, Limits, PgnError};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

/// How much a reader gets at once: so much can the place in the input be wrong, for the progress bar.
const PORTION: usize = 4 << 10;
/// The memory of one game, in bytes. Several are held at a time.
const GAME_MEMORY: usize = 16 << 20;

/// Something to analyse.
pub enum Work {
    /// A whole game.
    Game(Box<Game>),
    /// A position, and its name.
    Position(Box<(Epd, String)>),
}

/// Work from a place of the input.
pub struct Task {
    /// The number in the input, from 1, broken ones counted.
    pub number: u64,
    /// The line in the input; known for positions.
    pub line: Option<u64>,
    /// How much of the input it takes, about.
    pub bytes: u64,
    /// What is to be done.
    pub work: Work,
}

/// What cannot be analysed.
#[derive(Debug)]
pub enum Trouble {
    /// It is passed over: where it is and what is wrong.
    Broken(String),
    /// The input ends here: why.
    Input(String),
}

/// A stream of tasks.
pub struct Source {
    kind: Kind,
    name: String,
    place: Rc<Cell<u64>>,
    last_place: u64,
    number: u64,
    digest: Digest,
}

enum Kind {
    Games(Box<Games<Metered>>),
    Records { input: BufReader<Metered>, buffer: Vec<u8>, line: u64 },
}

impl Source {
    /// The games of a stream.
    pub fn games(name: String, input: Box<dyn Read>) -> Source {
        let limits = Limits { game: GAME_MEMORY, ..Limits::default() };
        Source::new(name, input, |input| Kind::Games(Box::new(Games::with_limits(input, limits))))
    }

    /// The positions of a stream, a line each.
    pub fn records(name: String, input: Box<dyn Read>) -> Source {
        Source::new(name, input, |input| Kind::Records {
            input: BufReader::with_capacity(PORTION, input),
            buffer: Vec::new(),
            line: 0,
        })
    }

    fn new(name: String, input: Box<dyn Read>, kind: impl FnOnce(Metered) -> Kind) -> Source {
        let place = Rc::new(Cell::new(0));
        let kind = kind(Metered { input, place: Rc::clone(&place) });
        Source { kind, name, place, last_place: 0, number: 0, digest: Digest::default() }
    }

    /// How its tasks are called.
    pub fn unit(&self) -> &'static str {
        match self.kind {
            Kind::Games(_) => "game",
            Kind::Records { .. } => "position",
        }
    }

    /// The name of the input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many tasks have come, broken ones among them, and a digest of them all: another input has
    /// another one.
    pub fn passed(&self) -> (u64, u64) {
        (self.number, self.digest.0)
    }

    /// How many bytes have been read.
    pub fn place(&self) -> u64 {
        self.place.get()
    }

    /// Passes over the first tasks, which are done, and checks that they are the same as then.
    pub fn pass_over(&mut self, tasks: u64, digest: u64) -> Result<(), Failure> {
        while self.number < tasks {
            match self.next() {
                Some(Err(Trouble::Input(reason))) => return Err(Failure::Work(reason)),
                Some(_) => (),
                None => break,
            }
        }
        if self.passed() == (tasks, digest) {
            return Ok(());
        }
        let (name, unit) = (&self.name, self.unit());
        Err(Failure::Work(format!(
            "{name} does not begin with the {tasks} {unit}s that are done: give the same input, or \
             begin anew with --overwrite"
        )))
    }

    fn next_work(&mut self) -> Option<Result<(Work, Option<u64>), Trouble>> {
        match &mut self.kind {
            Kind::Games(games) => {
                let game = games.next()?;
                self.number += 1;
                Some(match game {
                    Ok(game) => {
                        self.digest.add_game(&game);
                        Ok((Work::Game(Box::new(game)), None))
                    }
                    Err(error) => {
                        self.digest.add(b"broken");
                        Err(describe(&self.name, &error))
                    }
                })
            }
            Kind::Records { input, buffer, line } => {
                let record = next_record(input, buffer, line)?;
                self.number += 1;
                self.digest.add(buffer);
                Some(match record {
                    Ok(record) => {
                        let name =
                            record.id().map_or_else(|| format!("line {line}"), str::to_owned);
                        Ok((Work::Position(Box::new((record, name))), Some(*line)))
                    }
                    Err(Trouble::Broken(reason)) => {
                        Err(Trouble::Broken(format!("{}, line {line}: {reason}", self.name)))
                    }
                    Err(Trouble::Input(reason)) => {
                        Err(Trouble::Input(format!("cannot read {}: {reason}", self.name)))
                    }
                })
            }
        }
    }
}

impl Iterator for Source {
    type Item = Result<Task, Trouble>;

    fn next(&mut self) -> Option<Self::Item> {
        let work = self.next_work()?;
        // What is broken counts with what follows.
        Some(work.map(|(work, line)| {
            let bytes = self.place() - self.last_place;
            self.last_place = self.place();
            Task { number: self.number, line, bytes, work }
        }))
    }
}

/// `games.pgn, game 3, line 41, "Ke3": no man can make this move`
fn describe(name: &str, error: &PgnError) -> Trouble {
    if error.io_error().is_some() {
        return Trouble::Input(format!("cannot read {name}: {}", error.reason()));
    }
    let place = error.to_string();
    Trouble::Broken(format!("{name}, {}", place.strip_prefix("PGN, ").unwrap_or(&place)))
}

/// The next record. Empty lines and lines that begin with `#` are passed over.
fn next_record(
    input: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    number: &mut u64,
) -> Option<Result<Epd, Trouble>> {
    loop {
        *number += 1;
        match lines::read(input, buffer) {
            Ok(Line::End) => return None,
            Ok(Line::TooLong) => {
                let reason = format!("longer than {} bytes", lines::LONGEST);
                return Some(Err(Trouble::Broken(reason)));
            }
            Ok(Line::Whole) => (),
            Err(error) => return Some(Err(Trouble::Input(error.to_string()))),
        }
        let text = String::from_utf8_lossy(buffer);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() && !text.starts_with('#') {
            return Some(Epd::parse(text).map_err(|error| Trouble::Broken(error.to_string())));
        }
    }
}

/// An input that counts what is read of it, in small portions.
struct Metered {
    input: Box<dyn Read>,
    place: Rc<Cell<u64>>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let portion = buffer.len().min(PORTION);
        let count = self.input.read(buffer.get_mut(..portion).unwrap_or_default())?;
        self.place.set(self.place.get() + count as u64);
        Ok(count)
    }
}

/// A fingerprint of what has come so far (FNV-1a).
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The tags and the moves of the main line.
    fn add_game(&mut self, game: &Game) {
        for (name, value) in game.tags.iter() {
            self.add(name.as_bytes());
            self.add(value.as_bytes());
        }
        game.main_line().for_each(|mv| self.add(&mv.bits().to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &'static str) -> Vec<Result<Task, Trouble>> {
        Source::records("x".to_owned(), Box::new(text.as_bytes())).collect()
    }

    #[test]
    fn records_are_named_by_their_id_or_their_line() {
        let text =
            "# comment\n\n4k3/8/8/8/8/8/8/4K2R w K - id \"one\";\n4k3/8/8/8/8/8/8/4K2R w K -\nx\n";
        let found = records(text);
        let names: Vec<String> = found
            .iter()
            .map(|item| match item {
                Ok(Task { work: Work::Position(position), .. }) => position.1.clone(),
                Ok(_) => "a game".to_owned(),
                Err(Trouble::Broken(reason) | Trouble::Input(reason)) => reason.clone(),
            })
            .collect();
        assert_eq!(names[..2], ["one", "line 4"]);
        assert!(names[2].starts_with("x, line 5: EPD"), "{names:?}");
    }

    #[test]
    fn what_is_done_is_passed_over_if_it_is_the_same() {
        let text = "1. e4 *\n\n1. d4 Ke3 *\n\n1. c4 *\n";
        let source = |text: &'static str| Source::games("x".to_owned(), Box::new(text.as_bytes()));
        let mut first = source(text);
        assert!(first.next().is_some_and(|item| item.is_ok()));
        assert!(first.next().is_some_and(|item| item.is_err()));
        let (done, digest) = first.passed();
        let mut second = source(text);
        assert!(second.pass_over(done, digest).is_ok());
        assert!(second.next().is_some_and(|item| item.is_ok_and(|task| task.number == 3)));
        assert!(source("1. e4 e5 *\n\n1. d4 Ke3 *\n").pass_over(done, digest).is_err());
        assert!(source("1. e4 *\n").pass_over(done, digest).is_err());
    }
}
