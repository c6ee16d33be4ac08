//! Pawn structure (D52–D56). Values by file are for a, b, c, d, and mirrored.

use crate::sets::{ahead, beside, folded_file, forward, passed_span};
use board::{Bitboard, Color, PieceKind, Position, attacks};

const DOUBLED: [i32; 4] = [-10, -8, -8, -13];
/// From the second rank to the seventh.
const PASSED: [i32; 6] = [8, 16, 32, 60, 120, 160];
const ISOLATED: [i32; 4] = [-8, -10, -12, -14];
const ABREAST: i32 = 2;
const DIAGONAL: i32 = 1;
const BACKWARD: i32 = -3;
const BLOCKED_CENTRE: i32 = -12;

/// All that depends on pawns alone: what the pawn hash holds (D32).
pub fn structure(position: &Position, us: Color) -> i32 {
    doubled(position, us)
        + passed(position, us)
        + connected(position, us)
        + isolated(position, us)
        + backward(position, us)
}

/// D52: each pawn that is not the first on its file.
pub fn doubled(position: &Position, us: Color) -> i32 {
    let pawns = position.men(us, PieceKind::Pawn);
    (0..8)
        .map(|file| {
            let more = (pawns & Bitboard::file(file)).count().saturating_sub(1) as i32;
            more * DOUBLED[folded_file(file) as usize]
        })
        .sum()
}

/// D53: no enemy pawn ahead on its file or beside it; of doubled pawns only the first.
pub fn passed(position: &Position, us: Color) -> i32 {
    let (pawns, enemy) = (position.men(us, PieceKind::Pawn), position.men(!us, PieceKind::Pawn));
    pawns
        .filter(|&pawn| !passed_span(us, pawn).meets(enemy) && !ahead(us, pawn).meets(pawns))
        .map(|pawn| PASSED[usize::from(pawn.rank_for(us)).clamp(1, 6) - 1])
        .sum()
}

/// D54: each pair side by side, and each pair of which one protects the other.
pub fn connected(position: &Position, us: Color) -> i32 {
    let pawns = position.men(us, PieceKind::Pawn);
    let east = Bitboard(pawns.0 << 1 & !Bitboard::FILE_A.0);
    let abreast = (pawns & east).count() as i32;
    let diagonal: u32 = pawns.map(|pawn| (attacks::pawn(us, pawn) & pawns).count()).sum();
    ABREAST * abreast + DIAGONAL * diagonal as i32
}

/// D55: no own pawn on the files beside it.
pub fn isolated(position: &Position, us: Color) -> i32 {
    let pawns = position.men(us, PieceKind::Pawn);
    pawns
        .filter(|pawn| !beside(pawn.file()).meets(pawns))
        .map(|pawn| ISOLATED[folded_file(pawn.file()) as usize])
        .sum()
}

/// D56: not isolated, but all neighbours are ahead, and the square before it is under attack.
pub fn backward(position: &Position, us: Color) -> i32 {
    let (pawns, enemy) = (position.men(us, PieceKind::Pawn), position.men(!us, PieceKind::Pawn));
    let under_attack = attacks::pawn_attacks_of(!us, enemy);
    let count = pawns
        .filter(|&pawn| {
            let neighbours = beside(pawn.file()) & pawns;
            neighbours.non_empty()
                && neighbours.without(passed_span(us, pawn)).is_empty()
                && under_attack.meets(forward(us, pawn.bb()))
        })
        .count();
    BACKWARD * count as i32
}

/// D56: a pawn on d2 or e2 (as its side sees it) with a man right before it.
pub fn blocked_centre(position: &Position, us: Color) -> i32 {
    let home = Bitboard::rank(if us == Color::White { 1 } else { 6 });
    let centre = Bitboard::file(3) | Bitboard::file(4);
    let blocked =
        position.men(us, PieceKind::Pawn) & home & centre & forward(!us, position.occupied());
    BLOCKED_CENTRE * blocked.count() as i32
}

#[cfg(test)]
mod tests {
    use super::super::tests::white;
    use super::*;

    #[test]
    fn d52_doubled_and_tripled_pawns_cost_by_file() {
        assert_eq!(white("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", doubled), -10);
        assert_eq!(white("4k3/8/8/4P3/4P3/8/4P3/4K3 w - - 0 1", doubled), -26);
    }

    #[test]
    fn d53_passed_pawns_by_rank() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 8),
            ("4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", 60),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 160),
            ("4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1", 0),
        ] {
            assert_eq!(white(fen, passed), expected, "{fen}");
        }
    }

    #[test]
    fn d54_abreast_two_and_diagonal_one() {
        assert_eq!(white("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", connected), 2);
        assert_eq!(white("4k3/8/8/8/8/4P3/3P4/4K3 w - - 0 1", connected), 1);
    }

    #[test]
    fn d55_isolated_pawns_by_file() {
        assert_eq!(white("4k3/8/8/8/8/8/P2P4/4K3 w - - 0 1", isolated), -8 - 14);
        assert_eq!(white("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", isolated), 0);
    }

    #[test]
    fn d56_backward_and_blocked_centre_pawns() {
        assert_eq!(white("4k3/8/8/2p5/4P3/2PP4/8/4K3 w - - 0 1", backward), 0);
        assert_eq!(white("4k3/8/8/2p5/2P1P3/3P4/8/4K3 w - - 0 1", backward), -3);
        assert_eq!(white("4k3/8/8/8/8/3B4/3PP3/4K3 w - - 0 1", blocked_centre), -12);
    }
}
