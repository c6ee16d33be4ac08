//! What a quiet move is worth by itself, beside what the histories say: a check that loses nothing, a
//! piece that leaves danger or walks into it.

use crate::parameters;
use board::attacks::{self, Isa};
use board::{Bitboard, CheckInfo, Move, Piece, PieceKind, Position};

/// A check may lose so much by exchanges and still come early.
const CHECK_LOSS: i32 = 75;
/// How much a man has to lose, in units, by kind.
const STAKES: ByKind<i32> = [0, 1, 1, 2, 4, 0, 0];

/// By the kind of the man that moves; the last place is for none.
type ByKind<T> = [T; 7];

/// The kind of the man that a move moves, as a place.
#[inline(always)]
fn kind_of(position: &Position, mv: Move) -> usize {
    position.piece_on(mv.from()).map_or(6, Piece::kind_index)
}

/// Where quiet moves of a position win or lose merit.
pub struct Merits {
    /// From where a man gives check.
    checks: ByKind<Bitboard>,
    /// Where a man is attacked by men of less value.
    dangers: ByKind<Bitboard>,
    /// What leaving such a square is worth, on the scale of the histories.
    prices: ByKind<i32>,
}

impl Merits {
    /// Looks at a position; without `checks` they have no merit.
    #[inline(always)]
    pub fn new<I: Isa>(isa: I, position: &Position, checks: Option<&CheckInfo>) -> Merits {
        let mut by_kind = [Bitboard::EMPTY; 7];
        if let Some(checks) = checks {
            by_kind[..6].copy_from_slice(&checks.squares);
        }
        let mut prices = STAKES;
        for price in &mut prices {
            *price *= parameters::danger_merit();
        }
        Merits { checks: by_kind, dangers: dangers(isa, position), prices }
    }

    /// The merit of a quiet move, on the scale of the histories, as long as it gives no check.
    #[inline(always)]
    pub fn of(&self, position: &Position, mv: Move) -> i32 {
        let kind = kind_of(position, mv);
        let danger = self.dangers[kind];
        let escapes = i32::from(danger.has(mv.from())) - i32::from(danger.has(mv.to()));
        escapes * self.prices[kind]
    }

    /// Whether a quiet move gives check with the man that it moves.
    #[inline(always)]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        self.checks[kind_of(position, mv)].has(mv.to())
    }
}

/// What a quiet move that gives check is worth more for it: nothing if it loses too much.
#[inline(always)]
pub fn of_check(position: &Position, mv: Move) -> i32 {
    let safe = position.see_at_least(mv, -CHECK_LOSS);
    if safe { parameters::check_merit() } else { 0 }
}

/// Finds the squares that men of less value attack.
#[inline(always)]
fn dangers<I: Isa>(isa: I, position: &Position) -> ByKind<Bitboard> {
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
    let none = Bitboard::EMPTY;
    [none, by_pawns, by_pawns, by_minors, by_rooks, none, none]
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::attacks::Portable;

    fn merit(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let checks = position.check_info();
        let merits = Merits::new(Portable::default(), &position, Some(&checks));
        let mv = position.parse_uci(mv).unwrap();
        let check = merits.gives_check(&position, mv);
        merits.of(&position, mv) + if check { of_check(&position, mv) } else { 0 }
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
