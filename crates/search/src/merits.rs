//! What a quiet move is worth by itself, beside what the histories say: a check that loses nothing, a
//! piece that leaves danger or walks into it.

use crate::parameters;
use board::attacks::{self, Isa, Kernel, dispatch};
use board::{Bitboard, CheckInfo, Move, PieceKind, Position};

/// A check may lose so much by exchanges and still come early.
const CHECK_LOSS: i32 = 75;
/// How much a man has to lose, in units, by kind.
const STAKES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Where quiet moves of a position win or lose merit.
pub struct Merits<'a> {
    position: &'a Position,
    /// From where a man of each kind gives check.
    checks: [Bitboard; 6],
    /// Where a man of each kind is attacked by men of less value.
    dangers: [Bitboard; 6],
}

impl<'a> Merits<'a> {
    /// Looks at a position; without `checks` they have no merit.
    #[inline(always)]
    pub fn new(position: &'a Position, checks: Option<&CheckInfo>) -> Merits<'a> {
        let checks = checks.map_or([Bitboard::EMPTY; 6], |checks| checks.squares);
        Merits { position, checks, dangers: dispatch(Dangers(position)) }
    }

    /// The merit of a quiet move, on the scale of the histories.
    #[inline(always)]
    pub fn of(&self, mv: Move) -> i32 {
        let Some(piece) = self.position.piece_on(mv.from()) else { return 0 };
        let kind = piece.kind().index();
        let danger = self.dangers[kind];
        let escapes = i32::from(danger.has(mv.from())) - i32::from(danger.has(mv.to()));
        let mut merit = escapes * STAKES[kind] * parameters::danger_merit();
        if self.checks[kind].has(mv.to()) && self.position.see_at_least(mv, -CHECK_LOSS) {
            merit += parameters::check_merit();
        }
        merit
    }
}

/// Finds the squares that men of less value attack.
struct Dangers<'a>(&'a Position);

impl Kernel for Dangers<'_> {
    type Output = [Bitboard; 6];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [Bitboard; 6] {
        let position = self.0;
        let (them, occupied) = (!position.side_to_move(), position.occupied());
        let by_pawns = attacks::pawn_attacks_of(them, position.men(them, PieceKind::Pawn));
        let mut by_minors = by_pawns;
        for square in position.men(them, PieceKind::Knight) {
            by_minors |= attacks::knight(square);
        }
        for square in position.men(them, PieceKind::Bishop) {
            by_minors |= isa.bishop(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in position.men(them, PieceKind::Rook) {
            by_rooks |= isa.rook(square, occupied);
        }
        [Bitboard::EMPTY, by_pawns, by_pawns, by_minors, by_rooks, Bitboard::EMPTY]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merit(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let checks = position.check_info();
        Merits::new(&position, Some(&checks)).of(position.parse_uci(mv).unwrap())
    }

    #[test]
    fn a_safe_check_has_merit_and_a_careless_one_has_not() {
        let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
        assert_eq!(merit(fen, "a2a8"), parameters::check_merit());
        assert_eq!(merit(fen, "a2a7"), 0);
        assert_eq!(merit("1r2k3/8/8/8/8/8/R7/4K3 w - - 0 1", "a2a8"), 0);
    }

    #[test]
    fn a_piece_that_leaves_danger_gains_what_it_loses_by_walking_into_it() {
        let fen = "4k3/8/8/1p3p2/2N5/8/8/4K3 w - - 0 1";
        assert_eq!(merit(fen, "c4a3"), parameters::danger_merit());
        let fen = "4k3/8/8/1p3p2/8/4N3/8/4K3 w - - 0 1";
        assert_eq!(merit(fen, "e3c4"), -parameters::danger_merit());
        assert_eq!(merit(fen, "e3d5"), 0);
    }
}
