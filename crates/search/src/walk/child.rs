//! The child of a plan as a job that anybody can search.

use super::detached::{Above, Detached, stays};
use super::{Job, NodeType, Walk};
use crate::histories::Step;
use crate::killers::Killers;
use crate::node::{Plan, PlanKind};
use crate::switches::{Ordering, Rules};
use board::Move;
use eval::Evaluator;

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// The child that a plan of a detached node leads to. `fresh` if it is the first attempt.
    pub fn child(&self, parent: &mut Detached, plan: &Plan, fresh: bool) -> Job {
        let node = &parent.node;
        let position = match plan.kind {
            PlanKind::Move | PlanKind::ProbCut => node.position.make(plan.mv),
            PlanKind::Null => node.position.make_null(),
            PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular => node.position,
        };
        let same = stays(plan.kind);
        let moves = matches!(plan.kind, PlanKind::Move | PlanKind::ProbCut);
        let step = if moves { Step::of(&node.position, plan.mv) } else { Step::NONE };
        let (steps, before) = match same {
            true => (node.steps, node.before),
            false => node.past_after(step),
        };
        let mut keys = parent.keys.clone();
        match plan.kind {
            // Nothing from before a null move can come again.
            PlanKind::Null => keys.clear(),
            _ if same => (),
            _ => keys.push(node.position.key()),
        }
        let clock = position.halfmove_clock() as usize;
        keys.drain(..keys.len().saturating_sub(clock));
        let double = moves && plan.mv == node.table_move && node.extension > 1;
        let modern = self.rules.switches().ordering == Ordering::Modern;
        let above = (modern && moves)
            .then(|| Box::new(Above { position: node.position, earlier: node.earlier_steps() }));
        let (alpha, beta) = if same { (plan.alpha, plan.beta) } else { (-plan.beta, -plan.alpha) };
        let singular = plan.kind == PlanKind::Singular;
        let job = Job {
            node_type: type_of(parent, plan),
            alpha,
            beta,
            depth: plan.depth,
            ply: node.ply + i32::from(!same),
            mv: match same {
                true => node.mv,
                false => plan.mv,
            },
            position,
            keys,
            fraction: plan.fraction,
            pv: plan.pv,
            cut: plan.cut,
            steps,
            before,
            captured: match (same, moves) {
                (true, _) => node.captured,
                (_, true) => node.position.captured(plan.mv),
                _ => None,
            },
            doubles: node.doubles + i32::from(double),
            father: node.entry,
            killers: used(parent.killers.get(usize::from(!same)..).unwrap_or_default()),
            history: None,
            root_depth: parent.root_depth,
            excluded: if singular { plan.mv } else { Move::NONE },
            may_pass: match plan.kind {
                PlanKind::Move | PlanKind::ProbCut => true,
                PlanKind::Deepen => node.may_pass,
                _ => false,
            },
            evals: singular.then_some([node.raw_eval, node.eval, node.guess]),
            above,
        };
        parent.begun += u32::from(fresh && plan.kind == PlanKind::Move);
        job
    }
}

/// Without the empty ones at the end.
fn used(killers: &[Killers]) -> Vec<Killers> {
    let last = killers.iter().rposition(|&level| level != Killers::NONE);
    killers[..last.map_or(0, |last| last + 1)].to_vec()
}

/// The type of the child that a plan leads to.
fn type_of(parent: &Detached, plan: &Plan) -> NodeType {
    match plan.kind {
        PlanKind::Move | PlanKind::ProbCut if plan.pv => NodeType::One,
        PlanKind::Move | PlanKind::ProbCut => parent.node_type.child(parent.begun == 0),
        PlanKind::Null => parent.node_type.passed(),
        PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular => parent.node_type,
    }
}
