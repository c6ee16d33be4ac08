//! Text from outside on its way to a terminal. Names in files and what engines call themselves may hold
//! control characters, with which a terminal can be told to hide lines, to change its title, or worse.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

/// Whether a terminal may take a character for a command. Lines and columns are ours.
fn is_command(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// The text with such characters spelled out, as JSON has them: `\u001b`.
pub fn text(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    let spell = |character: char| match is_command(character) {
        true => format!("\\u{:04x}", u32::from(character)),
        false => character.to_string(),
    };
    Cow::Owned(text.chars().map(spell).collect())
}

/// Says a line on stderr beside the work. Where stderr is closed, the line is dropped.
///
/// In one piece: under mpirun other lines get between the pieces.
pub fn say(line: impl Display) {
    let line = format!("rookery: {line}\n");
    let _ = io::stderr().write_all(text(&line).as_bytes());
}

/// A writer that spells such characters out, whatever is written. What is no text passes as it is.
pub struct Plain<W: Write> {
    writer: W,
    /// Whether it does; data for other programs stay as they are.
    spells: bool,
}

impl<W: Write> Plain<W> {
    /// In front of a writer.
    pub fn new(writer: W, spells: bool) -> Plain<W> {
        Plain { writer, spells }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The second byte of what is above ASCII and a command stands behind 0xc2.
        let is_suspect = |&byte: &u8| byte < b' ' && byte != b'\n' || matches!(byte, 0x7f | 0xc2);
        if !self.spells || !bytes.iter().any(is_suspect) {
            return self.writer.write(bytes);
        }
        for chunk in bytes.utf8_chunks() {
            self.writer.write_all(text(chunk.valid()).as_bytes())?;
            self.writer.write_all(chunk.invalid())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(spells: bool, text: &str) -> String {
        let mut out = Vec::new();
        write!(Plain::new(&mut out, spells), "{text}").expect("memory takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn commands_to_a_terminal_are_spelled_out_and_all_else_stays() {
        let hostile = "a\u{1b}]0;title\u{7}b\u{9b}31m\u{7f}\r\n";
        let spelled = "a\\u001b]0;title\\u0007b\\u009b31m\\u007f\\u000d\n";
        assert_eq!((text(hostile).as_ref(), written(true, hostile).as_str()), (spelled, spelled));
        assert_eq!(written(false, hostile), hostile, "data stay as they are");
        let good = "Müller – Ćwiek\t½ £ ±\n";
        assert_eq!((text(good).as_ref(), written(true, good).as_str()), (good, good));
        // A name in JSON says the same before and after.
        let json = serde_json::to_string(hostile).expect("JSON");
        let read: String = serde_json::from_str(&written(true, &json)).expect("still JSON");
        assert_eq!(read, hostile);
    }

    #[test]
    fn what_is_no_text_passes() {
        let mut out = Vec::new();
        Plain::new(&mut out, true).write_all(b"\xff\x1b\xc2").expect("memory takes everything");
        assert_eq!(out, b"\xff\\u001b\xc2");
    }
}
