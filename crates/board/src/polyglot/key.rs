//! Polyglot's key of a position.

use crate::{Color, Key, Piece, Position};

/// Where the numbers for castling, for en passant and for the side to move begin; those for men stand
/// before them.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The format's random numbers, four in a line of the text: part of the file format, as its
/// description lists them.
static RANDOM64: [u64; 781] = parse(include_bytes!("random64.txt"));

/// Numbers of 16 hexadecimal digits, each followed by one byte of space.
const fn parse(text: &[u8]) -> [u64; 781] {
    let mut numbers = [0; 781];
    let mut at = 0;
    while at < text.len() {
        let digit = match text[at] {
            byte @ b'0'..=b'9' => byte - b'0',
            byte @ b'a'..=b'f' => byte - b'a' + 10,
            _ => {
                assert!(at % 17 == 16);
                at += 1;
                continue;
            }
        };
        numbers[at / 17] = numbers[at / 17] << 4 | digit as u64;
        at += 1;
    }
    assert!(at == 17 * 781);
    numbers
}

/// The key under which a Polyglot book keeps a position. In Chess960 the four castling numbers stand
/// for the rook on the king's right and on its left.
pub fn key(position: &Position) -> Key {
    let mut key = 0;
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            key ^= RANDOM64[64 * kind_of_piece(piece) + square.index()];
        }
    }
    for color in Color::ALL {
        let king = position.king(color);
        for rook in position.castling_rooks(color) {
            let is_long = usize::from(rook.file() < king.file());
            key ^= RANDOM64[CASTLING + 2 * color.index() + is_long];
        }
    }
    if let Some(square) = position.en_passant() {
        key ^= RANDOM64[EN_PASSANT + usize::from(square.file())];
    }
    match position.side_to_move() {
        Color::White => key ^ RANDOM64[WHITE_TO_MOVE],
        Color::Black => key,
    }
}

/// Polyglot's order of men: black pawn, white pawn, black knight, …
fn kind_of_piece(piece: Piece) -> usize {
    2 * piece.kind_index() + usize::from(piece.color() == Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference keys of the format's description.
    #[test]
    fn keys_are_those_of_the_description() {
        for (moves, expected) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            let mut position = Position::startpos();
            for text in moves.split_whitespace() {
                position.play(position.parse_uci(text).expect("the line is legal"));
            }
            assert_eq!(key(&position), expected, "{moves}");
        }
    }

    #[test]
    fn the_numbers_are_all_there_and_different() {
        let mut numbers = RANDOM64.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 781);
        assert_eq!((RANDOM64[0], RANDOM64[780]), (0x9d39247e33776d41, 0xf8d626aaaf278509));
    }
}
