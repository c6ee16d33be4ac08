//! Lines through two squares: what pins and blocked checks are made of.

use crate::{Bitboard, Square};

static BETWEEN: [[Bitboard; 64]; 64] = tables().0;
static LINE: [[Bitboard; 64]; 64] = tables().1;

/// The squares strictly between two squares of a common rank, file or diagonal; else none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, edge to edge; none if they share no line.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The two diagonals through a square: the one that rises from west to east, and the other.
#[inline(always)]
pub fn diagonals(square: Square) -> (Bitboard, Bitboard) {
    let [rising, falling] = DIAGONALS[square.index()];
    (rising, falling)
}

static DIAGONALS: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rising = ray(square, (1, 1)) | ray(square, (-1, -1)) | 1 << square;
        let falling = ray(square, (-1, 1)) | ray(square, (1, -1)) | 1 << square;
        table[square] = [Bitboard(rising), Bitboard(falling)];
        square += 1;
    }
    table
};

/// The squares on a diagonal with a square, and those on its rank or file.
#[inline(always)]
pub fn lines(square: Square) -> (Bitboard, Bitboard) {
    let [diagonal, straight] = LINES[square.index()];
    (diagonal, straight)
}

static LINES: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            table[square][1 - direction % 2].0 |= ray(square, STEPS[direction]);
            direction += 1;
        }
        square += 1;
    }
    table
};

type Pairs = [[Bitboard; 64]; 64];

const fn tables() -> (Pairs, Pairs) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut square = 0usize;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let step = STEPS[direction];
            let whole = ray(square, step) | ray(square, (-step.0, -step.1)) | 1 << square;
            let mut passed = 0u64;
            let mut file = (square % 8) as i8 + step.0;
            let mut rank = (square / 8) as i8 + step.1;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                let other = (rank * 8 + file) as usize;
                between[square][other] = Bitboard(passed);
                line[square][other] = Bitboard(whole);
                passed |= 1 << other;
                file += step.0;
                rank += step.1;
            }
            direction += 1;
        }
        square += 1;
    }
    (between, line)
}

const STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const fn ray(square: usize, step: (i8, i8)) -> u64 {
    let mut squares = 0;
    let mut file = (square % 8) as i8 + step.0;
    let mut rank = (square / 8) as i8 + step.1;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        squares |= 1 << (rank * 8 + file);
        file += step.0;
        rank += step.1;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_and_line_agree_with_each_other() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                if between(a, b).non_empty() {
                    assert_eq!(between(a, b).count() as u8 + 1, a.distance(b));
                    let both = between(a, b) | a.bb() | b.bb();
                    assert_eq!(both & line(a, b), both);
                }
            }
        }
    }
}
