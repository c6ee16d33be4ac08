//! Putting the sums together: danger squared, how winnable it is, drawish endings, the phase, the
//! fifty-move rule.

use super::context::EvalContext;
use crate::recorder::{Recorder, Sums};
use crate::weights::*;
use board::{Bitboard, Color, Material, PieceKind, Position};

/// The phase of the full set of pieces; 0 is pawns and kings alone.
pub const FULL_PHASE: i32 = 24;

/// The scale that changes nothing.
pub const FULL_SCALE: i32 = 128;

/// Danger beyond this does not count: it keeps the square in bounds.
pub const MOST_DANGER: i32 = 1_500;

/// The square of the danger is divided by this in the middlegame.
pub const DANGER_SQUARE: i32 = 1_024;

/// The danger is divided by this in the endgame.
pub const DANGER_LINE: i32 = 8;

/// How much of the game is left, from material.
#[inline(always)]
pub(crate) fn phase(material: Material) -> i32 {
    let mut phase = 0;
    for us in Color::ALL {
        phase += material.count(us, PieceKind::Knight) + material.count(us, PieceKind::Bishop);
        phase += material.count(us, PieceKind::Rook) * 2;
        phase += material.count(us, PieceKind::Queen) * 4;
    }
    (phase as i32).min(FULL_PHASE)
}

/// What a danger takes from its side, in the middlegame and in the endgame.
#[inline(always)]
pub(crate) fn danger_penalty(middlegame: i32, endgame: i32) -> (i32, i32) {
    let danger = middlegame.clamp(0, MOST_DANGER);
    (danger * danger / DANGER_SQUARE, endgame.clamp(0, MOST_DANGER) / DANGER_LINE)
}

/// What the better side's chances add to the endgame's score; they never turn it round.
#[inline(always)]
pub(crate) fn winnable_shift(endgame: i32, winnable: i32) -> i32 {
    endgame.signum() * winnable.max(-endgame.abs())
}

/// Records how well the better side can win.
#[inline(always)]
pub(crate) fn record_winnable<R: Recorder>(context: &EvalContext, recorder: &mut R) {
    let position = context.position;
    let pawns = position.kind(PieceKind::Pawn);
    let queenside = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    let both = pawns.meets(queenside) && pawns.meets(!queenside);
    let [white, black] = context.kings;
    let files = i32::from(white.file().abs_diff(black.file()));
    let ranks = i32::from(white.rank()) - i32::from(black.rank());
    let beyond = white.rank() > 3 || black.rank() < 4;
    let men = position.kind(PieceKind::King) | pawns;
    recorder.winnable(WINNABLE, pawns.count() as i32);
    recorder.winnable(WINNABLE + 1, context.passed.count() as i32);
    recorder.winnable(WINNABLE + 2, both as i32);
    recorder.winnable(WINNABLE + 3, files + ranks);
    recorder.winnable(WINNABLE + 4, beyond as i32);
    recorder.winnable(WINNABLE + 5, 1);
    recorder.winnable(WINNABLE_PAWNS_ALONE, (context.occupied == men) as i32);
}

/// All that is between the sums and the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Finished {
    /// White's advantage in the middlegame and in the endgame.
    pub middlegame: i32,
    pub endgame: i32,
    pub phase: i32,
    /// Of 128, how much of the endgame's advantage counts.
    pub scale: i32,
    /// White's advantage.
    pub value: i32,
}

/// Puts the sums together.
#[inline(always)]
pub(crate) fn finish(sums: &Sums, passed: Bitboard, position: &Position) -> Finished {
    let [white, black] = sums.sides;
    let [white_danger, black_danger] = sums.danger;
    let on_white = danger_penalty(white_danger.middlegame(), white_danger.endgame());
    let on_black = danger_penalty(black_danger.middlegame(), black_danger.endgame());
    let middlegame = white.middlegame() - black.middlegame() - on_white.0 + on_black.0;
    let endgame = white.endgame() - black.endgame() - on_white.1 + on_black.1;
    let endgame = endgame + winnable_shift(endgame, sums.winnable.endgame());
    let phase = phase(position.material());
    let strong = Color::from_white(endgame > 0);
    let scale = scale(position, strong, passed);
    let value = tapered(middlegame, endgame, phase, scale);
    let value = fade(position, value);
    Finished { middlegame, endgame, phase, scale, value }
}

/// Half-moves without captures and pawn moves after which a score fades.
pub(crate) const FREE_PLIES: u16 = 20;

/// Without captures and pawn moves the score fades: the search sees progress. The first half-moves are
/// free, so that the table's scores of usual positions agree.
#[inline(always)]
pub(crate) fn fade(position: &Position, value: i32) -> i32 {
    let idle = position.halfmove_clock().min(100);
    match idle > FREE_PLIES {
        true => value * (200 + i32::from(FREE_PLIES) - i32::from(idle)) / 200,
        false => value,
    }
}

/// Between the two by the phase.
#[inline(always)]
pub(crate) fn tapered(middlegame: i32, endgame: i32, phase: i32, scale: i32) -> i32 {
    let endgame = endgame * scale / FULL_SCALE;
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// How much of the endgame's advantage counts, of 128.
#[inline(always)]
pub(crate) fn scale(position: &Position, strong: Color, passed: Bitboard) -> i32 {
    let pawns = position.men(strong, PieceKind::Pawn);
    let pieces = piece_points(position, strong);
    if pawns.is_empty() {
        let ahead = pieces - piece_points(position, !strong);
        return without_pawns(position, strong, pieces, ahead);
    }
    if opposite_bishops(position) {
        let own_passed = (passed & position.color(strong)).count() as i32;
        let alone = position.kind(PieceKind::Rook)
            | position.kind(PieceKind::Queen)
            | position.kind(PieceKind::Knight);
        return if alone.is_empty() {
            40 + 16 * own_passed.min(3)
        } else {
            92 + 6 * own_passed.min(4)
        };
    }
    (96 + 8 * pawns.count() as i32).min(FULL_SCALE)
}

/// The strong side has no pawn left: a minor piece more does not win.
#[inline(always)]
fn without_pawns(position: &Position, strong: Color, pieces: i32, ahead: i32) -> i32 {
    const ROOK: i32 = 5;
    let minors = [PieceKind::Knight, PieceKind::Bishop];
    let mut two_knights = true;
    for kind in [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        two_knights &= position.men(strong, kind).is_empty();
    }
    if pieces < ROOK || two_knights && pieces <= 6 {
        return 0;
    }
    // A rook or a queen against less, with nothing else, or pieces that differ by a minor.
    if ahead <= 3 {
        let few = position.material().count(strong, minors[0])
            + position.material().count(strong, minors[1]);
        return if ahead <= 2 { 14 } else { 20 + 4 * few as i32 };
    }
    FULL_SCALE
}

/// Pieces in the usual pawn units.
#[inline(always)]
fn piece_points(position: &Position, us: Color) -> i32 {
    let count = |kind| position.men(us, kind).count() as i32;
    count(PieceKind::Knight) * 3
        + count(PieceKind::Bishop) * 3
        + count(PieceKind::Rook) * 5
        + count(PieceKind::Queen) * 9
}

/// One bishop each, of different colours.
#[inline(always)]
fn opposite_bishops(position: &Position) -> bool {
    let bishops = position.kind(PieceKind::Bishop);
    let white = bishops & position.color(Color::White);
    let black = bishops & position.color(Color::Black);
    bishops.count() == 2
        && white.non_empty()
        && black.non_empty()
        && white.meets(Bitboard::DARK) != black.meets(Bitboard::DARK)
}
