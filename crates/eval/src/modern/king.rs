//! The danger of a king: attackers, weak squares, checks. The sum is squared at the end, because two
//! attackers are more than twice as bad as one.

use super::scene::Scene;
use crate::recorder::Recorder;
use crate::sets::forward;
use crate::weights::*;
use board::attacks::{self, Isa};
use board::{Bitboard, Color, PieceKind};

/// Records the danger of a side's own king; all attacks are in the scene.
#[inline(always)]
pub(crate) fn record<I: Isa, R: Recorder>(isa: I, us: Color, scene: &Scene, recorder: &mut R) {
    let them = !us;
    let (own, enemy) = (us.index(), them.index());
    let guard = scene.by(us, PieceKind::King) | scene.by(us, PieceKind::Queen);
    let undefended = !scene.attacked[own];
    // Attacked, and defended by nobody, or by king or queen alone.
    let weak = scene.attacked[enemy].without(scene.twice[own]) & (undefended | guard);
    let weak_ring = (weak & scene.rings[own]).count() as i32;
    recorder.danger(us, DANGER_WEAK, weak_ring);
    let safe = !scene.position.color(them) & (undefended | weak & scene.twice[enemy]);
    checks(isa, us, safe, scene, recorder);

    let file = Bitboard::file(scene.kings[own].file().clamp(1, 6));
    let files = Bitboard(file.0 | file.0 << 1 | file.0 >> 1);
    let pawns = scene.men(us, PieceKind::Pawn);
    let filled = (pawns.0 | pawns.0 >> 32) as u32;
    let filled = filled | filled >> 16;
    let filled = (filled | filled >> 8) & 0xff;
    let open = (files.0 as u32 & 0xff & !filled).count_ones();
    recorder.danger(us, DANGER_OPEN_FILE, open as i32);

    let camp = match us {
        Color::White => Bitboard(0x0000_00ff_ffff_ffff),
        Color::Black => Bitboard(0xffff_ffff_ff00_0000),
    };
    let wing = WINGS[scene.kings[own].file() as usize & 7] & camp;
    let attacked = wing & scene.attacked[enemy];
    recorder.danger(us, DANGER_FLANK, attacked.count() as i32);
    recorder.danger(us, DANGER_FLANK + 1, (attacked & scene.twice[enemy]).count() as i32);
    recorder.danger(us, DANGER_FLANK + 2, (wing & scene.attacked[own]).count() as i32);

    let knights = scene.men(us, PieceKind::Knight) & attacks::king(scene.kings[own]);
    recorder.danger(us, DANGER_KNIGHT_GUARD, knights.non_empty() as i32);
    recorder.danger(us, DANGER_PINNED, scene.pinned[own].count() as i32);
    let queens = scene.men(them, PieceKind::Queen);
    recorder.danger(us, DANGER_NO_QUEEN, queens.is_empty() as i32);
    recorder.danger(us, DANGER_ALWAYS, 1);
}

/// The files of the king's wing, by its file.
const WINGS: [Bitboard; 8] = {
    let queen = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    let centre = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    let king = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
    [queen, queen, queen, centre, centre, king, king, king]
};

/// Checks that the enemy could give with its next move.
#[inline(always)]
fn checks<I: Isa, R: Recorder>(isa: I, us: Color, safe: Bitboard, scene: &Scene, recorder: &mut R) {
    let them = !us;
    let king = scene.kings[us.index()];
    // An own queen in the way will not stay there.
    let occupied = scene.occupied.without(scene.men(us, PieceKind::Queen));
    let diagonal = isa.bishop(king, occupied);
    let straight = isa.rook(king, occupied);
    let knight = attacks::knight(king) & scene.by(them, PieceKind::Knight);
    let bishop = diagonal & scene.by(them, PieceKind::Bishop);
    let rook = straight & scene.by(them, PieceKind::Rook);
    let queen = (diagonal | straight) & scene.by(them, PieceKind::Queen);
    // A queen that could be exchanged for the own one is no threat.
    let queen_safe = safe.without(scene.by(us, PieceKind::Queen));
    recorder.danger(us, DANGER_CHECK, (knight & safe).count().min(2) as i32);
    recorder.danger(us, DANGER_CHECK + 1, (bishop & safe).count().min(2) as i32);
    recorder.danger(us, DANGER_CHECK + 2, (rook & safe).count().min(2) as i32);
    recorder.danger(us, DANGER_CHECK + 3, (queen & queen_safe).count().min(2) as i32);
    let unsafe_checks = (knight | bishop | rook).without(safe | scene.position.color(them));
    recorder.danger(us, DANGER_UNSAFE_CHECK, unsafe_checks.count() as i32);
}

/// Records the room behind the own centre pawns, which is worth more the more pieces need it.
#[inline(always)]
pub(crate) fn space<R: Recorder>(us: Color, scene: &Scene, recorder: &mut R) {
    let home = match us {
        Color::White => Bitboard(0x0000_0000_3c3c_3c00),
        Color::Black => Bitboard(0x003c_3c3c_0000_0000),
    };
    let pawns = scene.men(us, PieceKind::Pawn);
    let pieces = scene.position.color(us).without(pawns).count() as i32;
    let safe = home.without(pawns | scene.by(!us, PieceKind::Pawn));
    let mut behind = forward(!us, pawns);
    behind |= forward(!us, behind);
    behind |= forward(!us, behind);
    let sheltered = safe & behind.without(scene.attacked[(!us).index()]);
    let room = (safe.count() + sheltered.count()) as i32;
    recorder.add(us, SPACE, room * (pieces - 3).max(0) / 4);
}
