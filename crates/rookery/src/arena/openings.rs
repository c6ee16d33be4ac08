//! The positions from which games start.

mod builtin;
mod polyglot;

use super::words;
use crate::input::{MOST_BAD, unpack};
use crate::lines::{self, Line};
use board::pgn::Games;
use board::random::SplitMix;
use board::{Epd, Move, Position};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A start position and the moves that are played from it before the engines think.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub start: Position,
    pub moves: Vec<Move>,
}

impl Default for Opening {
    /// The usual start.
    fn default() -> Opening {
        Opening { start: Position::startpos(), moves: Vec::new() }
    }
}

impl Opening {
    /// The position from which the engines play.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.make(mv))
    }
}

/// In which order openings are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    Sequential,
    Random,
}

/// Where the openings come from and how they are chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    pub file: PathBuf,
    pub order: Order,
    /// The most moves that are taken from a game of a file.
    pub plies: Option<usize>,
    /// How many openings are passed over.
    pub skip: usize,
}

/// What stands in place of a file for the openings of the program itself.
const BUILTIN: &str = "builtin";
/// What stands in place of a file for games from the usual start.
const NONE: &str = "none";

impl Source {
    fn is_builtin(&self) -> bool {
        self.file == Path::new(BUILTIN)
    }

    /// The file that is read, where it is one.
    pub fn path(&self) -> Option<&Path> {
        (!self.is_builtin()).then_some(&self.file)
    }

    /// What it is called in reports.
    pub fn name(&self) -> String {
        match self.is_builtin() {
            true => String::from("built-in openings"),
            false => self.file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }
}

/// Reads `FILE [order=random] [plies=8] [start=1]`; nothing where games begin from the usual start.
pub fn read_source(arguments: Option<&[String]>) -> Result<Option<Source>, String> {
    const OPTION: &str = "--openings";
    let builtin = [String::from(BUILTIN)];
    let Some((file, settings)) = arguments.unwrap_or(&builtin).split_first() else {
        return Err(format!("{OPTION}: the file is missing"));
    };
    if file == NONE {
        let is_alone = settings.is_empty();
        return is_alone.then_some(None).ok_or(format!("{OPTION}: {NONE} has no settings"));
    }
    // `file=FILE` too: so it is written for other programs.
    let file = PathBuf::from(file.strip_prefix("file=").unwrap_or(file));
    let mut source = Source { file, order: Order::Random, plies: None, skip: 0 };
    for (key, value) in words::pairs(OPTION, settings)? {
        match key {
            "order" => {
                source.order = match value {
                    "random" => Order::Random,
                    "sequential" => Order::Sequential,
                    _ => {
                        let wrong = "order is random or sequential, not";
                        return Err(format!("{OPTION}: {wrong} \"{value}\""));
                    }
                }
            }
            "plies" => source.plies = Some(words::value(OPTION, key, value, "a number")?),
            "start" => {
                let first: usize = words::value(OPTION, key, value, "a number from 1 on")?;
                source.skip = first.saturating_sub(1);
            }
            // The kind of a file is told by its name.
            "format" => {}
            _ => return Err(words::unknown(OPTION, key, "order, plies, start")),
        }
    }
    Ok(Some(source))
}

/// The openings of a match, by the number of the round.
pub struct Openings {
    openings: Vec<Opening>,
    /// Broken records of the file: how many, and what is wrong with the first.
    pub broken: usize,
    pub first_broken: Option<String>,
}

impl Openings {
    /// The usual start for every game.
    pub fn none() -> Openings {
        Openings { openings: vec![Opening::default()], broken: 0, first_broken: None }
    }

    /// Reads a source, in the order in which the openings will be played; at most `most` are kept.
    pub fn read(source: &Source, seed: u64, most: usize) -> Result<Openings, String> {
        let name = source.file.display();
        let mut openings = match source.is_builtin() {
            true => Openings { openings: builtin::lines(source.plies), ..Openings::empty() },
            false => Openings::read_file(source, seed, most)?,
        };
        if openings.openings.is_empty() {
            let why = openings.first_broken.map_or(String::new(), |why| format!(": {why}"));
            return Err(format!("{name} holds no openings{why}"));
        }
        // The lines of a book are drawn at random as they are.
        if source.order == Order::Random && kind(&source.file) != Some("bin") {
            SplitMix(seed).shuffle(&mut openings.openings);
        }
        let skip = source.skip % openings.openings.len();
        openings.openings.rotate_left(skip);
        openings.openings.truncate(most.max(1));
        openings.openings.shrink_to_fit();
        Ok(openings)
    }

    fn empty() -> Openings {
        Openings { openings: Vec::new(), broken: 0, first_broken: None }
    }

    fn read_file(source: &Source, seed: u64, most: usize) -> Result<Openings, String> {
        let name = source.file.display();
        let failed = |error: std::io::Error| format!("{name}: {error}");
        let file = files::open(&source.file).map_err(failed)?;
        let mut openings = Openings::empty();
        match kind(&source.file) {
            Some("pgn") => {
                let file = unpack(Box::new(file)).map_err(failed)?;
                openings.read_pgn(file, source.plies);
            }
            Some("epd" | "fen" | "txt") => {
                let file = unpack(Box::new(file)).map_err(failed)?;
                openings.read_epd(BufReader::new(file)).map_err(failed)?;
            }
            Some("bin") => {
                let plies = source.plies.unwrap_or(polyglot::DEFAULT_PLIES);
                let lines = polyglot::lines(file, plies, seed, most + source.skip);
                openings.openings = lines.map_err(|why| format!("{name}: {why}"))?;
            }
            _ => {
                return Err(format!(
                    "{name}: the name of a file of openings ends in .epd, .fen, .pgn or .bin (.gz or \
                     .zst behind it, but for books)"
                ));
            }
        }
        Ok(openings)
    }

