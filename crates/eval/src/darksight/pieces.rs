//! Patterns of bishops, knights and rooks (D57–D59). Squares are as the side sees them.
//!
//! Where the paper gives a name and a number only, the definition stands at the function. A piece is
//! near the king when it is at most three king's moves away from the enemy's.

use crate::sets::passed_span;
use board::{Bitboard, Color, PieceKind, Position, Square, attacks};

const NEAR: u8 = 3;

/// From the fourth rank to the sixth, protected by a pawn, and no enemy pawn can ever attack it.
fn is_outpost(position: &Position, us: Color, square: Square) -> bool {
    let beside = passed_span(us, square).without(Bitboard::file(square.file()));
    (3..=5).contains(&square.rank_for(us))
        && attacks::pawn(!us, square).meets(position.men(us, PieceKind::Pawn))
        && !beside.meets(position.men(!us, PieceKind::Pawn))
}

fn is_near_king(position: &Position, us: Color, square: Square) -> bool {
    square.distance(position.king(!us)) <= NEAR
}

/// D57: trapped −175 (on a7 or h7 with an enemy pawn on b6 or g6), outpost +12, fianchetto +5 (on b2
/// or g2), mobility +3 for each square it can go to.
pub fn bishops(position: &Position, us: Color) -> i32 {
    let enemy = position.men(!us, PieceKind::Pawn);
    let mut sum = 0;
    for square in position.men(us, PieceKind::Bishop) {
        let seen = square.relative(us);
        let edge = matches!(seen.file(), 0 | 7) && seen.rank() == 6;
        if edge && attacks::pawn(!us, square).meets(enemy) {
            sum -= 175;
        }
        sum += 12 * i32::from(is_outpost(position, us, square));
        sum += 5 * i32::from(matches!(seen.file(), 1 | 6) && seen.rank() == 1);
        let squares = attacks::bishop(square, position.occupied());
        sum += 3 * squares.without(position.color(us)).count() as i32;
    }
    sum
}

/// D58: outpost +12, before the own pawn on c2 −10, near the king +3.
pub fn knights(position: &Position, us: Color) -> i32 {
    let c_pawn = Square::at(2, 1).relative(us);
    let blocks = position.men(us, PieceKind::Pawn).has(c_pawn);
    let mut sum = 0;
    for square in position.men(us, PieceKind::Knight) {
        sum += 12 * i32::from(is_outpost(position, us, square));
        sum -= 10 * i32::from(blocks && square.relative(us) == Square::at(2, 2));
        sum += 3 * i32::from(is_near_king(position, us, square));
    }
    sum
}

/// D59: open file +15, half-open +5, seventh rank +30, connected +5 (two rooks that protect each
/// other along a rank), battery +8 (rook and rook or queen on a file with nothing between), near the
/// king +2.
pub fn rooks(position: &Position, us: Color) -> i32 {
    let (own, enemy) = (position.men(us, PieceKind::Pawn), position.men(!us, PieceKind::Pawn));
    let rooks = position.men(us, PieceKind::Rook);
    let mut sum = 0;
    for square in rooks {
        let file = Bitboard::file(square.file());
        sum += match (file.meets(own), file.meets(enemy)) {
            (false, false) => 15,
            (false, true) => 5,
            _ => 0,
        };
        sum += 30 * i32::from(square.rank_for(us) == 6);
        sum += 2 * i32::from(is_near_king(position, us, square));
        let seen = attacks::rook(square, position.occupied());
        // Of two rooks the one on the higher square counts, so that each pair counts once.
        let lower = Bitboard(square.bb().0 - 1);
        sum += 5 * (seen & lower & rooks & Bitboard::rank(square.rank())).count() as i32;
        let partners = rooks & lower | position.men(us, PieceKind::Queen);
        sum += 8 * (seen & partners & file).count() as i32;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::tests::white;
    use super::*;

    #[test]
    fn d57_trapped_outpost_fianchetto_and_mobility() {
        // Two squares to go to: b8, and the pawn on b6.
        assert_eq!(white("4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1", bishops), -175 + 2 * 3);
        assert_eq!(white("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", bishops), 5 + 9 * 3);
        // On d5, protected by c4: twelve squares, and c4 is taken.
        assert_eq!(white("7k/8/8/3B4/2P5/8/8/7K w - - 0 1", bishops), 12 + 9 * 3);
    }

    #[test]
    fn d58_outpost_blocked_c_pawn_and_proximity() {
        assert_eq!(white("7k/8/8/3N4/2P5/8/8/7K w - - 0 1", knights), 12);
        assert_eq!(white("7k/2p5/8/3N4/2P5/8/8/7K w - - 0 1", knights), 0);
        assert_eq!(white("7k/8/8/8/8/2N5/2P5/7K w - - 0 1", knights), -10);
        assert_eq!(white("7k/8/8/5N2/8/8/8/7K w - - 0 1", knights), 3);
    }

    #[test]
    fn d59_files_seventh_connected_battery_and_proximity() {
        assert_eq!(white("k7/8/8/8/8/8/8/6KR w - - 0 1", rooks), 15);
        assert_eq!(white("k7/7p/8/8/8/8/8/6KR w - - 0 1", rooks), 5);
        assert_eq!(white("k7/8/8/8/8/8/7P/6KR w - - 0 1", rooks), 0);
        assert_eq!(white("k7/7R/8/8/8/8/8/6K1 w - - 0 1", rooks), 15 + 30);
        assert_eq!(white("k7/8/8/8/8/7K/8/5R1R w - - 0 1", rooks), 30 + 5);
        assert_eq!(white("k7/8/8/8/8/K7/7Q/7R w - - 0 1", rooks), 15 + 8);
        assert_eq!(white("k7/8/8/3R4/8/8/3P4/6K1 w - - 0 1", rooks), 2);
    }
}
