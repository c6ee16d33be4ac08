//! Forsyth-Edwards notation, read strictly or with repairs, and written back.

mod read;
mod repair;

use crate::{Color, PieceKind, Position, Square};
pub use read::{FenError, quote};
pub use repair::Repair;

impl Position {
    /// The FEN. Castling as X-FEN: `KQkq` where the rook is the outermost of its wing, else its file.
    /// An en passant square is written only where a capture is legal.
    pub fn fen(&self) -> String {
        self.fen_with(false)
    }

    /// The FEN with castling rights by file (Shredder-FEN), as some Chess960 programs want it.
    pub fn shredder_fen(&self) -> String {
        self.fen_with(true)
    }

    /// The first four fields of the FEN: what makes two positions the same for the rules.
    pub fn epd(&self) -> String {
        self.four_fields(false)
    }

    fn fen_with(&self, files: bool) -> String {
        format!("{} {} {}", self.four_fields(files), self.halfmove_clock(), self.fullmove_number())
    }

    fn four_fields(&self, files: bool) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            self.write_rank(rank, &mut text);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(self.side_to_move().letter());
        text.push(' ');
        self.write_castling(files, &mut text);
        text.push(' ');
        match self.en_passant() {
            Some(square) => text.push_str(&square.to_string()),
            None => text.push('-'),
        }
        text
    }

    fn write_rank(&self, rank: u8, text: &mut String) {
        let mut empty = 0;
        let flush = |empty: &mut u8, text: &mut String| {
            if *empty > 0 {
                text.push((b'0' + *empty) as char);
                *empty = 0;
            }
        };
        for file in 0..8 {
            match self.piece_on(Square::at(file, rank)) {
                Some(piece) => {
                    flush(&mut empty, text);
                    text.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        flush(&mut empty, text);
    }

    fn write_castling(&self, files: bool, text: &mut String) {
        let begin = text.len();
        for color in Color::ALL {
            let king = self.king(color);
            let mut rooks: Vec<Square> = self.castling_rooks(color).collect();
            rooks.reverse();
            for rook in rooks {
                let wing = if rook.file() > king.file() { 'k' } else { 'q' };
                let letter = if files || !self.is_outermost(color, rook, wing) {
                    rook.file_letter()
                } else {
                    wing
                };
                text.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
        if text.len() == begin {
            text.push('-');
        }
    }

    /// Whether no other rook of the side stands further out on the same wing.
    fn is_outermost(&self, color: Color, rook: Square, wing: char) -> bool {
        !self.men(color, PieceKind::Rook).any(|other| {
            other.rank() == rook.rank()
                && match wing {
                    'k' => other.file() > rook.file(),
                    _ => other.file() < rook.file(),
                }
        })
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
