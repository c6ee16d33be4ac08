//! The moves at the root: their values, lines and nodes, from one iteration to the next (M7).

use crate::Depth;
use board::Move;
use eval::score::{INFINITE, MATE_LIMIT, Ply, Score};

/// Below every value: not searched in this iteration, or not better than the best.
pub const NOTHING: i32 = -(INFINITE as i32);

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value in this iteration, or [`NOTHING`].
    pub value: Score,
    /// Its last value, from whichever iteration.
    pub last_value: Score,
    /// Whether that value is exact, not only a bound.
    pub exact: bool,
    /// The best line that begins with it.
    pub line: Vec<Move>,
    /// Nodes spent on it in the whole search.
    pub nodes: u64,
}

/// The moves at the root.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// In the order in which they are searched.
    pub moves: Vec<RootMove>,
    /// Those before this place are the better lines of a search for several.
    pub rank: usize,
    /// The iteration.
    pub depth: Depth,
    /// The move under search and its number.
    pub current: Option<(Move, usize)>,
    next: usize,
    nodes_before: u64,
}

impl Root {
    /// These moves, in this order.
    pub fn new(moves: impl Iterator<Item = Move>) -> Root {
        let start = |mv| RootMove {
            mv,
            value: NOTHING,
            last_value: NOTHING,
            exact: false,
            line: vec![mv],
            nodes: 0,
        };
        Root { moves: moves.map(start).collect(), ..Root::default() }
    }

    /// An iteration begins.
    pub fn begin_iteration(&mut self, depth: Depth) {
        self.depth = depth;
        for root_move in &mut self.moves {
            root_move.value = NOTHING;
        }
    }

    /// A search of the moves from `rank` on begins.
    pub fn begin_search(&mut self, nodes: u64) {
        (self.next, self.nodes_before, self.current) = (self.rank, nodes, None);
    }

    /// The next move to search.
    pub fn next(&mut self) -> Option<Move> {
        let mv = self.moves.get(self.next)?.mv;
        self.next += 1;
        self.current = Some((mv, self.next));
        Some(mv)
    }

    /// A move's value is known, and the nodes searched so far.
    pub fn settle(
        &mut self,
        mv: Move,
        value: Score,
        raises: bool,
        exact: bool,
        line: &[Move],
        nodes: u64,
    ) {
        let spent = nodes - self.nodes_before;
        self.nodes_before = nodes;
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) else {
            return;
        };
        root_move.nodes += spent;
        root_move.value = if raises { value } else { NOTHING };
        if raises {
            (root_move.last_value, root_move.exact) = (value, exact);
            // A scout that fails high has no line: the one of the last iteration tells more, unless there is
            // a mate now, to which it does not lead.
            if line.is_empty() && !exact && value.abs() < i32::from(MATE_LIMIT) {
                return;
            }
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend_from_slice(line);
        }
    }

    /// Brings the moves from `rank` on into the order of their values; equal ones keep theirs.
    pub fn sort(&mut self) {
        let rank = self.rank.min(self.moves.len());
        self.moves[rank..].sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
    }

    /// Brings the first `lines` lines, each searched without those before it, into the order of their
    /// values: the last one may turn out better than others. The first place with another line than before;
    /// the last one of them counts as such.
    pub fn sort_lines(&mut self, lines: usize) -> usize {
        let lines = lines.min(self.moves.len());
        let Some(last) = lines.checked_sub(1) else { return 0 };
        let value = self.moves[last].value;
        let place = self.moves[..last].partition_point(|root_move| root_move.value >= value);
        self.moves[place..lines].rotate_right(1);
        place
    }

    /// Whether a node may go into the table: the root not while its best moves are left out.
    pub fn may_store(&self, ply: Ply) -> bool {
        ply > 0 || self.rank == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    #[test]
    fn m7_the_order_is_stable_between_iterations() {
        let position = Position::startpos();
        let mut root = Root::new(position.legal_moves().iter().copied());
        let names: Vec<Move> = root.moves.iter().map(|root_move| root_move.mv).collect();
        root.begin_iteration(1);
        root.begin_search(0);
        root.settle(names[5], 30, true, true, &[], 100);
        root.settle(names[7], 40, true, true, &[], 150);
        root.settle(names[8], 10, false, false, &[], 200);
        root.sort();
        let order: Vec<Move> = root.moves.iter().map(|root_move| root_move.mv).collect();
        assert_eq!(order[..3], [names[7], names[5], names[0]]);
        assert_eq!(order[7..], [names[6]].iter().chain(&names[8..]).copied().collect::<Vec<_>>());
        assert_eq!((root.moves[0].nodes, root.moves[1].nodes), (50, 100));
    }
}
