//! The file of an experience: a header and records of fixed size, all numbers little-endian.
//!
//! | part | bytes | what |
//! | --- | --- | --- |
//! | header | 32 | magic, version, the start position's key, the stamp |
//! | record | 24 | key (8), move, score, depth, zero (2 each), number (4), checksum (4) |
//!
//! Records are appended, and the last one of a position counts.

use super::Learned;
use board::{Key, Move, Position};
use files::Replacement;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// "ROOKLERN", read as a little-endian number.
const MAGIC: u64 = u64::from_le_bytes(*b"ROOKLERN");
/// Rises whenever the header or a record changes its meaning.
const VERSION: u64 = 1;
const HEADER_BYTES: usize = 32;
/// The size of a record in the file.
pub const RECORD_BYTES: usize = 24;

/// A result as it stands in the file.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The position.
    pub key: Key,
    /// What was found.
    pub learned: Learned,
    /// Its age.
    pub number: u32,
}

impl Record {
    fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let Learned { mv, score, depth } = self.learned;
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..10].copy_from_slice(&mv.bits().to_le_bytes());
        bytes[10..12].copy_from_slice(&score.to_le_bytes());
        bytes[12..14].copy_from_slice(&depth.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.number.to_le_bytes());
        let sum = checksum(&bytes[..20]);
        bytes[20..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let is_good = number(&bytes[20..]) as u32 == checksum(&bytes[..20]);
        let learned = Learned {
            mv: Move::from_bits(number(&bytes[8..10]) as u16),
            score: number(&bytes[10..12]) as i16,
            depth: number(&bytes[12..14]) as i16,
        };
        let record =
            Record { key: number(&bytes[..8]), learned, number: number(&bytes[16..20]) as u32 };
        is_good.then_some(record)
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Never 0 for a record of zeros, which a crash may leave.
fn checksum(bytes: &[u8]) -> u32 {
    files::Digest::of(bytes).folded()
}

fn header(stamp: u64) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let words = [MAGIC, VERSION, Position::startpos().key(), stamp];
    for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// What is wrong with a header, if anything is.
fn check_header(bytes: &[u8], stamp: u64) -> Result<(), String> {
    let word = |index: usize| number(bytes.get(8 * index..8 * index + 8).unwrap_or_default());
    if word(0) != MAGIC || bytes.len() < HEADER_BYTES {
        return Err("is not a learning file".to_owned());
    }
    match [1, 2, 3].map(word) {
        [version, ..] if version != VERSION => {
            Err(format!("has version {version}, this program reads version {VERSION}"))
        }
        [_, keys, _] if keys != Position::startpos().key() => {
            Err("was made with other keys of positions".to_owned())
        }
        [.., found] if found != stamp => {
            Err("was made with another profile: its values mean something else".to_owned())
        }
        _ => Ok(()),
    }
}

/// The file, open for appending and locked against other processes.
#[derive(Debug)]
pub struct Store {
    file: File,
    /// Where it lies: the end of a chain of links.
    path: PathBuf,
    stamp: u64,
    records: u64,
}

impl Store {
    /// Opens a file or makes one, gives its records out, and says how many were damaged.
    pub fn open(
        path: &Path,
        stamp: u64,
        mut take: impl FnMut(Record),
    ) -> Result<(Store, u64), String> {
        let cannot = |error: io::Error| format!("cannot be opened: {error}");
        let (file, path) = open_locked(path, || ())?;
        files::sweep_beside(&path);
        let mut reader = BufReader::new(&file);
        let mut start = Vec::new();
        reader.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut start).map_err(cannot)?;
        let expected = header(stamp);
        // Nothing, or the beginning of what we write first: made, but not finished.
        let is_new = start.len() < HEADER_BYTES && expected.starts_with(&start);
        if !is_new {
            check_header(&start, stamp)?;
        }
        let (mut records, mut damaged) = (0, 0);
        let mut bytes = [0; RECORD_BYTES];
        while !is_new && read_whole(&mut reader, &mut bytes).map_err(cannot)? {
            records += 1;
            match Record::from_bytes(&bytes) {
                Some(record) => take(record),
                None => damaged += 1,
            }
        }
        let mut store = Store { file, path, stamp, records };
        store.trim(is_new).map_err(cannot)?;
        Ok((store, damaged))
    }

    /// Cuts a torn record off, or begins a new file.
    fn trim(&mut self, is_new: bool) -> io::Result<()> {
        match is_new {
            true => {
                self.file.set_len(0)?;
                self.file.write_all(&header(self.stamp))?;
                files::sync_folder(&self.path)
            }
            false => self.file.set_len(self.whole_length()),
        }
    }

    fn whole_length(&self) -> u64 {
        HEADER_BYTES as u64 + self.records * RECORD_BYTES as u64
    }

    /// How many records the file has, living and dead.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Appends a record. Where that fails, what was written of it is taken back.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let end = SeekFrom::Start(self.whole_length());
        let written = self.file.seek(end).and_then(|_| self.file.write_all(&record.to_bytes()));
        match written {
            Ok(()) => self.records += 1,
            Err(_) => self.file.set_len(self.whole_length())?,
        }
        written
    }

    /// Brings everything to the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Writes the file anew with these records; it takes the old one's place when it is whole.
    pub fn rewrite(&mut self, records: &[Record]) -> io::Result<()> {
        let mut file = Replacement::create(&self.path)?;
        let mut bytes = header(self.stamp).to_vec();
        bytes.extend(records.iter().flat_map(|record| record.to_bytes()));
        file.write_all(&bytes)?;
        // Locked before it has the name by which others look for it.
        self.file = file.commit_open()?;
        self.records = records.len() as u64;
        Ok(())
    }
}

