//! The moves of a game and what stands between them.

use super::parser::Parser;
use super::symbols::{LONGEST_SYMBOL, Symbol, continues, meaning};
use super::visitor::{Outcome, Text, Visitor};
use std::io::Read;

/// Where a run of plain moves stopped.
struct Run {
    /// How many bytes of it have been dealt with.
    length: usize,
    has_moves: bool,
    /// The length of the next token and the reason why it is wrong, if it is.
    fault: Option<(usize, String)>,
}

impl<R: Read, V: Visitor> Parser<'_, R, V> {
    /// Reads the moves up to the end of the game.
    pub(super) fn movetext(&mut self) {
        if !self.is_muted && self.visitor.begin_moves() == Text::Skip {
            self.is_muted = true;
        }
        loop {
            self.plain_run();
            let line_ends = self.skip_space();
            let Some(byte) = self.source.peek(0) else { return self.end_of_text(0) };
            match byte {
                b'[' if self.is_tag_ahead() => return self.end_of_text(1),
                b'{' => self.brace_comment(),
                b';' => self.line_comment(),
                b'(' => self.open_variation(),
                b')' => self.close_variation(),
                b'$' => self.numeric_glyph(),
                b'!' | b'?' => self.mark(),
                b'.' => self.source.consume(1),
                b'*' | b'0'..=b'9' => {
                    if self.number_or_result(line_ends) {
                        return;
                    }
                }
                b'~' => self.word(1),
                _ if self.source.starts_with("…".as_bytes()) => self.source.consume(3),
                _ if continues(byte) => {
                    if let Some(length) = self.symbol_length() {
                        self.word(length);
                    }
                }
                _ => {
                    self.fail(1, "this sign has no meaning between moves");
                    self.source.consume(1);
                }
            }
        }
    }

    /// The common case in one tight loop: numbers, spaces and moves that are in the buffer.
    #[inline(always)]
    fn plain_run(&mut self) {
        let run = match self.is_heard() {
            true => plain_run(self.source.text(), |token| self.visitor.san(token)),
            false => plain_run(self.source.text(), |_| Ok(())),
        };
        self.has_moves |= run.has_moves;
        self.source.consume(run.length);
        if let Some((length, reason)) = run.fault {
            self.fail(length, reason);
            self.source.consume(length);
        }
    }

    fn end_of_text(&mut self, token_length: usize) {
        if self.depth > 0 {
            self.fail(token_length, "the game ends inside a variation");
        }
    }

    fn open_variation(&mut self) {
        self.depth += 1;
        if self.is_heard() {
            match self.visitor.begin_variation() {
                Ok(Text::Read) => (),
                Ok(Text::Skip) => self.skipped_at = Some(self.depth),
                Err(reason) => self.fail(1, reason),
            }
        }
        self.source.consume(1);
    }

    fn close_variation(&mut self) {
        if self.depth == 0 {
            self.fail(1, "no variation is open here");
        } else {
            if self.is_heard() {
                self.visitor.end_variation();
            } else if self.skipped_at == Some(self.depth) {
                self.skipped_at = None;
            }
            self.depth -= 1;
        }
        self.source.consume(1);
    }

    /// `$` and a number.
    fn numeric_glyph(&mut self) {
        let mut length = 1;
        let mut number = 0_u32;
        while let Some(digit @ b'0'..=b'9') = self.source.peek(length) {
            if length > LONGEST_SYMBOL {
                break;
            }
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            length += 1;
        }
        match u8::try_from(number) {
            Ok(number) if length > 1 => self.tell_nag(length, number),
            _ => self.fail(length, "not an annotation from $0 to $255"),
        }
        self.source.consume(length);
    }

    /// One or two of `!` and `?`.
    fn mark(&mut self) {
        let length = 1 + usize::from(matches!(self.source.peek(1), Some(b'!' | b'?')));
        if let Some(Symbol::Nag(number)) = meaning(self.token(length)) {
            self.tell_nag(length, number);
        }
        self.source.consume(length);
    }

    fn tell_nag(&mut self, length: usize, number: u8) {
        if self.is_heard()
            && let Err(reason) = self.visitor.nag(number)
        {
            self.fail(length, reason);
        }
    }

    /// What begins with a digit or is a star; says whether the game ends here.
    fn number_or_result(&mut self, line_ends: usize) -> bool {
        let length = match self.source.peek(0) {
            Some(b'*') => 1,
            _ => match self.symbol_length() {
                Some(length) => length,
                None => return false,
            },
        };
        let token = self.token(length);
        if let Some(outcome) = Outcome::parse(token) {
            self.source.consume(length);
            if self.depth == 0 {
                self.finish(outcome);
            }
            return self.depth == 0;
        }
        let digits = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if token[digits..].starts_with("…".as_bytes()) {
            self.source.consume(digits);
        } else if digits == length && token != b"0000" {
            let is_one = token == b"1";
            if is_one && line_ends > 1 && self.has_moves && self.depth == 0 {
                let dots = [length, length + 1].map(|at| self.source.peek(at) == Some(b'.'));
                if dots == [true, false] {
                    return true;
                }
            }
            self.source.consume(length);
        } else {
            self.word(length);
        }
        false
    }

    /// Tells the result, and the comments that stand behind it in its line.
    fn finish(&mut self, outcome: Outcome) {
        if !self.is_muted {
            self.visitor.result(outcome);
        }
        loop {
            match self.source.peek(0) {
                Some(b' ' | b'\t') => self.source.consume(1),
                Some(b'{') => self.brace_comment(),
                Some(b';') => self.line_comment(),
                _ => return,
            }
        }
    }

    /// A symbol that is a move, an annotation or an ornament.
    fn word(&mut self, mut length: usize) {
        if self.token(length) == b"e" && self.source.peek(1) == Some(b'.') {
            // `e.p.` behind a move: its dots and its `p` are no tokens of their own.
            length += 1 + usize::from(self.source.peek(2) == Some(b'p'));
            return self.source.consume(length);
        }
        if self.is_promotion_ahead(length) {
            length += 3;
        }
        match meaning(self.token(length)) {
            Some(Symbol::Nag(number)) => self.tell_nag(length, number),
            Some(Symbol::Ornament) => (),
            None => {
                self.has_moves = true;
                if self.is_heard() {
                    let token = self.source.text().get(..length).unwrap_or_default();
                    if let Err(reason) = self.visitor.san(token) {
                        self.fail(length, reason);
                    }
                }
            }
        }
        self.source.consume(length);
    }

    /// Whether a promotion in the old style follows: `e8(Q)`. Else a bracket opens a variation.
    fn is_promotion_ahead(&mut self, length: usize) -> bool {
        matches!(self.token(length).last(), Some(b'1' | b'8'))
            && self.source.peek(length) == Some(b'(')
            && matches!(self.source.peek(length + 1), Some(b'Q' | b'R' | b'B' | b'N'))
            && self.source.peek(length + 2) == Some(b')')
    }

    /// How long the symbol is that begins here. None, and it is passed over, if it is too long.
    fn symbol_length(&mut self) -> Option<usize> {
        let mut length = 1;
        while self.source.peek(length).is_some_and(continues) {
            length += 1;
            if length > LONGEST_SYMBOL {
                self.fail(length, format!("longer than {LONGEST_SYMBOL} bytes"));
                self.source.consume(length);
                return None;
            }
        }
        Some(length)
    }

    fn token(&self, length: usize) -> &[u8] {
        self.source.text().get(..length).unwrap_or_default()
    }

    /// Whether a tag begins here: a bracket, a name and a quotation mark.
    fn is_tag_ahead(&mut self) -> bool {
        let mut at = 1;
        let mut has_name = false;
        while at <= LONGEST_SYMBOL {
            match self.source.peek(at) {
                Some(b' ' | b'\t') => (),
                Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => has_name = true,
                Some(b'"') => return has_name,
                _ => return false,
            }
            at += 1;
        }
        false
    }
}

