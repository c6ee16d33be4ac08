//! A placement of few men, as the builder sees it: attacks and checks without a full position.
//!
//! Everything here is inlined into kernels (see `board::attacks::Kernel`).

use crate::layout::{Layout, Squares};
use board::attacks::{self, Isa};
use board::{Bitboard, Color, PieceKind, Square};

/// A placement with the sets of its men.
#[derive(Clone, Copy)]
pub(crate) struct Placement<'a> {
    pub layout: &'a Layout,
    pub squares: Squares,
    pub sides: [Bitboard; 2],
}

/// The squares that a man attacks.
#[inline(always)]
fn attacked<I: Isa>(
    isa: I,
    color: Color,
    kind: PieceKind,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    match kind {
        PieceKind::Pawn => attacks::pawn(color, square),
        PieceKind::Knight => attacks::knight(square),
        PieceKind::Bishop => isa.bishop(square, occupied),
        PieceKind::Rook => isa.rook(square, occupied),
        PieceKind::Queen => isa.queen(square, occupied),
        PieceKind::King => attacks::king(square),
    }
}

impl<'a> Placement<'a> {
    /// The placement; none if two men stand on one square.
    #[inline(always)]
    pub fn new(layout: &'a Layout, squares: Squares) -> Option<Placement<'a>> {
        let mut sides = [Bitboard::EMPTY; 2];
        for (man, &square) in layout.men().iter().zip(&squares) {
            sides[man.color.index()] |= Square::new(square).bb();
        }
        let all = sides[0] | sides[1];
        (all.count() as usize == layout.men().len()).then_some(Placement { layout, squares, sides })
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    #[inline(always)]
    pub fn square(&self, slot: usize) -> Square {
        Square::new(self.squares[slot])
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.square(color.index())
    }

    /// What the man attacks as the board stands.
    #[inline(always)]
    pub fn attacks<I: Isa>(&self, isa: I, slot: usize) -> Bitboard {
        let man = self.layout.men()[slot];
        attacked(isa, man.color, man.kind, self.square(slot), self.occupied())
    }

    /// Whether a side attacks a square, with other men on the board (`occupied`) and without one of
    /// its own (the slot `without`, or none beyond the men).
    #[inline(always)]
    pub fn is_attacked<I: Isa>(
        &self,
        isa: I,
        target: Square,
        by: Color,
        occupied: Bitboard,
        without: usize,
    ) -> bool {
        for (slot, man) in self.layout.men().iter().enumerate() {
            if man.color == by
                && slot != without
                && attacked(isa, by, man.kind, self.square(slot), occupied).has(target)
            {
                return true;
            }
        }
        false
    }

    /// Which man stands on an occupied square.
    #[inline(always)]
    pub fn slot_on(&self, square: Square) -> usize {
        let wanted = square.index() as u8;
        let slots = self.squares[..self.layout.men().len()].iter();
        slots.enumerate().fold(0, |found, (slot, &at)| if at == wanted { slot } else { found })
    }

    /// The men that can take a pawn en passant that has just made a double step to its square; empty
    /// if the pawn cannot have come that way. Whether the captures are legal is another question.
    #[inline(always)]
    pub fn passers_by(&self, pawn_slot: usize) -> Bitboard {
        let pawn = self.square(pawn_slot);
        let mover = self.layout.men()[pawn_slot].color;
        if pawn.rank_for(mover) != 3 {
            return Bitboard::EMPTY;
        }
        let behind = behind(pawn, mover);
        let path = behind.bb() | self::behind(behind, mover).bb();
        if self.occupied().meets(path) {
            return Bitboard::EMPTY;
        }
        let mut theirs = Bitboard::EMPTY;
        for (slot, man) in self.layout.men().iter().enumerate() {
            if man.kind == PieceKind::Pawn && man.color != mover {
                theirs |= self.square(slot).bb();
            }
        }
        attacks::pawn(mover, behind) & theirs
    }

    /// Whether a man may take that pawn en passant without leaving its king in check.
    #[inline(always)]
    pub fn may_take_en_passant<I: Isa>(&self, isa: I, from: Square, pawn_slot: usize) -> bool {
        let pawn = self.square(pawn_slot);
        let mover = self.layout.men()[pawn_slot].color;
        let target = behind(pawn, mover);
        let occupied = (self.occupied() ^ from.bb() ^ pawn.bb()) | target.bb();
        !self.is_attacked(isa, self.king(!mover), mover, occupied, pawn_slot)
    }
}

/// The square one step back, as a side sees it.
#[inline(always)]
pub(crate) fn behind(square: Square, color: Color) -> Square {
    square.offset(match color {
        Color::White => -8,
        Color::Black => 8,
    })
}
