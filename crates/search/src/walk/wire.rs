//! Jobs and what comes of them, as bytes.

use super::detached::Above;
use super::{HistoryDelta, Job, JobResult, NodeType, RootSearch, TaskId};
use crate::histories::{Butterfly, LIMIT, PieceTo};
use crate::killers::Killers;
use crate::phases::MAX_LEVEL;
use crate::wire::{Damaged, Reader, Wire};
use board::{History, Move};
use eval::score::{INFINITE, MAX_PLY};

/// No value of a search is larger; bounds may lie a little beyond.
const LARGEST: i32 = INFINITE as i32;

/// Cells of a row of the history: from square, to square.
const ROW: usize = 4096;
/// Cells of a block: a cache line.
const BLOCK: usize = 32;
/// Blocks of a row.
const BLOCKS: usize = ROW / BLOCK;

impl Wire for TaskId {
    fn put(&self, out: &mut Vec<u8>) {
        self.issuer.put(out);
        self.number.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<TaskId, Damaged> {
        Ok(TaskId { issuer: reader.take()?, number: reader.take()? })
    }
}

/// Of the game only the keys that can come again are sent.
impl Wire for RootSearch {
    fn put(&self, out: &mut Vec<u8>) {
        self.position.put(out);
        let reversible = usize::from(self.position.halfmove_clock());
        let keys = self.game.before(self.game.len(), reversible);
        (keys.len() as u64).put(out);
        keys.iter().for_each(|key| key.put(out));
        self.limits.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<RootSearch, Damaged> {
        let position = reader.take()?;
        let mut game = History::new();
        reader.take::<Vec<u64>>()?.into_iter().for_each(|key| game.push(key));
        Ok(RootSearch { position, game, limits: reader.take()? })
    }
}

fn window(reader: &mut Reader<'_>) -> Result<(i32, i32), Damaged> {
    let alpha = reader.within(-2 * LARGEST..=2 * LARGEST, "bound")?;
    let beta = reader.within(-2 * LARGEST..=2 * LARGEST, "bound")?;
    if alpha < beta { Ok((alpha, beta)) } else { Err(Damaged("window")) }
}

impl Wire for NodeType {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }

    fn take(reader: &mut Reader<'_>) -> Result<NodeType, Damaged> {
        match reader.take::<u8>()? {
            0 => Ok(NodeType::One),
            1 => Ok(NodeType::Two),
            2 => Ok(NodeType::Three),
            _ => Err(Damaged("type of node")),
        }
    }
}

impl Wire for Killers {
    fn put(&self, out: &mut Vec<u8>) {
        let (moves, benefits) = self.parts();
        moves.iter().for_each(|mv| mv.put(out));
        benefits.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Killers, Damaged> {
        let moves = [reader.take::<Move>()?, reader.take()?];
        Ok(Killers::from_parts(moves, reader.take()?))
    }
}

impl Wire for PieceTo {
    fn put(&self, out: &mut Vec<u8>) {
        (self.index() as u16).put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<PieceTo, Damaged> {
        PieceTo::from_index(reader.take::<u16>()?.into()).ok_or(Damaged("piece and target"))
    }
}

fn take_piece_tos<const N: usize>(reader: &mut Reader<'_>) -> Result<[PieceTo; N], Damaged> {
    let mut piece_tos = [PieceTo::NONE; N];
    for piece_to in &mut piece_tos {
        *piece_to = reader.take()?;
    }
    Ok(piece_tos)
}

impl Wire for Above {
    fn put(&self, out: &mut Vec<u8>) {
        self.position.put(out);
        self.earlier.iter().for_each(|piece_to| piece_to.put(out));
    }