/// Takes numbers, spaces and moves from the beginning of the text; stops before whatever else there
/// is, and before a token that may go on behind the text.
#[inline(always)]
fn plain_run(text: &[u8], mut tell: impl FnMut(&[u8]) -> Result<(), String>) -> Run {
    let mut run = Run { length: 0, has_moves: false, fault: None };
    loop {
        let rest = text.get(run.length..).unwrap_or_default();
        match rest {
            [b' ' | b'.', ..] => run.length += 1,
            // A line end, but none before an empty line, an escape or anything special.
            [b'\n', next, ..] if next.is_ascii_alphanumeric() => run.length += 1,
            [b'0'..=b'9', ..] => match rest.iter().position(|byte| !byte.is_ascii_digit()) {
                Some(length) if rest.get(length) == Some(&b'.') => run.length += length + 1,
                _ => return run,
            },
            [b'a'..=b'h' | b'B' | b'K' | b'N' | b'O' | b'Q' | b'R', second, ..] => {
                let Some(length) = rest.iter().position(|&byte| !continues(byte)) else {
                    return run;
                };
                let (token, after) = rest.split_at(length);
                let is_plain = (2..=LONGEST_SYMBOL).contains(&length)
                    && !matches!(second, b'p' | b'h')
                    && after.first() != Some(&b'(');
                if !is_plain {
                    return run;
                }
                run.has_moves = true;
                if let Err(reason) = tell(token) {
                    run.fault = Some((length, reason));
                    return run;
                }
                run.length += length;
            }
            _ => return run,
        }
    }
}
