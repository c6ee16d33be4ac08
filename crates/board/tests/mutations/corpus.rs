//! Where the inputs come from: the test data, damaged.

use crate::{Form, LONGEST};
use board::random::SplitMix;
use board::{CastlingStyle, Position};
use std::path::Path;

/// Whole inputs, and positions to read moves in.
pub struct Corpus {
    epds: Vec<Vec<u8>>,
    games: Vec<Vec<u8>>,
    positions: Vec<Position>,
}

/// Bytes that mean something to some reader, and some that no reader expects.
const ALPHABET: &[u8] =
    b"KQRBNPkqrbnpabcdefgh12345678/-wW0O9+#=x!?()[]{};%$\"\\.,: \t\r\n\0\x1a\x7f\x80\xc3\xa9\xef\xbb\xbf\xff";

/// Texts that readers have stumbled over elsewhere.
const PHRASES: &[&str] = &[
    "99999999999999999999",
    "65536",
    "-1",
    "O-O-O",
    "e7e8q",
    "exd6e.p.",
    "[FEN \"",
    "[SetUp \"1\"]",
    "1/2-1/2",
    "{",
    "(((((((((",
    "$999",
    "$",
    "bm ",
    "; id \"",
    "hmvc 70000;",
    " - - ",
    "KQkq",
    "HAha",
    "--",
    "Z0",
    "\u{feff}",
    "é",
    "♞",
    "8/8/8/8/8/8/8/8",
];

impl Corpus {
    /// Reads the test data of the repository.
    pub fn load() -> Corpus {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        let mut epds = Vec::new();
        let mut games = Vec::new();
        for folder in ["epd", "perft"] {
            for text in files(&root.join(folder)) {
                epds.extend(text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
            }
        }
        epds.retain(|line| line.len() > 20);
        for folder in ["pgn", "pgn/chessops", "pgn/python-chess"] {
            for text in files(&root.join(folder)) {
                games.extend(split_games(&text));
            }
        }
        let positions: Vec<Position> = epds
            .iter()
            .filter_map(|line| Position::from_fen(&four_fields(line)).ok())
            .chain((0..960).step_by(40).map(Position::chess960))
            .collect();
        assert!(epds.len() > 300 && games.len() > 50 && positions.len() > 300);
        Corpus { epds, games, positions }
    }

    /// The input with a number, and the position that moves are read in.
    pub fn input(&self, seed: u64, index: u64) -> (Position, Vec<u8>) {
        let mut random = SplitMix(SplitMix(seed).next() ^ index);
        random = SplitMix(random.next());
        let position = *pick(&self.positions, &mut random);
        let mut bytes = self.sound(Form::of(index), &position, &mut random);
        // Some stay as they are, most are damaged once: those get deepest into the readers.
        let wounds = match random.below(8) {
            0 => 0,
            1..=4 => 1,
            5 | 6 => 2,
            _ => 3 + random.below(6),
        };
        for _ in 0..wounds {
            self.damage(Form::of(index), &mut bytes, &mut random);
            bytes.truncate(LONGEST);
        }
        (position, bytes)
    }

    /// An input that is as it should be.
    fn sound(&self, form: Form, position: &Position, random: &mut SplitMix) -> Vec<u8> {
        let moves = position.legal_moves();
        let mv = moves.get(random.below(moves.len().max(1) as u64) as usize).copied();
        match form {
            Form::Fen => match random.below(2) {
                0 => position.fen().into_bytes(),
                _ => position.shredder_fen().into_bytes(),
            },
            Form::Epd => pick(&self.epds, random).clone(),
            Form::Pgn => pick(&self.games, random).clone(),
            Form::Packed => position.pack().to_bytes().to_vec(),
            Form::Coordinates => {
                mv.map_or(Vec::new(), |mv| mv.uci(CastlingStyle::Chess960).into_bytes())
            }
            Form::San => mv.map_or(Vec::new(), |mv| position.san(mv).into_bytes()),
        }
    }

    fn damage(&self, form: Form, bytes: &mut Vec<u8>, random: &mut SplitMix) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let until = (at + random.below(12) as usize).min(bytes.len());
        match random.below(12) {
            0 => flip_bit(bytes, at, random),
            1 => bytes.insert(at, random.next() as u8),
            2 | 3 => bytes.insert(at, *pick(ALPHABET, random)),
            4 | 5 => drop(bytes.splice(at..until.min(at + 1), [*pick(ALPHABET, random)])),
            6 => drop(bytes.drain(at..until)),
            7 => drop(bytes.splice(at..until, pick(PHRASES, random).bytes())),
            8 => bytes.truncate(at),
            9 => {
                let part = bytes[at..until].repeat(1 + random.below(40) as usize);
                drop(bytes.splice(at..at, part));
            }
            10 => {
                let other = self.sound(form, pick(&self.positions, random), random);
                let cut = random.below(other.len() as u64 + 1) as usize;
                bytes.truncate(at);
                bytes.extend(&other[cut..]);
            }
            _ => {
                let noise = (0..random.below(8)).map(|_| random.next() as u8).collect::<Vec<u8>>();
                match random.below(20) {
                    0 => *bytes = noise,
                    _ => drop(bytes.splice(at..until, noise)),
                }
            }
        }
    }
}

fn flip_bit(bytes: &mut [u8], at: usize, random: &mut SplitMix) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

fn pick<'a, T>(from: &'a [T], random: &mut SplitMix) -> &'a T {
    &from[random.below(from.len() as u64) as usize]
}

/// The files of a folder in the order of their names, so that inputs are the same everywhere.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Pieces of PGN of one or two games.
fn split_games(text: &[u8]) -> Vec<Vec<u8>> {
    let mark = b"[Event ";
    let mut starts: Vec<usize> =
        (0..text.len()).filter(|&at| text[at..].starts_with(mark)).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    let end = |index: usize| starts[(index + 1 + index % 2).min(starts.len() - 1)];
    let pieces = (0..starts.len() - 1).map(|index| text[starts[index]..end(index)].to_vec());
    pieces.filter(|piece| !piece.is_empty()).collect()
}

fn four_fields(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let fields: Vec<&str> = text.split_whitespace().take(4).collect();
    fields.join(" ").trim_end_matches(';').to_owned()
}
