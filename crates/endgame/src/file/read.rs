//! Reading a table: the header at once, blocks when they are asked for.

use super::bytes::{Reader, checksum};
use super::codes::{self, Codes};
use super::header::Header;
use super::lzma;
use super::{MAGIC, block_size};
use crate::layout::Layout;
use crate::value::{Metric, cell};
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// No header is longer: half a million blocks of eight bytes, and some.
const LONGEST_HEADER: u32 = 1 << 24;

/// A table on disk, or in memory.
pub struct TableFile {
    /// What the header says.
    pub header: Header,
    /// The numbering of its positions.
    pub layout: Layout,
    name: String,
    data: Data,
    /// Where each block begins, both sides one after the other.
    offsets: Vec<u64>,
}

enum Data {
    File {
        file: Mutex<File>,
        begin: u64,
    },
    /// All blocks of a table inside the program, one after the other, packed as one (LZMA): two
    /// fifths of what the blocks take that are packed each for itself. Unpacked at first use. Those with Black
    /// to move are left out where both sides have the same men.
    Inside {
        packed: &'static [u8],
        blocks: OnceLock<Vec<u8>>,
    },
}

/// Why a file is not used; the line names it.
pub type WholeError = String;

impl TableFile {
    /// Opens a file and checks its header and length. The error names the file and the reason.
    pub fn open(path: &Path) -> Result<TableFile, WholeError> {
        let name = path.display().to_string();
        let fail = |reason: String| format!("{name}: {reason}");
        let mut file = files::open(path).map_err(|error| fail(error.to_string()))?;
        let length = file.metadata().map_err(|error| fail(error.to_string()))?.len();
        let mut start = [0; 12];
        file.read_exact(&mut start).map_err(|_| fail("the file is cut off".to_owned()))?;
        let header_length = header_length(&start).map_err(&fail)?;
        let mut rest = vec![0; header_length as usize + 8];
        file.read_exact(&mut rest).map_err(|_| fail("the file is cut off".to_owned()))?;
        let header = read_header(&rest).map_err(&fail)?;
        let begin = 12 + rest.len() as u64;
        if begin + header.data_length() != length {
            let expected = begin + header.data_length();
            return Err(fail(format!("it has {length} bytes instead of {expected}")));
        }
        let data = Data::File { file: Mutex::new(file), begin };
        Ok(TableFile::new(header, name, data))
    }

    /// A table that is part of the program: the beginning of a file up to the blocks, and those packed as
    /// one.
    pub fn inside(bytes: &'static [u8]) -> Result<TableFile, WholeError> {
        let fail = |reason: String| format!("a table inside the program: {reason}");
        let cut_off = || fail("it is cut off".to_owned());
        let (start, rest) = bytes.split_at_checked(12).ok_or_else(cut_off)?;
        let length = header_length(start).map_err(&fail)? as usize + 8;
        let (header, packed) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let header = read_header(header).map_err(&fail)?;
        let data = Data::Inside { packed, blocks: OnceLock::new() };
        Ok(TableFile::new(header, "inside".to_owned(), data))
    }

    fn new(header: Header, name: String, data: Data) -> TableFile {
        let mut offsets = vec![0];
        let mut end = 0;
        for block in header.sides.iter().flat_map(|side| &side.blocks) {
            end += u64::from(block.length);
            offsets.push(end);
        }
        TableFile { layout: Layout::new(&header.ending), header, name, data, offsets }
    }

    /// The path, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the blocks.
    pub fn data_length(&self) -> u64 {
        self.header.data_length()
    }

    /// Where the file of an ending lies.
    pub fn path(dir: &Path, ending: &crate::ending::Ending, metric: Metric) -> PathBuf {
        dir.join(format!("{ending}.{}", metric.name()))
    }

