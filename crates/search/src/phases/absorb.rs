//! Taking a child's value: settle it, search again, or cut.

use super::{Search, to_table};
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, Node, Plan, PlanKind};
use crate::parameters;
use crate::switches::{Ordering, Quiescence, Rules, Switches};
use board::MoveKind;
use eval::Evaluator;
use eval::score::is_decided;
use table::{Bound, Entry};

/// No line is extended twice at more nodes than this.
const MOST_DOUBLES: i32 = 8;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Takes the value of a planned child, seen from this node.
    #[inline(always)]
    pub fn absorb(&mut self, level: usize, plan: &Plan, value: i32) -> Absorbed {
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
            PlanKind::Deepen => {
                let found = self.memory.nodes[level + 1].best_move;
                self.memory.nodes[level].table_move = found;
                Absorbed::Settled
            }
        }
    }

    #[inline(always)]
    fn absorb_move(&mut self, level: usize, plan: &Plan, value: i32) -> Absorbed {
        if value > plan.alpha && plan.attempt != Attempt::Full {
            let node = &self.memory.nodes[level];
            if let Some(plan) = again(node, plan, value, self.rules.switches()) {
                return Absorbed::Again(plan);
            }
        }
        self.settle(level, plan, value)
    }

    /// A move's value is final.
    #[inline(always)]
    fn settle(&mut self, level: usize, plan: &Plan, value: i32) -> Absorbed {
        if self.memory.nodes[level].ply == 0 {
            self.settle_root_move(plan, value);
        }
        let memory = &mut *self.memory;
        let node = &mut memory.nodes[level];
        if value <= node.alpha {
            node.best = node.best.max(value);
            let is_capture = node.position.is_capture(plan.mv);
            let tried = if is_capture { &mut node.captures } else { &mut node.quiets };
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
    fn settle_root_move(&mut self, plan: &Plan, value: i32) {
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

    fn absorb_probcut(&mut self, level: usize, plan: &Plan, value: i32) -> Absorbed {
        let node = &mut self.memory.nodes[level];
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
        if let Some(slot) = node.slot {
            let entry = Entry {
                mv: plan.mv,
                score: to_table(value, node.ply),
                eval: Some(node.raw_eval as i16),
                depth: (plan.full_depth + 1) as i16,
                bound: Bound::Lower,
                pv: false,
            };
            self.table.store(slot, entry);
        }
        node.job_result =
            Some(if is_decided(value as i16) { value } else { value - (plan.beta - node.beta) });
        Absorbed::Cut
    }

    /// Alone: deeper, much more alone: deeper still. Not alone: if the others reach beta too, so does
    /// the node; if the table's value does, the move is less urgent than it looks.
    fn absorb_singular_test(&mut self, level: usize, plan: &Plan, value: i32) -> Absorbed {
        let node = &mut self.memory.nodes[level];
        let table_value = plan.beta + parameters::singular_margin() * node.depth / 10;
        if value < plan.beta {
            let far = value < plan.beta - parameters::double_margin();
            let quiet = !node.position.is_capture(plan.mv) && plan.mv.kind() != MoveKind::Promotion;
            let double = !node.pv && far && node.doubles < MOST_DOUBLES;
            node.extension =
                1 + i32::from(double) + i32::from(double && quiet && value < plan.beta - 120);
        } else if value >= node.beta && !is_decided(value as i16) {
            node.job_result = Some(value);
            return Absorbed::Cut;
        } else if table_value >= node.beta {
            node.extension = if node.pv { -1 } else { -2 };
        } else if node.cut {
            node.extension = -1;
        }
        Absorbed::Settled
    }
}

/// M4, after Reinefeld: in the last two plies of alpha-beta without quiescence search and table, a scout
/// that fails high has seen every leaf that counts.
#[inline(always)]
fn scouts_are_exact(switches: Switches, depth: i32) -> bool {
    switches.ordering == Ordering::Plain
        && switches.quiescence == Quiescence::Off
        && !switches.table
        && depth <= 2
}

/// The next attempt for a move that failed high in less than a full search: not reduced any more, then
/// with the open window; none where the value settles it.
///
/// While the child was out another may have raised alpha. A value in between says nothing about the new
/// alpha: it is scouted again.
#[cold]
#[inline(never)]
fn again(node: &Node, plan: &Plan, value: i32, switches: Switches) -> Option<Plan> {
    let deeper = plan.attempt == Attempt::Reduced && plan.depth < plan.full_depth;
    let wider = value < node.beta && !scouts_are_exact(switches, node.depth);
    let scout = deeper || value <= node.alpha;
    (deeper || wider).then_some(Plan {
        depth: plan.full_depth,
        attempt: if scout { Attempt::Scout } else { Attempt::Full },
        alpha: node.alpha,
        beta: if scout { node.alpha + 1 } else { node.beta },
        pv: node.pv && !scout,
        cut: deeper && !node.cut,
        ..*plan
    })
}
