//! A first move where the table has none: without one the search is likely to be wasteful.
//!
//! Three ways: DarkSight searches the node two plies shallower (D23, internal iterative deepening);
//! `modern` searches a ply less itself (internal iterative reduction), and near the horizon asks the
//! quiescence search for a capture that cuts. The last brought the first-move cuts at expected cut nodes
//! from 86.4 to 90.2 %, together with even captures among the quiet moves: +13.1 ± 17.8 Elo.
//! Without the ply less the trees to depth 13 have 42 % more nodes (docs/lab/strength.md).

use super::Search;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, Node, Plan, PlanKind};
use crate::parameters;
use crate::switches::{NoTableMove, Rules};
use board::Move;
use eval::Evaluator;

/// Whether the captures are tried by the quiescence search before anything else: near the horizon, where
/// a cut is expected and only a move can bring it.
#[inline(always)]
pub fn scouts(node: &Node) -> bool {
    node.cut
        && node.depth <= parameters::scout_depth()
        && node.table_move.is_none()
        && node.eval < node.beta
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// A ply less costs little and finds a first move.
    #[inline(always)]
    pub(super) fn reduce_without_table_move(&mut self, level: usize) {
        let node = &mut self.memory.nodes[level];
        if self.rules.switches().no_table_move == NoTableMove::Reduce
            && node.depth >= parameters::no_table_move_depth()
            && node.table_move.is_none()
            && node.excluded.is_none()
            && (node.pv || node.cut)
        {
            node.depth -= 1;
        }
    }

    /// D23: a search two plies shallower, where the position is not in the table and the null move was not
    /// tried.
    pub(super) fn plan_deepening(&self, level: usize) -> Option<Plan> {
        let node = &self.memory.nodes[level];
        let wanted = self.rules.switches().no_table_move == NoTableMove::Deepen
            && node.entry.is_none()
            && node.table_move.is_none()
            && !node.null_tried
            && node.depth > 2;
        wanted.then_some(Plan {
            kind: PlanKind::Deepen,
            mv: Move::NONE,
            alpha: node.alpha,
            beta: node.beta,
            depth: node.depth - 2,
            full_depth: node.depth - 2,
            fraction: 0,
            attempt: Attempt::Full,
            pv: node.pv,
            cut: node.cut,
        })
    }

    /// The move that the shallower search found comes first.
    pub(super) fn absorb_deepening(&mut self, level: usize) -> Absorbed {
        self.memory.nodes[level].table_move = self.memory.nodes[level + 1].best_move;
        Absorbed::Settled
    }
}
