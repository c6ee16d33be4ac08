//! Going back: from the positions that are decided at one level to those from which a quiet move
//! leads there.

use super::memory::{CHUNK, Memory};
use crate::layout::Layout;
use crate::placement::{Placement, behind};
use crate::symmetry::is_on_diagonal;
use board::attacks::{self, Isa, Kernel};
use board::{Bitboard, Color, PieceKind, Square};

/// Hears what becomes known about positions before a move.
pub trait Hear {
    /// `moves` moves of `side` at the position `before` lead to one that is decided at `level`.
    fn hear(&mut self, side: usize, before: usize, level: u16, moves: u16);
}

impl Hear for &Memory {
    #[inline(always)]
    fn hear(&mut self, side: usize, before: usize, level: u16, moves: u16) {
        match level & 1 {
            0 => self.can_win(side, before, level),
            _ => self.loses_hope(side, before, level, moves),
        }
    }
}

/// Works on the positions of one chunk, with one side to move, that are decided at one level.
pub struct GoBack<'a> {
    pub layout: &'a Layout,
    pub memory: &'a Memory,
    pub side: Color,
    pub chunk: usize,
    pub level: u16,
}

impl Kernel for GoBack<'_> {
    /// How many positions were decided.
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        if !self.memory.may_hold(self.side.index(), self.chunk, self.level) {
            return 0;
        }
        let begin = self.chunk * CHUNK;
        let mut decided = 0;
        let GoBack { layout, memory, side, level, .. } = self;
        let mut retract = Retract { layout, side, level, hearer: memory };
        for index in begin..layout.size().min(begin + CHUNK) {
            if memory.get(side.index(), index) == level {
                decided += 1;
                retract.all(isa, index);
            }
        }
        decided
    }
}

/// Takes moves back from positions that are decided at one level.
pub struct Retract<'a, H> {
    pub layout: &'a Layout,
    /// Who is to move there.
    pub side: Color,
    pub level: u16,
    pub hearer: H,
}

impl<H: Hear> Retract<'_, H> {
    /// Takes back every quiet move of the other side.
    #[inline(always)]
    pub fn all<I: Isa>(&mut self, isa: I, index: usize) {
        let Some(placement) = Placement::new(self.layout, self.layout.squares(index)) else {
            return;
        };
        self.retract_all(isa, &placement, index);
    }

    #[inline(always)]
    fn retract_all<I: Isa>(&mut self, isa: I, placement: &Placement<'_>, index: usize) {
        // Where both kings stand on the diagonal a number is the smaller of two: no short cut.
        let folded = !self.layout.pawns
            && is_on_diagonal(placement.squares[0])
            && is_on_diagonal(placement.squares[1]);
        let mirrored = folded && self.layout.index_and_symmetry(&placement.squares).1;
        for (slot, man) in self.layout.men().iter().enumerate() {
            if man.color == self.side {
                continue;
            }
            let origins = self.origins(isa, placement, slot);
            let single = man.kind != PieceKind::King && self.layout.group_of(slot).count == 1;
            if single && !folded {
                let stride = self.layout.group_of(slot).stride;
                let here = stride * usize::from(placement.squares[slot]);
                for from in origins {
                    self.settle(index + stride * from.index() - here, 1);
                }
            } else {
                for from in origins {
                    self.retract(placement, slot, from, mirrored);
                }
            }
        }
    }

    /// One move back, with a full look at the symmetry.
    ///
    /// A position that a mirroring takes to itself has its moves in mirrored pairs, and both moves of a
    /// pair lead to one number. Seen from such a position one of each pair of ways back is enough; a
    /// way back to such a position stands for two moves.
    #[inline(always)]
    fn retract(&mut self, placement: &Placement<'_>, slot: usize, from: Square, mirrored: bool) {
        let mut squares = placement.squares;
        squares[slot] = from.index() as u8;
        let (before, was_mirrored) = self.layout.index_and_symmetry(&squares);
        if mirrored && !was_mirrored {
            let to = placement.square(slot);
            let of_pair = if from.rank() == from.file() { to } else { from };
            if of_pair.rank() > of_pair.file() {
                return;
            }
        }
        let moves = if was_mirrored && !mirrored { 2 } else { 1 };
        self.settle(before, moves);
    }

    /// Tells the position before the move.
    #[inline(always)]
    fn settle(&mut self, before: usize, moves: u16) {
        self.hearer.hear((!self.side).index(), before, self.level, moves);
    }

    /// Where a man may have come from by a quiet move.
    #[inline(always)]
    fn origins<I: Isa>(&self, isa: I, placement: &Placement<'_>, slot: usize) -> Bitboard {
        let man = self.layout.men()[slot];
        match man.kind {
            PieceKind::Pawn => self.pawn_origins(isa, placement, slot),
            PieceKind::King => {
                let other = attacks::king(placement.king(self.side));
                placement.attacks(isa, slot).without(placement.occupied() | other)
            }
            _ => placement.attacks(isa, slot).without(placement.occupied()),
        }
    }

    #[inline(always)]
    fn pawn_origins<I: Isa>(&self, isa: I, placement: &Placement<'_>, slot: usize) -> Bitboard {
        let mover = !self.side;
        let pawn = placement.square(slot);
        let back = behind(pawn, mover);
        if pawn.rank_for(mover) < 2 || placement.occupied().has(back) {
            return Bitboard::EMPTY;
        }
        let start = behind(back, mover);
        if pawn.rank_for(mover) != 3 || placement.occupied().has(start) {
            return back.bb();
        }
        let mut takers = placement.passers_by(slot);
        let capturable = takers.any(|from| placement.may_take_en_passant(isa, from, slot));
        if capturable { back.bb() } else { back.bb() | start.bb() }
    }
}
