//! Pawn blockades (D66): kings and pawns, no pawn can ever move, and no king can get at a pawn.

use board::attacks::{self, pawn_attacks_of};
use board::{Bitboard, Color, PieceKind, Position};

/// Whether nothing can happen any more, so that the game is a draw.
///
/// Every pawn is stopped by a pawn, none can take, and the squares that a king can walk to (as if the
/// other king were not there) touch no enemy pawn that is not protected by a pawn.
pub fn is_blocked(position: &Position) -> bool {
    let pawns = position.kind(PieceKind::Pawn);
    if pawns.is_empty() || position.occupied().count() != pawns.count() + 2 {
        return false;
    }
    let [white, black] = Color::ALL.map(|color| position.men(color, PieceKind::Pawn));
    let [by_white, by_black] =
        [pawn_attacks_of(Color::White, white), pawn_attacks_of(Color::Black, black)];
    let stopped = white.shift(8).without(pawns).is_empty()
        && black.shift(-8).without(pawns).is_empty()
        && !by_white.meets(black)
        && !by_black.meets(white);
    stopped
        && position.en_passant().is_none()
        && is_kept_out(position, Color::White, white, black, by_black)
        && is_kept_out(position, Color::Black, black, white, by_white)
}

/// Whether a king can never take a pawn.
fn is_kept_out(
    position: &Position,
    color: Color,
    own: Bitboard,
    theirs: Bitboard,
    forbidden: Bitboard,
) -> bool {
    let closed = own | theirs | forbidden;
    let mut reached = position.king(color).bb();
    let mut fresh = reached;
    let mut seen = Bitboard::EMPTY;
    while let Some(square) = fresh.first() {
        fresh = fresh.without(square.bb());
        seen |= attacks::king(square);
        let next = attacks::king(square).without(closed | reached);
        reached |= next;
        fresh |= next;
    }
    (seen & theirs).without(forbidden).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(fen: &str) -> bool {
        is_blocked(&Position::from_fen(fen).expect("a position"))
    }

    #[test]
    fn d66_a_wall_from_edge_to_edge_is_a_draw() {
        assert!(blocked("8/8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/3K4/8 w - -"));
        assert!(blocked("8/8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/3K4/8 b - -"));
    }

    #[test]
    fn a_wall_with_a_gap_or_a_move_is_none() {
        // A king walks round on the h-file.
        assert!(!blocked("8/8/2k5/p1p1p3/PpPpPp2/1P1P1P2/3K4/8 w - -"));
        // The pawn on h2 can move.
        assert!(!blocked("8/8/2k5/p1p1p1p1/PpPpPpP1/1P1P1P2/3K3P/8 w - -"));
        // There is a piece.
        assert!(!blocked("8/8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/3K4/7B w - -"));
        assert!(!blocked("8/8/4k3/8/8/4K3/8/8 w - -"));
    }
}
