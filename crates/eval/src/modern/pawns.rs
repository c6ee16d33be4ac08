//! Pawn structure and the king's shelter: what depends on pawns (and a king's square) alone, and is
//! therefore remembered (M16, M17, D32).

use super::cache::PawnEntry;
use crate::recorder::Recorder;
use crate::sets::{ahead, beside, fill_forward, folded_file, forward, passed_span, view};
use crate::weights::*;
use board::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The pawns, and the half of the board that each king is on: all that [`structure`] depends on.
#[inline(always)]
pub(crate) fn cache_key(position: &Position) -> u64 {
    let half = |us| u64::from(position.king(us).file() >> 2);
    let halves = half(Color::White) * 2 + half(Color::Black);
    position.pawn_key() ^ halves.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Records the pawns of both sides; the sets go into the entry, the scores to the recorder.
#[inline(always)]
pub(crate) fn structure<R: Recorder>(position: &Position, recorder: &mut R) -> PawnEntry {
    let mut entry = PawnEntry::empty(cache_key(position));
    for us in Color::ALL {
        let own = position.men(us, PieceKind::Pawn);
        entry.spans[us.index()] = fill_forward(us, attacks::pawn_attacks_of(us, own));
        recorder.add(us, MATERIAL, own.count() as i32);
        let enemy = position.men(!us, PieceKind::Pawn);
        let own_view = view(us, position.king(us));
        let enemy_view = view(us, position.king(!us));
        for square in own {
            recorder.add(us, PAWN_SQUARES + (square.index() ^ own_view), 1);
            recorder.add(us, PAWN_AIM + (square.index() ^ enemy_view), 1);
            if pawn(us, square, own, enemy, recorder) {
                entry.passed |= square.bb();
            }
        }
    }
    entry
}

/// One pawn; whether it is passed.
#[inline(always)]
fn pawn<R: Recorder>(
    us: Color,
    square: Square,
    own: Bitboard,
    enemy: Bitboard,
    recorder: &mut R,
) -> bool {
    let rank = square.rank_for(us) as usize;
    let step = forward(us, square.bb());
    let neighbours = own & beside(square.file());
    let beside_it = neighbours & Bitboard::rank(square.rank());
    let support = neighbours & attacks::pawn(!us, square);
    let opposed = ahead(us, square).meets(enemy);
    let stoppers = passed_span(us, square) & enemy;
    let doubled = ahead(us, square).meets(own);
    // Those that stand beside or behind can still come to its help.
    let helpers = neighbours.without(passed_span(us, square));

    if doubled {
        recorder.add(us, DOUBLED + neighbours.is_empty() as usize, 1);
    }
    if neighbours.is_empty() {
        recorder.add(us, ISOLATED + folded_file(square.file()) as usize, 1);
        recorder.add(us, WEAK_UNOPPOSED, !opposed as i32);
    } else if helpers.is_empty() && (attacks::pawn_attacks_of(!us, enemy) | enemy).meets(step) {
        recorder.add(us, BACKWARD, 1);
        recorder.add(us, WEAK_UNOPPOSED, !opposed as i32);
    }
    if beside_it.non_empty() {
        recorder.add(us, PHALANX + rank, 1);
    }
    recorder.add(us, SUPPORTED + rank, support.count() as i32);
    if doubled {
        return false;
    }
    if stoppers.is_empty() {
        recorder.add(us, PASSED + rank, 1);
        recorder.add(us, PASSED_FILE + folded_file(square.file()) as usize, 1);
        return true;
    }
    if !opposed && helpers.count() >= stoppers.count() {
        recorder.add(us, CANDIDATE + rank, 1);
    }
    false
}

/// Records the shelter of a king: on its file and the two beside it, the nearest own pawn that is not
/// behind it, and the nearest enemy pawn that comes.
#[inline(always)]
pub(crate) fn shelter<R: Recorder>(us: Color, position: &Position, recorder: &mut R) {
    let king = position.king(us);
    let in_front = fill_forward(us, Bitboard::rank(king.rank()));
    let own = position.men(us, PieceKind::Pawn) & in_front;
    let enemy = position.men(!us, PieceKind::Pawn) & in_front;
    let centre = king.file().clamp(1, 6);
    let mut file = centre - 1;
    while file <= centre + 1 {
        let edge = folded_file(file) as usize * 8;
        let own_rank = nearest(us, own & Bitboard::file(file));
        let enemy_rank = nearest(us, enemy & Bitboard::file(file));
        recorder.add(us, SHELTER + edge + own_rank, 1);
        if own_rank != 0 && enemy_rank == own_rank + 1 {
            recorder.add(us, STORM_BLOCKED + enemy_rank, 1);
        } else {
            recorder.add(us, STORM + edge + enemy_rank, 1);
        }
        file += 1;
    }
}

/// The rank of the man nearest to a side's back rank, 0 for none.
#[inline(always)]
fn nearest(us: Color, set: Bitboard) -> usize {
    let relative = match us {
        Color::White => set,
        Color::Black => set.flip(),
    };
    if relative.is_empty() { 0 } else { relative.lowest().rank() as usize }
}
