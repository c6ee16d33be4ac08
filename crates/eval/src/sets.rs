//! Sets of squares that the terms are made of.

use board::{Bitboard, Color, Square};

/// The number of a square on the folded board: files a–d, and e–h mirrored onto them.
pub(crate) static FOLDED: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = (square / 8 * 4) as u8 + folded_file((square % 8) as u8);
        square += 1;
    }
    table
};

/// The distance of a file from the edge, 0 to 3.
#[inline(always)]
pub(crate) const fn folded_file(file: u8) -> u8 {
    if file < 4 { file } else { 7 - file }
}

/// The number of a square on the folded board, as a side sees it.
#[inline(always)]
pub(crate) fn folded(us: Color, square: Square) -> usize {
    FOLDED[square.relative(us).index()] as usize
}

/// The bits to flip in a square's number so that a side sees the board from its end, and mirrored so
/// that a king, its own or the enemy's, is on the right half.
#[inline(always)]
pub(crate) const fn view(us: Color, king: Square) -> usize {
    let ends = match us {
        Color::White => 0,
        Color::Black => 56,
    };
    ends | if king.file() < 4 { 7 } else { 0 }
}

/// One step ahead.
#[inline(always)]
pub(crate) const fn forward(us: Color, set: Bitboard) -> Bitboard {
    match us {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// The squares beside those of a set, on their ranks.
#[inline(always)]
pub(crate) const fn sideways(set: Bitboard) -> Bitboard {
    let west = set.without(Bitboard::FILE_A).0 >> 1;
    Bitboard(west | set.without(Bitboard::FILE_H).0 << 1)
}

/// The squares and all those ahead of them on their files.
#[inline(always)]
pub(crate) const fn fill_forward(us: Color, set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    match us {
        Color::White => {
            bits |= bits << 8;
            bits |= bits << 16;
            bits |= bits << 32;
        }
        Color::Black => {
            bits |= bits >> 8;
            bits |= bits >> 16;
            bits |= bits >> 32;
        }
    }
    Bitboard(bits)
}

/// The squares of one file ahead of a square.
#[inline(always)]
pub(crate) fn ahead(us: Color, square: Square) -> Bitboard {
    AHEAD[us.index()][square.index()]
}

/// The squares ahead of a square on its file and the two beside it: where a pawn would stop it.
#[inline(always)]
pub(crate) fn passed_span(us: Color, square: Square) -> Bitboard {
    SPAN[us.index()][square.index()]
}

/// The files beside a file.
#[inline(always)]
pub(crate) fn beside(file: u8) -> Bitboard {
    BESIDE[(file & 7) as usize]
}

/// The squares a king attacks and its own, and a row more towards the enemy; a king on the edge of
/// the board has the ring of one further in.
#[inline(always)]
pub(crate) fn king_ring(us: Color, square: Square) -> Bitboard {
    RING[us.index()][square.index()]
}

static BESIDE: [Bitboard; 8] = {
    let mut table = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        if file > 0 {
            table[file].0 |= Bitboard::file(file as u8 - 1).0;
        }
        if file < 7 {
            table[file].0 |= Bitboard::file(file as u8 + 1).0;
        }
        file += 1;
    }
    table
};

const fn ahead_table(us: Color) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = fill_forward(us, forward(us, Bitboard(1 << square)));
        square += 1;
    }
    table
}

const fn span_table(us: Color) -> [Bitboard; 64] {
    let ahead = ahead_table(us);
    let mut table = ahead;
    let mut square = 0;
    while square < 64 {
        if square % 8 > 0 {
            table[square].0 |= ahead[square - 1].0;
        }
        if square % 8 < 7 {
            table[square].0 |= ahead[square + 1].0;
        }
        square += 1;
    }
    table
}

const fn ring_table(us: Color) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let file = clamp(square % 8);
        let rank = clamp(square / 8);
        let mut row = 0;
        while row < 9 {
            let (file, rank) = (file + row % 3 - 1, rank + row / 3 - 1);
            table[square].0 |= 1 << (rank * 8 + file);
            row += 1;
        }
        let near = table[square];
        table[square].0 |= forward(us, near).0 | 1 << square;
        square += 1;
    }
    table
}

const fn clamp(coordinate: usize) -> usize {
    match coordinate {
        0 => 1,
        7 => 6,
        inside => inside,
    }
}

static AHEAD: [[Bitboard; 64]; 2] = [ahead_table(Color::White), ahead_table(Color::Black)];
static SPAN: [[Bitboard; 64]; 2] = [span_table(Color::White), span_table(Color::Black)];
static RING: [[Bitboard; 64]; 2] = [ring_table(Color::White), ring_table(Color::Black)];

/// King moves between two squares, from a table: the division-free way costs more.
#[inline(always)]
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    DISTANCE[a.index()][b.index()] as i32
}

static DISTANCE: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut index = 0;
    while index < 64 * 64 {
        let (a, b) = (index / 64, index % 64);
        table[a][b] = Square::new(a as u8).distance(Square::new(b as u8));
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_on_e4_is_stopped_from_d5_to_f8() {
        let e4 = Square::at(4, 3);
        assert_eq!(passed_span(Color::White, e4).count(), 12);
        assert_eq!(ahead(Color::White, e4).count(), 4);
        assert_eq!(ahead(Color::Black, e4).count(), 3);
        assert_eq!(passed_span(Color::Black, Square::at(0, 3)).count(), 6);
    }

    #[test]
    fn the_ring_has_twelve_squares_wherever_the_king_stands_at_home() {
        for file in 0..8 {
            assert_eq!(king_ring(Color::White, Square::at(file, 0)).count(), 12);
            assert_eq!(king_ring(Color::Black, Square::at(file, 7)).count(), 12);
        }
    }
}
