//! Pawn structure and the king's shelter: what depends on pawns (and a king's square) alone, and is
//! therefore remembered (M16, M17, D32).

use super::cache::PawnEntry;
use crate::recorder::Recorder;
use crate::sets::{beside, fill_forward, folded_file, forward, passed_span, sideways, view};
use crate::weights::*;
use board::{Bitboard, Color, PieceKind, Position, attacks};

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
        let phalanx = own & sideways(own);
        let [west, east] = attacks_by_side(us, own);
        for square in own {
            let rank = square.rank_for(us) as usize;
            recorder.add(us, PAWN_SQUARES + (square.index() ^ own_view), 1);
            recorder.add(us, PAWN_AIM + (square.index() ^ enemy_view), 1);
            recorder.add(us, PHALANX + rank, phalanx.has(square) as i32);
            let support = west.has(square) as i32 + east.has(square) as i32;
            recorder.add(us, SUPPORTED + rank, support);
        }
        entry.passed |= weak_and_passed(us, own, enemy, recorder);
    }
    entry
}

/// The squares that pawns attack to the west and to the east.
#[inline(always)]
fn attacks_by_side(us: Color, pawns: Bitboard) -> [Bitboard; 2] {
    let west = Bitboard(pawns.without(Bitboard::FILE_A).0 >> 1);
    let east = Bitboard(pawns.without(Bitboard::FILE_H).0 << 1);
    [forward(us, west), forward(us, east)]
}

/// What depends on the pawns around, found for all pawns at once; which of them are passed.
#[inline(always)]
fn weak_and_passed<R: Recorder>(
    us: Color,
    own: Bitboard,
    enemy: Bitboard,
    recorder: &mut R,
) -> Bitboard {
    let files = fill_forward(us, own) | fill_forward(!us, own);
    let isolated = own.without(sideways(files));
    // Those behind another on their file, and those with an enemy ahead on it, or on one beside it.
    let doubled = own & fill_forward(!us, forward(!us, own));
    let opposed = own & fill_forward(!us, forward(!us, enemy));
    let stopped = own & fill_forward(!us, forward(!us, enemy | sideways(enemy)));
    // Those that stand beside or behind can still come to its help.
    let helped = own & fill_forward(us, sideways(own));
    let held = forward(!us, attacks::pawn_attacks_of(!us, enemy) | enemy);
    let backward = own.without(isolated | helped) & held;

    recorder.add(us, DOUBLED, doubled.without(isolated).count() as i32);
    recorder.add(us, DOUBLED + 1, (doubled & isolated).count() as i32);
    recorder.add(us, BACKWARD, backward.count() as i32);
    let unopposed = (isolated | backward).without(opposed);
    recorder.add(us, WEAK_UNOPPOSED, unopposed.count() as i32);
    for square in isolated {
        recorder.add(us, ISOLATED + folded_file(square.file()) as usize, 1);
    }
    for square in (own & stopped).without(doubled | opposed) {
        let span = passed_span(us, square);
        let helpers = (own & beside(square.file())).without(span);
        let candidate = helpers.count() >= (span & enemy).count();
        recorder.add(us, CANDIDATE + square.rank_for(us) as usize, candidate as i32);
    }
    let passed = own.without(doubled | stopped);
    for square in passed {
        recorder.add(us, PASSED + square.rank_for(us) as usize, 1);
        recorder.add(us, PASSED_FILE + folded_file(square.file()) as usize, 1);
    }
    passed
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
