//! The safety of the king (D60).

use board::{Bitboard, Color, PieceKind, Position};

/// D60: the king's file open −4, half-open −2 (no own pawn), each open file beside it −2.
pub fn files(position: &Position, us: Color) -> i32 {
    let king = position.king(us);
    let (own, all) = (position.men(us, PieceKind::Pawn), position.kind(PieceKind::Pawn));
    let file = Bitboard::file(king.file());
    let mut sum = match (file.meets(all), file.meets(own)) {
        (false, _) => -4,
        (true, false) => -2,
        (true, true) => 0,
    };
    for beside in [king.file().checked_sub(1), king.file().checked_add(1)] {
        if let Some(beside @ 0..=7) = beside
            && !Bitboard::file(beside).meets(all)
        {
            sum -= 2;
        }
    }
    sum
}

/// The wing that a king has castled to, if it looks so: on its back rank, no right to castle left, and
/// no own rook between it and the edge.
fn castled_wing(position: &Position, us: Color) -> Option<u8> {
    let king = position.king(us);
    let back = Bitboard::rank(if us == Color::White { 0 } else { 7 });
    let rooks = position.men(us, PieceKind::Rook) & back;
    if king.rank_for(us) != 0 || position.castling_rooks(us).non_empty() {
        return None;
    }
    let lower = Bitboard(king.bb().0 - 1);
    match king.file() {
        0..=2 if !rooks.meets(lower) => Some(0),
        6..=7 if rooks.without(lower).is_empty() => Some(6),
        _ => None,
    }
}

/// D60: castled to the king's side +15, to the queen's side +20; −5 if one of the three pawns before
/// it has gone further than one step.
pub fn castled(position: &Position, us: Color) -> i32 {
    let Some(wing) = castled_wing(position, us) else { return 0 };
    let ranks = match us {
        Color::White => Bitboard::rank(1) | Bitboard::rank(2),
        Color::Black => Bitboard::rank(6) | Bitboard::rank(5),
    };
    let shelter = position.men(us, PieceKind::Pawn) & ranks;
    let first = if wing == 0 { 0 } else { 5 };
    let crippled = (first..first + 3).any(|file| !Bitboard::file(file).meets(shelter));
    let bonus = if wing == 0 { 20 } else { 15 };
    bonus - 5 * i32::from(crippled)
}

#[cfg(test)]
mod tests {
    use super::super::tests::white;
    use super::*;

    #[test]
    fn d60_open_files_at_the_king_cost() {
        assert_eq!(white("4k3/8/8/8/8/8/3PPP2/4K3 w - - 0 1", files), 0);
        assert_eq!(white("4k3/8/8/8/8/8/3P1P2/4K3 w - - 0 1", files), -4);
        assert_eq!(white("4k3/4p3/8/8/8/8/3P1P2/4K3 w - - 0 1", files), -2);
        assert_eq!(white("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", files), -4);
        assert_eq!(white("4k3/8/8/8/8/8/P7/K7 w - - 0 1", files), -2);
    }

    #[test]
    fn d60_castling_pays_and_a_crippled_shelter_costs() {
        assert_eq!(white("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1", castled), 15);
        assert_eq!(white("4k3/8/8/8/6P1/8/5P1P/5RK1 w - - 0 1", castled), 10);
        assert_eq!(white("4k3/8/8/8/8/8/PPP5/2KR4 w - - 0 1", castled), 20);
        assert_eq!(white("4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", castled), 0);
        assert_eq!(white("4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1", castled), 0);
    }
}
