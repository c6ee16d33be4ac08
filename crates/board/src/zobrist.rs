//! The random numbers behind the keys (D29, M14).

use crate::random::SplitMix;
use crate::{Piece, Square};

struct Numbers {
    pieces: [[u64; 64]; 12],
    /// By colour and set of rook files, so that a position's rights are one look-up.
    castling: [[u64; 256]; 2],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = {
    let mut random = SplitMix(0x526f_6f6b_6572_7931);
    let mut numbers = Numbers {
        pieces: [[0; 64]; 12],
        castling: [[0; 256]; 2],
        en_passant: [0; 8],
        black_to_move: random.next(),
    };
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            numbers.pieces[piece][square] = random.next();
            square += 1;
        }
        piece += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.castling[0][1 << file] = random.next();
        numbers.castling[1][1 << file] = random.next();
        numbers.en_passant[file] = random.next();
        file += 1;
    }
    let mut files = 1;
    while files < 256usize {
        let lowest = files & files.wrapping_neg();
        numbers.castling[0][files] =
            numbers.castling[0][files ^ lowest] ^ numbers.castling[0][lowest];
        numbers.castling[1][files] =
            numbers.castling[1][files ^ lowest] ^ numbers.castling[1][lowest];
        files += 1;
    }
    numbers
};

/// The number of a piece on a square.
#[inline(always)]
pub(crate) const fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// The number of the castling rights: the files of each side's castling rooks.
#[inline(always)]
pub(crate) fn castling(rook_files: u16) -> u64 {
    let [black, white] = rook_files.to_le_bytes();
    NUMBERS.castling[0][white as usize] ^ NUMBERS.castling[1][black as usize]
}

/// The number of an en passant square.
#[inline(always)]
pub(crate) fn en_passant(square: Square) -> u64 {
    NUMBERS.en_passant[square.file() as usize]
}

/// The number of Black to move.
#[inline(always)]
pub(crate) const fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}
