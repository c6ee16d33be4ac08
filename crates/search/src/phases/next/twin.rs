//! The same search of `modern` as one function, without the cut into phases: what the cut is measured
//! against (`cargo xtask bench phases`, feature `twin`; no part of the product).
//!
//! There is no plan to be looked at and no stage to be remembered: the null move, the captures that prove a
//! cut, the singular test and the moves follow each other in straight code, and a move that is searched
//! again is not made again. The rules that say what is tried how are those of the phases.

use super::{Memory, Search, leave_out, plan_move, plan_singular_test};
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, Entered, Plan, PlanKind, Stage};
use crate::switches::{Ordering, Rules};
use board::Move;
use eval::Evaluator;
use eval::score::Score;

/// How a child that has been made is searched once more.
struct Again {
    alpha: Score,
    beta: Score,
    pv: bool,
    cut: bool,
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The value of the node on a level, for the side to move there. Visits the nodes that
    /// [`Search::recurse`] visits.
    pub fn whole(&mut self, level: usize) -> Score {
        if self.rules.switches().ordering != Ordering::Modern {
            return self.recurse(level);
        }
        if let Entered::Value(value) = self.enter(level) {
            return value;
        }
        if let Some(value) = self.by_null_move(level).or_else(|| self.by_captures(level)) {
            return value;
        }
        while let Some(mv) = self.next_worth_searching(level) {
            let node = &mut self.memory.nodes[level];
            if let Some(plan) = plan_singular_test(node, self.root.depth, mv) {
                let value = self.child(level, &plan);
                if self.stopped {
                    return 0;
                }
                if self.absorb(level, &plan, value) == Absorbed::Cut {
                    return self.decided_value(level);
                }
            }
            let switches = self.rules.switches();
            let Memory { nodes, histories, killers, .. } = &mut *self.memory;
            let plan = plan_move(&mut nodes[level], histories, killers, switches, mv);
            let value = self.search_move(level, &plan);
            if self.stopped {
                return 0;
            }
            let last = Plan { kind: PlanKind::Move, attempt: Attempt::Full, ..plan };
            if self.absorb(level, &last, value) == Absorbed::Cut {
                break;
            }
        }
        self.leave(level)
    }

    /// Makes the child of a plan, searches it, and takes it back.
    #[inline(always)]
    fn child(&mut self, level: usize, plan: &Plan) -> i32 {
        self.descend(level, plan);
        let value = self.whole(level + 1);
        self.ascend(plan, value)
    }

    /// Searches a child that stands on the board once more; its value for this node.
    #[inline(always)]
    fn again(&mut self, level: usize, plan: &Plan, again: Again) -> i32 {
        let child = &mut self.memory.nodes[level + 1];
        (child.alpha, child.beta, child.first_alpha) = (-again.beta, -again.alpha, -again.beta);
        (child.depth, child.fraction) = (plan.full_depth, plan.fraction);
        (child.pv, child.cut) = (again.pv, again.cut);
        -self.whole(level + 1)
    }

    #[inline(always)]
    fn decided_value(&self, level: usize) -> i32 {
        self.memory.nodes[level].decided.unwrap_or(0)
    }

    /// The node's value, if the null move gives it or the search was stopped.
    #[inline(always)]
    fn by_null_move(&mut self, level: usize) -> Option<i32> {
        let plan = self.plan_null(level)?;
        let value = self.child(level, &plan);
        if self.stopped {
            return Some(0);
        }
        match self.absorb_null(level, &plan, value) {
            Absorbed::Settled => None,
            Absorbed::Cut => Some(self.decided_value(level)),
            Absorbed::Again(plan) => {
                let value = self.child(level, &Plan { kind: PlanKind::Verify, ..plan });
                if self.stopped {
                    return Some(0);
                }
                let absorbed = self.absorb_verification(level, value);
                (absorbed == Absorbed::Cut).then(|| self.decided_value(level))
            }
        }
    }

    /// The node's value, if a capture gives it or the search was stopped.
    #[inline(always)]
    fn by_captures(&mut self, level: usize) -> Option<i32> {
        self.decide_probcut(level);
        if self.memory.nodes[level].stage != Stage::ProbCutMoves {
            return None;
        }
        while let Some(plan) = self.plan_probcut(level) {
            self.descend(level, &plan);
            let mut value = -self.whole(level + 1);
            if value >= plan.beta && plan.full_depth > 0 && !self.stopped {
                let Plan { alpha, beta, pv, cut, .. } = plan;
                value = self.again(level, &plan, Again { alpha, beta, pv, cut });
            }
            self.ascend(&plan, 0);
            if self.stopped {
                return Some(0);
            }
            let last = Plan { kind: PlanKind::ProbCut, attempt: Attempt::Scout, ..plan };
            if self.absorb(level, &last, value) == Absorbed::Cut {
                return Some(self.decided_value(level));
            }
        }
        let node = &mut self.memory.nodes[level];
        node.picker.begin(node.table_move);
        None
    }

    #[inline(always)]
    fn next_worth_searching(&mut self, level: usize) -> Option<Move> {
        loop {
            let is_root = self.memory.nodes[level].ply == 0;
            let mv = if is_root { self.root.next()? } else { self.pick(level)? };
            let Memory { nodes, histories, .. } = &mut *self.memory;
            let node = &mut nodes[level];
            if mv == node.excluded {
                continue;
            }
            node.seen += 1;
            if is_root || !leave_out(node, histories, mv) {
                self.table.prefetch(node.position.likely_key_after(mv));
                return Some(mv);
            }
        }
    }

    /// Reduced, with a null window, with the whole window: as far as it takes.
    #[inline(always)]
    fn search_move(&mut self, level: usize, plan: &Plan) -> i32 {
        self.descend(level, plan);
        let mut value = -self.whole(level + 1);
        let node = &self.memory.nodes[level];
        let (alpha, beta, pv, cut) = (node.alpha, node.beta, node.pv, !node.cut);
        let reduced = plan.attempt == Attempt::Reduced && plan.depth < plan.full_depth;
        if reduced && value > alpha && !self.stopped {
            value = self.again(level, plan, Again { alpha, beta: alpha + 1, pv: false, cut });
        }
        if plan.attempt != Attempt::Full && value > alpha && value < beta && !self.stopped {
            value = self.again(level, plan, Again { alpha, beta, pv, cut: false });
        }
        self.ascend(plan, 0);
        value
    }
}
