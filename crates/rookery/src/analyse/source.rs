//! What is to be analysed, one task after the other from streams of any length.

use super::read::{add_game, keep, next_record};
use super::stream::{self, Format, Opened, PORTION};
use crate::counted::counted;
use crate::failure::Failure;
use crate::input::{self, MOST_BAD, Place, STDIN, Stream};
use board::Epd;
use board::pgn::{Game, Games, Limits};
use files::Digest;
use std::collections::VecDeque;
use std::io::BufReader;

/// The memory of one game, in bytes. Several are held at a time.
const GAME_MEMORY: usize = 16 << 20;

/// Something to analyse.
pub enum Work {
    /// A whole game; or one that is broken, as far as it is good, and what is wrong with it.
    Game(Box<Game>, Option<String>),
    /// A position, its name, and what had to be repaired in it, with its place.
    Position(Box<(Epd, String)>, Vec<String>),
}

/// Work from a place of the input.
pub struct Task {
    /// The number in the input, from 1, broken ones counted.
    pub number: u64,
    /// The file, where there are several.
    pub file: Option<String>,
    /// The line in the file; known for positions.
    pub line: Option<u64>,
    /// How much of the input it takes, about.
    pub bytes: u64,
    /// What is to be done.
    pub work: Work,
}

/// What cannot be analysed.
#[derive(Debug)]
pub enum InputError {
    /// It is passed over: where it is and what is wrong.
    Broken(String),
    /// The input ends here: why.
    Input(String),
}

/// A stream of tasks.
pub struct Source {
    kind: Kind,
    /// The stream that is being read, and whether there is nothing in it.
    name: String,
    is_empty: bool,
    /// The words that name all streams, and those after it.
    words: Vec<String>,
    following: VecDeque<String>,
    /// Whether there are several.
    has_several: bool,
    /// What was asked for, and what the first stream holds.
    asked: Format,
    format: Format,
    place: Place,
    last_place: u64,
    number: u64,
    /// Whether something was good; else how much was bad, and what was wrong with the first of it.
    has_good: bool,
    bad: usize,
    first_bad: String,
    digest: Digest,
}

enum Kind {
    Games(Box<Games<Stream>>),
    Records { input: BufReader<Stream>, buffer: Vec<u8>, line: u64 },
}

impl Source {
    /// The games or the positions of what these words name, one after the other. The first decides
    /// whether they are games or positions.
    pub fn open(words: &[String], format: Format) -> Result<Source, String> {
        let place = Place::default();
        let mut following: VecDeque<String> = words.iter().cloned().collect();
        let first = following.pop_front().unwrap_or_else(|| STDIN.to_owned());
        let first = stream::open(&first, format, &place)?;
        Ok(Source {
            asked: format,
            format: first.format,
            is_empty: first.is_empty,
            name: first.name.clone(),
            kind: Kind::new(first),
            has_several: !following.is_empty(),
            words: words.to_vec(),
            following,
            place,
            last_place: 0,
            number: 0,
            has_good: false,
            bad: 0,
            first_bad: String::new(),
            digest: Digest::default(),
        })
    }

    /// How its tasks are called.
    pub fn unit(&self) -> &'static str {
        self.format.unit()
    }

    /// The words that name what is read.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The name of the input.
    pub fn name(&self) -> String {
        if self.has_several { "none of the files".to_owned() } else { self.name.clone() }
    }

    /// Whether nothing at all has come, and nothing will.
    pub fn is_empty(&self) -> bool {
        self.is_empty && self.following.is_empty()
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
                Some(Err(InputError::Input(reason))) => return Err(Failure::Work(reason)),
                Some(_) => (),
                None => break,
            }
        }
        if self.passed() == (tasks, digest) {
            return Ok(());
        }
        let (name, done) = (&self.name, counted(tasks, self.unit()));
        Err(Failure::Work(format!(
            "{name} does not begin with what is done ({done}): give the same input, or begin anew with \
             --overwrite"
        )))
    }

    /// Something was bad, and nothing good yet: whether to give up.
    fn note_bad(&mut self, reason: String) -> Option<InputError> {
        self.bad += 1;
        if self.bad == 1 {
            self.first_bad = reason;
        }
        (self.bad == MOST_BAD).then(|| InputError::Input(self.wrong_kind()))
    }

    /// That nothing in it is what it should be.
    fn wrong_kind(&self) -> String {
        let first = self.first_bad.strip_prefix(&format!("{}, ", self.name));
        let first = first.unwrap_or(&self.first_bad);
        input::wrong_kind(&self.name, self.format.words(), first)
    }

    /// Goes on with the next stream; `None` if there is none.
    fn advance(&mut self) -> Option<Result<(), InputError>> {
        let word = self.following.pop_front()?;
        let opened = match stream::open(&word, self.asked, &self.place) {
            Ok(opened) => opened,
            Err(reason) => return Some(Err(InputError::Input(reason))),
        };
        if opened.format != self.format && !opened.is_empty {
            let (name, other, unit) = (opened.name, opened.format.unit(), self.unit());
            let reason = format!("{name} holds {other}s, not {unit}s: analyse it by itself");
            return Some(Err(InputError::Input(reason)));
        }
        self.name = opened.name.clone();
        self.kind = Kind::new(Opened { format: self.format, ..opened });
        Some(Ok(()))
    }

    fn next_work(&mut self) -> Option<Result<(Work, Option<u64>), InputError>> {
        match &mut self.kind {
            Kind::Games(games) => {
                let game = games.next_part()?;
                self.number += 1;
                Some(match game {
                    Ok(game) => {
                        add_game(&mut self.digest, &game);
                        Ok((Work::Game(Box::new(game), None), None))
                    }
                    Err(part) => {
                        self.digest.add(b"broken");
                        keep(&self.name, *part, &mut self.digest).map(|work| (work, None))
                    }
                })
            }
            Kind::Records { input, buffer, line } => {
                let record = next_record(&self.name, input, buffer, line)?;
                self.number += 1;
                self.digest.add(buffer);
                Some(match record {
                    Ok((record, repairs)) => {
                        let place = |repair| format!("{}, line {line}: {repair}", self.name);
                        let repairs = repairs.iter().map(place).collect();
                        let file = if self.has_several {
                            format!("{}, ", self.name)
                        } else {
                            String::new()
                        };
                        let name =
                            record.id().map_or_else(|| format!("{file}line {line}"), str::to_owned);
                        Ok((Work::Position(Box::new((record, name)), repairs), Some(*line)))
                    }
                    Err(InputError::Broken(reason)) => {
                        Err(InputError::Broken(format!("{}, line {line}: {reason}", self.name)))
                    }
                    Err(error) => Err(error),
                })
            }
        }
    }
}

