//! Cache lines of entries, and why a torn entry is not believed.
//!
//! Threads read and write entries without locks. An entry is a word of content and a lock (check
//! bits of its key) beside it, written by two separate stores; between them another thread may
//! read, or write too, and then the lock of one position stands beside the content of another. So
//! the lock is stored mixed with the content (Hyatt and Mann): lock = key ⊕ f(content). A reader
//! undoes this with the content that it found, and a wrong content makes a wrong key. The content
//! is one atomic word and is never a mixture of two: what must be noticed is only that it belongs to
//! another position.
//!
//! - [`Pairs`] has 64-bit locks and f is the identity: the lock of position A beside a different
//!   content is never read as A.
//! - [`Packed`] has 32-bit locks to hold five entries instead of four, and f folds 64 bits to 32 by
//!   a multiplication, which lets every bit count. A content of another position passes with a
//!   chance of 2⁻³², and only if it is read within the few nanoseconds of the race: rarer by far than
//!   two positions that agree in index and lock, which no locking would prevent.
//!
//! All accesses are relaxed: nothing but the entry itself is communicated through it. On x86-64 and
//! ARM they are plain loads and stores.

use crate::entry::Word;
use crate::sync::{AtomicU32, AtomicU64, Ordering::Relaxed};
use board::Key;
use std::hint::black_box;

/// Bytes of a line.
pub const LINE_BYTES: usize = 64;

/// A cache line with a number of places for entries.
pub trait Line: Send + Sync {
    /// How many places it has.
    const PLACES: usize;

    /// What stands at a place, whatever position it belongs to.
    fn word(&self, place: usize) -> Word;

    /// What stands at a place, if it belongs to this key.
    fn get(&self, place: usize, key: Key) -> Option<Word>;

    /// Writes an entry.
    fn set(&self, place: usize, key: Key, word: Word);

    /// The 64 bytes as words, for files.
    fn to_words(&self) -> [u64; 8];

    /// Overwrites all 64 bytes.
    fn set_words(&self, words: [u64; 8]);

    /// Writes what is there, in one piece, so that nothing is lost that others store meanwhile: the system
    /// must provide the memory then. The compiler must not see that nothing changes: it would only read, and
    /// for that a system has one page of zeros for all.
    fn touch(&self);

    /// Whether nothing stands at any place. No entry's content is zero, so the locks need no look.
    #[inline(always)]
    fn is_blank(&self) -> bool {
        (0..Self::PLACES).fold(0, |all, place| all | self.word(place).0) == 0
    }
}

/// Five entries of 12 bytes; four bytes are left over.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Packed {
    contents: [AtomicU64; 5],
    locks: [AtomicU32; 6],
}

/// Folds a content to 32 bits so that every bit of it counts.
#[inline(always)]
fn fold(word: Word) -> u32 {
    (word.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

impl Line for Packed {
    const PLACES: usize = 5;

    #[inline(always)]
    fn word(&self, place: usize) -> Word {
        Word(self.contents[place].load(Relaxed))
    }

    #[inline(always)]
    fn get(&self, place: usize, key: Key) -> Option<Word> {
        let word = self.word(place);
        let lock = self.locks[place].load(Relaxed) ^ fold(word);
        (lock == key as u32 && !word.is_empty()).then_some(word)
    }

    #[inline(always)]
    fn set(&self, place: usize, key: Key, word: Word) {
        self.contents[place].store(word.0, Relaxed);
        self.locks[place].store(key as u32 ^ fold(word), Relaxed);
    }

    fn to_words(&self) -> [u64; 8] {
        std::array::from_fn(|index| match self.contents.get(index) {
            Some(content) => content.load(Relaxed),
            None => {
                let lock =
                    |half: usize| u64::from(self.locks[2 * (index - 5) + half].load(Relaxed));
                lock(0) | lock(1) << 32
            }
        })
    }

    #[inline]
    fn touch(&self) {
        self.contents[0].fetch_or(black_box(0), Relaxed);
    }

    #[inline]
    fn set_words(&self, words: [u64; 8]) {
        let (contents, locks) = words.split_at(self.contents.len());
        for (content, &word) in self.contents.iter().zip(contents) {
            content.store(word, Relaxed);
        }
        for (pair, &word) in self.locks.chunks_exact(2).zip(locks) {
            pair[0].store(word as u32, Relaxed);
            pair[1].store((word >> 32) as u32, Relaxed);
        }
    }
}

/// Four entries of 16 bytes: lock and content side by side.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Pairs {
    words: [AtomicU64; 8],
}

impl Pairs {
    /// Moves what stands at one place to another, with its lock. Torn, it stays torn.
    #[inline(always)]
    pub fn copy(&self, from: usize, to: usize) {
        for half in 0..2 {
            let word = self.words[2 * from + half].load(Relaxed);
            self.words[2 * to + half].store(word, Relaxed);
        }
    }
}

impl Line for Pairs {
    const PLACES: usize = 4;

    #[inline(always)]
    fn word(&self, place: usize) -> Word {
        Word(self.words[2 * place + 1].load(Relaxed))
    }

    #[inline(always)]
    fn get(&self, place: usize, key: Key) -> Option<Word> {
        let word = self.word(place);
        let lock = self.words[2 * place].load(Relaxed) ^ word.0;
        (lock == key && !word.is_empty()).then_some(word)
    }

    #[inline(always)]
    fn set(&self, place: usize, key: Key, word: Word) {
        self.words[2 * place + 1].store(word.0, Relaxed);
        self.words[2 * place].store(key ^ word.0, Relaxed);
    }

    fn to_words(&self) -> [u64; 8] {
        std::array::from_fn(|index| self.words[index].load(Relaxed))
    }

    #[inline]
    fn touch(&self) {
        self.words[0].fetch_or(black_box(0), Relaxed);
    }

    #[inline]
    fn set_words(&self, words: [u64; 8]) {
        for (own, word) in self.words.iter().zip(words) {
            own.store(word, Relaxed);
        }
    }
}
