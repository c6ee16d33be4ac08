//! The next child to search.

#[cfg(feature = "twin")]
mod twin;

use super::futility::{leave_out, skips_quiets};
use super::reductions::{goes_back, late_reduction, raised_reduction};
use super::singular::plan_singular_test;
use super::{Memory, Search, from_table};
use crate::Depth;
use crate::extensions;
use crate::histories::Histories;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::node::{Attempt, Node, Plan, PlanKind, Stage};
use crate::ordering::{self, PapersContext};
use crate::ordering_context::OrderingContext;
use crate::switches::{Extensions, Ordering, Pruning, Reductions, Rules, Switches};
use board::{Move, Position};
use eval::Evaluator;
use eval::score::{Ply, Score};
use table::Bound;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The next plan of an open node; `None` when there is nothing left to search.
    #[inline(always)]
    pub fn next(&mut self, level: usize) -> Option<Plan> {
        if self.memory.nodes[level].stage != Stage::Moves
            && let Some(plan) = self.before_moves(level)
        {
            return Some(plan);
        }
        self.next_move(level)
    }

    /// What is tried before the moves, from the stage that the node is in; `None` when they are next.
    #[inline(always)]
    fn before_moves(&mut self, level: usize) -> Option<Plan> {
        if self.memory.nodes[level].stage == Stage::Tested {
            return self.plan_tested_move(level);
        }
        if self.memory.nodes[level].stage == Stage::Null {
            self.memory.nodes[level].stage = Stage::ProbCut;
            if let Some(plan) = self.plan_null(level) {
                self.memory.nodes[level].null_tried = true;
                return Some(plan);
            }
        }
        if self.memory.nodes[level].stage == Stage::ProbCut {
            self.decide_probcut(level);
        }
        if self.memory.nodes[level].stage == Stage::ProbCutMoves {
            if let Some(plan) = self.plan_probcut(level) {
                return Some(plan);
            }
            let node = &mut self.memory.nodes[level];
            node.picker.begin(node.table_move);
            node.stage = Stage::Deepen;
        }
        if self.memory.nodes[level].stage == Stage::Deepen {
            self.memory.nodes[level].stage = Stage::Sort;
            if let Some(plan) = self.plan_deepening(level) {
                return Some(plan);
            }
        }
        let ordering = self.rules.switches().ordering;
        let node = &mut self.memory.nodes[level];
        node.stage = Stage::Moves;
        // M5: Marsland's program tries the table's move before it generates any.
        if ordering == Ordering::Plain && !node.table_move.is_none() && node.ply > 0 {
            node.picker.begin_unsorted(node.table_move);
        } else if ordering != Ordering::Modern {
            self.sort_moves(level);
        }
        None
    }

    /// The next move in order.
    #[inline(always)]
    pub(super) fn pick(&mut self, level: usize) -> Option<Move> {
        let modern = self.rules.switches().pruning == Pruning::Modern;
        if self.rules.switches().ordering == Ordering::Plain
            && self.memory.nodes[level].picker.is_unsorted()
        {
            self.sort_moves(level);
            self.memory.nodes[level].picker.skip_first();
        }
        let Memory { nodes, histories, killers, .. } = &mut *self.memory;
        let node = &mut nodes[level];
        let skips_quiets = modern && node.picker.is_before_quiets() && skips_quiets(node);
        let Node { picker, position, context, checks, ply, .. } = node;
        let ordering = OrderingContext {
            position,
            histories,
            context,
            killers: Some(&killers[*ply as usize]),
            checks: Some(checks),
            skips_quiets,
        };
        picker.next(&ordering)
    }

    #[inline(always)]
    fn next_move(&mut self, level: usize) -> Option<Plan> {
        let switches = self.rules.switches();
        loop {
            let is_root = self.memory.nodes[level].ply == 0;
            let mv = if is_root { self.root.next()? } else { self.pick(level)? };
            // The node is looked up once for all that follows.
            let Memory { nodes, histories, killers, .. } = &mut *self.memory;
            let node = &mut nodes[level];
            if mv == node.excluded {
                continue;
            }
            node.seen += 1;
            let prunes = !is_root && switches.pruning == Pruning::Modern;
            if prunes && leave_out(node, histories, mv) {
                continue;
            }
            self.table.prefetch(node.position.likely_key_after(mv));
            if switches.extensions == Extensions::Singular
                && let Some(plan) = plan_singular_test(node, self.root.depth, mv)
            {
                node.stage = Stage::Tested;
                return Some(plan);
            }
            return Some(plan_move(node, histories, killers, switches, mv));
        }
    }

    /// Generates and scores the moves by a paper's rule; after a possible search for a first move.
    fn sort_moves(&mut self, level: usize) {
        let switches = self.rules.switches();
        let killers = self.memory.killers[self.memory.nodes[level].ply as usize].moves();
        let histories = &self.memory.histories;
        let node = &mut self.memory.nodes[level];
        let position = node.position;
        let papers = PapersContext {
            position: &position,
            histories,
            first: node.table_move,
            killers: if switches.killers { killers } else { [Move::NONE; 2] },
            counter: histories.counter(node.piece_to()),
            switches,
        };
        let (table, depth, beta, ply) = (&self.table, node.depth, node.beta, node.ply);
        let enhanced = switches.ordering == Ordering::DarkSight && switches.table;
        let score = |mv| {
            papers.score(mv, |mv| enhanced && leads_to_cut(table, &position, mv, depth, beta, ply))
        };
        // Each move's child is looked up: its memory is on the way before the first is asked for.
        let announce = |&mv: &Move| {
            if enhanced {
                table.prefetch(position.likely_key_after(mv));
            }
        };
        node.picker.begin_sorted(&position, announce, score, |moves, scores| {
            if switches.ordering == Ordering::DarkSight {
                ordering::promote_two_best(moves, scores, |mv| histories.butterfly(&position, mv));
            }
        });
    }
}

