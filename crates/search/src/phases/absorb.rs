//! Taking a child's value: settle it, search again, or cut.

use super::{Search, reductions::search_again};
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, Plan, PlanKind};
use crate::switches::Rules;
use eval::Evaluator;
use eval::score::Score;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Takes the value of a planned child, seen from this node.
    #[inline(always)]
    pub fn absorb(&mut self, level: usize, plan: &Plan, value: Score) -> Absorbed {
        // By far the most: one comparison for them is cheaper than a table of jumps for all.
        if plan.kind == PlanKind::Move {
            return self.absorb_move(level, plan, value);
        }
        match plan.kind {
            // Answered above.
            PlanKind::Move => Absorbed::Settled,
            PlanKind::Null => self.absorb_null(level, plan, value),
            PlanKind::Verify => self.absorb_verification(level, value),
            PlanKind::ProbCut => self.absorb_probcut(level, plan, value),
            PlanKind::Singular => self.absorb_singular_test(level, plan, value),
            PlanKind::Deepen => self.absorb_deepening(level),
        }
    }

    #[inline(always)]
    fn absorb_move(&mut self, level: usize, plan: &Plan, value: Score) -> Absorbed {
        if value > plan.alpha && plan.attempt != Attempt::Full {
            let node = &self.memory.nodes[level];
            if let Some(plan) = search_again(node, plan, value, self.rules.switches()) {
                return Absorbed::Again(plan);
            }
        }
        self.settle(level, plan, value)
    }

    /// A move's value is final.
    #[inline(always)]
    fn settle(&mut self, level: usize, plan: &Plan, value: Score) -> Absorbed {
        if self.memory.nodes[level].ply == 0 {
            self.settle_root_move(plan, value);
        }
        let memory = &mut *self.memory;
        let node = &mut memory.nodes[level];
        if value <= node.alpha {
            node.best = node.best.max(value);
            let is_quiet = node.position.is_quiet(plan.mv);
            let tried = if is_quiet { &mut node.quiets } else { &mut node.captures };
            tried.push(plan.mv);
            return Absorbed::Settled;
        }
        (node.best, node.best_move) = (value, plan.mv);
        let (above, below) = memory.variations.split_at_mut(level + 1);
        above[level].set(plan.mv, &below[0]);
        if value >= node.beta {
            self.statistics.cuts += 1;
            let first = u64::from(node.searched == 1);
            self.statistics.first_move_cuts += first;
            self.statistics.expected_cuts += u64::from(node.cut);
            self.statistics.expected_first_cuts += first & u64::from(node.cut);
            return Absorbed::Cut;
        }
        node.alpha = value;
        Absorbed::Settled
    }

    /// The root remembers every move's value, line and nodes, for the next iteration's order.
    #[cold]
    fn settle_root_move(&mut self, plan: &Plan, value: Score) {
        let node = &self.memory.nodes[0];
        let raises = value > node.alpha;
        let exact = raises && value < node.beta;
        let line = self.memory.variations[1].as_slice();
        self.root.settle(plan.mv, value, raises, exact, line, self.statistics.nodes);
        if self.rules.switches().refutations {
            let mut refutation = vec![plan.mv];
            refutation.extend_from_slice(line);
            self.memory.refutations.set(plan.mv, &refutation);
        }
    }
}
