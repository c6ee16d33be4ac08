//! What stands at the beginning of a file.

use super::bytes::{Reader, Writer, checksum};
use super::{MAGIC, block_size};
use crate::ending::Ending;
use crate::layout::Layout;
use crate::value::Metric;

/// Counts of one side to move: each position once among its mirror images, without castling and en
/// passant, equal men told apart. So they equal the published ones.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// The longest win in half-moves, and the number of the first position that has it.
    pub longest_win: Option<(u16, u64)>,
    /// The longest loss likewise.
    pub longest_loss: Option<(u16, u64)>,
}

/// A block in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub length: u32,
    pub checksum: u32,
}

/// One side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The counts.
    pub summary: Summary,
    /// The cells that occur.
    pub(crate) dictionary: Vec<u16>,
    pub(crate) blocks: Vec<Block>,
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Which ending.
    pub ending: Ending,
    /// Which measure.
    pub metric: Metric,
    /// White to move, Black to move.
    pub sides: [Side; 2],
}

impl Summary {
    pub(crate) fn write(&self, out: &mut Writer) {
        for count in [self.wins, self.draws, self.losses] {
            out.u64(count);
        }
        for longest in [self.longest_win, self.longest_loss] {
            let (plies, index) = longest.unwrap_or((u16::MAX, 0));
            out.u16(plies);
            out.u64(index);
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Summary> {
        let (wins, draws, losses) = (from.u64()?, from.u64()?, from.u64()?);
        let mut longest = || {
            let (plies, index) = (from.u16()?, from.u64()?);
            Some((plies != u16::MAX).then_some((plies, index)))
        };
        Some(Summary { wins, draws, losses, longest_win: longest()?, longest_loss: longest()? })
    }
}

impl Side {
    fn write(&self, out: &mut Writer) {
        self.summary.write(out);
        out.u16(self.dictionary.len() as u16);
        self.dictionary.iter().for_each(|&value| out.u16(value));
        out.u32(self.blocks.len() as u32);
        for block in &self.blocks {
            out.u32(block.length);
            out.u32(block.checksum);
        }
    }

    fn read(from: &mut Reader<'_>, blocks: usize) -> Option<Side> {
        let summary = Summary::read(from)?;
        let values = from.u16()?;
        let dictionary = (0..values).map(|_| from.u16()).collect::<Option<Vec<u16>>>()?;
        if from.u32()? as usize != blocks {
            return None;
        }
        let block = |_| Some(Block { length: from.u32()?, checksum: from.u32()? });
        Some(Side { summary, dictionary, blocks: (0..blocks).map(block).collect::<Option<_>>()? })
    }
}

impl Header {
    /// Magic, length, header, checksum.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut body = Writer::default();
        let name = self.ending.to_string();
        body.u8(Metric::ALL.iter().position(|metric| *metric == self.metric).unwrap_or(0) as u8);
        body.u8(name.len() as u8);
        body.0.extend(name.bytes());
        body.u32(block_size(self.metric) as u32);
        self.sides.iter().for_each(|side| side.write(&mut body));
        let mut all = Writer(MAGIC.to_vec());
        all.u32(body.0.len() as u32);
        all.0.extend(&body.0);
        all.u64(checksum(&body.0));
        all.0
    }

    /// Reads what [`Header::to_bytes`] wrote between length and checksum.
    pub(crate) fn from_body(body: &[u8]) -> Option<Header> {
        let mut from = Reader(body);
        let metric = *Metric::ALL.get(usize::from(from.u8()?))?;
        let length = usize::from(from.u8()?);
        let name = std::str::from_utf8(from.take(length)?).ok()?;
        let ending = Ending::parse(name).ok()?;
        if from.u32()? as usize != block_size(metric) {
            return None;
        }
        let blocks = Layout::new(&ending).size().div_ceil(block_size(metric));
        let sides = [Side::read(&mut from, blocks)?, Side::read(&mut from, blocks)?];
        from.0.is_empty().then_some(Header { ending, metric, sides })
    }

    /// Bytes of the blocks together.
    pub(crate) fn data_length(&self) -> u64 {
        let blocks = self.sides.iter().flat_map(|side| &side.blocks);
        blocks.map(|block| u64::from(block.length)).sum()
    }
}
