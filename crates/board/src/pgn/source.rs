//! The window on the input: unread bytes in a buffer that grows only for a token that needs it.

use std::io::{self, ErrorKind, Read};

/// The first size of the buffer: large enough to make reads rare, small enough for a close cache.
const FIRST_SIZE: usize = 64 << 10;

/// A stream of bytes, read through a buffer.
pub(super) struct Source<R> {
    input: R,
    buffer: Vec<u8>,
    /// The unread bytes are `buffer[begin..end]`.
    begin: usize,
    end: usize,
    at_end: bool,
    failure: Option<io::Error>,
    /// Line breaks in the bytes that have left the buffer.
    lines_gone: u64,
    /// The byte before `buffer[0]`.
    last_gone: u8,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R) -> Source<R> {
        Source {
            input,
            buffer: vec![0; FIRST_SIZE],
            begin: 0,
            end: 0,
            at_end: false,
            failure: None,
            lines_gone: 0,
            last_gone: b'\n',
        }
    }

    /// The unread bytes that are here already.
    #[inline(always)]
    pub(super) fn text(&self) -> &[u8] {
        self.buffer.get(self.begin..self.end).unwrap_or_default()
    }

    /// Takes bytes that have been read.
    #[inline(always)]
    pub(super) fn consume(&mut self, count: usize) {
        self.begin = (self.begin + count).min(self.end);
    }

    /// The byte `at` places after the first unread one; `None` after the last one of the input.
    #[inline]
    pub(super) fn peek(&mut self, at: usize) -> Option<u8> {
        loop {
            if let Some(&byte) = self.text().get(at) {
                return Some(byte);
            }
            if !self.more() {
                return None;
            }
        }
    }

    /// Whether the unread bytes begin with these.
    pub(super) fn starts_with(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().enumerate().all(|(at, &byte)| self.peek(at) == Some(byte))
    }

    /// Reads some more bytes behind the unread ones; false at the end of the input.
    #[cold]
    pub(super) fn more(&mut self) -> bool {
        if self.at_end {
            return false;
        }
        self.make_room();
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(count) => self.end = (self.end + count).min(self.buffer.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.at_end = true;
                    self.failure = Some(error);
                }
            }
            return !self.at_end;
        }
    }

    /// Makes room at the end of a full buffer: drops what has been read, and doubles the buffer where
    /// the unread bytes fill more than half of it.
    fn make_room(&mut self) {
        if self.end < self.buffer.len() {
            return;
        }
        let gone = &self.buffer[..self.begin];
        self.lines_gone += count_lines(gone);
        self.last_gone = gone.last().copied().unwrap_or(self.last_gone);
        self.buffer.copy_within(self.begin..self.end, 0);
        self.end -= self.begin;
        self.begin = 0;
        if self.end > self.buffer.len() / 2 {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }

    /// The number of the line with the byte `at` places after the first unread one.
    pub(super) fn line(&self, at: usize) -> u64 {
        let seen = &self.buffer[..(self.begin + at).min(self.end)];
        self.lines_gone + count_lines(seen) + 1
    }

    /// Whether the first unread byte is the first of its line.
    pub(super) fn at_line_start(&self) -> bool {
        let before = match self.begin {
            0 => self.last_gone,
            begin => self.buffer[begin - 1],
        };
        matches!(before, b'\n' | b'\r')
    }

    /// Takes the rest of the line, without its end.
    pub(super) fn skip_line(&mut self) {
        loop {
            match self.text().iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
                Some(length) => return self.consume(length),
                None => self.consume(self.text().len()),
            }
            if !self.more() {
                return;
            }
        }
    }

    /// The error of the input, if that is how it ended.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// The size of the buffer.
    #[cfg(test)]
    pub(super) fn buffer_size(&self) -> usize {
        self.buffer.len()
    }
}

/// Counts line feeds, in blocks whose count fits a byte, which makes good vector code.
fn count_lines(text: &[u8]) -> u64 {
    let in_block =
        |block: &[u8]| block.iter().fold(0_u8, |count, &byte| count + u8::from(byte == b'\n'));
    text.chunks(128).map(|block| u64::from(in_block(block))).sum()
}

/// Where a byte first occurs. In blocks, which the compiler turns into vector code.
#[inline]
pub(super) fn find(byte: u8, text: &[u8]) -> Option<usize> {
    const BLOCK: usize = 32;
    let mut at = 0;
    for block in text.chunks_exact(BLOCK) {
        if block.iter().fold(false, |hit, &other| hit | (other == byte)) {
            break;
        }
        at += BLOCK;
    }
    let rest = text.get(at..)?;
    rest.iter().position(|&other| other == byte).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_wherever_it_is() {
        for length in 0..100 {
            let mut text = vec![b'a'; length];
            assert_eq!(find(b'x', &text), None);
            for at in (0..length).rev() {
                text[at] = b'x';
                assert_eq!(find(b'x', &text), Some(at));
            }
        }
    }

    #[test]
    fn lines_are_counted_over_what_has_left_the_buffer() {
        let text = "a line of text\n".repeat(20_000);
        let mut source = Source::new(text.as_bytes());
        while source.peek(0).is_some() {
            source.skip_line();
            source.consume(1);
        }
        assert_eq!(source.line(0), 20_001);
        assert!(source.at_line_start());
        assert_eq!(source.buffer_size(), FIRST_SIZE);
    }
}
