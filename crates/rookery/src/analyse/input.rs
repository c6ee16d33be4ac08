//! What was given: a position, or streams of games or positions.

use super::source::Source;
use super::stream::{self, Format, STDIN, looks_like_position};
use crate::failure::Failure;
use board::{Epd, Position};
use std::io::IsTerminal;
use std::path::Path;

/// What is to be analysed.
pub enum Input {
    /// One position.
    Position(Box<Epd>),
    /// Streams; how many bytes they have, where that is known.
    Stream(Box<Source>, Option<u64>),
}

/// Finds out what the arguments mean, and opens it.
pub fn open(words: &[String], format: Format) -> Result<Input, Failure> {
    match words {
        [] if std::io::stdin().is_terminal() => Ok(start()),
        [] => open_stdin(format),
        [word] if word == "startpos" => Ok(start()),
        [first, ..] => {
            let are_files = words.iter().all(|word| word == STDIN || Path::new(word).exists());
            if !are_files && looks_like_position(first) {
                let record = Epd::parse(&words.join(" "));
                let record = record.map_err(|error| Failure::Usage(error.to_string()))?;
                return Ok(Input::Position(Box::new(record)));
            }
            open_files(words, format)
        }
    }
}

fn start() -> Input {
    Input::Position(Box::new(Epd::new(Position::startpos())))
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

/// The standard input, for which nobody asked. Where it is empty, the start position is meant.
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
        assert!(matches!(open("startpos"), Ok(Input::Position(_))));
        assert!(matches!(open("4k3/8/8/8/8/8/8/4K2R w K -"), Ok(Input::Position(_))));
        assert!(matches!(open("8/8 w"), Err(Failure::Usage(_))));
        assert!(matches!(open("one two"), Err(Failure::Work(_))));
        assert!(matches!(open("no-such-file.pgn"), Err(Failure::Work(_))));
        assert!(matches!(open("/"), Err(Failure::Work(_))));
    }
}
