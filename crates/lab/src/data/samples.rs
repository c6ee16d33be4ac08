//! The trainer's file: positions of 32 bytes each, as the side to move sees them.
//!
//! ```text
//! header: "ROOKSMPL" | version u32 | bytes of a sample u32 | samples u64 | crc32 of the samples | 0 u32
//! sample: occupied squares u64 | 16 bytes of men | score i16 | outcome u8 | 5 bytes 0
//! ```
//! The board is turned so that the side to move plays upwards; a man has four bits, the squares' order
//! is that of the occupied bits, low half of a byte first: kind (pawn 0 … king 5), plus 8 for an enemy's.
//! All numbers are little-endian.

use board::random::SplitMix;
use board::{Bitboard, Color, Position, Square};
use files::crc32;
use std::io::{self, BufRead, BufReader, Read, Write};

const MAGIC: &[u8; 8] = b"ROOKSMPL";
const VERSION: u32 = 1;
/// Bytes of a sample.
pub const SIZE: usize = 32;
/// Bytes of the header.
const HEADER: usize = 32;
const SCORE: usize = 24;
const OUTCOME: usize = 26;

/// The number of an outcome that is not known.
pub const NO_OUTCOME: u8 = 3;

/// A position with what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sample(pub [u8; SIZE]);

impl Sample {
    /// A position with its score and the game's outcome (0 lost, 1 drawn, 2 won, 3 unknown), both for
    /// the side to move.
    pub fn new(position: &Position, score: i16, outcome: u8) -> Sample {
        let side = position.side_to_move();
        let (occupied, turn) = match side {
            Color::White => (position.occupied().0, 0),
            Color::Black => (position.occupied().0.swap_bytes(), 56),
        };
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        for (index, square) in Bitboard(occupied).enumerate().take(32) {
            let Some(piece) = position.piece_on(Square::new(square.index() as u8 ^ turn)) else {
                continue;
            };
            let enemy = u8::from(piece.color() != side);
            bytes[8 + index / 2] |= (piece.kind_index() as u8 | enemy << 3) << (index % 2 * 4);
        }
        bytes[SCORE..OUTCOME].copy_from_slice(&score.to_le_bytes());
        bytes[OUTCOME] = outcome;
        Sample(bytes)
    }

    /// What the position is worth to the side to move, in centipawns.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[SCORE], self.0[SCORE + 1]])
    }

    /// The outcome for the side to move.
    pub fn outcome(&self) -> u8 {
        self.0[OUTCOME]
    }

    /// The occupied squares, as the side to move sees them.
    pub fn occupied(&self) -> u64 {
        self.0[..8].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }

    /// The kind of the man on the occupied square of this number, below 32, and whether it is an enemy's.
    pub fn man(&self, index: usize) -> (u8, bool) {
        let man = self.0[8 + index / 2] >> (index % 2 * 4);
        (man & 7, man & 8 != 0)
    }

    /// How many men there are.
    pub fn men(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// What cannot be true of it, if anything: men that do not exist, not one king a side.
    fn problem(&self) -> Option<&'static str> {
        let men = self.men() as usize;
        let mut kings = [0; 2];
        for (kind, enemy) in (0..men.min(32)).map(|index| self.man(index)) {
            match kind {
                5 => kings[usize::from(enemy)] += 1,
                6 | 7 => return Some("a man of no kind"),
                _ => (),
            }
        }
        match (men > 32, kings, self.outcome() > NO_OUTCOME) {
            (true, ..) => Some("more than 32 men"),
            (_, [1, 1], false) => None,
            (_, [1, 1], true) => Some("no possible outcome"),
            _ => Some("not one king a side"),
        }
    }
}

/// Shuffles samples: which comes where depends on the seed alone.
pub fn shuffle(samples: &mut [Sample], seed: u64) {
    SplitMix::stream(seed, samples.len() as u64).shuffle(samples);
}

/// Writes a file of samples.
pub fn write(samples: &[Sample], out: &mut impl Write) -> io::Result<()> {
    let sum = samples.iter().fold(0, |sum, sample| crc32(sum, &sample.0));
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(SIZE as u32).to_le_bytes())?;
    out.write_all(&(samples.len() as u64).to_le_bytes())?;
    out.write_all(&sum.to_le_bytes())?;
    out.write_all(&[0; 4])?;
    samples.iter().try_for_each(|sample| out.write_all(&sample.0))
}

/// Whether a file begins as one of samples does.
pub fn is_one(beginning: &[u8]) -> bool {
    beginning.starts_with(MAGIC)
}

