//! Reading a book by binary search.

use super::BookMove;
use super::entry::{ENTRY_BYTES, Entry};
use super::key::key;
use crate::{Key, Position};
use std::fmt;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// A book of up to this number of entries (16 MB) is read through when it is opened, to see whether it is in
/// order; of a larger one a sample is.
const READ_THROUGH: u64 = 1 << 20;
/// Entries of the sample.
const SAMPLE: u64 = 1 << 10;

/// A Polyglot book in a file or in memory.
#[derive(Debug)]
pub struct Book<R> {
    source: R,
    entries: u64,
}

/// Why a book cannot be read.
#[derive(Debug)]
pub enum BookError {
    /// The input failed.
    Input(io::Error),
    /// The size is not a number of whole entries; the bytes.
    Size(u64),
    /// There is nothing in it.
    Empty,
    /// The key of an entry is less than that of one before it; the entry's number, from 0.
    Unsorted(u64),
}

impl fmt::Display for BookError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Input(error) => write!(out, "cannot be read: {error}"),
            BookError::Size(bytes) => {
                write!(out, "is no Polyglot book: {bytes} bytes are no number of whole entries")?;
                write!(out, " of {ENTRY_BYTES} bytes")
            }
            BookError::Empty => out.write_str("is empty: a Polyglot book has at least one entry"),
            BookError::Unsorted(entry) => {
                write!(out, "is no Polyglot book: entry {entry} is not in the order of keys")
            }
        }
    }
}

impl std::error::Error for BookError {}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> BookError {
        BookError::Input(error)
    }
}

impl<R: Read + Seek> Book<R> {
    /// A book; give it a `File` as it is. Its size is checked, and the order of its entries, of a large
    /// book that of a sample: [`Book::check`] looks at all.
    pub fn open(mut source: R) -> Result<Book<R>, BookError> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes % ENTRY_BYTES as u64 != 0 {
            return Err(BookError::Size(bytes));
        }
        if bytes == 0 {
            return Err(BookError::Empty);
        }
        let mut book = Book { source, entries: bytes / ENTRY_BYTES as u64 };
        if book.entries <= READ_THROUGH {
            book.check(|_| ())?
        } else {
            book.check_sample()?
        }
        Ok(book)
    }

    /// How many entries it has.
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// Whether it has none, which an opened book never does.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Reads all entries and checks their order; `progress` is told how many were read.
    pub fn check(&mut self, mut progress: impl FnMut(u64)) -> Result<(), BookError> {
        let mut last = 0;
        for (number, entry) in (0..).zip(self.entries()?) {
            let key = entry?.key;
            if key < last {
                return Err(BookError::Unsorted(number));
            }
            last = key;
            progress(number + 1);
        }
        Ok(())
    }

    fn check_sample(&mut self) -> Result<(), BookError> {
        let mut last = 0;
        for step in 0..SAMPLE {
            let number =
                (u128::from(self.entries - 1) * u128::from(step) / u128::from(SAMPLE - 1)) as u64;
            let key = self.entry(number)?.key;
            if key < last {
                return Err(BookError::Unsorted(number));
            }
            last = key;
        }
        Ok(())
    }

    /// The moves of a position in the order of the book. What is not legal there is left out; a move
    /// that stands twice comes once, with the sum of its weights.
    pub fn moves(&mut self, position: &Position) -> io::Result<Vec<BookMove>> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.entries_of(key(position))? {
            let Some(mv) = entry.legal_move(position) else { continue };
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(entry.weight),
                None => moves.push(BookMove { mv, weight: entry.weight, learn: entry.learn }),
            }
        }
        Ok(moves)
    }

    /// The entries of a key, unchecked.
    pub fn entries_of(&mut self, key: Key) -> io::Result<Vec<Entry>> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key { low = middle + 1 } else { high = middle }
        }
        let mut found = Vec::new();
        // No position has more moves: what a damaged book repeats beyond that is not wanted.
        while low < self.entries && found.len() < crate::MAX_MOVES {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
            low += 1;
        }
        Ok(found)
    }

    /// All entries from the first to the last, unchecked.
    pub fn entries(&mut self) -> io::Result<Entries<&mut R>> {
        self.source.seek(SeekFrom::Start(0))?;
        Ok(Entries { source: BufReader::new(&mut self.source), left: self.entries })
    }

    fn entry(&mut self, number: u64) -> io::Result<Entry> {
        self.source.seek(SeekFrom::Start(number * ENTRY_BYTES as u64))?;
        read_entry(&mut self.source)
    }
}

/// The entries of a book, one after the other.
#[derive(Debug)]
pub struct Entries<R> {
    source: BufReader<R>,
    left: u64,
}

impl<R: Read> Iterator for Entries<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<io::Result<Entry>> {
        self.left = self.left.checked_sub(1)?;
        let entry = read_entry(&mut self.source);
        if entry.is_err() {
            self.left = 0;
        }
        Some(entry)
    }
}

fn read_entry(source: &mut impl Read) -> io::Result<Entry> {
    let mut bytes = [0; ENTRY_BYTES];
    source.read_exact(&mut bytes)?;
    Ok(Entry::from_bytes(bytes))
}
