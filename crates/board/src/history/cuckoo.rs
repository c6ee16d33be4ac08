//! The numbers of all reversible moves, in a cuckoo table (Pagh and Rodler).
//!
//! Each number has two places where it can lie, so that finding it is two looks. Filling the table is
//! done at compile time: a key that finds its place taken throws the other out, which goes to its second
//! place, and so on.

use crate::{Key, Piece, PieceKind, Square, zobrist};

/// A power of two above twice the number of moves: then throwing out ends soon.
const SIZE: usize = 8192;

/// Pairs of squares that a king, knight, bishop, rook or queen connects on an empty board, for both
/// colours: 2 × (210 + 168 + 280 + 448 + 728).
const MOVES: usize = 3668;

struct Cuckoo {
    keys: [u64; SIZE],
    squares: [[u8; 2]; SIZE],
}

static CUCKOO: Cuckoo = fill();

/// The squares of the reversible move (in either direction) whose numbers make up this difference of
/// two keys, the change of the side to move included.
#[inline(always)]
pub fn find(difference: u64) -> Option<(Square, Square)> {
    let mut slot = first_slot(difference);
    if CUCKOO.keys[slot] != difference {
        slot = second_slot(difference);
        if CUCKOO.keys[slot] != difference {
            return None;
        }
    }
    let [from, to] = CUCKOO.squares[slot];
    // Empty slots hold 0, and so does the difference of equal keys.
    (from != to).then(|| (Square::new(from), Square::new(to)))
}

const fn first_slot(key: Key) -> usize {
    key as usize % SIZE
}

const fn second_slot(key: Key) -> usize {
    (key >> 32) as usize % SIZE
}

const fn fill() -> Cuckoo {
    let mut table = Cuckoo { keys: [0; SIZE], squares: [[0; 2]; SIZE] };
    let mut moves = 0;
    let mut index = PieceKind::Knight.index() * 2;
    while index < Piece::ALL.len() {
        let piece = Piece::ALL[index];
        let mut from = 0;
        while from < 64 {
            let mut to = from + 1;
            while to < 64 {
                let (a, b) = (Square::new(from), Square::new(to));
                if connects(piece.kind(), a, b) {
                    let key = zobrist::piece(piece, a) ^ zobrist::piece(piece, b);
                    insert(&mut table, key ^ zobrist::black_to_move(), [from, to]);
                    moves += 1;
                }
                to += 1;
            }
            from += 1;
        }
        index += 1;
    }
    assert!(moves == MOVES);
    table
}

const fn insert(table: &mut Cuckoo, mut key: Key, mut squares: [u8; 2]) {
    let mut slot = first_slot(key);
    let mut evictions = 0;
    loop {
        let (other_key, other_squares) = (table.keys[slot], table.squares[slot]);
        table.keys[slot] = key;
        table.squares[slot] = squares;
        if other_key == 0 {
            return;
        }
        (key, squares) = (other_key, other_squares);
        slot = if slot == first_slot(key) { second_slot(key) } else { first_slot(key) };
        evictions += 1;
        assert!(evictions < SIZE, "the numbers of two moves go round in circles");
    }
}

/// Whether a man goes from one square to the other on an empty board.
const fn connects(kind: PieceKind, from: Square, to: Square) -> bool {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    let diagonal = files == ranks;
    let straight = files == 0 || ranks == 0;
    match kind {
        PieceKind::Pawn => false,
        PieceKind::Knight => files * ranks == 2,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Queen => diagonal || straight,
        PieceKind::King => from.distance(to) == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    #[test]
    fn every_reversible_move_is_found_and_nothing_else() {
        let mut found = 0;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                for from in Square::all() {
                    for to in Square::all() {
                        let men = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
                        let expected = from < to && connects(kind, from, to);
                        let answer = find(men ^ zobrist::black_to_move());
                        assert_eq!(answer == Some((from, to)), expected);
                        assert_eq!(find(men), None);
                        found += usize::from(expected);
                    }
                }
            }
        }
        assert_eq!(found, MOVES);
    }
}
