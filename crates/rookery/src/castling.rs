//! Which way castling is written for a position.

use board::{CastlingStyle, Color, Position};

/// The king takes its rook where the FEN names files (Shredder-FEN), or where king and rooks stand
/// otherwise than in classical chess; else the king goes two squares.
pub fn style(fen: &str, position: &Position) -> CastlingStyle {
    let rights = fen.split_whitespace().nth(2).unwrap_or("-");
    let names_files = rights.contains(|letter| !"KQkq-".contains(letter));
    let classical = Color::ALL.into_iter().all(|color| {
        let mut rooks = position.castling_rooks(color);
        rooks.is_empty()
            || position.king(color).file() == 4 && rooks.all(|rook| matches!(rook.file(), 0 | 7))
    });
    match classical && !names_files {
        true => CastlingStyle::Standard,
        false => CastlingStyle::Chess960,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess960_is_seen_by_the_letters_or_by_the_squares() {
        for (fen, expected) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingStyle::Standard),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", CastlingStyle::Chess960),
            ("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", CastlingStyle::Chess960),
            ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", CastlingStyle::Chess960),
            ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", CastlingStyle::Standard),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            assert_eq!(style(fen, &position), expected, "{fen}");
        }
    }
}
