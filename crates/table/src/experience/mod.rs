//! Results of searches that are kept between games (M18): rote learning after Samuel, in the form of
//! Slate and of Bebe, who kept entries of the transposition table in a file.
//!
//! An [`Experience`] is a map from a position's key to what a deep search found, and a file that
//! follows it: every new result is appended as one record with a checksum, so that a crash costs at
//! most the record that was being written. When the file holds more dead records than living ones, or
//! there are more positions than it may hold, it is written anew and takes the old one's place;
//! the shallowest results go first, the oldest of equally deep ones before the others.
//!
//! What the results mean for a search is not decided here.

mod file;

use file::{RECORD_BYTES, Record, Store};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use board::{Key, Move};

/// What a search found about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Learned {
    /// The best move. The key may be another position's: check it before it is played.
    pub mv: Move,
    /// The value for the side to move, with mates counted from the position.
    pub score: i16,
    /// How deep the search was, in plies.
    pub depth: i16,
}

/// Why results cannot be kept. One line.
#[derive(Debug)]
pub struct ExperienceError {
    path: PathBuf,
    reason: String,
}

impl fmt::Display for ExperienceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "learning file {:?} {}", self.path, self.reason)
    }
}

impl std::error::Error for ExperienceError {}

/// Results of earlier searches, in memory and in a file. The file belongs to one process at a time.
///
/// ```
/// use board::Position;
/// use table::{Experience, Learned};
///
/// let path = std::env::temp_dir().join(format!("rookery-doc-{}.learn", std::process::id()));
/// let start = Position::startpos();
/// let mut experience = Experience::open(&path, 7, 1)?;
/// let learned = Learned { mv: start.legal_moves()[0], score: 31, depth: 20 };
/// experience.record(start.key(), learned)?;
/// drop(experience);
/// assert_eq!(Experience::open(&path, 7, 1)?.get(start.key()), Some(learned));
/// assert!(Experience::open(&path, 8, 1).is_err(), "another engine's values");
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), table::ExperienceError>(())
/// ```
#[derive(Debug)]
pub struct Experience {
    path: PathBuf,
    store: Store,
    results: HashMap<u64, Aged>,
    /// The number of the next record: a greater one is younger.
    next_number: u32,
    /// Positions that there may be.
    most: usize,
    damaged: u64,
}

/// A result and its age.
#[derive(Clone, Copy, Debug)]
struct Aged {
    learned: Learned,
    number: u32,
}

/// Fewer dead records are not worth writing the file anew.
const DEAD: u64 = 256;

impl Experience {
    /// Opens a file, or makes an empty one. The stamp says whose values they are: a file with another
    /// one is refused, and so is one of another version, one that is no such file, and one that
    /// another process uses. The file will not be larger than `megabytes`.
    ///
    /// A record that was torn by a crash is dropped; so are damaged ones, which are counted.
    pub fn open(path: &Path, stamp: u64, megabytes: u64) -> Result<Experience, ExperienceError> {
        let wrong = |reason: String| ExperienceError { path: path.to_owned(), reason };
        let mut results = HashMap::new();
        let mut next_number = 0;
        let take = |record: Record| {
            let Record { key, learned, number } = record;
            next_number = next_number.max(number.saturating_add(1));
            results.insert(key, Aged { learned, number });
        };
        let (store, damaged) = Store::open(path, stamp, take).map_err(wrong)?;
        // Between two writings of the file as many records again may be appended.
        let most = (megabytes << 20) / (2 * RECORD_BYTES as u64);
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
        let mut experience =
            Experience { path: path.to_owned(), store, results, next_number, most, damaged };
        experience.tidy()?;
        Ok(experience)
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// How many damaged records were found when the file was opened.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// What is known about a position.
    pub fn get(&self, key: Key) -> Option<Learned> {
        self.results.get(&key).map(|aged| aged.learned)
    }

    /// Keeps a result, in place of an older one of the same position.
    pub fn record(&mut self, key: Key, learned: Learned) -> Result<(), ExperienceError> {
        let number = self.next_number;
        self.next_number = number.saturating_add(1);
        self.results.insert(key, Aged { learned, number });
        let appended = self.store.append(&Record { key, learned, number });
        appended.map_err(|error| self.cannot_write(error))?;
        self.tidy()
    }

    /// Has the system bring everything to the disk.
    pub fn sync(&mut self) -> Result<(), ExperienceError> {
        self.store.sync().map_err(|error| self.cannot_write(error))
    }

    /// Forgets what is worth least if there is too much, and dead records if there are many.
    fn tidy(&mut self) -> Result<(), ExperienceError> {
        let is_full = self.results.len() > self.most;
        if is_full {
            self.forget(self.most - self.most / 8);
        }
        let living = self.results.len() as u64;
        if !is_full && self.store.records() <= 2 * living.max(DEAD) {
            return Ok(());
        }
        let record = |(&key, aged): (&u64, &Aged)| Record {
            key,
            learned: aged.learned,
            number: aged.number,
        };
        let mut records: Vec<Record> = self.results.iter().map(record).collect();
        // As they were written; the map has no order.
        records.sort_unstable_by_key(|record| (record.number, record.key));
        let rewritten = self.store.rewrite(&records);
        rewritten.map_err(|error| self.cannot_write(error))
    }

    /// Keeps `most` results, the deepest, of equally deep ones the youngest.
    fn forget(&mut self, keep: usize) {
        let worth = |aged: &Aged| (aged.learned.depth, aged.number);
        let mut worths: Vec<(i16, u32)> = self.results.values().map(worth).collect();
        worths.sort_unstable();
        let first_kept = worths.len().saturating_sub(keep);
        if let Some(&least) = worths.get(first_kept) {
            self.results.retain(|_, aged| worth(aged) >= least);
        }
    }

    fn cannot_write(&self, error: std::io::Error) -> ExperienceError {
        let reason = format!("cannot be written: {error}");
        ExperienceError { path: self.path.clone(), reason }
    }
}
