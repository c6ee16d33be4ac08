//! Sorted runs on the disk, and their merge.
//!
//! A run is a file without a name, so that nothing stays behind even if the program is killed.

use super::counts::Count;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

/// More runs than this are merged into one: each needs a buffer and an open file.
const MOST_RUNS: usize = 64;
/// The size of a count in a run.
const COUNT_BYTES: usize = 18;
/// The buffer of a run that is read or written.
const BUFFER: usize = 64 << 10;

/// The runs of one counter.
pub struct Runs {
    beside: PathBuf,
    files: Vec<File>,
    written: u64,
}

impl Runs {
    /// No runs yet; they will be beside the file.
    pub fn new(beside: &Path) -> Runs {
        Runs { beside: beside.to_owned(), files: Vec::new(), written: 0 }
    }

    /// How many have been written from memory.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes a sorted run.
    pub fn write(&mut self, counts: impl Iterator<Item = io::Result<Count>>) -> io::Result<()> {
        let run = self.write_file(counts)?;
        self.files.push(run);
        if self.files.len() >= MOST_RUNS {
            let merged = Merged::new(self.take_sources()?)?;
            let run = self.write_file(merged)?;
            self.files.push(run);
        }
        Ok(())
    }

    fn write_file(&mut self, counts: impl Iterator<Item = io::Result<Count>>) -> io::Result<File> {
        self.written += 1;
        let run = files::nameless(&self.beside)?;
        let mut writer = BufWriter::with_capacity(BUFFER, &run);
        for count in counts {
            writer.write_all(&to_bytes(&count?))?;
        }
        writer.flush()?;
        drop(writer);
        Ok(run)
    }

    /// Everything, in order: the runs and a sorted list.
    pub fn merge(mut self, list: Vec<Count>) -> io::Result<Merged> {
        let mut sources = self.take_sources()?;
        sources.push(Source::Memory(list.into_iter()));
        Merged::new(sources)
    }

    fn take_sources(&mut self) -> io::Result<Vec<Source>> {
        let open = |mut run: File| {
            run.seek(SeekFrom::Start(0))?;
            Ok(Source::Disk(BufReader::with_capacity(BUFFER, run)))
        };
        self.files.drain(..).map(open).collect()
    }
}

/// A sorted source of counts.
enum Source {
    Memory(IntoIter<Count>),
    Disk(BufReader<File>),
}

impl Source {
    fn next(&mut self) -> io::Result<Option<Count>> {
        let reader = match self {
            Source::Memory(list) => return Ok(list.next()),
            Source::Disk(reader) => reader,
        };
        let mut bytes = [0; COUNT_BYTES];
        match reader.read_exact(&mut bytes) {
            Ok(()) => Ok(Some(from_bytes(bytes))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The counts of several sorted sources, in order, each move of a position once.
pub struct Merged {
    sources: Vec<Source>,
    /// The first count of each source that has one, and the source's number.
    heads: BinaryHeap<Reverse<((u64, u16), usize)>>,
    counts: Vec<Option<Count>>,
}

impl Merged {
    fn new(sources: Vec<Source>) -> io::Result<Merged> {
        let counts = sources.iter().map(|_| None).collect();
        let mut merged = Merged { sources, heads: BinaryHeap::new(), counts };
        for number in 0..merged.sources.len() {
            merged.advance(number)?;
        }
        Ok(merged)
    }

    /// Brings the next count of a source to its head.
    fn advance(&mut self, number: usize) -> io::Result<()> {
        if let Some(source) = self.sources.get_mut(number)
            && let Some(slot) = self.counts.get_mut(number)
        {
            *slot = source.next()?;
            self.heads.extend(slot.map(|count| Reverse((count.place(), number))));
        }
        Ok(())
    }

    /// Takes the least count.
    fn pop(&mut self) -> io::Result<Option<Count>> {
        let Some(Reverse((_, number))) = self.heads.pop() else { return Ok(None) };
        let count = self.counts.get_mut(number).and_then(Option::take);
        self.advance(number)?;
        Ok(count)
    }

    fn next_sum(&mut self) -> io::Result<Option<Count>> {
        let Some(mut sum) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|Reverse((place, _))| *place == sum.place()) {
            if let Some(other) = self.pop()? {
                sum.add(&other);
            }
        }
        Ok(Some(sum))
    }
}

impl Iterator for Merged {
    type Item = io::Result<Count>;

    fn next(&mut self) -> Option<io::Result<Count>> {
        self.next_sum().transpose()
    }
}

fn to_bytes(count: &Count) -> [u8; COUNT_BYTES] {
    let mut bytes = [0; COUNT_BYTES];
    bytes[..8].copy_from_slice(&count.key.to_le_bytes());
    bytes[8..12].copy_from_slice(&count.games.to_le_bytes());
    bytes[12..16].copy_from_slice(&count.points.to_le_bytes());
    bytes[16..].copy_from_slice(&count.bits.to_le_bytes());
    bytes
}

fn from_bytes(bytes: [u8; COUNT_BYTES]) -> Count {
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    Count {
        key: number(0, 8),
        games: number(8, 12) as u32,
        points: number(12, 16) as u32,
        bits: number(16, 18) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_runs_than_can_be_open_become_one() {
        let beside = std::env::temp_dir().join("rookery-runs.bin");
        let mut runs = Runs::new(&beside);
        let count = |key| Count { key, games: 1, points: 2, bits: 3 };
        for number in 0..150_u64 {
            let run = [number, 1000, u64::MAX - number].map(|key| Ok(count(key)));
            runs.write(run.into_iter()).expect("the disk is writable");
            assert!(runs.files.len() < MOST_RUNS);
        }
        let merged: Vec<Count> =
            runs.merge(vec![count(1000)]).and_then(Iterator::collect).expect("readable");
        assert_eq!(merged.len(), 301);
        assert!(merged.is_sorted_by_key(Count::place));
        let shared = merged.iter().find(|one| one.key == 1000).expect("in every run");
        assert_eq!((shared.games, shared.points), (151, 302));
    }
}
