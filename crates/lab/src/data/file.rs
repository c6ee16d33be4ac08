//! Files of games: a line that says where they come from, and blocks of games with checksums.
//!
//! ```text
//! "ROOKGAME" | version u32 | length u32 | origin: that number of bytes | crc32
//! then blocks: games u32 | bytes u32 | the games | crc32 of the block
//! ```
//! All numbers are little-endian.

use super::game::Game;
use files::crc32;
use std::io::{ErrorKind, Read, Write};

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"ROOKGAME";
const VERSION: u32 = 1;
/// The longest origin, in bytes.
const LONGEST_ORIGIN: u32 = 4_096;
/// The largest block that is believed, in bytes: 16 games have some 6,000.
const LARGEST_BLOCK: u32 = 16 << 20;

/// Games of a block, as writers make it.
pub const BLOCK_GAMES: usize = 16;

/// The bytes of a block.
pub fn pack_block(games: &[Game]) -> Vec<u8> {
    let mut bytes = vec![0; 8];
    games.iter().for_each(|game| game.pack(&mut bytes));
    let payload = (bytes.len() - 8) as u32;
    bytes[..4].copy_from_slice(&(games.len() as u32).to_le_bytes());
    bytes[4..8].copy_from_slice(&payload.to_le_bytes());
    let sum = crc32(0, &bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The bytes at the beginning of a file.
pub fn header(origin: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((origin.len() as u32).to_le_bytes());
    bytes.extend(origin.as_bytes());
    let sum = crc32(0, &bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Writes games.
pub struct GamesWriter<W: Write> {
    out: W,
    games: Vec<Game>,
}

impl<W: Write> GamesWriter<W> {
    /// Begins a file.
    pub fn new(mut out: W, origin: &str) -> std::io::Result<GamesWriter<W>> {
        out.write_all(&header(origin))?;
        Ok(GamesWriter { out, games: Vec::new() })
    }

    /// Adds a game.
    pub fn add(&mut self, game: Game) -> std::io::Result<()> {
        self.games.push(game);
        if self.games.len() == BLOCK_GAMES { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> std::io::Result<()> {
        self.out.write_all(&pack_block(&self.games))?;
        self.games.clear();
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(mut self) -> std::io::Result<W> {
        if !self.games.is_empty() {
            self.write_block()?;
        }
        Ok(self.out)
    }
}

/// Why a file could not be read on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It ends in the middle of something, as where a writer was killed.
    Torn(String),
    /// It is not what it should be.
    Damaged(String),
}

impl Problem {
    /// The reason.
    pub fn text(self) -> String {
        match self {
            Problem::Torn(text) | Problem::Damaged(text) => text,
        }
    }
}

/// Reads games, block by block.
pub struct GamesReader<R: Read> {
    input: R,
    origin: String,
    /// Where the next block begins.
    offset: u64,
    blocks: u64,
}

impl<R: Read> GamesReader<R> {
    /// Reads the beginning of a file.
    pub fn new(input: R) -> Result<GamesReader<R>, String> {
        let foreign = || Problem::Damaged("is no file of Rookery's games".to_owned());
        let mut reader = GamesReader { input, origin: String::new(), offset: 0, blocks: 0 };
        let mut read = || -> Result<(), Problem> {
            let mut bytes = vec![0; 16];
            match reader.fill(&mut bytes) {
                Ok(0) => return Err(Problem::Damaged("is empty".to_owned())),
                Ok(count) if count < bytes.len() || bytes[..8] != *MAGIC => return Err(foreign()),
                result => result?,
            };
            let version = number(&bytes[8..]);
            if version != VERSION {
                let text = format!("has the format {version}; this program reads {VERSION}");
                return Err(Problem::Damaged(text));
            }
            let length = number(&bytes[12..]);
            if length > LONGEST_ORIGIN {
                return Err(Problem::Damaged("is damaged in its first lines".to_owned()));
            }
            let rest = reader.read_exactly(length as usize + 4)?;
            bytes.extend(rest);
            reader.origin = checked(&bytes)
                .and_then(|bytes| String::from_utf8(bytes[16..].to_vec()).ok())
                .ok_or_else(|| Problem::Damaged("is damaged in its first lines".to_owned()))?;
            reader.offset = bytes.len() as u64;
            Ok(())
        };
        read().map_err(Problem::text)?;
        Ok(reader)
    }

    /// Where the games come from.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Where the next block begins, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The checked bytes of the next block; none at the end of the file.
    pub fn next_block(&mut self) -> Result<Option<Block>, Problem> {
        let place = format!("block {}, at byte {},", self.blocks + 1, self.offset);
        let mut bytes = vec![0; 8];
        match self.fill(&mut bytes)? {
            0 => return Ok(None),
            8 => (),
            _ => return Err(Problem::Torn(format!("{place} is cut off"))),
        }
        let (games, payload) = (number(&bytes), number(&bytes[4..]));
        if payload > LARGEST_BLOCK {
            return Err(Problem::Damaged(format!("{place} is damaged")));
        }
        let rest = self.read_exactly(payload as usize + 4).map_err(|problem| match problem {
            Problem::Torn(_) => Problem::Torn(format!("{place} is cut off")),
            other => other,
        })?;
        bytes.extend(rest);
        self.blocks += 1;
        self.offset += bytes.len() as u64;
        match checked(&bytes) {
            Some(content) => Ok(Some(Block { games, bytes: content[8..].to_vec(), place })),
            None => Err(Problem::Damaged(format!("{place} is damaged"))),
        }
    }

    fn read_exactly(&mut self, count: usize) -> Result<Vec<u8>, Problem> {
        let mut bytes = vec![0; count];
        match self.fill(&mut bytes)? {
            read if read == count => Ok(bytes),
            _ => Err(Problem::Torn("is cut off in its first lines".to_owned())),
        }
    }

    /// Reads as much as there is; how much it was.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<usize, Problem> {
        let mut done = 0;
        while done < bytes.len() {
            match self.input.read(&mut bytes[done..]) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Err(Problem::Damaged(format!("cannot be read: {error}"))),
            }
        }
        Ok(done)
    }
}

/// The bytes of some games, with the right checksum.
pub struct Block {
    games: u32,
    bytes: Vec<u8>,
    place: String,
}

impl Block {
    /// How many games it says it has.
    pub fn count(&self) -> u64 {
        u64::from(self.games)
    }

    /// The games.
    pub fn games(&self) -> Result<Vec<Game>, String> {
        let wrong = |reason: String| format!("{} is wrong: {reason}", self.place);
        let mut rest = &self.bytes[..];
        let games: Result<Vec<Game>, String> =
            (0..self.games).map(|_| Game::unpack(&mut rest)).collect();
        match games {
            Ok(games) if rest.is_empty() => Ok(games),
            Ok(_) => Err(wrong("bytes follow its last game".to_owned())),
            Err(reason) => Err(wrong(reason)),
        }
    }
}

/// The bytes before a checksum, if it is right.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<4>()?;
    (crc32(0, content) == u32::from_le_bytes(*sum)).then_some(content)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::random_game;
    use super::*;

    fn file(games: &[Game]) -> Vec<u8> {
        let mut writer = GamesWriter::new(Vec::new(), "a test").expect("memory");
        games.iter().for_each(|game| writer.add(game.clone()).expect("memory"));
        writer.finish().expect("memory")
    }

    fn read(bytes: &[u8]) -> Result<Vec<Game>, String> {
        let mut reader = GamesReader::new(bytes)?;
        let mut games = Vec::new();
        while let Some(block) = reader.next_block().map_err(Problem::text)? {
            games.extend(block.games()?);
        }
        Ok(games)
    }

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 16, 40] {
            let games: Vec<Game> = (0..count).map(random_game).collect();
            assert_eq!(read(&file(&games)), Ok(games));
        }
        let bytes = file(&[]);
        assert_eq!(
            GamesReader::new(&bytes[..]).map(|it| it.origin().to_owned()),
            Ok("a test".into())
        );
    }

    #[test]
    fn every_damaged_bit_and_every_cut_is_noticed() {
        let bytes = file(&[random_game(1), random_game(2)]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(read(&damaged).is_err(), "byte {at}");
        }
        let first = header("a test").len();
        for cut in (0..bytes.len()).filter(|&cut| cut != first) {
            assert!(read(&bytes[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn the_reason_is_one_line_that_says_what_is_wrong() {
        let bytes = file(&(0..20).map(random_game).collect::<Vec<_>>());
        let reason = |bytes: &[u8]| read(bytes).expect_err("it is wrong");
        assert_eq!(reason(b""), "is empty");
        assert_eq!(reason(b"[Event \"?\"]\n\n1. e4 *\n"), "is no file of Rookery's games");
        assert!(reason(&bytes[..bytes.len() - 1]).ends_with("is cut off"));
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(reason(&other), "has the format 9; this program reads 1");
        let mut other = bytes;
        let last = other.len() - 30;
        other[last] ^= 4;
        let reason = reason(&other);
        assert!(reason.starts_with("block 2, at byte ") && reason.ends_with(", is damaged"));
    }
}
