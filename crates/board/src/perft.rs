//! Counting the leaves of the tree of legal moves: the test of every generator (D13).

use crate::attacks::{Isa, Kernel, dispatch};
use crate::generate::{Counter, generate};
use crate::{MoveList, Position, Stage};

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

struct Single<'a>(&'a Position, u32);

impl Kernel for Single<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Single(position, depth) = self;
        if depth == 0 {
            return 1;
        }
        let mut moves = MoveList::new();
        generate(isa, position, Stage::All, &mut moves);
        let mut leaves = 0;
        for &mv in moves.iter() {
            let mut next = *position;
            position.make_on(isa, mv, &mut next);
            if depth == 1 {
                // The optimiser must not see that nobody looks at the new position.
                std::hint::black_box(&next);
                leaves += 1;
            } else {
                leaves += isa.call(Single(&next, depth - 1));
            }
        }
        leaves
    }
}
