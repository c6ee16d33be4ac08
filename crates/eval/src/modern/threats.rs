//! Threats: men that are attacked by something cheaper, or not defended enough.

use super::scene::Scene;
use crate::recorder::Recorder;
use crate::sets::forward;
use crate::weights::*;
use board::attacks::{self, Isa, between};
use board::{Bitboard, Color, PieceKind, Square};

/// Records what a side threatens; all attacks are in the scene.
#[inline(always)]
pub(crate) fn record<I: Isa, R: Recorder>(isa: I, us: Color, scene: &Scene, recorder: &mut R) {
    let them = !us;
    let (own, enemy) = (us.index(), them.index());
    let pawns = scene.position.kind(PieceKind::Pawn);
    let men = scene.position.color(them);
    let pieces = men.without(pawns | scene.kings[enemy].bb());
    let strong = scene.by(them, PieceKind::Pawn) | scene.twice[enemy].without(scene.twice[own]);
    let weak = (men & scene.attacked[own]).without(strong | scene.kings[enemy].bb());
    let by_minors = scene.by(us, PieceKind::Knight) | scene.by(us, PieceKind::Bishop);

    by_kind(us, THREAT_BY_MINOR, (pieces | weak) & by_minors, scene, recorder);
    by_kind(us, THREAT_BY_ROOK, weak & scene.by(us, PieceKind::Rook), scene, recorder);
    let by_king = weak & scene.by(us, PieceKind::King);
    recorder.add(us, THREAT_BY_KING, by_king.non_empty() as i32);
    let hanging = weak & (!scene.attacked[enemy] | pieces & scene.twice[own]);
    recorder.add(us, HANGING, hanging.count() as i32);
    let contested = scene.attacked[enemy].without(strong) & scene.attacked[own];
    recorder.add(us, RESTRICTED, contested.count() as i32);

    let king_file = Bitboard::file(scene.kings[enemy].file());
    let aimed = scene.men(us, PieceKind::Rook) & king_file;
    recorder.add(us, ROOK_AIM_FILE + 1, aimed.count() as i32);
    pawn_threats(us, pieces, scene, recorder);
    if scene.men(them, PieceKind::Queen).non_empty() {
        on_queen(isa, us, strong, scene, recorder);
    }
}

/// A weight per kind of threatened man.
#[inline(always)]
fn by_kind<R: Recorder>(
    us: Color,
    weight: usize,
    threatened: Bitboard,
    scene: &Scene,
    recorder: &mut R,
) {
    if threatened.is_empty() {
        return;
    }
    let kinds =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let mut index = 0;
    while index < 5 {
        let men = threatened & scene.position.kind(kinds[index]);
        recorder.add(us, weight + index, men.count() as i32);
        index += 1;
    }
}

#[inline(always)]
fn pawn_threats<R: Recorder>(us: Color, pieces: Bitboard, scene: &Scene, recorder: &mut R) {
    let (own, enemy) = (us.index(), (!us).index());
    let holds = scene.attacked[own] | !scene.attacked[enemy];
    let safe = scene.men(us, PieceKind::Pawn) & holds;
    let attacked = attacks::pawn_attacks_of(us, safe) & pieces;
    by_kind(us, THREAT_BY_PAWN, attacked, scene, recorder);

    let third = Bitboard::rank(if us == Color::White { 2 } else { 5 });
    let single = forward(us, scene.men(us, PieceKind::Pawn)).without(scene.occupied);
    let double = forward(us, single & third).without(scene.occupied);
    let steps = (single | double) & holds;
    let steps = steps.without(scene.by(!us, PieceKind::Pawn));
    let pushed = attacks::pawn_attacks_of(us, steps) & pieces;
    recorder.add(us, PUSH_THREAT, pushed.count() as i32);
}

/// One man between the queen and a slider: it may step aside any time.
#[inline(always)]
fn shadowed<R: Recorder>(us: Color, queen: Square, scene: &Scene, recorder: &mut R) {
    let (diagonal, straight) = attacks::lines(queen);
    let rooks = scene.men(us, PieceKind::Rook);
    let aligned = diagonal & scene.men(us, PieceKind::Bishop) | straight & rooks;
    for slider in aligned {
        let blockers = between(queen, slider) & scene.occupied;
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
    scene: &Scene,
    recorder: &mut R,
) {
    let queen = scene.men(!us, PieceKind::Queen);
    if queen.several() {
        return;
    }
    let square = queen.lowest();
    let safe = scene.area[us.index()].without(strong);
    let leaps = attacks::knight(square) & scene.by(us, PieceKind::Knight) & safe;
    recorder.add(us, QUEEN_THREAT, leaps.count() as i32);
    let diagonal = isa.bishop(square, scene.occupied) & scene.by(us, PieceKind::Bishop);
    let straight = isa.rook(square, scene.occupied) & scene.by(us, PieceKind::Rook);
    shadowed(us, square, scene, recorder);
    let lines = (diagonal | straight) & safe & scene.twice[us.index()];
    recorder.add(us, QUEEN_THREAT + 1, lines.count() as i32);
}
