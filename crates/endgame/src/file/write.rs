//! Writing a table: blocks in parallel, then the whole file under a temporary name, then its own.

use super::block_size;
use super::bytes::checksum;
use super::codes::{self, Numbering, plain};
use super::header::{Block, Header, Side, Summary};
use crate::build::for_chunks;
use crate::ending::Ending;
use crate::value::{Metric, Value, cell};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Higher levels gain a few per cent of size for several times the work.
const COMPRESSION: u8 = 8;

/// The cells of both sides to move.
pub trait Source: Sync {
    /// How many positions a side has.
    fn size(&self) -> usize;
    /// A cell of White (0) or Black (1) to move.
    fn cell(&self, side: usize, index: usize) -> u16;
    /// How often a position counts.
    fn weight(&self, index: usize) -> u64;
}

/// What one block has to say about its positions.
struct Seen {
    summary: Summary,
    levels: [bool; 256],
    draws: bool,
}

/// The file's header and blocks.
pub fn encode(
    ending: &Ending,
    metric: Metric,
    source: &impl Source,
    threads: usize,
) -> (Header, Vec<Vec<u8>>) {
    let block_size = block_size(metric);
    let blocks = source.size().div_ceil(block_size);
    let reduce = |value: u16| match (metric, plain(value)) {
        (Metric::Outcome, level @ 0..=cell::HIGHEST) => level & 1,
        (_, value) => value,
    };
    let mut data = Vec::with_capacity(2 * blocks);
    let sides = [0, 1].map(|side| {
        let cells = |block: usize| {
            let begin = block * block_size;
            let range = begin..source.size().min(begin + block_size);
            range.map(|index| (index, source.cell(side, index)))
        };
        let seen = for_chunks(blocks, threads, |block| look(cells(block), source));
        let (mut summary, dictionary) = gather(&seen, reduce);
        if metric == Metric::Outcome {
            (summary.longest_win, summary.longest_loss) = (None, None);
        }
        let numbering = Numbering::new(&dictionary);
        let packed = for_chunks(blocks, threads, |block| {
            let codes = numbering.encode(cells(block).map(|(_, value)| reduce(value)));
            let bytes = if metric == Metric::Outcome { codes::pack(&codes) } else { codes };
            miniz_oxide::deflate::compress_to_vec(&bytes, COMPRESSION)
        });
        let block = |bytes: &Vec<u8>| Block {
            length: bytes.len() as u32,
            checksum: checksum(bytes) as u32,
        };
        let blocks = packed.iter().map(block).collect();
        data.extend(packed);
        Side { summary, dictionary, blocks }
    });
    (Header { ending: ending.clone(), metric, sides }, data)
}

fn look(cells: impl Iterator<Item = (usize, u16)>, source: &impl Source) -> Seen {
    let mut seen = Seen { summary: Summary::default(), levels: [false; 256], draws: false };
    let longer = |longest: &mut Option<(u16, u64)>, plies: u16, index: usize| {
        if longest.is_none_or(|(most, _)| plies > most) {
            *longest = Some((plies, index as u64));
        }
    };
    for (index, value) in cells.filter(|(_, value)| *value != cell::ILLEGAL) {
        let summary = &mut seen.summary;
        let weight = source.weight(index);
        match cell::value(value) {
            Value::Win(plies) => {
                summary.wins += weight;
                longer(&mut summary.longest_win, plies, index);
            }
            Value::Loss(plies) => {
                summary.losses += weight;
                longer(&mut summary.longest_loss, plies, index);
            }
            Value::Draw => {
                summary.draws += weight;
                seen.draws = true;
            }
        }
        if let Some(level) = seen.levels.get_mut(usize::from(value)) {
            *level = true;
        }
    }
    seen
}

/// Adds the blocks up: the counts, and the values that occur.
fn gather(blocks: &[Seen], reduce: impl Fn(u16) -> u16) -> (Summary, Vec<u16>) {
    let mut sum = Summary::default();
    let mut dictionary: Vec<u16> = Vec::new();
    let longer = |sum: &mut Option<(u16, u64)>, one: Option<(u16, u64)>| {
        if let Some((plies, _)) = one
            && sum.is_none_or(|(most, _)| plies > most)
        {
            *sum = one;
        }
    };
    for Seen { summary, .. } in blocks {
        sum.wins += summary.wins;
        sum.draws += summary.draws;
        sum.losses += summary.losses;
        longer(&mut sum.longest_win, summary.longest_win);
        longer(&mut sum.longest_loss, summary.longest_loss);
    }
    if blocks.iter().any(|block| block.draws) {
        dictionary.push(cell::OPEN);
    }
    let levels = (0..=cell::HIGHEST)
        .filter(|&level| blocks.iter().any(|block| block.levels[usize::from(level)]));
    dictionary.extend(levels.map(reduce));
    dictionary.sort_unstable();
    dictionary.dedup();
    (sum, dictionary)
}

/// Writes a file under a temporary name, waits until it is on the disk, and gives it its name.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let file = File::create(&temporary)?;
    let mut buffered = io::BufWriter::with_capacity(1 << 20, file);
    write(&mut buffered)?;
    buffered.flush()?;
    buffered.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&temporary, path)
}