    fn read_epd(&mut self, mut file: impl BufRead) -> std::io::Result<()> {
        let mut buffer = Vec::new();
        for number in 1.. {
            let line = match lines::read(&mut file, &mut buffer)? {
                Line::End => break,
                Line::Whole => String::from_utf8_lossy(&buffer),
                Line::TooLong => {
                    let longest = lines::LONGEST;
                    self.note_broken(format!("line {number}: longer than {longest} bytes"));
                    continue;
                }
            };
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Epd::parse(line) {
                Ok(record) => {
                    let opening = Opening { start: *record.position(), moves: Vec::new() };
                    self.add(opening, || format!("line {number}"));
                }
                Err(error) => self.note_broken(format!("line {number}: {error}")),
            }
            if self.openings.is_empty() && self.broken == MOST_BAD {
                break;
            }
        }
        Ok(())
    }

    fn read_pgn(&mut self, file: impl Read, plies: Option<usize>) {
        for (number, game) in (1..).zip(Games::new(BufReader::new(file))) {
            match game {
                Ok(game) => {
                    let most = plies.unwrap_or(usize::MAX);
                    let moves: Vec<Move> =
                        game.main_line().take(most).take_while(|mv| !mv.is_none()).collect();
                    let opening = Opening { start: *game.start(), moves };
                    self.add(opening, || format!("game {number}"));
                }
                Err(error) => self.note_broken(error.to_string()),
            }
            if self.openings.is_empty() && self.broken == MOST_BAD {
                break;
            }
        }
    }

    /// Keeps an opening, unless there is nothing to play after it.
    fn add(&mut self, opening: Opening, place: impl FnOnce() -> String) {
        match opening.end().outcome() {
            None => self.openings.push(opening),
            Some(outcome) => self.note_broken(format!("{}: over, {outcome}", place())),
        }
    }

    fn note_broken(&mut self, why: String) {
        self.broken += 1;
        self.first_broken.get_or_insert(why);
    }

    /// The opening of a round. They come again when there are more rounds than openings.
    pub fn of_round(&self, round: usize) -> Opening {
        let count = self.openings.len().max(1);
        self.openings.get(round % count).cloned().unwrap_or_default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.openings.len()
    }
}

/// The end of a file's name, without that of the program that has packed it.
fn kind(path: &Path) -> Option<&str> {
    match path.extension()?.to_str()? {
        "gz" | "zst" => Path::new(path.file_stem()?).extension()?.to_str(),
        kind => Some(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(text: &str) -> Openings {
        let mut openings = Openings::empty();
        openings.read_epd(text.as_bytes()).expect("memory is always readable");
        openings
    }

    #[test]
    fn broken_records_are_passed_over_and_named() {
        let text =
            "# two\n4k3/8/8/8/8/8/8/4K2R w K - \n\nnonsense\n4k3/8/8/8/8/8/8/4KR2 b - - 3 9\n";
        let openings = epd(text);
        assert_eq!((openings.len(), openings.broken), (2, 1));
        let first = openings.first_broken.as_deref().expect("one is broken");
        assert!(first.starts_with("line 4: "), "{first}");
        assert_eq!(openings.of_round(1).start.fullmove_number(), 9);
        assert_eq!(openings.of_round(2), openings.of_round(0));
    }

    #[test]
    fn games_give_their_first_moves() {
        let text = "1. e4 e5 2. Nf3 *\n\n1. e4 Ke6 *\n\n1. d4 *\n";
        let mut openings = Openings::empty();
        openings.read_pgn(text.as_bytes(), Some(2));
        assert_eq!((openings.len(), openings.broken), (2, 1));
        assert_eq!(openings.of_round(0).moves.len(), 2);
        assert_eq!(openings.of_round(1).moves.len(), 1);
    }

    #[test]
    fn the_settings_of_a_file() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let read = |text: &str| read_source(Some(&words(text)));
        let source = read("file=a.pgn order=sequential plies=8 start=3");
        let file = PathBuf::from("a.pgn");
        let expected = Source { file, order: Order::Sequential, plies: Some(8), skip: 2 };
        assert_eq!(source, Ok(Some(expected)));
        assert_eq!(read("none"), Ok(None));
        assert_eq!(read("builtin"), read_source(None));
        for text in ["a.epd order=up", "a.epd depth=8", "none plies=8"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_built_in_openings_are_varied_by_the_seed() {
        let source = read_source(None).expect("the default").expect("openings");
        let read = |seed, most| Openings::read(&source, seed, most).expect("openings");
        let drawn = read(1, 100);
        assert_eq!(drawn.openings[..50], read(1, 50).openings);
        assert_ne!(drawn.openings[..50], read(2, 50).openings);
    }
}
