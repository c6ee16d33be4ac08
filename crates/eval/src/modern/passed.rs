//! Passed pawns in play: kings, blockers, the way ahead. (Their rank and file are in the pawn cache.)

use super::context::EvalContext;
use crate::recorder::Recorder;
use crate::sets::{ahead, distance};
use crate::weights::*;
use board::{Color, PieceKind, Square};

/// Records the passed pawns of a side; all attacks are in the context.
#[inline(always)]
pub(crate) fn record<R: Recorder>(us: Color, context: &EvalContext, recorder: &mut R) {
    let them = !us;
    let (own, enemy) = (us.index(), them.index());
    for square in context.passed & context.position.color(us) {
        let rank = square.rank_for(us) as usize;
        let step = square.offset(if us == Color::White { 8 } else { -8 });
        recorder.add(us, PASSED_OWN_KING + rank, distance(context.kings[own], step));
        recorder.add(us, PASSED_ENEMY_KING + rank, distance(context.kings[enemy], step));
        if rank < 2 {
            continue;
        }
        let path = ahead(us, square);
        if !context.occupied.has(step) {
            recorder.add(us, PASSED_FREE + rank, 1);
            if !context.attacked[enemy].has(step) {
                recorder.add(us, PASSED_SAFE_STEP + rank, 1);
            }
            if !path.meets(context.attacked[enemy] | context.position.color(them)) {
                recorder.add(us, PASSED_SAFE_PATH + rank, 1);
            }
        }
        let behind = ahead(them, square);
        if behind.meets(context.position.straight_sliders(us)) {
            recorder.add(us, PASSED_ROOK_BEHIND, 1);
        }
        if behind.meets(context.position.straight_sliders(them)) {
            recorder.add(us, PASSED_ROOK_BEHIND + 1, 1);
        }
        if runs_home(us, square, context) {
            recorder.add(us, PASSED_UNSTOPPABLE, 1);
        }
    }
}

/// The rule of the square: no piece but the king is left to stop it, and the king is too far.
#[inline(always)]
fn runs_home(us: Color, square: Square, context: &EvalContext) -> bool {
    let them = !us;
    let position = context.position;
    let pieces = position
        .color(them)
        .without(position.kind(PieceKind::Pawn) | context.kings[them.index()].bb());
    if pieces.non_empty() || ahead(us, square).meets(position.color(us)) {
        return false;
    }
    let goal = Square::at(square.file(), if us == Color::White { 7 } else { 0 });
    // From its first rank a pawn may step twice.
    let steps = (7 - i32::from(square.rank_for(us))).min(5);
    let late = i32::from(position.side_to_move() == them);
    distance(context.kings[them.index()], goal) - late > steps
}
