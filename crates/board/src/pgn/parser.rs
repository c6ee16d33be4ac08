//! The course of one game: tags, then moves. Where a game ends is decided here and in `movetext`.
//!
//! A game ends with a result that stands in no variation, before a tag that follows moves, before a
//! `1.` that follows moves and an empty line, or, if it has tags only, before an empty line and a tag
//! that repeats its first one or is an event. Nothing that a visitor says changes where games end.

use super::PgnError;
use super::source::{Source, find};
use super::symbols::{ENDS_BLANK, ENDS_NAME, ENDS_VALUE, is_any};
use super::visitor::Visitor;
use std::io::Read;

/// The reading of one game.
pub(super) struct Parser<'a, R, V> {
    pub(super) source: &'a mut Source<R>,
    pub(super) visitor: &'a mut V,
    longest_token: usize,
    number: u64,
    /// What was first found wrong.
    fault: Option<PgnError>,
    /// Whether the visitor hears nothing more of this game.
    pub(super) is_muted: bool,
    /// Whether there was anything but comments.
    is_game: bool,
    /// How many variations are open.
    pub(super) depth: usize,
    /// The depth of the variation that the visitor skips.
    pub(super) skipped_at: Option<usize>,
    /// Whether there was a move.
    pub(super) has_moves: bool,
}

/// A tag in the unread bytes: where its parts begin and end.
struct TagSpan {
    name: (usize, usize),
    value: (usize, usize),
    has_escapes: bool,
    end: usize,
}

