//! Attacks of pawns, knights and kings: they depend on the square alone.

use crate::{Bitboard, Color, Square};

static KNIGHT: [Bitboard; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leaps(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// The squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of `color` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that a set of pawns attacks.
#[inline(always)]
pub const fn pawn_attacks_of(color: Color, pawns: Bitboard) -> Bitboard {
    let west = pawns.0 & !Bitboard::FILE_A.0;
    let east = pawns.0 & !Bitboard::FILE_H.0;
    match color {
        Color::White => Bitboard(west << 7 | east << 9),
        Color::Black => Bitboard(west >> 9 | east >> 7),
    }
}

const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < steps.len() {
            let file = (square % 8) as i8 + steps[index].0;
            let rank = (square / 8) as i8 + steps[index].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            index += 1;
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_edges_and_centre() {
        let squares = |names: &[&str]| -> Bitboard {
            names.iter().map(|name| Square::parse(name.as_bytes()).unwrap()).collect()
        };
        let at = |name: &str| Square::parse(name.as_bytes()).unwrap();
        assert_eq!(knight(at("a1")), squares(&["b3", "c2"]));
        assert_eq!(knight(at("e4")).count(), 8);
        assert_eq!(king(at("h8")), squares(&["g8", "g7", "h7"]));
        assert_eq!(pawn(Color::White, at("a2")), squares(&["b3"]));
        assert_eq!(pawn(Color::Black, at("e4")), squares(&["d3", "f3"]));
        let pawns = squares(&["a2", "e4", "h7"]);
        for color in Color::ALL {
            let one_by_one =
                pawns.map(|square| pawn(color, square)).fold(Bitboard::EMPTY, |a, b| a | b);
            assert_eq!(pawn_attacks_of(color, pawns), one_by_one);
        }
    }
}
