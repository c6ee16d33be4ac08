//! What is said about single plans: the type of their child, their window after a wait, whether they
//! promise something.

use super::NodeType;
use crate::killers::Killers;
use crate::node::{Attempt, Node, Plan, PlanKind};
use board::{Move, MoveKind};

/// The type of the child that a plan leads to. Where there are no scouts all windows are open, and only
/// the first child continues the principal variation.
#[inline(always)]
pub(super) fn child_type(parent: NodeType, first: bool, plan: &Plan, scout: bool) -> NodeType {
    match plan.kind {
        PlanKind::Move | PlanKind::ProbCut if plan.pv && scout => NodeType::One,
        PlanKind::Move | PlanKind::ProbCut => parent.child(first),
        PlanKind::Null => parent.passed(),
        PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular => parent,
    }
}

/// A plan that has waited, with the window as it is now.
pub(super) fn refreshed(node: &Node, plan: Plan) -> Plan {
    match plan.kind {
        PlanKind::Move if plan.attempt != Attempt::Full => {
            Plan { alpha: node.alpha, beta: node.alpha + 1, ..plan }
        }
        // What would have raised the old alpha need not raise the new one: it is scouted first.
        PlanKind::Move if node.alpha > plan.alpha && node.best >= node.alpha => Plan {
            alpha: node.alpha,
            beta: node.alpha + 1,
            attempt: Attempt::Scout,
            pv: false,
            ..plan
        },
        PlanKind::Move => Plan { alpha: node.alpha, beta: node.beta, ..plan },
        _ => plan,
    }
}

/// Moves that are likely to cut off (Z39): the table's, killers, captures that win something.
pub(super) fn is_promising(node: &Node, killers: Killers, mv: Move) -> bool {
    if mv == node.table_move || killers.moves().contains(&mv) {
        return true;
    }
    let tactical = node.position.is_capture(mv) || mv.kind() == MoveKind::Promotion;
    tactical && node.position.see_at_least(mv, 1)
}

/// The mark of a child in the table.
pub(super) fn mark_of(node: &Node, plan: &Plan) -> u64 {
    let step = u64::from(plan.mv.bits()) << 16 | plan.depth as u64 & 0xff;
    node.position.key() ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