impl<'a, R: Read, V: Visitor> Parser<'a, R, V> {
    pub(super) fn new(
        source: &'a mut Source<R>,
        visitor: &'a mut V,
        longest_token: usize,
        number: u64,
    ) -> Parser<'a, R, V> {
        Parser {
            source,
            visitor,
            longest_token,
            number,
            fault: None,
            is_muted: false,
            is_game: false,
            depth: 0,
            skipped_at: None,
            has_moves: false,
        }
    }

    /// Reads the game; `None` if there is none.
    pub(super) fn game(mut self) -> Option<Result<(), PgnError>> {
        self.skip_space();
        self.source.peek(0)?;
        self.visitor.begin_game();
        if self.tag_section() {
            self.is_game = true;
            self.movetext();
        }
        match self.fault {
            Some(fault) => Some(Err(fault)),
            None => self.is_game.then_some(Ok(())),
        }
    }

    /// Whether the visitor hears what comes next.
    #[inline(always)]
    pub(super) fn is_heard(&self) -> bool {
        !self.is_muted && self.skipped_at.is_none()
    }

    /// Notes that the game is broken: the token begins at the first unread byte.
    #[cold]
    pub(super) fn fail(&mut self, length: usize, reason: impl Into<String>) {
        self.is_muted = true;
        if self.fault.is_none() {
            let text = self.source.text();
            let token = &text[..length.min(text.len())];
            let line = self.source.line(0);
            self.fault = Some(PgnError::new(self.number, line, token, reason.into()));
        }
    }

    /// Passes over space and escaped lines; says how many lines ended.
    pub(super) fn skip_space(&mut self) -> usize {
        let mut line_ends = 0;
        loop {
            match self.source.peek(0) {
                Some(b'\n') => {
                    line_ends += 1;
                    self.source.consume(1);
                }
                // NUL and control-Z pad the files of old systems.
                Some(b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0x00 | 0x1A) => self.source.consume(1),
                Some(b'%') if self.source.at_line_start() => self.source.skip_line(),
                // A byte order mark, also between files that were put together.
                Some(0xEF) if self.source.starts_with(b"\xEF\xBB\xBF") => self.source.consume(3),
                // A space that does not break.
                Some(0xC2) if self.source.starts_with(b"\xC2\xA0") => self.source.consume(2),
                _ => return line_ends,
            }
        }
    }

    /// Reads the tags; says whether moves follow.
    fn tag_section(&mut self) -> bool {
        let mut first = Vec::new();
        loop {
            let line_ends = self.skip_space();
            match self.source.peek(0) {
                None => return false,
                Some(b'[') => {
                    if self.is_game && line_ends > 1 && self.is_new_game(&first) {
                        return false;
                    }
                    self.is_game = true;
                    self.tag(&mut first);
                }
                Some(b'{') => self.brace_comment(),
                Some(b';') => self.line_comment(),
                Some(_) => return true,
            }
        }
    }

    /// Whether a tag behind an empty line begins another game: it is the first one again, or an event.
    fn is_new_game(&mut self, first: &[u8]) -> bool {
        !first.is_empty() && self.source.starts_with(first) || self.source.starts_with(GAME_BEGINS)
    }

    /// Reads one tag; keeps the beginning of the first one, up to and with the quotation mark.
    fn tag(&mut self, first: &mut Vec<u8>) {
        const LONGEST_NAME: usize = 255;
        let span = match self.find_tag() {
            Ok(span) => span,
            Err(reason) => {
                let mut length = 1;
                while length < self.longest_token.min(PgnError::LONGEST_TOKEN)
                    && !matches!(self.source.peek(length), None | Some(b'\n' | b'\r'))
                {
                    length += 1;
                }
                self.fail(length, reason);
                return self.source.skip_line();
            }
        };
        let text = self.source.text();
        let part = |(begin, end): (usize, usize)| text.get(begin..end).unwrap_or_default();
        if first.is_empty() && span.value.0 <= LONGEST_NAME {
            first.extend_from_slice(part((0, span.value.0)));
        }
        if !self.is_muted {
            let unescaped;
            let mut value = part(span.value);
            if span.has_escapes {
                unescaped = unescape(value);
                value = &unescaped;
            }
            if let Err(reason) = self.visitor.tag(part(span.name), value) {
                self.fail(span.end, reason);
            }
        }
        self.source.consume(span.end);
    }

    /// Finds the parts of the tag that begins with the first unread byte. It ends with its line.
    ///
    /// A quotation mark that is neither escaped nor followed by a bracket belongs to the value, and
    /// the bracket may be missing at the end of the line: both are common.
    fn find_tag(&mut self) -> Result<TagSpan, &'static str> {
        let name_begin = self.pass(1, ENDS_BLANK)?;
        let name_end = self.pass(name_begin, ENDS_NAME)?;
        let quote = self.pass(name_end, ENDS_BLANK)?;
        if name_begin == name_end {
            return Err("a tag without a name");
        }
        if self.source.peek(quote) != Some(b'"') {
            return Err("a tag without a value in quotation marks");
        }
        let mut at = quote + 1;
        let mut has_escapes = false;
        loop {
            at = self.pass(at, ENDS_VALUE)?;
            match self.source.peek(at) {
                Some(b'\\') => {
                    has_escapes = true;
                    at += 1;
                    at += usize::from(matches!(self.source.peek(at), Some(b'"' | b'\\')));
                }
                Some(b'"') => {
                    let after = self.pass(at + 1, ENDS_BLANK)?;
                    let end = match self.source.peek(after) {
                        Some(b']') => after + 1,
                        None | Some(b'\n' | b'\r') => after,
                        Some(_) => {
                            at += 1;
                            continue;
                        }
                    };
                    let (name, value) = ((name_begin, name_end), (quote + 1, at));
                    return Ok(TagSpan { name, value, has_escapes, end });
                }
                _ => return Err("the value of the tag is not closed"),
            }
        }
    }

    /// The first place from `at` on whose byte has the meaning, or the end of the input.
    #[inline(always)]
    fn pass(&mut self, mut at: usize, meaning: u8) -> Result<usize, &'static str> {
        loop {
            let rest = self.source.text().get(at..).unwrap_or_default();
            let length = rest.iter().position(|&byte| is_any(byte, meaning));
            at += length.unwrap_or(rest.len());
            if at > self.longest_token {
                return Err("the tag is too long");
            }
            if length.is_some() || !self.source.more() {
                return Ok(at);
            }
        }
    }

    /// Reads a comment in braces. They do not nest.
    pub(super) fn brace_comment(&mut self) {
        let mut at = 1;
        let end = loop {
            let rest = self.source.text().get(at..).unwrap_or_default();
            match find(b'}', rest) {
                Some(length) => break at + length,
                None => at += rest.len(),
            }
            if at > self.longest_token {
                break at;
            }
            if !self.source.more() {
                self.fail(self.longest_token, "the comment is not closed");
                return self.skip_comment();
            }
        };
        if end > self.longest_token {
            let limit = self.longest_token;
            self.fail(limit, format!("the comment is longer than {limit} bytes"));
            return self.skip_comment();
        }
        let text = self.source.text().get(1..end).unwrap_or_default();
        if has_event_line(text) {
            self.fail(end, "the comment is not closed before the next game");
            return self.skip_comment();
        }
        if self.is_heard()
            && let Err(reason) = self.visitor.comment(text)
        {
            self.fail(end + 1, reason);
        }
        self.source.consume(end + 1);
    }

    /// Passes over a comment of any length. A line that begins a game ends it too: one forgotten
    /// brace shall not swallow a collection.
    fn skip_comment(&mut self) {
        loop {
            let text = self.source.text();
            match text.iter().position(|byte| matches!(byte, b'}' | b'\n' | b'\r')) {
                Some(at) if text.get(at) == Some(&b'}') => return self.source.consume(at + 1),
                Some(at) => {
                    self.source.consume(at + 1);
                    if self.source.starts_with(GAME_BEGINS) {
                        return;
                    }
                }
                None => {
                    self.source.consume(text.len());
                    if !self.source.more() {
                        return;
                    }
                }
            }
        }
    }

    /// Reads a comment that ends with its line.
    pub(super) fn line_comment(&mut self) {
        let mut at = 1;
        loop {
            let rest = self.source.text().get(at..).unwrap_or_default();
            let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            at += length.unwrap_or(rest.len());
            if at > self.longest_token {
                let limit = self.longest_token;
                self.fail(limit, format!("the comment is longer than {limit} bytes"));
                return self.source.skip_line();
            }
            if length.is_some() || !self.source.more() {
                break;
            }
        }
        let text = self.source.text().get(1..at).unwrap_or_default();
        if self.is_heard()
            && let Err(reason) = self.visitor.comment(text)
        {
            self.fail(at, reason);
        }
        self.source.consume(at);
    }
}

/// What no comment has at the beginning of a line, and almost every game.
const GAME_BEGINS: &[u8] = b"[Event \"";

fn has_event_line(mut text: &[u8]) -> bool {
    while let Some(at) = find(b'[', text) {
        let is_first = at > 0 && matches!(text[at - 1], b'\n' | b'\r');
        if is_first && text[at..].starts_with(GAME_BEGINS) {
            return true;
        }
        text = &text[at + 1..];
    }
    false
}

/// Undoes `\"` and `\\`. Any other backslash stands for itself.
fn unescape(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut rest = value.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        let escaped = match byte {
            b'\\' => rest.next_if(|&next| matches!(next, b'"' | b'\\')),
            _ => None,
        };
        plain.push(escaped.unwrap_or(byte));
    }
    plain
}
