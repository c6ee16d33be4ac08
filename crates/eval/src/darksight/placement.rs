//! Piece-square tables and development (D50, D51).
//!
//! The paper says that a square's value "takes into account the mobility and the centralisation of the
//! piece on that square" and that the sum is updated with each move, but prints no values; of the Levy
//! development function it gives the name only (G2). Both are defined here, in their spirit:
//!
//! - D50: a pawn gets 2 per rank and 3 per ring towards the centre; a knight 4 per ring and 1 per
//!   square it attacks on an empty board; a bishop 2 and 1; rook and queen 1 and 2 per ring (their
//!   mobility hardly depends on the square); the king loses 6 per ring while queens are on the board
//!   and gains 6 without them. Ring 0 is the edge, ring 3 the four centre squares.
//! - D51: while the enemy has a queen, each knight or bishop at home costs 8, a queen that left her
//!   square before two of them costs 10, and a king that may no longer castle but has not costs 12.

use crate::Tapered;
use board::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Position, Square, attacks};

/// D50 by piece and square, White's less Black's; the king's two values are the two halves.
static TABLE: std::sync::LazyLock<[[Tapered; 64]; 12]> = std::sync::LazyLock::new(|| {
    Piece::ALL.map(|piece| {
        std::array::from_fn(|index| {
            let seen = Square::new(index as u8).relative(piece.color());
            let value = square_value(piece.kind(), seen);
            if piece.color() == Color::White { value } else { -value }
        })
    })
});

/// The ring of a square: 0 on the edge, 3 in the centre.
fn ring(square: Square) -> i16 {
    let near = |coordinate: u8| coordinate.min(7 - coordinate);
    i16::from(near(square.file()).min(near(square.rank())))
}

/// D50: what a square is worth to White's man.
fn square_value(kind: PieceKind, square: Square) -> Tapered {
    let ring = ring(square);
    let both = |value: i16| Tapered::new(value, value);
    match kind {
        PieceKind::Pawn => both(3 * ring + 2 * (i16::from(square.rank()) - 1)),
        PieceKind::Knight => both(4 * ring + attacks::knight(square).count() as i16),
        PieceKind::Bishop => {
            both(2 * ring + attacks::bishop(square, Bitboard::EMPTY).count() as i16)
        }
        PieceKind::Rook => both(ring),
        PieceKind::Queen => both(2 * ring),
        PieceKind::King => Tapered::new(-6 * ring, 6 * ring),
    }
}

/// D50 of the whole board, from scratch.
pub fn whole(position: &Position) -> Tapered {
    position.occupied().fold(Tapered::ZERO, |sum, square| sum + on(position, square))
}

fn on(position: &Position, square: Square) -> Tapered {
    position.piece_on(square).map_or(Tapered::ZERO, |piece| TABLE[piece.index()][square.index()])
}

/// D50: the change that a move makes.
pub fn change(before: &Position, mv: Move, after: &Position) -> Tapered {
    let mut squares = before.occupied() ^ after.occupied() | mv.from().bb() | mv.to().bb();
    if mv.kind() == MoveKind::Castling {
        // King and rook may change places: all of the back rank is looked at.
        squares |= Bitboard::rank(mv.from().rank());
    }
    squares.fold(Tapered::ZERO, |sum, square| sum + on(after, square) - on(before, square))
}

/// D50: the half that counts.
pub fn by_queens(position: &Position, sum: Tapered) -> i32 {
    if position.kind(PieceKind::Queen).non_empty() { sum.middlegame() } else { sum.endgame() }
}

/// D51: what a side loses by being undeveloped.
pub fn development(position: &Position, us: Color) -> i32 {
    if position.men(!us, PieceKind::Queen).is_empty() {
        return 0;
    }
    let back = if us == Color::White { 0 } else { 7 };
    let home = |kind, files: [u8; 2]| {
        let squares = Square::at(files[0], back).bb() | Square::at(files[1], back).bb();
        (position.men(us, kind) & squares).count() as i32
    };
    let undeveloped = home(PieceKind::Knight, [1, 6]) + home(PieceKind::Bishop, [2, 5]);
    let queen_out = position.men(us, PieceKind::Queen).without(Square::at(3, back).bb());
    let early_queen = queen_out.non_empty() && undeveloped >= 2;
    let king = position.king(us);
    let stuck = position.castling_rooks(us).is_empty()
        && king.rank_for(us) == 0
        && (3..=5).contains(&king.file());
    -8 * undeveloped - 10 * i32::from(early_queen) - 12 * i32::from(stuck)
}

#[cfg(test)]
mod tests {
    use super::super::tests::white;
    use super::*;

    #[test]
    fn d50_the_centre_is_better_than_the_edge_and_for_kings_without_queens_only() {
        let value = |kind, name: &str| {
            square_value(kind, Square::parse(name.as_bytes()).expect("a square"))
        };
        assert_eq!(value(PieceKind::Knight, "e4"), Tapered::new(20, 20));
        assert_eq!(value(PieceKind::Knight, "a1"), Tapered::new(2, 2));
        assert_eq!(value(PieceKind::Bishop, "d5"), Tapered::new(19, 19));
        assert_eq!(value(PieceKind::Pawn, "e4"), Tapered::new(13, 13));
        assert_eq!(value(PieceKind::King, "e4"), Tapered::new(-18, 18));
    }

    #[test]
    fn d50_the_start_position_is_balanced() {
        assert_eq!(whole(&Position::startpos()), Tapered::ZERO);
    }

    #[test]
    fn d51_undeveloped_minors_early_queen_and_lost_castling_cost() {
        let start = Position::startpos();
        assert_eq!(development(&start, Color::White), -32);
        let queen_out = "rnbqkbnr/pppppppp/8/7Q/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
        assert_eq!(white(queen_out, development), -42);
        let lost = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R w kq - 0 1";
        assert_eq!(white(lost, development), -12);
        assert_eq!(white("4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1", development), 0);
    }
}
