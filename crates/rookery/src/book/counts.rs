//! Counting moves of positions in bounded memory.
//!
//! What is counted goes into one list of a fixed size. When it is full it is sorted and equal moves are
//! put together; openings repeat themselves, so that mostly frees it again. Where it does not, the list
//! goes to the disk as a sorted run, and the runs are merged at the end.

use super::runs::{Merged, Runs};
use std::io;
use std::path::Path;

/// A move of a position, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The position's key.
    pub key: u64,
    /// How often the move was played.
    pub games: u32,
    /// Two for each win of the player, one for each draw.
    pub points: u32,
    /// The move in the format's bits.
    pub bits: u16,
}

impl Count {
    /// Which move of which position.
    pub fn place(&self) -> (u64, u16) {
        (self.key, self.bits)
    }

    /// Takes another count of the same move in.
    pub fn add(&mut self, other: &Count) {
        self.games = self.games.saturating_add(other.games);
        self.points = self.points.saturating_add(other.points);
    }
}

/// The counter.
pub struct Counts {
    list: Vec<Count>,
    capacity: usize,
    runs: Runs,
}

impl Counts {
    /// An empty counter that uses about this number of bytes, and files beside the given one where they
    /// are not enough.
    pub fn new(bytes: u64, beside: &Path) -> Counts {
        let capacity = usize::try_from(bytes / size_of::<Count>() as u64).unwrap_or(usize::MAX);
        Counts { list: Vec::new(), capacity: capacity.max(2), runs: Runs::new(beside) }
    }

    /// Counts a move.
    pub fn add(&mut self, count: Count) -> io::Result<()> {
        if self.list.len() >= self.capacity {
            self.compact();
            // With less room than this the next sort would come too soon.
            if self.list.len() > self.capacity / 2 {
                self.runs.write(self.list.drain(..).map(Ok))?;
            }
        }
        if self.list.len() == self.list.capacity() {
            // Growing by the vector's own rule would end at up to twice the capacity.
            let more = self.list.len().max(1 << 10).min(self.capacity - self.list.len());
            self.list.reserve_exact(more);
        }
        self.list.push(count);
        Ok(())
    }

    /// How many runs went to the disk.
    pub fn runs(&self) -> u64 {
        self.runs.written()
    }

    /// Everything that was counted, by key and move.
    pub fn finish(mut self) -> io::Result<Merged> {
        self.compact();
        self.runs.merge(self.list)
    }

    /// Sorts the list and puts equal moves together.
    fn compact(&mut self) {
        self.list.sort_unstable_by_key(Count::place);
        self.list.dedup_by(|later, first| {
            let same = later.place() == first.place();
            if same {
                first.add(later);
            }
            same
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The same in whatever memory: the counts agree with a map's.
    #[test]
    fn counts_are_exact_however_little_memory_there_is() {
        let mut state = 9_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let counted: Vec<Count> = (0..5000)
            .map(|_| Count {
                key: random(300) << 40,
                games: 1,
                points: random(3) as u32,
                bits: random(4) as u16,
            })
            .collect();
        let mut expected = BTreeMap::new();
        for count in &counted {
            let sum: &mut (u32, u32) = expected.entry(count.place()).or_default();
            *sum = (sum.0 + 1, sum.1 + count.points);
        }
        let beside = std::env::temp_dir().join("rookery-counts.bin");
        for records in [2, 3, 50, 1000, 100_000_u64] {
            let mut counts = Counts::new(records * size_of::<Count>() as u64, &beside);
            for &count in &counted {
                counts.add(count).expect("the disk is writable");
                assert!(counts.list.capacity() as u64 <= records);
            }
            assert_eq!(counts.runs() > 0, records <= 1000, "{records}");
            let merged: Vec<Count> =
                counts.finish().and_then(Iterator::collect).expect("the disk is readable");
            let found = merged.iter().map(|one| (one.place(), (one.games, one.points)));
            assert!(found.eq(expected.clone()), "{records}");
        }
    }
}
