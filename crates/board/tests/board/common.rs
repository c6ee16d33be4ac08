//! What the tests share.

use board::random::SplitMix;
use board::{Move, MoveList, Position};

/// The position of a FEN that is known to be right.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// One of some moves, if there are any.
pub fn random_move(moves: &MoveList, random: &mut SplitMix) -> Option<Move> {
    (!moves.is_empty()).then(|| moves[random.below(moves.len() as u64) as usize])
}
