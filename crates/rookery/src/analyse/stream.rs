//! The streams that are analysed: opened, unpacked, recognised by their content, and counted.

use crate::input::{self, Place, STDIN, Stream, unpack};
use clap::ValueEnum;
use std::fs;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

/// How much of a stream is looked at.
const LOOK: usize = 64 << 10;
/// How much is read at once.
pub const PORTION: usize = 4 << 10;

/// What a stream holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// By its content
    Auto,
    /// Games
    Pgn,
    /// One FEN or EPD record a line
    #[value(alias = "fen")]
    Epd,
}

impl Format {
    /// How a file of it is called.
    pub fn words(self) -> &'static str {
        match self {
            Format::Epd => "a list of positions (EPD or FEN)",
            Format::Pgn | Format::Auto => "a file of games (PGN)",
        }
    }

    /// How what it holds is called.
    pub fn unit(self) -> &'static str {
        match self {
            Format::Epd => "position",
            Format::Pgn | Format::Auto => "game",
        }
    }
}

/// A stream that is ready to be read.
pub struct Opened {
    /// What it is called in messages.
    pub name: String,
    /// Everything it holds, unpacked.
    pub input: Stream,
    /// Games or positions.
    pub format: Format,
    /// Whether it holds nothing at all.
    pub is_empty: bool,
}

/// What a word of the command line is called.
pub fn name(word: &str) -> &str {
    if word == STDIN { "the standard input" } else { word }
}

/// Whether a word can be opened, and the length of the file where it is one.
pub fn length(word: &str) -> Result<Option<u64>, String> {
    if word == STDIN {
        return Ok(None);
    }
    let metadata = fs::metadata(word).map_err(|error| cannot_read(word, &error))?;
    if !input::is_pipe(Path::new(word)) {
        files::open(Path::new(word)).map_err(|error| cannot_read(word, &error))?;
    }
    Ok(metadata.is_file().then_some(metadata.len()))
}

/// Opens what a word of the command line names.
pub fn open(word: &str, format: Format, place: &Place) -> Result<Opened, String> {
    let fail = |error: io::Error| cannot_read(word, &error);
    let input = input::open(Path::new(word)).map_err(fail)?;
    let input = unpack(place.count(input)).map_err(fail)?;
    let (input, format, is_empty) = look(input, format).map_err(fail)?;
    Ok(Opened { name: name(word).to_owned(), input, format, is_empty })
}

fn cannot_read(word: &str, error: &io::Error) -> String {
    input::unreadable(name(word), error)
}

/// Looks at the beginning of a stream, as far as its first line with something in it: a
/// pipe that is fed line by line is answered line by line. Gives the whole stream back, what it holds, and
/// whether that is nothing.
fn look(mut input: Stream, format: Format) -> io::Result<(Stream, Format, bool)> {
    let (mut seen, mut portion) = (Vec::new(), [0; PORTION]);
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

/// Whether a word is meant to be the placement of the men.
pub fn looks_like_position(word: &str) -> bool {
    // A record in one argument has its fields in it.
    let placement = word.split_whitespace().next().unwrap_or("");
    placement.contains('/') && placement.chars().all(|sign| "pnbrqkPNBRQK12345678/".contains(sign))
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
    fn a_line_is_enough_to_tell() {
        assert_eq!(first_line(b"\n\n# x\n[Event"), None);
        assert_eq!(first_line(b"\n[Event]\n"), Some(&b"[Event]"[..]));
    }
}
