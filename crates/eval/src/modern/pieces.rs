//! Knights, bishops, rooks and queens: where they stand and where they can go.

use super::context::EvalContext;
use crate::placed::Placed;
use crate::recorder::Recorder;
use crate::sets::{distance, folded, forward};
use crate::weights::*;
use board::attacks::{self, Isa, line};
use board::{Bitboard, Color, Material, PieceKind, Square};

/// Records the pieces of a side, and takes their attacks into the context.
#[inline(always)]
pub(crate) fn record<I: Isa, R: Recorder>(
    isa: I,
    us: Color,
    context: &mut EvalContext,
    recorder: &mut R,
) {
    knights(us, context, recorder);
    bishops(isa, us, context, recorder);
    rooks(isa, us, context, recorder);
    queens(isa, us, context, recorder);
    recorder.add(us, KING_SQUARES + folded(us, context.kings[us.index()]), 1);
}

/// A pinned piece may only move along the pin.
#[inline(always)]
fn along_pin(us: Color, square: Square, squares: Bitboard, context: &EvalContext) -> Bitboard {
    match context.pinned[us.index()].has(square) {
        true => squares & line(context.kings[us.index()], square),
        false => squares,
    }
}

/// Records what pieces are worth by themselves (pawns are worth it in their structure) and men to each
/// other, on either side: it depends on material alone.
#[inline(always)]
pub(crate) fn company<R: Recorder>(us: Color, material: Material, recorder: &mut R) {
    let kinds =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    // Counted once: the loops below are not always unrolled.
    let [own, enemy] = [us, !us].map(|side| kinds.map(|kind| material.count(side, kind) as i32));
    // Own pawns beyond five: knights like them, rooks do not.
    let pawns = own[0] - 5;
    recorder.add(us, KNIGHT_PAWNS, own[1] * pawns);
    recorder.add(us, ROOK_PAWNS, own[3] * pawns);
    for (kind, &count) in own.iter().enumerate().skip(1) {
        recorder.add(us, MATERIAL + kind, count);
    }
    let (mut pair, mut rival) = (PAIRS, RIVALS);
    for first in 0..5 {
        for second in 0..=first {
            recorder.add(us, pair, own[first] * own[second]);
            pair += 1;
        }
        for count in &enemy[..first] {
            recorder.add(us, rival, own[first] * count);
            rival += 1;
        }
    }
}

#[inline(always)]
fn knights<R: Recorder>(us: Color, context: &mut EvalContext, recorder: &mut R) {
    let own = context.men(us, PieceKind::Knight);
    for square in own {
        let squares = along_pin(us, square, attacks::knight(square), context);
        let mobility = context.note(us, PieceKind::Knight, squares, recorder);
        recorder.placed(us, Placed::Knight, square, context.views[us.index()]);
        recorder.add(us, KNIGHT_MOBILITY + mobility, 1);
        if is_outpost(us, square, context) {
            let supported = context.by(us, PieceKind::Pawn).has(square);
            recorder.add(us, KNIGHT_OUTPOST + supported as usize, 1);
        }
        minor(us, square, 0, context, recorder);
    }
}

/// What knights and bishops share.
#[inline(always)]
fn minor<R: Recorder>(
    us: Color,
    square: Square,
    kind: usize,
    context: &EvalContext,
    recorder: &mut R,
) {
    if forward(us, square.bb()).meets(context.position.kind(PieceKind::Pawn)) {
        recorder.add(us, BEHIND_PAWN + kind, 1);
    }
    recorder.add(us, KING_DISTANCE + kind, distance(square, context.kings[us.index()]));
}

/// A square from the fourth rank to the sixth that no enemy pawn can ever attack.
#[inline(always)]
fn is_outpost(us: Color, square: Square, context: &EvalContext) -> bool {
    let rank = square.rank_for(us);
    (3..=5).contains(&rank) && !context.spans[(!us).index()].has(square)
}

