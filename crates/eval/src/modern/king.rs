//! The danger of a king: attackers, weak squares, checks. The sum is squared at the end, because two
//! attackers are more than twice as bad as one.

use super::context::EvalContext;
use crate::recorder::Recorder;
use crate::sets::forward;
use crate::weights::*;
use board::attacks::{self, Isa};
use board::{Bitboard, Color, PieceKind};

/// Records the danger of a side's own king; all attacks are in the context.
#[inline(always)]
pub(crate) fn record<I: Isa, R: Recorder>(
    isa: I,
    us: Color,
    context: &EvalContext,
    recorder: &mut R,
) {
    let them = !us;
    let (own, enemy) = (us.index(), them.index());
    let guard = context.by(us, PieceKind::King) | context.by(us, PieceKind::Queen);
    let undefended = !context.attacked[own];
    // Attacked, and defended by no man or by king or queen alone.
    let weak = context.attacked[enemy].without(context.twice[own]) & (undefended | guard);
    let weak_ring = (weak & context.rings[own]).count() as i32;
    recorder.danger(us, DANGER_WEAK, weak_ring);
    let safe = !context.position.color(them) & (undefended | weak & context.twice[enemy]);
    checks(isa, us, safe, context, recorder);

    let crowd = context.crowd[own].min(5);
    recorder.danger(us, DANGER_CROWD + crowd, 1);
    let turn = context.position.side_to_move() == them;
    recorder.danger(us, DANGER_TURN, turn as i32);
    pawns_before(us, context, recorder);

    let camp = match us {
        Color::White => Bitboard(0x0000_00ff_ffff_ffff),
        Color::Black => Bitboard(0xffff_ffff_ff00_0000),
    };
    let wing = WINGS[context.kings[own].file() as usize & 7] & camp;
    let attacked = wing & context.attacked[enemy];
    recorder.danger(us, DANGER_FLANK, attacked.count() as i32);
    recorder.danger(us, DANGER_FLANK + 1, (attacked & context.twice[enemy]).count() as i32);
    recorder.danger(us, DANGER_FLANK + 2, (wing & context.attacked[own]).count() as i32);

    let knights = context.men(us, PieceKind::Knight) & attacks::king(context.kings[own]);
    recorder.danger(us, DANGER_KNIGHT_GUARD, knights.non_empty() as i32);
    recorder.danger(us, DANGER_PINNED, context.pinned[own].count() as i32);
    let queens = context.men(them, PieceKind::Queen);
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

/// The pawns on the three files before the king: own ones missing, enemy ones coming.
#[inline(always)]
fn pawns_before<R: Recorder>(us: Color, context: &EvalContext, recorder: &mut R) {
    let file = Bitboard::file(context.kings[us.index()].file().clamp(1, 6));
    let files = Bitboard(file.0 | file.0 << 1 | file.0 >> 1);
    let own = context.men(us, PieceKind::Pawn);
    let (home, half) = match us {
        Color::White => (Bitboard(0x0000_0000_00ff_ff00), Bitboard(0x0000_00ff_ffff_ff00)),
        Color::Black => (Bitboard(0x00ff_ff00_0000_0000), Bitboard(0x00ff_ffff_ff00_0000)),
    };
    let open = empty_files(files, own);
    recorder.danger(us, DANGER_OPEN_FILE, open);
    recorder.danger(us, DANGER_BARE, empty_files(files, own & home) - open);
    let coming = context.men(!us, PieceKind::Pawn) & files & half;
    recorder.danger(us, DANGER_STORM, coming.count() as i32);
}

/// How many of some files have none of the men.
#[inline(always)]
fn empty_files(files: Bitboard, men: Bitboard) -> i32 {
    let folded = men.0 | men.0 >> 32;
    let folded = folded | folded >> 16;
    let folded = folded | folded >> 8;
    (files.0 & 0xff & !folded).count_ones() as i32
}

/// Checks that the enemy could give with its next move.
#[inline(always)]
fn checks<I: Isa, R: Recorder>(
    isa: I,
    us: Color,
    safe: Bitboard,
    context: &EvalContext,
    recorder: &mut R,
) {
    let them = !us;
    let king = context.kings[us.index()];
    // An own queen in the way will not stay there.
    let occupied = context.occupied.without(context.men(us, PieceKind::Queen));
    let diagonal = isa.bishop(king, occupied);
    let straight = isa.rook(king, occupied);
    let knight = attacks::knight(king) & context.by(them, PieceKind::Knight);
    let bishop = diagonal & context.by(them, PieceKind::Bishop);
    let rook = straight & context.by(them, PieceKind::Rook);
    let queen = (diagonal | straight) & context.by(them, PieceKind::Queen);
    // A queen that could be exchanged for the own one is no threat.
    let queen_safe = safe.without(context.by(us, PieceKind::Queen));
    recorder.danger(us, DANGER_CHECK, (knight & safe).count().min(2) as i32);
    recorder.danger(us, DANGER_CHECK + 1, (bishop & safe).count().min(2) as i32);
    recorder.danger(us, DANGER_CHECK + 2, (rook & safe).count().min(2) as i32);
    recorder.danger(us, DANGER_CHECK + 3, (queen & queen_safe).count().min(2) as i32);
    let unsafe_checks = (knight | bishop | rook).without(safe | context.position.color(them));
    recorder.danger(us, DANGER_UNSAFE_CHECK, unsafe_checks.count() as i32);
}

/// Records the room behind the own centre pawns, which is worth more the more pieces need it.
#[inline(always)]
pub(crate) fn space<R: Recorder>(us: Color, context: &EvalContext, recorder: &mut R) {
    let home = match us {
        Color::White => Bitboard(0x0000_0000_3c3c_3c00),
        Color::Black => Bitboard(0x003c_3c3c_0000_0000),
    };
    let pawns = context.men(us, PieceKind::Pawn);
    let pieces = context.position.color(us).without(pawns).count() as i32;
    let safe = home.without(pawns | context.by(!us, PieceKind::Pawn));
    let mut behind = forward(!us, pawns);
    behind |= forward(!us, behind);
    behind |= forward(!us, behind);
    let sheltered = safe & behind.without(context.attacked[(!us).index()]);
    let room = (safe.count() + sheltered.count()) as i32;
    recorder.add(us, SPACE, room * (pieces - 3).max(0) / 4);
}
