//! Reading lines of any bytes and any length without holding more than one of bounded size.

use std::io::{self, BufRead, Read};

/// The longest line that is looked at, in bytes. A game of ten thousand moves takes a twentieth.
pub const LONGEST: usize = 1 << 20;

/// What some programs write before text in UTF-8, into pipes as well.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a line is several: very old programs end lines with a carriage return alone.
pub fn check_end(text: &str) -> Result<(), String> {
    match text.trim().contains('\r') {
        true => {
            Err("its lines end with carriage returns alone: save it with other line ends".into())
        }
        false => Ok(()),
    }
}

/// What came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line, now in the buffer; its end may be with it.
    Whole,
    /// A line that was longer than [`LONGEST`]; it has been passed over.
    TooLong,
    /// Nothing: the input is at its end.
    End,
}

/// Reads the next line into the buffer, in place of what was there.
pub fn read(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<Line> {
    buffer.clear();
    let read = input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', buffer)?;
    if buffer.starts_with(MARK) {
        buffer.drain(..MARK.len());
    }
    Ok(match buffer.last() {
        None if read == 0 => Line::End,
        None => Line::Whole,
        Some(b'\n') => Line::Whole,
        Some(_) if read <= LONGEST => Line::Whole,
        Some(_) => {
            input.skip_until(b'\n')?;
            Line::TooLong
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &[u8]) -> Vec<(Line, usize)> {
        let (mut input, mut buffer) = (text, Vec::new());
        let mut kinds = Vec::new();
        loop {
            match read(&mut input, &mut buffer).expect("memory is always readable") {
                Line::End => return kinds,
                kind => kinds.push((kind, buffer.len())),
            }
        }
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(kinds(b"one\r\n\n\0"), [(Line::Whole, 5), (Line::Whole, 1), (Line::Whole, 1)]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_line() {
        assert_eq!(kinds(b"\xef\xbb\xbfuci\nuci\n"), [(Line::Whole, 4), (Line::Whole, 4)]);
        assert_eq!(kinds(b"\xef\xbb\xbf"), [(Line::Whole, 0)]);
        assert!(check_end("one\r\n").is_ok() && check_end("one\rtwo\r").is_err());
    }

    #[test]
    fn a_line_beyond_the_limit_is_passed_over_and_the_next_is_read() {
        let mut text = vec![b'x'; 3 * LONGEST];
        text.extend(b"\nnext\n");
        let kinds = kinds(&text);
        assert_eq!(kinds[0].0, Line::TooLong);
        assert_eq!(kinds[1..], [(Line::Whole, 5)]);
    }

    #[test]
    fn a_line_of_the_limit_is_read_with_and_without_its_end() {
        let mut text = vec![b'x'; LONGEST];
        assert_eq!(kinds(&text), [(Line::Whole, LONGEST)]);
        text.push(b'\n');
        assert_eq!(kinds(&text), [(Line::Whole, LONGEST + 1)]);
    }
}