#[inline(always)]
fn bishops<I: Isa, R: Recorder>(isa: I, us: Color, context: &mut EvalContext, recorder: &mut R) {
    const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
    const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    let own = context.men(us, PieceKind::Bishop);
    if own.is_empty() {
        return;
    }
    if own.meets(Bitboard::DARK) && own.meets(!Bitboard::DARK) {
        recorder.add(us, BISHOP_PAIR, 1);
    }
    let pawns = context.men(us, PieceKind::Pawn);
    let blocked = (pawns & CENTRE_FILES & forward(!us, context.occupied)).count() as i32;
    let see_through = context.occupied.without(context.men(us, PieceKind::Queen));
    for square in own {
        let squares = along_pin(us, square, isa.bishop(square, see_through), context);
        let mobility = context.note(us, PieceKind::Bishop, squares, recorder);
        recorder.placed(us, Placed::Bishop, square, context.views[us.index()]);
        recorder.add(us, BISHOP_MOBILITY + mobility, 1);
        if is_outpost(us, square, context) {
            let supported = context.by(us, PieceKind::Pawn).has(square);
            recorder.add(us, BISHOP_OUTPOST + supported as usize, 1);
        }
        let color = if Bitboard::DARK.has(square) { Bitboard::DARK } else { !Bitboard::DARK };
        let same = (pawns & color).count() as i32;
        recorder.add(us, BAD_BISHOP, same);
        recorder.add(us, BAD_BISHOP + 1, same * blocked);
        let past_pawns = isa.bishop(square, context.position.kind(PieceKind::Pawn));
        if (past_pawns & CENTRE).several() {
            recorder.add(us, LONG_DIAGONAL, 1);
        }
        if is_trapped(us, square, context) {
            recorder.add(us, TRAPPED_BISHOP, 1);
        }
        minor(us, square, 1, context, recorder);
    }
}

/// On a7 or h7 with an enemy pawn on b6 or g6 (a6 and b5 too): it took a pawn and will not come back.
#[inline(always)]
fn is_trapped(us: Color, square: Square, context: &EvalContext) -> bool {
    let edge = Bitboard::FILE_A | Bitboard::FILE_H;
    if !edge.has(square) || !matches!(square.rank_for(us), 5 | 6) {
        return false;
    }
    // One of the two squares behind a man on the edge is on the board.
    let way_back = attacks::pawn(!us, square);
    let gate = forward(us, way_back);
    let enemy = context.men(!us, PieceKind::Pawn);
    way_back.meets(enemy) && (gate.meets(enemy) || square.rank_for(us) == 6)
}

#[inline(always)]
fn rooks<I: Isa, R: Recorder>(isa: I, us: Color, context: &mut EvalContext, recorder: &mut R) {
    let own = context.men(us, PieceKind::Rook);
    if own.is_empty() {
        return;
    }
    let (pawns, enemy_pawns) =
        (context.men(us, PieceKind::Pawn), context.men(!us, PieceKind::Pawn));
    let see_through = context.occupied.without(own | context.men(us, PieceKind::Queen));
    let stuck = pawns & forward(!us, context.occupied);
    let seventh = Bitboard::rank(if us == Color::White { 6 } else { 1 });
    let shut_in = context.kings[(!us).index()].rank_for(us) == 7;
    for square in own {
        let squares = along_pin(us, square, isa.rook(square, see_through), context);
        let mobility = context.note(us, PieceKind::Rook, squares, recorder);
        recorder.placed(us, Placed::Rook, square, context.views[us.index()]);
        recorder.add(us, ROOK_MOBILITY + mobility, 1);
        let file = Bitboard::file(square.file());
        if !file.meets(pawns) {
            recorder.add(us, ROOK_FILE + !file.meets(enemy_pawns) as usize, 1);
        } else {
            if file.meets(stuck) {
                recorder.add(us, ROOK_CLOSED, 1);
            }
            if mobility <= 3 {
                trapped_rook(us, square, context, recorder);
            }
        }
        if seventh.has(square) && (shut_in || seventh.meets(enemy_pawns)) {
            recorder.add(us, ROOK_SEVENTH, 1);
        }
    }
}

/// Between its king and the edge of the board.
#[inline(always)]
fn trapped_rook<R: Recorder>(us: Color, square: Square, context: &EvalContext, recorder: &mut R) {
    let king = context.kings[us.index()].file();
    let outside = if king < 4 { square.file() < king } else { square.file() > king };
    if outside {
        let stays = context.position.castling_rooks(us).is_empty();
        recorder.add(us, TRAPPED_ROOK + stays as usize, 1);
    }
}

#[inline(always)]
fn queens<I: Isa, R: Recorder>(isa: I, us: Color, context: &mut EvalContext, recorder: &mut R) {
    let own = context.men(us, PieceKind::Queen);
    for square in own {
        let squares = along_pin(us, square, isa.queen(square, context.occupied), context);
        let mobility = context.note(us, PieceKind::Queen, squares, recorder);
        recorder.placed(us, Placed::Queen, square, context.views[us.index()]);
        recorder.add(us, QUEEN_MOBILITY + mobility, 1);
    }
}
