//! Probcut: a capture that proves a cut well above beta in a shallow search will do so in a deep one.
//!
//! Each capture that wins enough is searched by the quiescence search first and then a few plies
//! shallower, both with a null window above beta. A cut is stored in the table with that lesser depth.
//! Without it the trees to depth 13 have 16 % more nodes (docs/lab/strength.md).

use super::{Search, from_table, store};
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, NO_EVAL, Plan, PlanKind, Stage};
use crate::parameters;
use crate::switches::{Pruning, Rules};
use board::Move;
use eval::Evaluator;
use eval::score::{EVAL_LIMIT, Score, is_decided};
use table::Bound;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Decides whether captures are tried, and makes them ready.
    pub(super) fn decide_probcut(&mut self, level: usize) {
        let wanted = self.rules.switches().pruning == Pruning::Modern;
        let node = &mut self.memory.nodes[level];
        node.stage = Stage::Deepen;
        let above = node.beta + parameters::probcut_margin();
        let hopeless = node.entry.is_some_and(|entry| {
            i32::from(entry.depth) > node.depth - parameters::probcut_reduction()
                && from_table(entry.score, node.ply) < above
        });
        if wanted
            && !node.pv
            && node.eval != NO_EVAL
            && node.excluded.is_none()
            && node.depth >= parameters::probcut_depth()
            && node.beta.abs() < i32::from(EVAL_LIMIT)
            && !hopeless
        {
            let table_move = node.table_move;
            let first = match !table_move.is_none() && node.position.is_capture(table_move) {
                true => table_move,
                false => Move::NONE,
            };
            node.picker.begin_captures(&node.position, first, above - node.eval);
            node.stage = Stage::ProbCutMoves;
        }
    }

    /// The next capture that may prove a cut.
    pub(super) fn plan_probcut(&mut self, level: usize) -> Option<Plan> {
        let mv = self.pick(level)?;
        let node = &self.memory.nodes[level];
        if node.picker.is_at_bad_captures() {
            return None;
        }
        // The table's memory comes while it is still being decided how to search the child.
        self.table.prefetch(node.position.likely_key_after(mv));
        let beta = node.beta + parameters::probcut_margin();
        Some(Plan {
            kind: PlanKind::ProbCut,
            mv,
            alpha: beta - 1,
            beta,
            depth: 0,
            full_depth: node.depth - parameters::probcut_reduction(),
            fraction: 0,
            attempt: Attempt::Quiescence,
            pv: false,
            cut: !node.cut,
        })
    }

    /// A capture reached the higher beta, or not; at first the quiescence search alone says so.
    pub(super) fn absorb_probcut(&mut self, level: usize, plan: &Plan, value: Score) -> Absorbed {
        if value < plan.beta {
            return Absorbed::Settled;
        }
        if plan.attempt == Attempt::Quiescence && plan.full_depth > 0 {
            return Absorbed::Again(Plan {
                depth: plan.full_depth,
                attempt: Attempt::Scout,
                ..*plan
            });
        }
        let node = &mut self.memory.nodes[level];
        store(&mut self.table, node, plan.mv, value, plan.full_depth + 1, Bound::Lower);
        let surplus = if is_decided(value as i16) { 0 } else { plan.beta - node.beta };
        node.decided = Some(value - surplus);
        Absorbed::Cut
    }
}
