//! What was given: a position, or a stream of games or positions that is recognised by its content.

use super::source::Source;
use crate::failure::Failure;
use board::{Epd, Position};
use clap::ValueEnum;
use std::fs::File;
use std::io::{Cursor, ErrorKind, IsTerminal, Read};
use std::path::Path;

/// How much of a stream is looked at.
const LOOK: usize = 64 << 10;

/// What a stream holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Whatever its content says
    Auto,
    /// Games
    Pgn,
    /// One FEN or EPD record a line
    #[value(alias = "fen")]
    Epd,
}

/// What is to be analysed.
pub enum Input {
    /// One position.
    Position(Box<Epd>),
    /// A stream; how many bytes it has, where that is known.
    Stream(Source, Option<u64>),
}

/// Finds out what the arguments mean, and opens it.
pub fn open(words: &[String], format: Format) -> Result<Input, Failure> {
    match words {
        [] if std::io::stdin().is_terminal() => Ok(start()),
        [] => open_stdin(format, true),
        [word] if word == "-" => open_stdin(format, false),
        [word] if word == "startpos" => Ok(start()),
        [first, rest @ ..] => {
            let is_file = rest.is_empty() && Path::new(first).exists();
            if !is_file && looks_like_position(first) {
                let record = Epd::parse(&words.join(" "));
                let record = record.map_err(|error| Failure::Usage(error.to_string()))?;
                return Ok(Input::Position(Box::new(record)));
            }
            match rest.is_empty() {
                true => open_file(first, format),
                false => Err(Failure::Usage(format!(
                    "{} is no position, and only one file can be given",
                    board::fen::quote(&words.join(" "))
                ))),
            }
        }
    }
}

fn start() -> Input {
    Input::Position(Box::new(Epd::new(Position::startpos())))
}

/// Whether a word is meant to be the placement of the men.
fn looks_like_position(word: &str) -> bool {
    // A record in one argument has its fields in it.
    let placement = word.split_whitespace().next().unwrap_or("");
    placement.contains('/') && placement.chars().all(|sign| "pnbrqkPNBRQK12345678/".contains(sign))
}

fn open_file(name: &str, format: Format) -> Result<Input, Failure> {
    let fail = |error| Failure::Work(format!("cannot read {name}: {error}"));
    let file = File::open(name).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    let length = metadata.is_file().then_some(metadata.len());
    let (input, format, _) = look(Box::new(file), format).map_err(fail)?;
    Ok(Input::Stream(source(name, input, format), length))
}

/// The standard input. Where it is empty and nobody asked for it, the start position is meant.
fn open_stdin(format: Format, may_be_empty: bool) -> Result<Input, Failure> {
    let name = "the standard input";
    let (input, format, is_empty) = look(Box::new(std::io::stdin()), format)
        .map_err(|error| Failure::Work(format!("cannot read {name}: {error}")))?;
    match is_empty && may_be_empty {
        true => Ok(start()),
        false => Ok(Input::Stream(source(name, input, format), None)),
    }
}

fn source(name: &str, input: Box<dyn Read>, format: Format) -> Source {
    match format {
        Format::Epd => Source::records(name.to_owned(), input),
        _ => Source::games(name.to_owned(), input),
    }
}

/// Looks at the beginning of a stream, as far as its first line with something in it: whoever feeds a
/// pipe line by line shall be answered line by line. Gives the whole stream back, what it holds, and
/// whether that is nothing.
fn look(
    mut input: Box<dyn Read>,
    format: Format,
) -> std::io::Result<(Box<dyn Read>, Format, bool)> {
    let (mut seen, mut portion) = (Vec::new(), [0; 4096]);
    while seen.len() < LOOK && first_line(&seen).is_none() {
        match input.read(&mut portion) {
            Ok(0) => break,
            Ok(count) => seen.extend_from_slice(portion.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    let format = match format {
        Format::Auto => recognise(&seen),
        format => format,
    };
    let is_empty = seen.is_empty();
    Ok((Box::new(Cursor::new(seen).chain(input)), format, is_empty))
}

/// The first line that is neither empty nor a comment of a list of positions, if its end is there.
fn first_line(text: &[u8]) -> Option<&[u8]> {
    let ended = text.iter().rposition(|&byte| byte == b'\n')?;
    lines(text.get(..ended)?).next()
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"))
}

/// What the beginning of a stream says: positions if its first line begins with one, else games.
fn recognise(text: &[u8]) -> Format {
    let Some(line) = lines(text).next() else { return Format::Pgn };
    let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let ranks = word.split(|&byte| byte == b'/').count();
    match std::str::from_utf8(word).is_ok_and(looks_like_position) && ranks == 8 {
        true => Format::Epd,
        false => Format::Pgn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_recognised_by_their_first_line() {
        for (text, format) in [
            ("[Event \"x\"]\n\n1. e4 *\n", Format::Pgn),
            ("\u{feff}\r\n  1. e4 e5 *", Format::Pgn),
            ("e4 e5\n", Format::Pgn),
            ("", Format::Pgn),
            ("# a list\n\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n", Format::Epd),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Format::Epd),
            ("\u{feff}4k3/8/8/8/8/8/8/4K2R w K - 0 1\n[Event \"x\"]\n", Format::Epd),
            ("1/2-1/2\n", Format::Pgn),
        ] {
            assert_eq!(recognise(text.as_bytes()), format, "{text}");
        }
    }

    #[test]
    fn arguments_are_positions_or_files() {
        let open = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            open(&words, Format::Auto)
        };
        assert!(matches!(open("startpos"), Ok(Input::Position(_))));
        assert!(matches!(open("4k3/8/8/8/8/8/8/4K2R w K -"), Ok(Input::Position(_))));
        assert!(matches!(open("8/8 w"), Err(Failure::Usage(_))));
        assert!(matches!(open("one two"), Err(Failure::Usage(_))));
        assert!(matches!(open("no-such-file.pgn"), Err(Failure::Work(_))));
    }

    #[test]
    fn a_line_is_enough_to_tell() {
        assert_eq!(first_line(b"\n\n# x\n[Event"), None);
        assert_eq!(first_line(b"\n[Event]\n"), Some(&b"[Event]"[..]));
    }
}
