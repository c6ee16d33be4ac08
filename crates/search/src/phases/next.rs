//! The next child to search.

#[cfg(feature = "twin")]
mod twin;

use super::{Memory, Search, from_table, margins, null};
use crate::extensions;
use crate::histories::Histories;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::node::{Attempt, NO_EVAL, Node, Plan, PlanKind, Stage};
use crate::parameters;
use crate::source::Source;
use crate::switches::{Extensions, NoTableMove, Ordering, Pruning, Reductions, Rules, Switches};
use board::{Move, MoveKind};
use eval::Evaluator;
use eval::score::{EVAL_LIMIT, MATE_LIMIT, is_decided};
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
        if self.rules.switches().ordering != Ordering::Modern {
            self.sort_moves(level);
        }
        self.memory.nodes[level].stage = Stage::Moves;
        None
    }

    /// The table move, after its singular test. Apart, so that [`plan_move`] is compiled into
    /// the drivers once.
    #[cold]
    #[inline(never)]
    fn plan_tested_move(&mut self, level: usize) -> Option<Plan> {
        let switches = self.rules.switches();
        let Memory { nodes, histories, killers, .. } = &mut *self.memory;
        let node = &mut nodes[level];
        node.stage = Stage::Moves;
        Some(plan_move(node, histories, killers, switches, node.table_move))
    }

    fn decide_probcut(&mut self, level: usize) {
        let wanted = self.rules.switches().pruning == Pruning::Modern;
        let node = &mut self.memory.nodes[level];
        node.stage = Stage::Deepen;
        let above = node.beta + parameters::probcut_margin();
        let hopeless = node.entry.is_some_and(|entry| {
            i32::from(entry.depth) >= node.depth - 3 && from_table(entry.score, node.ply) < above
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
            let first = match node.position.is_capture(table_move) && !table_move.is_none() {
                true => table_move,
                false => Move::NONE,
            };
            node.picker.begin_captures(&node.position, first, above - node.eval);
            node.stage = Stage::ProbCutMoves;
        }
    }

    fn plan_probcut(&mut self, level: usize) -> Option<Plan> {
        let mv = self.pick(level)?;
        let node = &self.memory.nodes[level];
        if node.picker.is_at_bad_captures() {
            return None;
        }
        self.prefetch_child(level, mv);
        let beta = node.beta + parameters::probcut_margin();
        Some(Plan {
            kind: PlanKind::ProbCut,
            mv,
            alpha: beta - 1,
            beta,
            depth: 0,
            full_depth: node.depth - 4,
            fraction: 0,
            attempt: Attempt::Quiescence,
            pv: false,
            cut: !node.cut,
        })
    }

    /// D23: a search two plies shallower finds the first move.
    fn plan_deepening(&self, level: usize) -> Option<Plan> {
        let node = &self.memory.nodes[level];
        let wanted = self.rules.switches().no_table_move == NoTableMove::Deepen
            && node.table_move.is_none()
            && node.depth > 2;
        wanted.then_some(Plan {
            kind: PlanKind::Deepen,
            mv: Move::NONE,
            alpha: node.alpha,
            beta: node.beta,
            depth: node.depth - 2,
            full_depth: node.depth - 2,
            fraction: 0,
            attempt: Attempt::Full,
            pv: node.pv,
            cut: node.cut,
        })
    }

    /// The next move in order.
    #[inline(always)]
    fn pick(&mut self, level: usize) -> Option<Move> {
        let modern = self.rules.switches().pruning == Pruning::Modern;
        let Memory { nodes, histories, killers, .. } = &mut *self.memory;
        let node = &mut nodes[level];
        let skips_quiets = modern && node.picker.is_before_quiets() && skips_quiets(node);
        let Node { picker, position, context, checks, ply, .. } = node;
        let source = Source {
            position,
            histories,
            context,
            killers: Some(&killers[*ply as usize]),
            checks: Some(checks),
            skips_quiets,
        };
        picker.next(&source)
    }

    /// Asks for the table's memory of a move's child while it is still being decided how to search it.
    #[inline(always)]
    fn prefetch_child(&self, level: usize, mv: Move) {
        self.table.prefetch(self.memory.nodes[level].position.likely_key_after(mv));
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
}

/// Whether [`leave_out`] would say of any quiet move, if it came next, that it comes too late.
#[inline(always)]
fn skips_quiets(node: &Node) -> bool {
    node.seen >= margins::late_move_count(node.depth, node.improving)
        && node.best > -i32::from(MATE_LIMIT)
        && node.ply > 0
        && null::has_pieces(&node.position)
        && !node.is_staged()
}

/// Whether a move is so unlikely to matter that it is not searched at all.
#[inline(always)]
fn leave_out(node: &mut Node, histories: &Histories, mv: Move) -> bool {
    if node.is_staged() || node.best <= -i32::from(MATE_LIMIT) || !null::has_pieces(&node.position)
    {
        return false;
    }
    let reduced = node.depth - 1 - margins::base_reduction(node.depth, node.seen) / 1024;
    let is_quiet = !node.position.is_capture(mv) && mv.kind() != MoveKind::Promotion;
    if !is_quiet {
        let margin = parameters::see_capture_margin() * node.depth;
        return node.seen > 1
            && !node.picker.knows_exchange()
            && !node.position.see_at_least(mv, -margin);
    }
    if node.seen > margins::late_move_count(node.depth, node.improving) {
        node.picker.skip_quiets();
        return true;
    }
    let history = histories.quiet(&node.position, &node.context, mv);
    if history < -parameters::history_pruning() * node.depth && node.depth < 6 {
        return true;
    }
    let reduced = (reduced + history / parameters::reduction_history()).max(0);
    if node.eval != NO_EVAL && reduced <= parameters::futility_depth() {
        let margin = parameters::futility_base() + parameters::futility_margin() * reduced;
        if node.eval + margin <= node.alpha && !node.position.gives_check(&node.checks, mv) {
            node.picker.skip_quiets();
            return true;
        }
    }
    let margin = parameters::see_quiet_margin() * reduced * reduced;
    !node.position.see_at_least(mv, -margin)
}

/// If all other moves fail low against a value below the table's, the table move stands alone.
#[inline(always)]
fn plan_singular_test(node: &mut Node, root_depth: i32, mv: Move) -> Option<Plan> {
    if mv != node.table_move || node.tested || node.ply == 0 || !node.excluded.is_none() {
        return None;
    }
    node.tested = true;
    let entry = node.entry?;
    let worth = node.depth >= parameters::singular_depth() + i32::from(node.pv && entry.pv)
        && i32::from(entry.depth) >= node.depth - 3
        && matches!(entry.bound, Bound::Lower | Bound::Exact)
        && !is_decided(entry.score)
        && node.ply < 2 * root_depth;
    let value = from_table(entry.score, node.ply);
    let beta = value - parameters::singular_margin() * node.depth / 10;
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

/// The first plan for a move: how deep, with which window.
#[inline(always)]
fn plan_move(
    node: &mut Node,
    histories: &Histories,
    killers: &[Killers],
    switches: Switches,
    mv: Move,
) -> Plan {
    let (extension, fraction) = extension(node, switches, mv);
    node.searched += 1;
    let first = node.searched == 1;
    let full_depth = node.depth - 1 + extension;
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
    // Z14: at a null-window node that stands at beta already, everything is a ply shallower.
    if switches.reductions == Reductions::FailHigh
        && node.is_scout()
        && node.eval != NO_EVAL
        && node.eval >= node.beta
    {
        plan.depth -= 1;
        plan.full_depth -= 1;
    }
    if first || !switches.scout {
        return plan;
    }
    let reduction = match switches.reductions {
        Reductions::Late => late_reduction(node, histories, killers, mv),
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

/// By how many plies a late move is reduced.
#[inline(always)]
fn late_reduction(node: &Node, histories: &Histories, killers: &[Killers], mv: Move) -> i32 {
    let is_quiet = !node.position.is_capture(mv) && mv.kind() != MoveKind::Promotion;
    if node.depth < 2 || node.searched < 2 + i32::from(node.pv) {
        return 0;
    }
    let mut reduction = margins::base_reduction(node.depth, node.searched);
    if is_quiet {
        let history = histories.quiet(&node.position, &node.context, mv);
        reduction -= history * 1024 / parameters::reduction_history();
        if node.position.is_capture(node.table_move) {
            reduction += parameters::reduction_capture();
        }
        if killers[node.ply as usize].moves().contains(&mv) {
            reduction -= parameters::reduction_killer();
        }
    } else {
        reduction = reduction * 2 / 3 - 512;
    }
    if node.pv {
        reduction -= parameters::reduction_pv();
    }
    if node.cut {
        reduction += parameters::reduction_cut();
    }
    if !node.improving {
        reduction += parameters::reduction_worse();
    }
    if node.in_check() || node.position.gives_check(&node.checks, mv) {
        reduction -= parameters::reduction_check();
    }
    (reduction / 1024).max(0)
}

/// Whole plies and saved parts of one by which a move is searched more deeply.
#[inline(always)]
fn extension(node: &Node, switches: Switches, mv: Move) -> (i32, i32) {
    match switches.extensions {
        Extensions::Off => (0, 0),
        Extensions::Check => (i32::from(node.in_check() && node.ply > 0), 0),
        Extensions::Singular => (if mv == node.table_move { node.extension } else { 0 }, 0),
        Extensions::DarkSight => extensions::darksight(node, mv),
    }
}