    /// One block with one side to move, as [`TableFile::cell`] takes it.
    pub fn block(&self, side: usize, block: usize) -> Result<Vec<u8>, WholeError> {
        let fail = |reason: &str| format!("{}: block {block}: {reason}", self.name);
        let per_side = self.header.sides[0].blocks.len();
        let entry = self.header.sides[side & 1].blocks.get(block);
        let entry = entry.ok_or_else(|| fail("there is none"))?;
        let length = self.length(self.count(block));
        let codes = match &self.data {
            Data::File { file, begin } => {
                let offset = begin + self.offsets[(side & 1) * per_side + block];
                let bytes = read(file, offset, entry.length as usize);
                let bytes = bytes.map_err(|error| fail(&error.to_string()))?;
                if checksum(&bytes) as u32 != entry.checksum {
                    return Err(fail("it is damaged, the checksum is wrong"));
                }
                decompress_to_vec_with_limit(&bytes, length).unwrap_or_default()
            }
            Data::Inside { packed, blocks } => {
                // All blocks of a side are of one length but the last one.
                let whole = self.length(block_size(self.header.metric));
                let one_side = (per_side - 1) * whole + self.length(self.count(per_side - 1));
                let sides = if self.header.ending.is_symmetric() { 1 } else { 2 };
                // Of a damaged one no block is found.
                let unpack = || lzma::unpack(packed, sides * one_side).unwrap_or_default();
                let blocks = blocks.get_or_init(unpack);
                let begin = (side & 1) * one_side + block * whole;
                blocks.get(begin..begin + length).unwrap_or_default().to_vec()
            }
        };
        match codes.len() == length {
            true => Ok(codes),
            false => Err(fail("it is damaged and cannot be unpacked")),
        }
    }

    /// Whether questions need not wait for it to be unpacked.
    #[cfg(test)]
    pub(crate) fn is_unpacked(&self) -> bool {
        matches!(&self.data, Data::Inside { blocks, .. } if blocks.get().is_some())
    }

    /// Bytes of this number of positions.
    fn length(&self, count: usize) -> usize {
        if self.is_packed() { codes::packed_length(count) } else { count }
    }

    fn is_packed(&self) -> bool {
        self.header.metric == Metric::Outcome
    }

    /// Positions in a block.
    fn count(&self, block: usize) -> usize {
        let size = block_size(self.header.metric);
        (self.layout.size() - block * size).min(size)
    }

    /// A cell of a block that was read: the side to move, and the place in the block.
    pub(crate) fn cell(&self, side: usize, block: &[u8], nth: usize) -> u16 {
        let code = match self.is_packed() {
            true => codes::unpack_one(block, nth),
            false => block.get(nth).copied().unwrap_or(0),
        };
        let dictionary = &self.header.sides[side & 1].dictionary;
        dictionary.get(usize::from(code)).copied().unwrap_or(cell::OPEN)
    }

    /// The whole table, both sides to move, read on several threads.
    pub fn load(&self, threads: usize) -> Result<[Codes; 2], WholeError> {
        let side = |side: usize| -> Result<Codes, WholeError> {
            let blocks = self.header.sides[side].blocks.len();
            let parts = crate::build::for_chunks(blocks, threads, |block| self.block(side, block));
            let mut all = Vec::with_capacity(self.layout.size());
            for (block, part) in parts.into_iter().enumerate() {
                match self.is_packed() {
                    true => all.extend(codes::unpack(&part?, self.count(block))),
                    false => all.extend(part?),
                }
            }
            Ok(Codes { dictionary: self.header.sides[side].dictionary.clone(), codes: all })
        };
        Ok([side(0)?, side(1)?])
    }
}

fn read(file: &Mutex<File>, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    // A thread that panicked here left nothing half done: each reader seeks first.
    let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads magic and length.
fn header_length(start: &[u8]) -> Result<u32, String> {
    let mut from = Reader(start);
    if from.take(8) != Some(&MAGIC) {
        return Err("it is no endgame table of this program".to_owned());
    }
    match from.u32() {
        Some(length) if length <= LONGEST_HEADER => Ok(length),
        _ => Err("the header is damaged".to_owned()),
    }
}

/// Reads the header and its checksum.
fn read_header(bytes: &[u8]) -> Result<Header, String> {
    let (body, sum) = bytes.split_at(bytes.len().saturating_sub(8));
    if Reader(sum).u64() != Some(checksum(body)) {
        return Err("the header is damaged, its checksum is wrong".to_owned());
    }
    Header::from_body(body).ok_or_else(|| "the header cannot be understood".to_owned())
}
