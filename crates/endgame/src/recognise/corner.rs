//! The bishop of the wrong colour (D68): pawns of one rook's file, with bishops that never command its last
//! square, do not win against a king that is at that corner.
//!
//! The king can always step into the corner, for neither bishops nor pawns attack it there, and a king beside it
//! would stand beside ours. A pawn that promotes there is taken. So the king leaves the corner and comes back
//! until it is stalemated.

use board::attacks;
use board::{Bitboard, Color, PieceKind, Position};

/// Whether a bare king holds the corner, so that the game is a draw.
pub fn is_held(position: &Position) -> bool {
    let pawns = position.kind(PieceKind::Pawn);
    let file = [Bitboard::FILE_A, Bitboard::FILE_H]
        .into_iter()
        .find(|file| pawns.non_empty() && pawns.without(*file).is_empty());
    let weak = Color::ALL.into_iter().find(|&color| !position.color(color).several());
    let (Some(file), Some(weak)) = (file, weak) else { return false };
    let last = Bitboard::rank(if weak == Color::Black { 7 } else { 0 });
    let corner = file & last;
    let near = attacks::king(corner.lowest()) | corner;
    let bishops = position.kind(PieceKind::Bishop);
    let kings = position.kind(PieceKind::King);
    let same_colour = if corner.meets(Bitboard::DARK) { Bitboard::DARK } else { !Bitboard::DARK };
    position.occupied() == pawns | bishops | kings
        && !bishops.meets(same_colour)
        && near.has(position.king(weak))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::{Claim, RECOGNISERS};
    use board::{Move, Square};

    fn held(fen: &str) -> bool {
        is_held(&Position::from_fen(fen).expect("a position"))
    }

    #[test]
    fn d68_the_colour_of_the_bishop_and_the_kings_place_decide() {
        // a8 is light, d2 dark; h8 is dark, d1 light; a1 is dark.
        assert!(held("7k/8/8/7P/7P/8/8/2KB4 w - -"));
        assert!(held("3b4/4k3/8/p7/p7/8/1K6/8 w - -") != held("4b3/4k3/8/p7/p7/8/1K6/8 w - -"));
        assert!(held("1k6/8/8/P7/P7/4K3/3B4/8 b - -"));
        assert!(!held("1k6/8/8/P7/P7/4K3/2B5/8 b - -"), "the bishop commands the corner");
        assert!(!held("3k4/8/8/P7/P7/4K3/3B4/8 b - -"), "the king may be kept out");
        assert!(!held("1k6/8/8/P7/1P6/4K3/3B4/8 b - -"), "another file");
        assert!(!held("1k6/8/8/P7/P7/4K3/3R4/8 b - -"), "a rook");
        assert!(!held("1k6/7p/8/P7/P7/4K3/3B4/8 b - -"), "a pawn of its own");
    }

    /// The position with White's men and Black's bare king, if it is legal.
    fn place(white: &[(PieceKind, Square)], king: Square, side: Color) -> Option<Position> {
        let mut men = vec![(Color::Black, PieceKind::King, king)];
        men.extend(white.iter().map(|&(kind, square)| (Color::White, kind, square)));
        let mut rows = vec![vec!['1'; 8]; 8];
        for (color, kind, square) in men {
            let symbol = ['p', 'n', 'b', 'r', 'q', 'k'][kind.index()];
            let cell = &mut rows[7 - square.rank() as usize][square.file() as usize];
            if *cell != '1' {
                return None;
            }
            *cell = if color == Color::White { symbol.to_ascii_uppercase() } else { symbol };
        }
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let side = if side == Color::White { 'w' } else { 'b' };
        Position::from_fen(&format!("{} {side} - -", rows.join("/"))).ok()
    }

    /// Whether the bare king, which is to move, is stalemated or keeps what it holds.
    fn keeps(position: &Position) -> bool {
        let moves = position.legal_moves();
        let holds = |mv: &Move| {
            let next = position.make(*mv);
            is_held(&next) || RECOGNISERS.claim(&next) == Some(Claim::Draw)
        };
        if moves.is_empty() { !position.in_check() } else { moves.iter().any(holds) }
    }

    #[test]
    fn d68_whatever_the_side_with_the_pawns_does_the_corner_stays_held() {
        let squares: Vec<Square> = Bitboard::FULL.collect();
        let (mut held, mut looked) = (0, 0);
        for &king in squares.iter().filter(|square| square.rank() >= 6 && square.file() <= 1) {
            for (first, second) in [(1, 4), (2, 6), (4, 5), (5, 6)] {
                let [first, second] = [first, second].map(|rank| squares[8 * rank]);
                for (&strong, &bishop) in
                    squares.iter().flat_map(|strong| squares.iter().map(move |b| (strong, b)))
                {
                    let men = [
                        (PieceKind::King, strong),
                        (PieceKind::Bishop, bishop),
                        (PieceKind::Pawn, first),
                        (PieceKind::Pawn, second),
                    ];
                    for side in Color::ALL {
                        let Some(position) = place(&men, king, side) else { continue };
                        looked += 1;
                        if !is_held(&position) {
                            continue;
                        }
                        held += 1;
                        let stays = match side {
                            Color::Black => keeps(&position),
                            Color::White => {
                                position.legal_moves().iter().all(|mv| keeps(&position.make(*mv)))
                            }
                        };
                        assert!(stays, "{}", position.fen());
                        assert_eq!(RECOGNISERS.claim(&position), Some(Claim::Draw));
                    }
                }
            }
        }
        assert!(held > 20_000 && held < looked, "{held} of {looked}");
    }
}
