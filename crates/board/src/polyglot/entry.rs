//! One entry of a book: 16 bytes.
//!
//! | bytes | 0–7 | 8–9 | 10–11 | 12–15 |
//! | --- | --- | --- | --- | --- |
//! | what | key | move | weight | learn |
//!
//! In the move, from the lowest bits: three for the file and three for the rank of the square it goes
//! to, the same of the square it comes from, and three for what a pawn becomes (0 nothing, 1 knight,
//! 2 bishop, 3 rook, 4 queen). Castling is the king taking its own rook.

use super::key::key;
use crate::{Key, Move, PieceKind, Position, Square};

/// The size of an entry in a file.
pub const ENTRY_BYTES: usize = 16;

/// An entry of a book. What it says is a claim: [`Entry::legal_move`] checks it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Entry {
    /// The key of the position.
    pub key: Key,
    /// The move in the format's own bits.
    pub bits: u16,
    /// How good or how frequent the move is, beside the others of the same position.
    pub weight: u16,
    /// For programs that learn; most leave it 0.
    pub learn: u32,
}

impl Entry {
    /// The entry for a move of a position.
    pub fn new(position: &Position, mv: Move, weight: u16) -> Entry {
        Entry { key: key(position), bits: Entry::bits_of(mv), weight, learn: 0 }
    }

    /// A move in the format's bits.
    pub fn bits_of(mv: Move) -> u16 {
        let square = |square: Square| u16::from(square.rank()) << 3 | u16::from(square.file());
        // Knight, bishop, rook and queen follow the pawn in the order of kinds, as in the format.
        let promotion = mv.promoted().map_or(0, |kind| kind.index() as u16);
        square(mv.to()) | square(mv.from()) << 6 | promotion << 12
    }

    /// Reads an entry.
    pub fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Entry {
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        Entry {
            key: number(0, 8),
            bits: number(8, 10) as u16,
            weight: number(10, 12) as u16,
            learn: number(12, 16) as u32,
        }
    }

    /// The entry as it stands in a file.
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.bits.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move, if it is legal in the position. Castling as the king going two squares, which some
    /// books have, is understood too.
    pub fn legal_move(self, position: &Position) -> Option<Move> {
        let square = |bits: u16| Square::at((bits & 7) as u8, (bits >> 3 & 7) as u8);
        let promotion = match self.bits >> 12 {
            0 => None,
            number => Some(*PieceKind::PROMOTIONS.get(usize::from(number) - 1)?),
        };
        position.move_between(square(self.bits >> 6), square(self.bits), promotion).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CastlingStyle;

    #[test]
    fn every_legal_move_comes_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "4k3/8/8/8/8/8/1p6/R3K2R b KQ - 0 1",
            "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("a position");
            for mv in &position.legal_moves() {
                let entry = Entry::new(&position, mv, 3);
                assert_eq!(Entry::from_bytes(entry.to_bytes()), entry);
                assert_eq!(entry.legal_move(&position), Some(mv), "{mv:?}");
            }
        }
    }

    #[test]
    fn castling_is_read_in_both_forms_and_written_as_the_format_wants() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("a position");
        let short = position.parse_uci("e1g1").expect("legal");
        let entry = Entry::new(&position, short, 1);
        assert_eq!(entry.bits, 0o0407, "e1 takes h1");
        let two_squares = Entry { bits: 0o0406, ..entry };
        assert_eq!(two_squares.legal_move(&position), Some(short));
        assert_eq!(short.uci(CastlingStyle::Standard), "e1g1");
    }

    #[test]
    fn any_bits_are_a_legal_move_or_none() {
        let position = Position::startpos();
        let legal = (0..=u16::MAX)
            .filter(|&bits| Entry { bits, ..Entry::default() }.legal_move(&position).is_some());
        assert_eq!(legal.count(), 20);
    }
}
