//! The working memory of a build: a cell for every position, shared by all threads.

use crate::value::cell;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Cells that are looked at together.
pub const CHUNK: usize = 1 << 14;
const LEVEL_WORDS: usize = 4;

/// The cells of both sides to move, and for each chunk the levels that occur in it.
///
/// Within one level all threads write the same kind of change and every order of them leads to the
/// same cells, so relaxed order is enough; the threads wait for each other between levels.
pub struct Memory {
    sides: [Vec<AtomicU16>; 2],
    levels: [Vec<[AtomicU64; LEVEL_WORDS]>; 2],
    highest: AtomicU16,
}

impl Memory {
    /// Memory for `size` positions a side.
    pub fn new(size: usize) -> Memory {
        let cells = || (0..size).map(|_| AtomicU16::new(cell::ILLEGAL)).collect();
        let levels = || (0..size.div_ceil(CHUNK)).map(|_| Default::default()).collect();
        Memory {
            sides: [cells(), cells()],
            levels: [levels(), levels()],
            highest: AtomicU16::new(0),
        }
    }

    /// Bytes for `size` positions a side.
    pub fn bytes(size: usize) -> u64 {
        4 * size as u64 + 2 * (size.div_ceil(CHUNK) * LEVEL_WORDS * 8) as u64
    }

    /// The cells of a side.
    pub fn side(&self, side: usize) -> &[AtomicU16] {
        &self.sides[side]
    }

    /// A cell.
    #[inline(always)]
    pub fn get(&self, side: usize, index: usize) -> u16 {
        self.sides[side][index].load(Relaxed)
    }

    /// Sets a cell that only one thread touches.
    #[inline(always)]
    pub fn set(&self, side: usize, index: usize, value: u16) {
        self.sides[side][index].store(value, Relaxed);
        if value <= cell::HIGHEST {
            self.mark(side, index, value);
        }
    }

    #[inline(always)]
    fn mark(&self, side: usize, index: usize, level: u16) {
        let word = &self.levels[side][index / CHUNK][usize::from(level / 64) % LEVEL_WORDS];
        let bit = 1 << (level % 64);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
        if self.highest.load(Relaxed) < level {
            self.highest.fetch_max(level, Relaxed);
        }
    }

    /// The highest level in use.
    pub fn highest(&self) -> u16 {
        self.highest.load(Relaxed)
    }

    /// The lowest level from `least` on that may occur.
    pub fn next_level(&self, least: u16) -> Option<u16> {
        let mut all = [0; LEVEL_WORDS];
        for words in self.levels.iter().flatten() {
            for (sum, word) in all.iter_mut().zip(words) {
                *sum |= word.load(Relaxed);
            }
        }
        (least..64 * LEVEL_WORDS as u16)
            .find(|&level| all[usize::from(level / 64)] >> (level % 64) & 1 != 0)
    }

    /// Whether a level may occur in a chunk.
    pub fn may_hold(&self, side: usize, chunk: usize, level: u16) -> bool {
        let words = &self.levels[side][chunk];
        words[usize::from(level / 64) % LEVEL_WORDS].load(Relaxed) >> (level % 64) & 1 != 0
    }

    /// The side to move can go to a position that is lost at `level`: it wins one half-move later at
    /// the latest.
    #[inline(always)]
    pub fn can_win(&self, side: usize, index: usize, level: u16) {
        let now = self.get(side, index);
        if now != cell::ILLEGAL && (now & cell::OPEN != 0 || now > level + 1) {
            self.set(side, index, level + 1);
        }
    }

    /// `moves` moves of the side to move go to positions that the other side wins at `level`: if these
    /// were the last hopes, the position is lost.
    #[inline(always)]
    pub fn loses_hope(&self, side: usize, index: usize, level: u16, moves: u16) {
        let target = &self.sides[side][index];
        let mut now = target.load(Relaxed);
        loop {
            let hopes = now & 0xff;
            if now & cell::OPEN == 0 || hopes == cell::SAFE {
                return;
            }
            let lost = hopes <= moves;
            let next = if lost { (level + 1).max((now >> 8 & 0x7f) * 2) } else { now - moves };
            match target.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) if lost => return self.mark(side, index, next),
                Ok(_) => return,
                Err(other) => now = other,
            }
        }
    }
}

/// Does a piece of work for every chunk of 0 … `chunks` on several threads; the results come in the
/// order of the chunks.
pub fn for_chunks<T: Send>(
    chunks: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Relaxed);
            if chunk >= chunks {
                return done;
            }
            done.push((chunk, work(chunk)));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        for helper in helpers {
            match helper.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(chunk, _)| *chunk);
    all.into_iter().map(|(_, result)| result).collect()
}
