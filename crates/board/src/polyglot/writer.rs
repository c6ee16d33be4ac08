//! Writing a book, position by position.

use super::entry::Entry;
use crate::Key;
use std::io::{self, ErrorKind, Write};

/// Writes a book. The positions must come in the order of their keys.
///
/// ```
/// use board::polyglot::{Book, BookWriter, Entry};
/// use std::io::Cursor;
///
/// let mut writer = BookWriter::new(Vec::new());
/// writer.position(5, &[(0o1434, 10), (0o1333, 200_000)])?;
/// assert!(writer.position(5, &[(0o1434, 1)]).is_err());
/// let bytes = writer.finish()?;
/// let mut book = Book::open(Cursor::new(bytes)).unwrap();
/// let weights: Vec<u16> = book.entries_of(5)?.iter().map(|entry| entry.weight).collect();
/// assert_eq!(weights, [65535, 3]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct BookWriter<W> {
    output: W,
    last_key: Option<u64>,
    positions: u64,
    entries: u64,
}

impl<W: Write> BookWriter<W> {
    /// Begins a book. Give it an output with a buffer.
    pub fn new(output: W) -> BookWriter<W> {
        BookWriter { output, last_key: None, positions: 0, entries: 0 }
    }

    /// Writes the moves of a position, in the format's bits, with their points, the heaviest first.
    ///
    /// Weights have 16 bits: where the points do not fit, those of the position are scaled down
    /// together, but never to 0. Moves without points are left out.
    pub fn position(&mut self, key: Key, moves: &[(u16, u64)]) -> io::Result<()> {
        if self.last_key.is_some_and(|last| key <= last) {
            let reason = "the positions of a book must come in the order of their keys";
            return Err(io::Error::new(ErrorKind::InvalidInput, reason));
        }
        self.last_key = Some(key);
        let mut moves: Vec<(u16, u64)> =
            moves.iter().copied().filter(|&(_, points)| points > 0).collect();
        moves.sort_by_key(|&(bits, points)| (std::cmp::Reverse(points), bits));
        let Some(&(_, most)) = moves.first() else { return Ok(()) };
        for (bits, points) in moves {
            let weight = scaled(points, most);
            self.output.write_all(&Entry { key, bits, weight, learn: 0 }.to_bytes())?;
            self.entries += 1;
        }
        self.positions += 1;
        Ok(())
    }

    /// How many positions have been written.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// How many entries have been written.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Ends the book and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

/// Points as a weight beside a move of the most points.
fn scaled(points: u64, most: u64) -> u16 {
    let greatest = u128::from(u16::MAX);
    let weight = match u128::from(most) > greatest {
        true => u128::from(points) * greatest / u128::from(most),
        false => u128::from(points),
    };
    weight.clamp(1, greatest) as u16
}