/// Reads a file of samples and gives out each; or the reason why it cannot be used.
pub fn read(input: impl Read, mut each: impl FnMut(&Sample)) -> Result<u64, String> {
    let mut input = BufReader::with_capacity(1 << 20, input);
    let cannot = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "is cut off".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let mut header = [0; HEADER];
    if input.fill_buf().map_err(cannot)?.is_empty() {
        return Err("is empty".to_owned());
    }
    input.read_exact(&mut header).map_err(cannot)?;
    let [version, size, low, high, sum, _] =
        [8, 12, 16, 20, 24, 28].map(|at| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i])));
    if !is_one(&header) {
        return Err("is no file of Rookery's samples".to_owned());
    }
    if version != VERSION {
        return Err(format!("has the format {version}; this program reads {VERSION}"));
    }
    if size != SIZE as u32 {
        return Err(format!("is damaged: its samples have {size} bytes, not {SIZE}"));
    }
    let count = u64::from(low) | u64::from(high) << 32;
    let mut found = 0;
    for number in 1..=count {
        let mut sample = Sample([0; SIZE]);
        input.read_exact(&mut sample.0).map_err(cannot)?;
        if let Some(problem) = sample.problem() {
            return Err(format!("is damaged: sample {number} has {problem}"));
        }
        found = crc32(found, &sample.0);
        each(&sample);
    }
    match input.read(&mut [0]) {
        Ok(0) if found == sum => Ok(count),
        Ok(0) => Err("is damaged: its checksum is wrong".to_owned()),
        Ok(_) => Err("is damaged: bytes follow its last sample".to_owned()),
        Err(error) => Err(cannot(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str) -> Sample {
        Sample::new(&Position::from_fen(fen).expect(fen), -37, 2)
    }

    #[test]
    fn both_sides_see_the_same_board() {
        let white = "r3k2r/pp1n1ppp/2p5/8/4P3/2N5/PP3PPP/R3K2R w KQkq - 0 1";
        let black = "r3k2r/pp3ppp/2n5/4p3/8/2P5/PP1N1PPP/R3K2R b KQkq - 0 1";
        assert_eq!(sample(white), sample(black));
        assert_eq!(
            (sample(white).score(), sample(white).outcome(), sample(white).men()),
            (-37, 2, 20)
        );
    }

    #[test]
    fn the_bytes_are_those_of_the_page() {
        let bytes = sample("4k3/8/8/8/8/8/q6P/4K3 w - - 0 1").0;
        assert_eq!(bytes[..8], [0x10, 0x81, 0, 0, 0, 0, 0, 0x10]);
        assert_eq!(bytes[8..12], [0xc5, 0xd0, 0, 0]);
        assert_eq!(bytes[24..], [0xdb, 0xff, 2, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn files_are_read_and_damage_is_named() {
        let samples =
            [sample("4k3/8/8/8/8/8/q6P/4K3 w - - 0 1"), sample("4k3/8/8/8/8/8/8/4KR2 b - - 0 1")];
        let mut bytes = Vec::new();
        write(&samples, &mut bytes).expect("memory");
        let mut found = Vec::new();
        assert_eq!(read(&bytes[..], |one| found.push(*one)), Ok(2));
        assert_eq!(found, samples);
        let reason = |bytes: &[u8]| read(bytes, |_| ()).expect_err("it is damaged");
        assert_eq!(reason(b""), "is empty");
        let with = |at: usize| [&bytes[..at], &[7], &bytes[at + 1..]].concat();
        assert_eq!(reason(&with(8)), "has the format 7; this program reads 1");
        assert_eq!(reason(&with(12)), "is damaged: its samples have 7 bytes, not 32");
        assert_eq!(reason(&[7; 64]), "is no file of Rookery's samples");
        assert_eq!(reason(&bytes[..bytes.len() - 1]), "is cut off");
        for at in (0..bytes.len()).filter(|at| !(28..32).contains(at)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(read(&damaged[..], |_| ()).is_err(), "byte {at}");
        }
        bytes.push(0);
        assert_eq!(reason(&bytes), "is damaged: bytes follow its last sample");
    }

    #[test]
    fn shuffling_depends_on_the_seed_alone() {
        let numbered = |number: u8| Sample([number; SIZE]);
        let order = |seed| {
            let mut samples: Vec<Sample> = (0..100).map(numbered).collect();
            shuffle(&mut samples, seed);
            samples
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort();
        assert_eq!(sorted, (0..100).map(numbered).collect::<Vec<_>>());
    }
}
