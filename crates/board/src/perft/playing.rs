//! Counting by playing every move of every ply.
//!
//! The generator hands each man and its targets to a sink that plays them at once: the side and the
//! kind of man are constants there, so that a move needs no look at what moves. This is what can be
//! learned from generators made of templates; the positions are complete all the same, with all
//! their keys, checkers and pins.

use crate::attacks::{Isa, Kernel};
use crate::generate::{Sink, generate};
use crate::{Bitboard, Color, Move, Piece, PieceKind, Position, Square, Stage};

/// The lines of a number of half-moves from a position, each move played.
pub(super) struct Single<'a>(pub &'a Position, pub u32);

impl Kernel for Single<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Single(position, depth) = self;
        if depth == 0 {
            return 1;
        }
        let mut player = Player { isa, position, depth, leaves: 0 };
        generate(isa, position, Stage::All, &mut player);
        player.leaves
    }
}

/// Plays what it is given and counts what lies below.
struct Player<'a, I> {
    isa: I,
    position: &'a Position,
    depth: u32,
    leaves: u64,
}

impl<I: Isa> Player<'_, I> {
    #[inline(always)]
    fn normal(&mut self, us: Color, kind: PieceKind, from: Square, to: Square) {
        let mut next = *self.position;
        next.play_normal(self.isa, self.position, us, Piece::new(us, kind), from, to);
        self.count(&next);
    }

    #[inline(always)]
    fn count(&mut self, next: &Position) {
        if self.depth == 1 {
            // The optimiser must not see that nobody looks at the new position.
            std::hint::black_box(next);
            self.leaves += 1;
        } else {
            self.leaves += self.isa.call(Single(next, self.depth - 1));
        }
    }
}

impl<I: Isa> Sink for Player<'_, I> {
    #[inline(always)]
    fn man<const WHITE: bool>(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.normal(Color::from_white(WHITE), kind, from, to);
        }
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: Bitboard, delta: i8) {
        for to in targets {
            self.normal(Color::from_white(WHITE), PieceKind::Pawn, to.offset(-delta), to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                self.one(Move::promotion(to.offset(-delta), to, kind));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        let mut next = *self.position;
        self.position.make_on(self.isa, mv, &mut next);
        self.count(&next);
    }
}
