//! What the terms share: who attacks what, where the kings live, where a man may go.

use crate::placed;
use crate::recorder::Recorder;
use crate::sets::{forward, king_ring};
use crate::weights::*;
use board::attacks::{self, between};
use board::{Bitboard, Color, PieceKind, Position, Square};

/// The sets of one position. Arrays are by colour.
pub(crate) struct EvalContext<'a> {
    pub position: &'a Position,
    pub occupied: Bitboard,
    pub passed: Bitboard,
    /// Where pawns attack or could attack.
    pub spans: [Bitboard; 2],
    pub kings: [Square; 2],
    pub rings: [Bitboard; 2],
    /// How a side sees the board ([`placed::view`]).
    pub views: [usize; 2],
    /// Squares that count as mobility.
    pub area: [Bitboard; 2],
    /// Men that may not leave the line to their king.
    pub pinned: [Bitboard; 2],
    pub attacked: [Bitboard; 2],
    pub twice: [Bitboard; 2],
    /// How many pieces attack a side's ring.
    pub crowd: [usize; 2],
    /// Attacks by kind of man.
    pub by: [[Bitboard; 6]; 2],
}

impl<'a> EvalContext<'a> {
    #[inline(always)]
    pub(crate) fn new(
        position: &'a Position,
        passed: Bitboard,
        spans: [Bitboard; 2],
    ) -> EvalContext<'a> {
        let mut context = EvalContext {
            position,
            occupied: position.occupied(),
            passed,
            spans,
            kings: [position.king(Color::White), position.king(Color::Black)],
            rings: [Bitboard::EMPTY; 2],
            views: [0; 2],
            area: [Bitboard::EMPTY; 2],
            pinned: [Bitboard::EMPTY; 2],
            attacked: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            crowd: [0; 2],
            by: [[Bitboard::EMPTY; 6]; 2],
        };
        context.prepare(Color::White);
        context.prepare(Color::Black);
        let us = position.side_to_move();
        context.pinned[us.index()] = position.pinned();
        context.pinned[(!us).index()] = context.pins(!us);
        context
    }

    #[inline(always)]
    fn prepare(&mut self, us: Color) {
        let (position, own) = (self.position, self.position.men(us, PieceKind::Pawn));
        let enemy = position.men(!us, PieceKind::Pawn);
        let king = self.kings[us.index()];
        let by_pawns = attacks::pawn_attacks_of(us, own);
        let by_enemy_pawns = attacks::pawn_attacks_of(!us, enemy);
        let by_king = attacks::king(king);
        self.views[us.index()] = placed::view(us, king, self.kings[(!us).index()]);
        self.by[us.index()][PieceKind::Pawn.index()] = by_pawns;
        self.by[us.index()][PieceKind::King.index()] = by_king;
        self.attacked[us.index()] = by_pawns | by_king;
        let both_sides = twice_by_pawns(us, own);
        self.twice[us.index()] = by_pawns & by_king | both_sides;
        // What two pawns protect needs no other guard and is hard to storm.
        self.rings[us.index()] = king_ring(us, king).without(both_sides);
        let low = match us {
            Color::White => Bitboard(0x0000_0000_00ff_ff00),
            Color::Black => Bitboard(0x00ff_ff00_0000_0000),
        };
        let stuck = own & (low | forward(!us, self.occupied));
        let heavy = position.men(us, PieceKind::Queen) | king.bb();
        self.area[us.index()] = !(stuck | heavy | by_enemy_pawns);
    }

    /// The pinned men of the side that is not to move; the position knows the others.
    #[inline(always)]
    fn pins(&self, us: Color) -> Bitboard {
        let king = self.kings[us.index()];
        let (diagonal, straight) = attacks::lines(king);
        let aligned = diagonal & self.position.diagonal_sliders(!us)
            | straight & self.position.straight_sliders(!us);
        let mut pinned = Bitboard::EMPTY;
        for slider in aligned {
            let blockers = between(king, slider) & self.occupied;
            if !blockers.several() {
                pinned |= blockers & self.position.color(us);
            }
        }
        pinned
    }

    /// Takes a piece's attacks into the sets; its attacks on the enemy king count there.
    #[inline(always)]
    pub(crate) fn note<R: Recorder>(
        &mut self,
        us: Color,
        kind: PieceKind,
        squares: Bitboard,
        recorder: &mut R,
    ) -> usize {
        let (us_index, them) = (us.index(), !us);
        self.twice[us_index] |= self.attacked[us_index] & squares;
        self.attacked[us_index] |= squares;
        self.by[us_index][kind.index()] |= squares;
        if squares.meets(self.rings[them.index()]) {
            self.crowd[them.index()] += 1;
            recorder.danger(them, DANGER_ATTACKER + kind.index() - 1, 1);
            let beside_king = squares & self.by[them.index()][PieceKind::King.index()];
            recorder.danger(them, DANGER_RING, beside_king.count() as i32);
        }
        (squares & self.area[us_index]).count() as usize
    }

    /// The men of a side and kind.
    #[inline(always)]
    pub(crate) fn men(&self, us: Color, kind: PieceKind) -> Bitboard {
        self.position.men(us, kind)
    }

    /// What a side attacks with one kind of man.
    #[inline(always)]
    pub(crate) fn by(&self, us: Color, kind: PieceKind) -> Bitboard {
        self.by[us.index()][kind.index()]
    }
}

/// The squares that two pawns attack.
#[inline(always)]
fn twice_by_pawns(us: Color, pawns: Bitboard) -> Bitboard {
    let west = Bitboard(pawns.0 >> 1 & !Bitboard::FILE_H.0);
    let east = Bitboard(pawns.0 << 1 & !Bitboard::FILE_A.0);
    forward(us, west & east)
}