/// The first plan for a move: how deep, with which window.
#[inline(always)]
pub fn plan_move(
    node: &mut Node,
    histories: &Histories,
    killers: &[Killers],
    switches: Switches,
    mv: Move,
) -> Plan {
    let (extension, fraction) = extension(node, switches, mv);
    node.searched += 1;
    let first = node.searched == 1;
    let shallower = match switches.reductions {
        Reductions::Late => raised_reduction(node),
        reductions => i32::from(reductions.fail_high() && node.fail_high),
    };
    let full_depth = node.depth - 1 + extension - shallower;
    let mut plan = Plan {
        kind: PlanKind::Move,
        mv,
        alpha: node.alpha,
        beta: node.beta,
        depth: full_depth,
        full_depth,
        fraction,
        attempt: Attempt::Full,
        pv: node.pv,
        cut: !node.pv && !node.cut,
    };
    if first || !switches.scout {
        return plan;
    }
    let reduction = match switches.reductions {
        Reductions::Late => late_reduction(node, histories, killers, mv),
        Reductions::Backward => i32::from(goes_back(node, mv)),
        _ => 0,
    };
    plan.beta = plan.alpha + 1;
    plan.pv = false;
    (plan.attempt, plan.cut) = (Attempt::Scout, true);
    if reduction > 0 {
        plan.depth = (full_depth - reduction).max(1).min(full_depth);
        plan.attempt = Attempt::Reduced;
    } else {
        plan.cut = !node.cut;
    }
    plan
}

/// Whole plies and saved parts of one by which a move is searched more deeply.
#[inline(always)]
fn extension(node: &Node, switches: Switches, mv: Move) -> (i32, i32) {
    match switches.extensions {
        Extensions::Off => (0, 0),
        Extensions::Check => (i32::from(node.in_check() && node.ply > 0), 0),
        Extensions::Singular => (if mv == node.table_move { node.extension } else { 0 }, 0),
        Extensions::DarkSight => extensions::darksight(node, mv, false),
        Extensions::DarkSightNext => extensions::darksight(node, mv, true),
    }
}

/// Enhanced transposition cut-off (D31): the table knows that the move's child fails low enough.
fn leads_to_cut<T: Lookup>(
    table: &T,
    position: &Position,
    mv: Move,
    depth: Depth,
    beta: Score,
    ply: Ply,
) -> bool {
    let child = position.make(mv);
    table.peek(child.key()).is_some_and(|entry| {
        let value = -from_table(entry.score, ply + 1);
        i32::from(entry.depth) >= depth - 1
            && matches!(entry.bound, Bound::Upper | Bound::Exact)
            && value >= beta
    })
}