    fn take(reader: &mut Reader<'_>) -> Result<Above, Damaged> {
        Ok(Above { position: reader.take()?, earlier: take_piece_tos(reader)? })
    }
}

/// Histories are mostly empty, and work is sent often. So of each row a bit for every block that says whether it
/// holds anything; of each block that does a bit for every cell, and the cells that are not zero.
fn put_history(history: &Butterfly, out: &mut Vec<u8>) {
    for row in history {
        let begin = out.len();
        out.resize(begin + BLOCKS.div_ceil(8), 0);
        for (number, block) in row.as_chunks::<BLOCK>().0.iter().enumerate() {
            let mut left = used_cells(block);
            if left == 0 {
                continue;
            }
            out[begin + number / 8] |= 1 << (number % 8);
            out.extend_from_slice(&left.to_le_bytes());
            while left != 0 {
                out.extend_from_slice(&block[left.trailing_zeros() as usize].to_le_bytes());
                left &= left - 1;
            }
        }
    }
}

/// How many bytes a history takes.
pub(super) fn history_bytes(history: &Butterfly) -> usize {
    let blocks = history.iter().flat_map(|row| row.as_chunks::<BLOCK>().0);
    let used = blocks.map(used_cells).filter(|&cells| cells != 0);
    2 * BLOCKS.div_ceil(8) + used.map(|cells| 4 + 2 * cells.count_ones() as usize).sum::<usize>()
}

/// The cells of a block that are not zero, a bit for each. Most blocks are empty, and one look at all cells together
/// says so: a look at each cell of a history takes as long as fifty nodes.
fn used_cells(block: &[i16; BLOCK]) -> u32 {
    if block.iter().fold(0, |all, cell| all | cell) == 0 {
        return 0;
    }
    let bits = block.iter().enumerate().map(|(place, &cell)| u32::from(cell != 0) << place);
    bits.fold(0, |all, bit| all | bit)
}

fn take_history(reader: &mut Reader<'_>) -> Result<Box<Butterfly>, Damaged> {
    let mut history: Box<Butterfly> = Box::new([[0; ROW]; 2]);
    for row in history.iter_mut() {
        let used = reader.bytes(BLOCKS.div_ceil(8))?;
        for (number, block) in row.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            if used[number / 8] & (1 << (number % 8)) == 0 {
                continue;
            }
            let [cells] = *reader.bytes(4)?.as_chunks::<4>().0 else {
                return Err(Damaged("history"));
            };
            let mut left = u32::from_le_bytes(cells);
            let values = reader.bytes(2 * left.count_ones() as usize)?;
            for pair in values.as_chunks::<2>().0 {
                let value = i16::from_le_bytes(*pair);
                if i32::from(value).abs() > LIMIT {
                    return Err(Damaged("history"));
                }
                block[left.trailing_zeros() as usize] = value;
                left &= left - 1;
            }
        }
    }
    Ok(history)
}

impl Wire for Job {
    fn put(&self, out: &mut Vec<u8>) {
        self.node_type.put(out);
        self.alpha.put(out);
        self.beta.put(out);
        self.depth.put(out);
        self.ply.put(out);
        self.mv.put(out);
        self.position.put(out);
        (self.keys.len() as u64).put(out);
        self.keys.iter().for_each(|key| out.extend_from_slice(&key.to_le_bytes()));
        self.fraction.put(out);
        self.pv.put(out);
        self.cut.put(out);
        self.piece_tos.iter().for_each(|piece_to| piece_to.put(out));
        self.before.put(out);
        self.captured.put(out);
        self.doubles.put(out);
        self.threats.iter().for_each(|threat| threat.put(out));
        self.parent.put(out);
        self.killers.put(out);
        self.history.is_some().put(out);
        if let Some(history) = &self.history {
            put_history(history, out);
        }
        self.root_depth.put(out);
        self.excluded.put(out);
        self.null_allowed.put(out);
        self.evals.put(out);
        self.above.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Job, Damaged> {
        let node_type = reader.take()?;
        let (alpha, beta) = window(reader)?;
        let job = Job {
            node_type,
            alpha,
            beta,
            depth: reader.within(-MAX_PLY..=2 * MAX_PLY, "depth")?,
            ply: reader.within(0..=MAX_PLY, "ply")?,
            mv: reader.take()?,
            position: reader.take()?,
            keys: take_keys(reader)?,
            fraction: reader.take()?,
            pv: reader.take()?,
            cut: reader.take()?,
            piece_tos: take_piece_tos(reader)?,
            before: reader.take()?,
            captured: reader.take()?,
            doubles: reader.within(0..=MAX_LEVEL as i32, "count")?,
            threats: [reader.take()?, reader.take()?],
            parent: reader.take()?,
            killers: reader.take()?,
            history: reader.take::<bool>()?.then(|| take_history(reader)).transpose()?,
            root_depth: reader.within(0..=2 * MAX_PLY, "depth")?,
            excluded: reader.take()?,
            null_allowed: reader.take()?,
            evals: reader.take()?,
            above: reader.take()?,
        };
        if job.killers.len() > MAX_PLY as usize + 2 { Err(Damaged("list")) } else { Ok(job) }
    }
}

/// Keys look like chance: they take eight bytes each.
fn take_keys(reader: &mut Reader<'_>) -> Result<Vec<u64>, Damaged> {
    let count = usize::try_from(reader.take::<u64>()?).map_err(|_| Damaged("length"))?;
    let bytes = reader.bytes(count.checked_mul(8).ok_or(Damaged("length"))?)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|key| u64::from_le_bytes(*key)).collect())
}

impl Wire for JobResult {
    fn put(&self, out: &mut Vec<u8>) {
        self.value.put(out);
        self.line.put(out);
        self.nodes.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<JobResult, Damaged> {
        let value = reader.within(-LARGEST..=LARGEST, "value")?;
        Ok(JobResult { value, line: reader.take()?, nodes: reader.take()? })
    }
}

impl Wire for HistoryDelta {
    fn put(&self, out: &mut Vec<u8>) {
        (self.cells.len() as u64).put(out);
        for (place, change) in &self.cells {
            place.put(out);
            change.put(out);
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<HistoryDelta, Damaged> {
        let count: u16 = reader.take()?;
        let cells = (0..count).map(|_| Ok((reader.take()?, reader.take()?)));
        Ok(HistoryDelta { cells: cells.collect::<Result<_, Damaged>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_travels_as_the_cells_that_hold_something() {
        let mut history: Butterfly = [[0; ROW]; 2];
        for (side, place, value) in [(0, 0, 5), (0, 31, -7), (0, 32, 9), (1, ROW - 1, 16_384)] {
            history[side][place] = value;
        }
        let mut bytes = Vec::new();
        put_history(&history, &mut bytes);
        // A bit for each of the 256 blocks, four for the cells of each of three, two for each cell.
        assert_eq!((bytes.len(), history_bytes(&history)), (32 + 3 * 4 + 4 * 2, bytes.len()));
        let mut reader = Reader::new(&bytes);
        assert_eq!(*take_history(&mut reader).expect("it was just written"), history);
        bytes[16] ^= 0xff;
        assert!(take_history(&mut Reader::new(&bytes)).is_err(), "more cells than there are bytes");
    }
}
