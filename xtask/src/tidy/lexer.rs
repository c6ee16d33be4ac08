//! Just enough of Rust's grammar to tell code from comments and from literals.
//!
//! A source is split into two texts of the same shape: `code` has comments blanked and the contents
//! of literals replaced by spaces, `comments` has only the comments. Lines and columns stay where
//! they were, so that a rule may look at one of them and report a line of the file.

/// A Rust source taken apart.
pub struct Source {
    /// Everything that is neither comment nor inside a literal.
    pub code: String,
    /// The comments, with their markers.
    pub comments: String,
}

/// Where the next character belongs.
#[derive(Clone, Copy)]
enum Place {
    Code,
    Comment,
    Literal,
}

impl Source {
    /// Takes a source apart. Any text is accepted: what is not Rust gives some split or other.
    pub fn new(text: &str) -> Source {
        let mut lexer = Lexer {
            chars: text.chars().collect(),
            at: 0,
            code: String::with_capacity(text.len()),
            comments: String::with_capacity(text.len()),
        };
        while lexer.at < lexer.chars.len() {
            lexer.token();
        }
        Source { code: lexer.code, comments: lexer.comments }
    }
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    code: String,
    comments: String,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Takes `count` characters to their place.
    fn take(&mut self, count: usize, place: Place) {
        let end = (self.at + count).min(self.chars.len());
        for &c in &self.chars[self.at..end] {
            let (code, comment) = match (c, place) {
                ('\n', _) => ('\n', '\n'),
                (_, Place::Code) => (c, ' '),
                (_, Place::Comment) => (' ', c),
                (_, Place::Literal) => (' ', ' '),
            };
            self.code.push(code);
            self.comments.push(comment);
        }
        self.at = end;
    }

    fn token(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (Some('/'), Some('/')) => self.line_comment(),
            (Some('/'), Some('*')) => self.block_comment(),
            (Some('"'), _) => self.string(),
            (Some('\''), _) => self.quote(),
            (Some(c), _) if is_word(c) => self.word(),
            _ => self.take(1, Place::Code),
        }
    }

    fn line_comment(&mut self) {
        let rest = &self.chars[self.at..];
        let length = rest.iter().position(|&c| c == '\n').unwrap_or(rest.len());
        self.take(length, Place::Comment);
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let mut depth = 0usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) => return,
                (Some('/'), Some('*')) => {
                    depth += 1;
                    self.take(2, Place::Comment);
                }
                (Some('*'), Some('/')) => {
                    depth -= 1;
                    self.take(2, Place::Comment);
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.take(1, Place::Comment),
            }
        }
    }

    /// A string with escapes; the quotation marks stay in the code.
    fn string(&mut self) {
        self.take(1, Place::Code);
        loop {
            match self.peek(0) {
                None => return,
                Some('\\') => self.take(2, Place::Literal),
                Some('"') => return self.take(1, Place::Code),
                Some(_) => self.take(1, Place::Literal),
            }
        }
    }

    /// A character literal, or else a lifetime, which is code.
    fn quote(&mut self) {
        let escaped = self.peek(1) == Some('\\');
        let literal = escaped || self.peek(2) == Some('\'');
        self.take(1, Place::Code);
        if !literal {
            return;
        }
        self.take(if escaped { 2 } else { 1 }, Place::Literal);
        while self.peek(0).is_some_and(|c| c != '\'' && c != '\n') {
            self.take(1, Place::Literal);
        }
        self.take(1, Place::Code);
    }

    /// A name, a number, or the prefix of a raw string.
    fn word(&mut self) {
        let rest = &self.chars[self.at..];
        let length = rest.iter().position(|&c| !is_word(c)).unwrap_or(rest.len());
        let raw = matches!(rest[..length], ['r'] | ['b' | 'c', 'r']);
        let hashes = rest[length..].iter().take_while(|&&c| c == '#').count();
        let opens = rest.get(length + hashes) == Some(&'"');
        self.take(length, Place::Code);
        if raw && opens {
            self.raw_string(hashes);
        }
    }

    fn raw_string(&mut self, hashes: usize) {
        self.take(hashes + 1, Place::Code);
        while let Some(c) = self.peek(0) {
            let ends = c == '"' && (1..=hashes).all(|ahead| self.peek(ahead) == Some('#'));
            if ends {
                return self.take(hashes + 1, Place::Code);
            }
            self.take(1, Place::Literal);
        }
    }
}

/// Whether a character may stand in a name or a number.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The columns (in bytes) at which `word` stands in `text` on its own, not as part of a longer name.
pub fn find_word<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        Source::new(text).code
    }

    #[test]
    fn comments_leave_the_code() {
        assert_eq!(code("a // b\nc"), "a     \nc");
        assert_eq!(code("a /* b /* c */ d */ e"), "a                   e");
        assert_eq!(Source::new("a // b").comments, "  // b");
    }

    #[test]
    fn a_comment_marker_in_a_string_is_no_comment() {
        assert_eq!(code(r#"f("// \" {") + 1"#), "f(\"       \") + 1");
        assert_eq!(code("r#\"a \" {\"# }"), "r#\"     \"# }");
        assert_eq!(code("br\"\\\" }"), "br\" \" }");
    }

    #[test]
    fn characters_are_told_from_lifetimes() {
        assert_eq!(code("'{' + '\\'' + b'\"'"), "' ' + '  ' + b' '");
        assert_eq!(code("fn f<'a>(x: &'a str) {}"), "fn f<'a>(x: &'a str) {}");
        assert_eq!(code("'\\u{7d}' }"), "'      ' }");
    }

    #[test]
    fn lines_stay_where_they_were() {
        let text = "a\n\"b\nc\" /* d\n e */ f\n'\\n'\n";
        let source = Source::new(text);
        assert_eq!(source.code.lines().count(), text.lines().count());
        assert_eq!(source.comments.lines().count(), text.lines().count());
    }

    #[test]
    fn broken_sources_end() {
        for text in ["\"", "'", "'\\", "r#\"", "/*", "\\", "b'", "\"\\"] {
            assert_eq!(code(text).chars().count(), text.chars().count(), "{text}");
        }
    }

    #[test]
    fn words_are_whole_words() {
        let found: Vec<usize> = find_word("unsafe_code unsafe { not_unsafe }", "unsafe").collect();
        assert_eq!(found, [12]);
    }
}
