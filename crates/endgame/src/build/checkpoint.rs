//! The state of a build on disk, so that an interrupted one need not begin again.

use super::en_passant::EnPassant;
use super::memory::Memory;
use crate::file::{Reader, Writer, checksum, write_atomically};
use crate::layout::Layout;
use crate::value::Metric;
use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

const MAGIC: [u8; 8] = *b"RKPART1\n";
/// Bytes that are read or written with one checksum.
const PIECE: usize = 1 << 20;

/// Where the state of one table's build is kept.
pub struct Checkpoint {
    path: PathBuf,
    size: usize,
    /// Ending and metric, at the beginning of the file.
    name: String,
}

/// What was read.
pub struct State {
    pub level: u16,
    pub legal: u64,
    pub decided: u64,
    pub en_passant: Vec<EnPassant>,
}

impl Checkpoint {
    /// The place for a table's state.
    pub fn new(dir: &Path, layout: &Layout, metric: Metric) -> Checkpoint {
        let name = format!("{}.{}", layout.ending, metric.name());
        Checkpoint { path: dir.join(format!("{name}.part")), size: layout.size(), name }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the state, in place of an older one.
    pub fn save(
        &self,
        memory: &Memory,
        en_passant: &[EnPassant],
        [legal, decided]: [u64; 2],
        level: u16,
    ) -> Result<(), String> {
        let written = write_atomically(&self.path, |out| {
            let mut head = Writer(MAGIC.to_vec());
            head.u64(checksum(self.name.as_bytes()));
            head.u64(self.size as u64);
            head.u64(en_passant.len() as u64);
            head.u64(legal);
            head.u64(decided);
            head.u16(level);
            write_piece(out, &head.0)?;
            for side in [0, 1] {
                for cells in memory.side(side).chunks(PIECE / 2) {
                    let bytes = cells.iter().flat_map(|cell| cell.load(Relaxed).to_le_bytes());
                    write_piece(out, &bytes.collect::<Vec<u8>>())?;
                }
            }
            for part in en_passant.chunks(PIECE / 16) {
                let mut bytes = Writer::default();
                part.iter().for_each(|one| write_en_passant(&mut bytes, one));
                write_piece(out, &bytes.0)?;
            }
            Ok(())
        });
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Reads the state into the memory, if there is one. After an error the memory is not to be used.
    pub fn load(&self, memory: &Memory) -> io::Result<Option<State>> {
        let Ok(file) = files::open(&self.path) else { return Ok(None) };
        let mut from = BufReader::with_capacity(PIECE, file);
        self.read(&mut from, memory).map(Some)
    }

    fn read(&self, from: &mut impl Read, memory: &Memory) -> io::Result<State> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the checkpoint is damaged");
        let head = read_piece(from)?;
        let mut head = Reader(&head);
        let fits = head.take(8) == Some(&MAGIC)
            && head.u64() == Some(checksum(self.name.as_bytes()))
            && head.u64() == Some(self.size as u64);
        if !fits {
            return Err(damaged());
        }
        let mut next = || head.u64().ok_or_else(damaged);
        let (count, legal, decided) = (next()?, next()?, next()?);
        let level = head.u16().ok_or_else(damaged)?;
        for side in [0, 1] {
            let mut index = 0;
            while index < self.size {
                let piece = read_piece(from)?;
                for cell in piece.chunks_exact(2) {
                    if index < self.size {
                        memory.set(side, index, u16::from_le_bytes([cell[0], cell[1]]));
                        index += 1;
                    }
                }
            }
        }
        let mut en_passant = Vec::new();
        while (en_passant.len() as u64) < count {
            let piece = read_piece(from)?;
            let mut reader = Reader(&piece);
            while !reader.0.is_empty() {
                en_passant.push(read_en_passant(&mut reader, self.size).ok_or_else(damaged)?);
            }
        }
        Ok(State { level, legal, decided, en_passant })
    }

    /// Removes the state: the table is done.
    pub fn remove(&self) {
        // A state that stays costs room and nothing else: the finished table goes before it.
        let _ = fs::remove_file(&self.path);
    }
}

fn write_piece(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u32).to_le_bytes())?;
    out.write_all(&checksum(bytes).to_le_bytes())?;
    out.write_all(bytes)
}

fn read_piece(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the checkpoint is damaged");
    let mut head = [0; 12];
    from.read_exact(&mut head)?;
    let mut head = Reader(&head);
    let (length, sum) = (head.u32().unwrap_or(0) as usize, head.u64().unwrap_or(0));
    if length == 0 || length > PIECE {
        return Err(damaged());
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    if checksum(&bytes) == sum { Ok(bytes) } else { Err(damaged()) }
}

fn write_en_passant(out: &mut Writer, one: &EnPassant) {
    out.u32(one.index);
    out.u32(one.before);
    out.u8(one.side);
    out.u16(one.state);
    out.u16(one.capture);
}

fn read_en_passant(from: &mut Reader<'_>, size: usize) -> Option<EnPassant> {
    let one = EnPassant {
        index: from.u32()?,
        before: from.u32()?,
        side: from.u8()?,
        state: from.u16()?,
        capture: from.u16()?,
    };
    ((one.index as usize) < size && (one.before as usize) < size).then_some(one)
}
