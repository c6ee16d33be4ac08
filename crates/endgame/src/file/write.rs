//! Writing a table: blocks in parallel, then the whole file, which takes its name when it is on the disk.

use super::block_size;
use super::bytes::checksum;
use super::codes::{self, Numbering, plain};
use super::header::{Block, Header, Side, Summary};
use crate::build::for_chunks;
use crate::ending::Ending;
use crate::value::{Metric, Value, cell};
use files::Replacement;
use std::io::{self, Write};
use std::path::Path;

/// Higher levels gain a few per cent of size for several times the work.
const COMPRESSION: u8 = 8;

/// The cells of both sides to move.
pub trait Cells: Sync {
    /// How many positions a side has.
    fn size(&self) -> usize;
    /// A cell of White (0) or Black (1) to move.
    fn cell(&self, side: usize, index: usize) -> u16;
    /// How often a position counts.
    fn weight(&self, index: usize) -> u64;
}

/// What a part of the cells of one side to move has to say about its positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub summary: Summary,
    pub levels: [bool; 256],
    pub draws: bool,
}

/// The file's header and blocks. Before each of the [`steps`] it asks whether to go on; if not, what comes
/// out is of no use.
pub fn encode(
    ending: &Ending,
    metric: Metric,
    source: &impl Cells,
    threads: usize,
    go_on: &(dyn Fn() -> bool + Sync),
) -> (Header, Vec<Vec<u8>>) {
    let block_size = block_size(metric);
    let blocks = source.size().div_ceil(block_size);
    let mut data = Vec::with_capacity(2 * blocks);
    let sides = [0, 1].map(|side| {
        let cells = |block: usize| {
            let begin = block * block_size;
            let range = begin..source.size().min(begin + block_size);
            range.map(|index| (index, source.cell(side, index)))
        };
        let seen = for_chunks(blocks, threads, |block| {
            let mut seen = Seen::new();
            if !go_on() {
                return seen;
            }
            cells(block).for_each(|(index, value)| seen.see(index, value, source.weight(index)));
            seen
        });
        let mut all = Seen::new();
        seen.iter().for_each(|part| all.join(part));
        let packer = Packer::new(metric, &all);
        let packed = for_chunks(blocks, threads, |block| match go_on() {
            true => packer.pack(cells(block).map(|(_, value)| value)),
            false => Vec::new(),
        });
        let side = packer.side(&packed);
        data.extend(packed);
        side
    });
    (Header { ending: ending.clone(), metric, sides }, data)
}

/// How many steps it takes to encode a table of `size` positions a side: each block of both sides is
/// looked at, and then packed.
pub fn steps(metric: Metric, size: usize) -> u64 {
    4 * size.div_ceil(block_size(metric)) as u64
}

impl Seen {
    /// Nothing yet.
    pub fn new() -> Seen {
        Seen { summary: Summary::default(), levels: [false; 256], draws: false }
    }

    /// One more cell, which counts so often.
    pub fn see(&mut self, index: usize, value: u16, weight: u64) {
        if value == cell::ILLEGAL {
            return;
        }
        let summary = &mut self.summary;
        match cell::value(value) {
            Value::Win(plies) => {
                summary.wins += weight;
                longer(&mut summary.longest_win, Some((plies, index as u64)));
            }
            Value::Loss(plies) => {
                summary.losses += weight;
                longer(&mut summary.longest_loss, Some((plies, index as u64)));
            }
            Value::Draw => {
                summary.draws += weight;
                self.draws = true;
            }
        }
        if let Some(level) = self.levels.get_mut(usize::from(value)) {
            *level = true;
        }
    }

    /// Adds what was seen elsewhere, in any order.
    pub fn join(&mut self, other: &Seen) {
        let (sum, one) = (&mut self.summary, &other.summary);
        sum.wins += one.wins;
        sum.draws += one.draws;
        sum.losses += one.losses;
        longer(&mut sum.longest_win, one.longest_win);
        longer(&mut sum.longest_loss, one.longest_loss);
        self.levels.iter_mut().zip(other.levels).for_each(|(level, also)| *level |= also);
        self.draws |= other.draws;
    }
}

/// Keeps the longest distance, and the lowest number that has it.
fn longer(longest: &mut Option<(u16, u64)>, one: Option<(u16, u64)>) {
    let rank = |one: &(u16, u64)| (one.0, std::cmp::Reverse(one.1));
    *longest = [*longest, one].into_iter().flatten().max_by_key(rank);
}

/// Packs the blocks of one side to move, wherever they are.
pub(crate) struct Packer {
    metric: Metric,
    summary: Summary,
    dictionary: Vec<u16>,
    numbering: Numbering,
}

impl Packer {
    /// What was seen in all cells of the side decides how they are packed.
    pub fn new(metric: Metric, seen: &Seen) -> Packer {
        let mut dictionary = Vec::new();
        if seen.draws {
            dictionary.push(cell::OPEN);
        }
        let levels = (0..=cell::HIGHEST).filter(|&level| seen.levels[usize::from(level)]);
        dictionary.extend(levels.map(|level| reduce(metric, level)));
        dictionary.sort_unstable();
        dictionary.dedup();
        let mut summary = seen.summary;
        if metric == Metric::Outcome {
            (summary.longest_win, summary.longest_loss) = (None, None);
        }
        Packer { metric, summary, numbering: Numbering::new(&dictionary), dictionary }
    }

    /// One block.
    pub fn pack(&self, cells: impl Iterator<Item = u16> + Clone) -> Vec<u8> {
        let codes = self.numbering.encode(cells.map(|value| reduce(self.metric, value)));
        let bytes = if self.metric == Metric::Outcome { codes::pack(&codes) } else { codes };
        miniz_oxide::deflate::compress_to_vec(&bytes, COMPRESSION)
    }

    /// The side's part of the header.
    pub fn side(&self, packed: &[Vec<u8>]) -> Side {
        let block = |bytes: &Vec<u8>| Block {
            length: bytes.len() as u32,
            checksum: checksum(bytes) as u32,
        };
        Side {
            summary: self.summary,
            dictionary: self.dictionary.clone(),
            blocks: packed.iter().map(block).collect(),
        }
    }
}

/// A cell as the file holds it.
fn reduce(metric: Metric, value: u16) -> u16 {
    match (metric, plain(value)) {
        (Metric::Outcome, level @ 0..=cell::HIGHEST) => level & 1,
        (_, value) => value,
    }
}

/// Writes a file that takes its name when it is on the disk.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffered = io::BufWriter::with_capacity(1 << 20, Replacement::create(path)?);
    write(&mut buffered)?;
    buffered.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
}
