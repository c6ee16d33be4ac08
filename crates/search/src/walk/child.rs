//! The child of a plan: its type, its window after a wait, whether it promises something, and the job with
//! which any processor can search it.

use super::detached::{Above, Detached};
use super::{Job, NodeType};
use crate::Depth;
use crate::killers::Killers;
use crate::node::{Attempt, Node, Plan, PlanKind};
use crate::ordering;
use crate::switches::{Ordering, Rules};
use board::{Key, Move};

/// What a job has besides the child itself.
pub(super) struct Luggage {
    pub node_type: NodeType,
    /// Keys of the positions before the child, the oldest first.
    pub keys: Vec<Key>,
    /// Killers from the child's ply on.
    pub killers: Vec<Killers>,
    /// The iteration.
    pub root_depth: Depth,
}

impl Job {
    /// The child of a plan. `child` is a node to work on; what is in it does not matter.
    pub(super) fn of(
        child: &mut Node,
        parent: &Node,
        plan: &Plan,
        luggage: Luggage,
        rules: &impl Rules,
    ) -> Job {
        child.begin(parent, plan);
        let modern = rules.switches().ordering == Ordering::Modern;
        let above = (modern && plan.kind.moves()).then(|| {
            Box::new(Above { position: parent.position, earlier: parent.earlier_moves() })
        });
        let singular = plan.kind == PlanKind::Singular;
        let Luggage { node_type, mut keys, killers, root_depth } = luggage;
        // Nothing from before the last capture or pawn move can come again.
        let clock = child.position.halfmove_clock() as usize;
        keys.drain(..keys.len().saturating_sub(clock));
        Job {
            node_type,
            alpha: child.alpha,
            beta: child.beta,
            depth: child.depth,
            ply: child.ply,
            mv: child.mv,
            position: child.position,
            keys,
            fraction: child.fraction,
            pv: child.pv,
            cut: child.cut,
            piece_tos: child.piece_tos,
            before: child.before,
            captured: child.captured,
            doubles: child.doubles,
            threats: child.threats,
            parent: parent.entry,
            killers,
            history: None,
            root_depth,
            excluded: child.excluded,
            null_allowed: child.null_allowed,
            evals: singular.then_some([parent.raw_eval, parent.eval, parent.guess]),
            above,
        }
    }
}

impl Detached {
    /// The child that a plan leads to. `fresh` if it is the first attempt.
    pub(super) fn child(
        &mut self,
        scratch: &mut Node,
        plan: &Plan,
        fresh: bool,
        rules: &impl Rules,
    ) -> Job {
        let stays = plan.kind.stays();
        let mut keys = self.keys.clone();
        match plan.kind {
            // Nothing from before a null move can come again.
            PlanKind::Null => keys.clear(),
            _ if stays => (),
            _ => keys.push(self.node.position.key()),
        }
        let luggage = Luggage {
            node_type: child_type(self.node_type, self.begun == 0, plan, rules.switches().scout),
            keys,
            killers: used(self.killers.get(usize::from(!stays)..).unwrap_or_default()).to_vec(),
            root_depth: self.root_depth,
        };
        let job = Job::of(scratch, &self.node, plan, luggage, rules);
        self.begun += u32::from(fresh && plan.kind == PlanKind::Move);
        job
    }
}

/// Without the empty ones at the end.
pub(super) fn used(killers: &[Killers]) -> &[Killers] {
    let last = killers.iter().rposition(|&level| level != Killers::NONE);
    &killers[..last.map_or(0, |last| last + 1)]
}

/// The type of the child that a plan leads to. Where there are no scouts all windows are open, and only
/// the first child continues the principal variation.
#[inline(always)]
pub(super) fn child_type(parent: NodeType, first: bool, plan: &Plan, scout: bool) -> NodeType {
    match plan.kind {
        PlanKind::Move | PlanKind::ProbCut if plan.pv && scout => NodeType::One,
        PlanKind::Move | PlanKind::ProbCut => parent.child(first),
        PlanKind::Null => parent.after_null(),
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
        PlanKind::Move => narrowed(node, plan),
        _ => plan,
    }
}

/// Gives a value to a node of whose window nothing is left. Where its children say less than that (the table or a
/// repetition has moved one end, the parent the other), it is alpha: the node is worth that at most, or at least,
/// and nothing about it is stored.
pub(super) fn decide(node: &mut Node) {
    if node.decided.is_none() && node.best < node.alpha {
        node.decided = Some(node.alpha);
    }
}

/// A plan with an open window, as the node's is now. A second search that begins at the value of the first stays
/// there, unless nothing would be left of its window: then the first has decided the node.
pub(super) fn narrowed(node: &Node, plan: Plan) -> Plan {
    let found = plan.alpha.max(node.alpha);
    let alpha = if found < node.beta { found } else { node.alpha };
    Plan { alpha, beta: node.beta, ..plan }
}

/// Moves that are likely to cut off (Z39, D85): in the papers' profiles by their place in the order. `modern`
/// mixes even captures with the quiet moves: there the table's move is promising, killers, and captures that
/// win something.
pub(crate) fn is_promising_child(node: &Node, killers: Killers, mv: Move) -> bool {
    if mv == node.table_move {
        return true;
    }
    if let Some(score) = node.picker.sorted_score(mv) {
        return ordering::has_promising_score(&node.position, mv, score);
    }
    let tactical = !node.position.is_quiet(mv);
    killers.moves().contains(&mv) || tactical && node.position.see_at_least(mv, 1)
}

/// The mark of a child in the table.
pub(super) fn mark_of(node: &Node, plan: &Plan) -> u64 {
    let step = u64::from(plan.mv.bits()) << 16 | plan.depth as u64 & 0xff;
    node.position.key() ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
