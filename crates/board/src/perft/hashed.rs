//! Counting with a table: positions that were met before at the same depth are not counted again.

use super::{Bulk, CountTable, Single};
use crate::attacks::{Isa, Kernel};
use crate::generate::generate;
use crate::{MoveList, Position, Stage};

/// Below this depth counting is cheaper than the cache miss of a look at the table.
const SHALLOWEST: u32 = 2;

/// As [`Bulk`] or [`Single`], with a table. Transpositions make depths reachable whose counts no
/// 64 bits hold (two lone kings at depth 25): the sums stop at `u64::MAX`.
pub(super) struct Hashed<'a> {
    pub position: &'a Position,
    pub depth: u32,
    pub table: &'a CountTable,
    pub play_all: bool,
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
        generate(isa, position, Stage::All, &mut moves);
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
