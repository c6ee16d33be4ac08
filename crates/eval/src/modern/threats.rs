//! Threats: men that are attacked by something cheaper, or not defended enough.

use super::context::EvalContext;
use crate::recorder::Recorder;
use crate::sets::forward;
use crate::weights::*;
use board::attacks::{self, Isa, between};
use board::{Bitboard, Color, PieceKind, Square};

/// Records what a side threatens; all attacks are in the context.
#[inline(always)]
pub(crate) fn record<I: Isa, R: Recorder>(
    isa: I,
    us: Color,
    context: &EvalContext,
    recorder: &mut R,
) {
    let them = !us;
    let (own, enemy) = (us.index(), them.index());
    let pawns = context.position.kind(PieceKind::Pawn);
    let men = context.position.color(them);
    let pieces = men.without(pawns | context.kings[enemy].bb());
    let strong =
        context.by(them, PieceKind::Pawn) | context.twice[enemy].without(context.twice[own]);
    let weak = (men & context.attacked[own]).without(strong | context.kings[enemy].bb());
    let by_minors = context.by(us, PieceKind::Knight) | context.by(us, PieceKind::Bishop);

    by_kind(us, THREAT_BY_MINOR, (pieces | weak) & by_minors, context, recorder);
    by_kind(us, THREAT_BY_ROOK, weak & context.by(us, PieceKind::Rook), context, recorder);
    let by_king = weak & context.by(us, PieceKind::King);
    recorder.add(us, THREAT_BY_KING, by_king.non_empty() as i32);
    let hanging = weak & (!context.attacked[enemy] | pieces & context.twice[own]);
    recorder.add(us, HANGING, hanging.count() as i32);
    let contested = context.attacked[enemy].without(strong) & context.attacked[own];
    recorder.add(us, RESTRICTED, contested.count() as i32);

    let king_file = Bitboard::file(context.kings[enemy].file());
    let aimed = context.men(us, PieceKind::Rook) & king_file;
    recorder.add(us, ROOK_AIM_FILE + 1, aimed.count() as i32);
    pawn_threats(us, pieces, context, recorder);
    if context.men(them, PieceKind::Queen).non_empty() {
        on_queen(isa, us, strong, context, recorder);
    }
}

/// A weight per kind of threatened man.
#[inline(always)]
fn by_kind<R: Recorder>(
    us: Color,
    weight: usize,
    threatened: Bitboard,
    context: &EvalContext,
    recorder: &mut R,
) {
    if threatened.is_empty() {
        return;
    }
    let kinds =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let mut index = 0;
    while index < 5 {
        let men = threatened & context.position.kind(kinds[index]);
        recorder.add(us, weight + index, men.count() as i32);
        index += 1;
    }
}

#[inline(always)]
fn pawn_threats<R: Recorder>(us: Color, pieces: Bitboard, context: &EvalContext, recorder: &mut R) {
    let (own, enemy) = (us.index(), (!us).index());
    let holds = context.attacked[own] | !context.attacked[enemy];
    let safe = context.men(us, PieceKind::Pawn) & holds;
    let attacked = attacks::pawn_attacks_of(us, safe) & pieces;
    by_kind(us, THREAT_BY_PAWN, attacked, context, recorder);

    let third = Bitboard::rank(if us == Color::White { 2 } else { 5 });
    let single = forward(us, context.men(us, PieceKind::Pawn)).without(context.occupied);
    let double = forward(us, single & third).without(context.occupied);
    let steps = (single | double) & holds;
    let steps = steps.without(context.by(!us, PieceKind::Pawn));
    let pushed = attacks::pawn_attacks_of(us, steps) & pieces;
    recorder.add(us, PUSH_THREAT, pushed.count() as i32);
}

/// One man between the queen and a slider: it may step aside any time.
#[inline(always)]
fn shadowed<R: Recorder>(us: Color, queen: Square, context: &EvalContext, recorder: &mut R) {
    let (diagonal, straight) = attacks::lines(queen);
    let rooks = context.men(us, PieceKind::Rook);
    let aligned = diagonal & context.men(us, PieceKind::Bishop) | straight & rooks;
    for slider in aligned {
        let blockers = between(queen, slider) & context.occupied;
        if blockers.non_empty() && !blockers.several() {
            recorder.add(us, SHADOWED_QUEEN, 1);
        }
    }
    let file = Bitboard::file(queen.file());
    recorder.add(us, ROOK_AIM_FILE, (rooks & file).count() as i32);
}

/// Safe squares from which the queen would be attacked next.
#[inline(always)]
fn on_queen<I: Isa, R: Recorder>(
    isa: I,
    us: Color,
    strong: Bitboard,
    context: &EvalContext,
    recorder: &mut R,
) {
    let queen = context.men(!us, PieceKind::Queen);
    if queen.several() {
        return;
    }
    let square = queen.lowest();
    let safe = context.area[us.index()].without(strong);
    let leaps = attacks::knight(square) & context.by(us, PieceKind::Knight) & safe;
    recorder.add(us, QUEEN_THREAT, leaps.count() as i32);
    let diagonal = isa.bishop(square, context.occupied) & context.by(us, PieceKind::Bishop);
    let straight = isa.rook(square, context.occupied) & context.by(us, PieceKind::Rook);
    shadowed(us, square, context, recorder);
    let lines = (diagonal | straight) & safe & context.twice[us.index()];
    recorder.add(us, QUEEN_THREAT + 1, lines.count() as i32);
}
