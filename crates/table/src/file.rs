//! Tables in files, so that hours of analysis survive a restart.
//!
//! A file is a sequence of 64-bit little-endian words: a header of eight (see [`Header`]), eight for
//! every line, and the checksum of all words before it. It takes its name when it is complete, so that
//! a file of the right name is never half a file.
//!
//! Loading reads the file twice: once to check all of it, and only if it is good a second time into
//! the table. So a bad file leaves the table as it is, and no second table is needed in memory. The
//! table takes the size of the file: entries cannot be sorted into a table of another size, because
//! the part of the key that chose the line is not stored.

use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use board::Position;
use files::Replacement;

use crate::entry::Word;
use crate::line::{LINE_BYTES, Line};
use crate::policy::{Policy, PolicyKind};
use crate::{Table, TableError};

/// "ROOKTABL", read as a little-endian number.
const MAGIC: u64 = u64::from_le_bytes(*b"ROOKTABL");

/// Rises whenever a line or the header changes its meaning.
const VERSION: u64 = 1;

/// Bytes of the header.
const HEADER_BYTES: u64 = 64;

/// Bytes of the checksum at the end.
const CHECKSUM_BYTES: u64 = 8;

/// Lines that are read or written at once: a megabyte.
const BLOCK_LINES: usize = (1 << 20) / LINE_BYTES;

/// A checksum over words. Each step is a bijection, so no change of a single word goes unseen, and
/// it depends on the order.
struct Checksum(u64);

impl Checksum {
    fn new() -> Checksum {
        Checksum(MAGIC)
    }

    #[inline(always)]
    fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// What stands before the lines.
struct Header {
    policy: u64,
    lines: u64,
    /// What the scores mean, as the saver says.
    stamp: u64,
    /// The start position's key: entries are worthless under other keys.
    keys: u64,
    generation: u64,
}

impl Header {
    fn to_words(&self) -> [u64; 8] {
        let Header { policy, lines, stamp, keys, generation } = *self;
        [MAGIC, VERSION, policy, lines, stamp, keys, generation, 0]
    }

    /// Reads and checks a header for a table of the policy.
    fn read<P: Policy>(words: [u64; 8], stamp: u64) -> Result<Header, String> {
        let [magic, version, policy, lines, stamp_found, keys, generation, spare] = words;
        if magic != MAGIC {
            return Err("is not a table file".into());
        }
        if version != VERSION {
            return Err(format!("has version {version}, not {VERSION}"));
        }
        if policy != P::KIND as u64 {
            let name = PolicyKind::ALL.into_iter().find(|&kind| kind as u64 == policy);
            let name = name.map_or("unknown", PolicyKind::name);
            return Err(format!("holds a table of policy {name}, not {}", P::KIND));
        }
        if keys != fingerprint() {
            return Err("was made with other keys of positions".into());
        }
        if stamp_found != stamp {
            return Err("was made with another evaluation or search".into());
        }
        let possible =
            usize::try_from(lines).is_ok_and(|lines| lines > 0 && P::lines(lines) == lines);
        if !possible || generation >= u64::from(Word::GENERATIONS) || spare != 0 {
            return Err("has a damaged header".into());
        }
        Ok(Header { policy, lines, stamp, keys, generation })
    }
}

/// Stands for all random numbers of the keys.
fn fingerprint() -> u64 {
    Position::startpos().key()
}

impl<P: Policy> Table<P> {
    /// Writes the table to a file. The stamp says what the scores mean (a number for the profile
    /// and its evaluation); `progress` is told the bytes done and their sum.
    ///
    /// A plain file of that name is replaced; a link, a device, a pipe or a folder is refused. A search
    /// may go on meanwhile; what it stores is then in the file or not.
    pub fn save(
        &self,
        path: &Path,
        stamp: u64,
        progress: impl FnMut(u64, u64),
    ) -> Result<(), TableError> {
        self.write(path, stamp, progress)
            .map_err(|error| TableError::file(path, format!("cannot be written: {error}")))
    }

    fn write(&self, path: &Path, stamp: u64, mut progress: impl FnMut(u64, u64)) -> io::Result<()> {
        let header = Header {
            policy: P::KIND as u64,
            lines: self.memory.len() as u64,
            stamp,
            keys: fingerprint(),
            generation: u64::from(self.generation.load(Relaxed)),
        };
        let mut file = Replacement::create(path)?;
        let mut checksum = Checksum::new();
        let mut block = Vec::with_capacity(BLOCK_LINES * LINE_BYTES);
        push_words(&mut block, header.to_words(), &mut checksum);
        file.write_all(&block)?;
        let mut done = 0;
        for lines in self.memory.chunks(BLOCK_LINES) {
            block.clear();
            for line in lines {
                push_words(&mut block, line.to_words(), &mut checksum);
            }
            file.write_all(&block)?;
            done += block.len() as u64;
            progress(done, self.bytes());
        }
        file.write_all(&checksum.0.to_le_bytes())?;
        file.commit()
    }

