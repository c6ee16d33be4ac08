//! Singular extensions: where the table move stands alone, it is searched more deeply.
//!
//! All other moves are searched with half the depth against a value below the table's. If they all fail
//! low, the table move is extended, by two or three plies where they fail low by far. If they reach the
//! node's beta, there are several good moves and the node is cut (multi-cut). It is paid for:
//! without it the trees to depth 13 have 14 % fewer nodes (docs/lab/strength.md).

use super::{Memory, Search, from_table, next::plan_move};
use crate::Depth;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, Node, Plan, PlanKind, Stage};
use crate::parameters;
use crate::switches::Rules;
use board::Move;
use eval::Evaluator;
use eval::score::Score;
use eval::score::is_decided;
use table::Bound;

/// How far below the table's value the others must stay.
#[inline(always)]
fn margin(depth: Depth) -> i32 {
    parameters::singular_margin() * depth / 10
}

/// The search of all moves but the table move, if it is worth that.
#[inline(always)]
pub fn plan_singular_test(node: &mut Node, root_depth: Depth, mv: Move) -> Option<Plan> {
    if mv != node.table_move || node.tested || node.ply == 0 || !node.excluded.is_none() {
        return None;
    }
    node.tested = true;
    let entry = node.entry?;
    let worth = node.depth >= parameters::singular_depth() + i32::from(node.pv && entry.pv)
        && i32::from(entry.depth) >= node.depth - parameters::singular_entry_depth()
        && matches!(entry.bound, Bound::Lower | Bound::Exact)
        && !is_decided(entry.score)
        && node.ply < 2 * root_depth;
    let beta = from_table(entry.score, node.ply) - margin(node.depth);
    worth.then_some(Plan {
        kind: PlanKind::Singular,
        mv,
        alpha: beta - 1,
        beta,
        depth: (node.depth - 1) / 2,
        full_depth: (node.depth - 1) / 2,
        fraction: 0,
        attempt: Attempt::Scout,
        pv: false,
        cut: node.cut,
    })
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Alone: deeper, much more alone: deeper still. Not alone: if the others reach beta too, so does
    /// the node; if the table's value does, the move is less urgent than it looks.
    pub(super) fn absorb_singular_test(
        &mut self,
        level: usize,
        plan: &Plan,
        value: Score,
    ) -> Absorbed {
        let node = &mut self.memory.nodes[level];
        if value < plan.beta {
            let far = value < plan.beta - parameters::double_margin();
            let double = !node.pv && far && node.doubles < parameters::double_extensions();
            let triple = double
                && node.position.is_quiet(plan.mv)
                && value < plan.beta - parameters::triple_margin();
            node.extension = 1 + i32::from(double) + i32::from(triple);
        } else if value >= node.beta && !is_decided(value as i16) {
            node.decided = Some(value);
            return Absorbed::Cut;
        } else if plan.beta + margin(node.depth) >= node.beta {
            node.extension = if node.pv { -1 } else { -2 };
        } else if node.cut {
            node.extension = -1;
        }
        Absorbed::Settled
    }

    /// The table move, after its test. Apart, so that [`plan_move`] is compiled into the drivers once.
    #[cold]
    #[inline(never)]
    pub(super) fn plan_tested_move(&mut self, level: usize) -> Option<Plan> {
        let switches = self.rules.switches();
        let Memory { nodes, histories, killers, .. } = &mut *self.memory;
        let node = &mut nodes[level];
        node.stage = Stage::Moves;
        Some(plan_move(node, histories, killers, switches, node.table_move))
    }
}
