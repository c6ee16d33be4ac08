//! What was given: a position, or streams of games or positions.

use super::source::Source;
use super::stream::{self, Format, looks_like_position};
use crate::arguments::position::{self, Fen, read_fen};
use crate::failure::Failure;
use crate::input::{STDIN, tell_repairs};
use board::{Epd, History, Position};
use std::io::IsTerminal;
use std::path::Path;

/// What is to be analysed.
pub enum Input {
    /// One position, and the keys of those before it.
    Position(Box<Epd>, History),
    /// Streams; how many bytes they have, where that is known.
    Stream(Box<Source>, Option<u64>),
}

/// Finds out what the arguments mean, and opens it.
pub fn open(words: &[String], format: Format) -> Result<Input, Failure> {
    match words {
        [] if std::io::stdin().is_terminal() => Ok(start()),
        [] => open_stdin(format),
        [first, ..] => {
            let are_files = words.iter().all(|word| word == STDIN || Path::new(word).exists());
            let text = words.join(" ");
            let has_word = |wanted: &str| text.split_whitespace().any(|word| word == wanted);
            let is_record = looks_like_position(first);
            match text.split_whitespace().next() {
                _ if are_files => open_files(words, format),
                Some("startpos" | "fen") => of_text(&text),
                _ if is_record && has_word("moves") => of_text(&text),
                _ if is_record => {
                    let record = Epd::parse_repaired(&text);
                    let (record, repairs) =
                        record.map_err(|error| Failure::Usage(error.to_string()))?;
                    tell_repairs("FEN", &repairs);
                    Ok(Input::Position(Box::new(record), History::new()))
                }
                _ => open_files(words, format),
            }
        }
    }
}

/// A position as every command takes it.
fn of_text(text: &str) -> Result<Input, Failure> {
    read_fen(text).map(of_fen).map_err(Failure::Usage)
}

/// A position that was given behind `--fen`.
pub fn given(text: String) -> Result<Input, Failure> {
    position::read(text).map(of_fen)
}

fn of_fen(fen: Fen) -> Input {
    Input::Position(Box::new(Epd::new(fen.position)), fen.history)
}

fn start() -> Input {
    Input::Position(Box::new(Epd::new(Position::startpos())), History::new())
}

/// Files, pipes and `-`, one after the other. Those that can be looked at before are: a file that is
/// missing ends the command now and not in an hour.
fn open_files(words: &[String], format: Format) -> Result<Input, Failure> {
    let mut length = Some(0);
    for word in words {
        let one = stream::length(word).map_err(Failure::Work)?;
        length = length.zip(one).map(|(sum, one)| sum + one);
    }
    let source = Source::open(words, format).map_err(Failure::Work)?;
    Ok(Input::Stream(Box::new(source), length))
}

/// The standard input where no input was named. If it is empty, the start position is meant.
fn open_stdin(format: Format) -> Result<Input, Failure> {
    let source = Source::open(&[STDIN.to_owned()], format).map_err(Failure::Work)?;
    match source.is_empty() {
        true => Ok(start()),
        false => Ok(Input::Stream(Box::new(source), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_positions_or_files() {
        let open = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            open(&words, Format::Auto)
        };
        for text in [
            "startpos",
            "startpos moves e2e4",
            "4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
            "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ] {
            assert!(matches!(open(text), Ok(Input::Position(..))), "{text}");
        }
        assert!(matches!(open("startpos e2e4"), Err(Failure::Usage(_))));
        assert!(matches!(open("8/8 w"), Err(Failure::Usage(_))));
        assert!(matches!(open("one two"), Err(Failure::Work(_))));
        assert!(matches!(open("no-such-file.pgn"), Err(Failure::Work(_))));
        assert!(matches!(open("/"), Err(Failure::Work(_))));
    }
}