    /// Replaces the table by that of a file, which must have the same policy and stamp. The table
    /// takes the size of the file. `progress` is told the bytes done and their sum; every byte is
    /// read twice.
    ///
    /// A file that cannot be read, or is cut off, damaged, of another version or foreign is refused,
    /// and the table is as before. Only if the file changes or vanishes between the check and the
    /// second reading is the table left empty.
    pub fn load(
        &mut self,
        path: &Path,
        stamp: u64,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<(), TableError> {
        let fault = |reason: String| TableError::file(path, reason);
        let header = read_lines::<P>(path, stamp, |_, _| {}, |done, all| progress(done, 2 * all))
            .map_err(fault)?;
        if header.lines != self.memory.len() as u64 {
            *self = Table::with_lines(header.lines as usize)?;
        }
        let memory = &self.memory;
        let put = |index: usize, words| {
            if let Some(line) = memory.get(index) {
                line.set_words(words);
            }
        };
        match read_lines::<P>(path, stamp, put, |done, all| progress(all + done, 2 * all)) {
            Ok(second) if second.lines == header.lines => {
                self.generation.store(second.generation as u8, Relaxed);
                Ok(())
            }
            Ok(_) => {
                self.clear(1);
                Err(fault("changed while it was read; the table is empty now".into()))
            }
            Err(reason) => {
                self.clear(1);
                Err(fault(format!("{reason}, on the second reading; the table is empty now")))
            }
        }
    }
}

/// Reads a whole file, gives its lines out one by one, and checks everything.
fn read_lines<P: Policy>(
    path: &Path,
    stamp: u64,
    mut put: impl FnMut(usize, [u64; 8]),
    mut progress: impl FnMut(u64, u64),
) -> Result<Header, String> {
    let cannot = |error: io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => "is cut off".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let mut file = files::open(path).map_err(cannot)?;
    let metadata = file.metadata().map_err(cannot)?;
    let mut checksum = Checksum::new();
    let mut start = [0; HEADER_BYTES as usize];
    if file.read_exact(&mut start).is_err() {
        return Err("is not a table file: it is too short".into());
    }
    let header = Header::read::<P>(take_words(&start, &mut checksum), stamp)?;
    check_length(metadata.len(), header.lines)?;

    let all = header.lines * LINE_BYTES as u64;
    let mut block = vec![0; BLOCK_LINES * LINE_BYTES];
    let (mut index, mut done) = (0, 0);
    while done < all {
        let size = (all - done).min(block.len() as u64) as usize;
        file.read_exact(&mut block[..size]).map_err(cannot)?;
        for line in block[..size].chunks_exact(LINE_BYTES) {
            put(index, take_words(line, &mut checksum));
            index += 1;
        }
        done += size as u64;
        progress(done, all);
    }
    let mut end = [0; CHECKSUM_BYTES as usize];
    file.read_exact(&mut end).map_err(cannot)?;
    if u64::from_le_bytes(end) != checksum.0 {
        return Err("is damaged: its checksum does not match".into());
    }
    Ok(header)
}

/// Whether a file of that length can hold that many lines and nothing else.
fn check_length(length: u64, lines: u64) -> Result<(), String> {
    let wanted = lines
        .checked_mul(LINE_BYTES as u64)
        .and_then(|bytes| bytes.checked_add(HEADER_BYTES + CHECKSUM_BYTES))
        .ok_or("has a damaged header")?;
    if length < wanted {
        return Err(format!("is cut off: {length} of {wanted} bytes"));
    }
    if length > wanted {
        return Err(format!("is damaged: {length} bytes, not {wanted}"));
    }
    Ok(())
}

/// Appends eight words to a block and to the checksum.
fn push_words(block: &mut Vec<u8>, words: [u64; 8], checksum: &mut Checksum) {
    for word in words {
        checksum.add(word);
        block.extend_from_slice(&word.to_le_bytes());
    }
}

/// Reads eight words from 64 bytes and adds them to the checksum.
fn take_words(bytes: &[u8], checksum: &mut Checksum) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        checksum.add(*word);
    }
    words
}
