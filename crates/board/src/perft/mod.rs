//! Counting the leaves of the tree of legal moves: the test of every generator (D13).
//!
//! [`perft`] and [`perft_playing_all`] are the plain counts. [`Counting`] counts the same on several
//! threads and with a shared table of counts; [`suite`] reads files of expected counts.

mod counting;
pub mod suite;
mod table;

pub use counting::{Counting, Part};
pub use table::{CountTable, TableError};

use crate::attacks::{Isa, Kernel, dispatch};
use crate::generate::{Counter, Generate, Sink, generate};
use crate::{Bitboard, Color, Move, MoveList, Piece, PieceKind, Position, Square, Stage};

/// The deepest count that the tools accept. No position that is not locked up gets near it, and a
/// recursion of this depth fits on the stack of any thread.
pub const MAX_DEPTH: u32 = 255;

/// The number of legal lines of `depth` half-moves; the last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    dispatch(Bulk(position, depth))
}

/// As [`perft`], but every move of every ply is played.
pub fn perft_playing_all(position: &Position, depth: u32) -> u64 {
    dispatch(Single(position, depth))
}

struct Bulk<'a>(&'a Position, u32);

impl Kernel for Bulk<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Bulk(position, depth) = self;
        match depth {
            0 => 1,
            1 => {
                let mut counter = Counter::default();
                generate(isa, position, Stage::All, &mut counter);
                u64::from(counter.count())
            }
            _ => {
                let mut moves = MoveList::new();
                generate(isa, position, Stage::All, &mut moves);
                let mut leaves = 0;
                for &mv in moves.iter() {
                    let mut next = *position;
                    position.make_on(isa, mv, &mut next);
                    leaves += isa.call(Bulk(&next, depth - 1));
                }
                leaves
            }
        }
    }
}

/// Below this depth counting is cheaper than the cache miss of a look at the table.
const SHALLOWEST: u32 = 2;

/// As [`Bulk`] or [`Single`], with a table. Transpositions make depths reachable whose counts no
/// 64 bits hold (two lone kings at depth 25): the sums stop at `u64::MAX`.
struct Hashed<'a> {
    position: &'a Position,
    depth: u32,
    table: &'a CountTable,
    play_all: bool,
}

impl Kernel for Hashed<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Hashed { position, depth, table, play_all } = self;
        if depth < SHALLOWEST {
            return match play_all {
                true => isa.call(Single(position, depth)),
                false => isa.call(Bulk(position, depth)),
            };
        }
        let key = CountTable::key(position, depth);
        if let Some(count) = table.get(key) {
            return count;
        }
        let mut moves = MoveList::new();
        isa.call(Generate { position, stage: Stage::All, sink: &mut moves });
        let mut count = 0u64;
        for &mv in moves.iter() {
            let mut next = *position;
            position.make_on(isa, mv, &mut next);
            let below = Hashed { position: &next, depth: depth - 1, table, play_all };
            count = count.saturating_add(isa.call(below));
        }
        table.put(key, count);
        count
    }
}

/// As [`Bulk`], but each move is played: the generator hands each man and its targets to a sink that plays
/// them at once. The side and the kind of man are constants there, so that a move needs no look at what
/// moves. This is what can be learned from generators made of templates; the positions are complete all
/// the same, with all their keys, checkers and pins.
struct Single<'a>(&'a Position, u32);

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
            // The optimiser must not see that the new position is not used.
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
