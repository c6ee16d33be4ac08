//! What the reader tells, and to whom.

/// What a visitor answers: go on, or the reason why the game is broken.
///
/// After a reason the reader says nothing more about that game, skips to its end, and reports the
/// reason with game number, line and token.
pub type Visited = Result<(), String>;

/// Whether a visitor wants a piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// Tell me about it.
    Read,
    /// Pass over it in silence.
    Skip,
}

/// How a game ended, as its text says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Outcome {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unknown, unfinished or not said.
    #[default]
    Unknown,
}

impl Outcome {
    /// Reads a result, also as `1/2`, `½-½` or with a typographer's dash.
    pub fn parse(text: &[u8]) -> Option<Outcome> {
        let text = std::str::from_utf8(text).ok()?;
        Some(match text {
            "1-0" | "1–0" | "1—0" => Outcome::White,
            "0-1" | "0–1" | "0—1" => Outcome::Black,
            "1/2-1/2" | "1/2" | "1/2–1/2" | "1/2—1/2" | "½-½" | "½–½" | "½—½" | "½" => {
                Outcome::Draw
            }
            "*" => Outcome::Unknown,
            _ => return None,
        })
    }

    /// The text of the result.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

/// Hears about one game after the other from a [`Reader`](super::Reader), token by token.
///
/// The order: `begin_game`, the tags, `begin_moves` if there is anything but tags, the movetext,
/// `result` if the text has one, `end_game`. Comments may come anywhere, also before the first tag.
/// For a broken game `end_game` does not come; nor for comments at the end of the input that no
/// game follows. All methods do nothing by default.
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag. Escapes in the value are undone; the bytes can be in any encoding.
    fn tag(&mut self, name: &[u8], value: &[u8]) -> Visited {
        let _ = (name, value);
        Ok(())
    }

    /// The tags are over, the moves begin. A visitor that wants the tags alone says [`Text::Skip`].
    fn begin_moves(&mut self) -> Text {
        Text::Read
    }

    /// A move as it is written, without `!` and `?`. Null moves come as `--`, `Z0`, `@@@@` or `0000`.
    fn san(&mut self, token: &[u8]) -> Visited {
        let _ = token;
        Ok(())
    }

    /// A numeric annotation glyph, also where the text has a symbol for it (`!` is 1).
    fn nag(&mut self, number: u8) -> Visited {
        let _ = number;
        Ok(())
    }

    /// A comment, without its braces or its semicolon, otherwise as it is written.
    fn comment(&mut self, text: &[u8]) -> Visited {
        let _ = text;
        Ok(())
    }

    /// A variation begins: an alternative to the last move. If it is skipped, `end_variation` does
    /// not come for it.
    fn begin_variation(&mut self) -> Result<Text, String> {
        Ok(Text::Read)
    }

    /// A variation ends.
    fn end_variation(&mut self) {}

    /// The result at the end of the movetext.
    fn result(&mut self, outcome: Outcome) {
        let _ = outcome;
    }

    /// The game is over and was whole.
    fn end_game(&mut self) {}
}

/// Text in an unknown encoding: UTF-8 if it is that, else Latin-1, in which every byte is a letter.
pub fn decode(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => text.iter().map(|&byte| byte as char).collect(),
    }
}