/// Reads a record; false at the end, where a torn one counts as none.
fn read_whole(input: &mut impl Read, bytes: &mut [u8; RECORD_BYTES]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// How often a file is opened again that was replaced before it was locked.
const ATTEMPTS: u32 = 64;

/// Opens the file, or makes it, and locks it; and where it lies when links are followed. Tests use the
/// moment before it is locked.
fn open_locked(path: &Path, mut opened: impl FnMut()) -> Result<(File, PathBuf), String> {
    let cannot = |error: io::Error| format!("cannot be opened: {error}");
    for _ in 0..ATTEMPTS {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = files::open_with(&mut options, path).map_err(cannot)?;
        opened();
        lock(&file)?;
        // Its owner may have written it anew, or the user moved it away, after we opened it and before
        // we locked it: then the lock is on a file that is not found again.
        match fs::canonicalize(path) {
            Ok(place) if files::is_at(&file, &place) => return Ok((file, place)),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot(error)),
            _ => (),
        }
    }
    Err("is replaced again and again by another process".to_owned())
}

/// Locks the file for this process; it is free again when it is closed. Where the system has no locks
/// it stays free.
fn lock(file: &File) -> Result<(), String> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err("is in use by another process".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: u64 = 7;

    fn record(key: u64) -> Record {
        Record { key, learned: Learned { mv: Move::NONE, score: 1, depth: 9 }, number: 0 }
    }

    fn keys(path: &Path) -> Vec<u64> {
        let mut keys = Vec::new();
        Store::open(path, STAMP, |record| keys.push(record.key)).expect("a good file");
        keys
    }

    #[test]
    fn a_file_that_is_written_anew_before_it_is_locked_is_opened_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("learn");
        let (mut owner, _) = Store::open(&path, STAMP, |_| ()).expect("a new file");
        owner.append(&record(1)).expect("writable");
        let mut owner = Some(owner);
        let (mut file, place) = open_locked(&path, || {
            if let Some(mut owner) = owner.take() {
                owner.rewrite(&[record(1), record(2)]).expect("writable");
            }
        })
        .expect("the owner is gone");
        assert!(files::is_at(&file, &place));
        file.write_all(&record(3).to_bytes()).expect("writable");
        drop(file);
        assert_eq!(keys(&path), [1, 2, 3], "what is learnt after it is not lost");
    }

    #[test]
    fn a_record_that_is_appended_after_a_rewriting_stands_at_the_end() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("learn");
        let (mut store, _) = Store::open(&path, STAMP, |_| ()).expect("a new file");
        store.rewrite(&[record(1), record(2)]).expect("writable");
        store.append(&record(3)).expect("writable");
        assert!(open_locked(&path, || ()).is_err_and(|reason| reason.contains("in use")));
        drop(store);
        assert_eq!(keys(&path), [1, 2, 3]);
    }
}