impl Kind {
    fn new(opened: Opened) -> Kind {
        match opened.format {
            Format::Epd => Kind::Records {
                input: BufReader::with_capacity(PORTION, opened.input),
                buffer: Vec::new(),
                line: 0,
            },
            Format::Pgn | Format::Auto => {
                let limits = Limits { game: GAME_MEMORY, ..Limits::default() };
                Kind::Games(Box::new(Games::with_limits(opened.input, limits)))
            }
        }
    }
}

impl Iterator for Source {
    type Item = Result<Task, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let work = loop {
            match self.next_work() {
                Some(work) => break work,
                None => match self.advance() {
                    Some(Ok(())) => (),
                    Some(Err(error)) => return Some(Err(error)),
                    None if self.has_good || self.bad == 0 => return None,
                    None => {
                        // Told once.
                        self.bad = 0;
                        return Some(Err(InputError::Input(self.wrong_kind())));
                    }
                },
            }
        };
        match &work {
            Ok(_) => self.has_good = true,
            Err(InputError::Broken(reason)) if !self.has_good => {
                if let Some(error) = self.note_bad(reason.clone()) {
                    return Some(Err(error));
                }
            }
            Err(_) => (),
        }
        // What is broken counts with what follows.
        Some(work.map(|(work, line)| {
            let bytes = self.place() - self.last_place;
            self.last_place = self.place();
            let file = self.has_several.then(|| self.name.clone());
            Task { number: self.number, file, line, bytes, work }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &'static str, format: Format) -> Source {
        let input = Box::new(text.as_bytes());
        let opened = Opened { name: "x".to_owned(), input, format, is_empty: false };
        Source {
            kind: Kind::new(opened),
            name: "x".to_owned(),
            is_empty: false,
            words: Vec::new(),
            following: VecDeque::new(),
            has_several: false,
            asked: format,
            format,
            place: Place::default(),
            last_place: 0,
            number: 0,
            has_good: false,
            bad: 0,
            first_bad: String::new(),
            digest: Digest::default(),
        }
    }

    fn records(text: &'static str) -> Vec<Result<Task, InputError>> {
        source(text, Format::Epd).collect()
    }

    #[test]
    fn records_are_named_by_their_id_or_their_line() {
        let text =
            "# comment\n\n4k3/8/8/8/8/8/8/4K2R w K - id \"one\";\n4k3/8/8/8/8/8/8/4K2R w K -\nx\n";
        let found = records(text);
        let names: Vec<String> = found
            .iter()
            .map(|item| match item {
                Ok(Task { work: Work::Position(position, _), .. }) => position.1.clone(),
                Ok(_) => "a game".to_owned(),
                Err(InputError::Broken(reason) | InputError::Input(reason)) => reason.clone(),
            })
            .collect();
        assert_eq!(names[..2], ["one", "line 4"]);
        assert!(names[2].starts_with("x, line 5: EPD"), "{names:?}");
    }

    #[test]
    fn what_is_of_another_kind_is_given_up_after_a_few_lines() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        for (text, format, broken) in
            [(text, Format::Epd, MOST_BAD - 1), ("one\n", Format::Epd, 1), (text, Format::Pgn, 1)]
        {
            let mut source = source(text, format);
            let told = source.by_ref().take(broken);
            assert!(told.into_iter().all(|item| matches!(item, Err(InputError::Broken(_)))));
            let Some(Err(InputError::Input(reason))) = source.next() else { panic!("{text}") };
            assert!(reason.starts_with(&format!("x does not look like {}", format.words())));
            assert!(reason.contains("line 1"), "{reason}");
        }
        // One that is good is enough.
        let text = "4k3/8/8/8/8/8/8/4K2R w K -\none\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let broken = |item: &Result<Task, InputError>| matches!(item, Err(InputError::Broken(_)));
        assert_eq!(records(text).iter().filter(|item| broken(item)).count(), 7);
    }

    #[test]
    fn what_is_done_is_passed_over_if_it_is_the_same() {
        let text = "1. e4 *\n\n1. d4 Ke3 *\n\n1. c4 *\n";
        let source = |text: &'static str| source(text, Format::Pgn);
        let mut first = source(text);
        assert!(first.next().is_some_and(|item| item.is_ok()));
        assert!(first.next().is_some_and(|item| item.is_ok()), "as far as it is good");
        let (done, digest) = first.passed();
        let mut second = source(text);
        assert!(second.pass_over(done, digest).is_ok());
        assert!(second.next().is_some_and(|item| item.is_ok_and(|task| task.number == 3)));
        assert!(source("1. e4 e5 *\n\n1. d4 Ke3 *\n").pass_over(done, digest).is_err());
        assert!(source("1. e4 *\n").pass_over(done, digest).is_err());
    }
}
