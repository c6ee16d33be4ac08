//! The definition (Z2): the value of a position searched to a depth, without any cut. The tests of law 2
//! hold every search against it, those of `parallel` too.

use board::{History, Position};
use eval::{Classical, Evaluator};
use search::score;

/// The value for the side to move, by the classical evaluation.
#[allow(dead_code, reason = "the tests with a network have no use for it")]
pub fn minimax(position: &Position, depth: i32) -> i32 {
    minimax_by(&mut Classical::with_pawn_entries(1), position, depth)
}

/// The value for the side to move.
pub fn minimax_by(evaluator: &mut impl Evaluator, position: &Position, depth: i32) -> i32 {
    walk(evaluator, position, &mut History::new(), depth, 0)
}

fn walk(
    evaluator: &mut impl Evaluator,
    position: &Position,
    history: &mut History,
    depth: i32,
    ply: i32,
) -> i32 {
    let moves = position.legal_moves();
    if ply > 0 {
        let over = history.is_repetition(position, ply as usize)
            || position.is_insufficient_material()
            || position.halfmove_clock() >= 100 && !(position.in_check() && moves.is_empty());
        if over {
            return 0;
        }
    }
    if moves.is_empty() {
        return if position.in_check() { i32::from(score::mated_in(ply)) } else { 0 };
    }
    if depth == 0 {
        // From nothing: what is known from other positions must not matter.
        evaluator.reset(position);
        evaluator.clear();
        return i32::from(evaluator.evaluate(position));
    }
    let mut best = i32::MIN;
    for &mv in moves.iter() {
        history.push(position.key());
        best = best.max(-walk(evaluator, &position.make(mv), history, depth - 1, ply + 1));
        history.pop();
    }
    best
}
