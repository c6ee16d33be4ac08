//! The child of a plan as a job that any processor can search.

use super::detached::{Above, Detached};
use super::plans::child_type;
use super::{Job, Walk};
use crate::killers::Killers;
use crate::node::{Node, Plan, PlanKind};
use crate::switches::{Ordering, Rules};
use eval::Evaluator;

/// What a job has besides the child itself.
pub(super) struct Luggage {
    pub node_type: super::NodeType,
    /// Keys of the positions before the child, the oldest first.
    pub keys: Vec<u64>,
    /// Killers from the child's ply on.
    pub killers: Vec<Killers>,
    /// The iteration.
    pub root_depth: i32,
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
            steps: child.piece_tos,
            before: child.before,
            captured: child.captured,
            doubles: child.doubles,
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

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// The child that a plan of a detached node leads to. `fresh` if it is the first attempt.
    pub fn child(&mut self, parent: &mut Detached, plan: &Plan, fresh: bool) -> Job {
        let stays = plan.kind.stays();
        let mut keys = parent.keys.clone();
        match plan.kind {
            // Nothing from before a null move can come again.
            PlanKind::Null => keys.clear(),
            _ if stays => (),
            _ => keys.push(parent.node.position.key()),
        }
        let scout = self.rules.switches().scout;
        let luggage = Luggage {
            node_type: child_type(parent.node_type, parent.begun == 0, plan, scout),
            keys,
            killers: used(parent.killers.get(usize::from(!stays)..).unwrap_or_default()),
            root_depth: parent.root_depth,
        };
        let job = Job::of(&mut self.stack.scratch, &parent.node, plan, luggage, &self.rules);
        parent.begun += u32::from(fresh && plan.kind == PlanKind::Move);
        job
    }
}

/// Without the empty ones at the end.
fn used(killers: &[Killers]) -> Vec<Killers> {
    let last = killers.iter().rposition(|&level| level != Killers::NONE);
    killers[..last.map_or(0, |last| last + 1)].to_vec()
}
