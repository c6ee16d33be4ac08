//! The quiescence search (D45, M25): evasions, captures and promotions until the position is quiet,
//! in `modern` and where it is wide quiet checks at its first ply, and there also pawns near promotion.
//!
//! It is one recursive function: no other processor searches its nodes, so they need no phases.

use crate::histories::{HistoryContext, PieceTo};
use crate::lookup::{Asker, Lookup};
use crate::node::{NO_EVAL, Node};
use crate::ordering_context::OrderingContext;
use crate::parameters::{self, PIECE_VALUES};
use crate::phases::{Memory, Search, from_table, store};
use crate::picker::is_push_to_seventh;
use crate::switches::{Quiescence, Rules};
use board::{CheckInfo, Move, MoveKind, PieceKind};
use eval::Evaluator;
use eval::score::{INFINITE, MATE_LIMIT, Score, is_decided, mated_in};
use table::Bound;

/// DarkSight's Δ-margin (D45): how much more than the captured man a capture may win.
const DELTA: i32 = 200;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The quiet value of the node on a level, which was entered (counted, and no draw) already.
    pub fn quiesce(&mut self, level: usize) -> Score {
        self.statistics.quiescence_nodes += 1;
        let modern = self.rules.switches().quiescence == Quiescence::Modern;
        if let Some(value) = self.quiet_look_up(level, modern) {
            return value;
        }
        if let Some(value) = self.stand_pat(level, modern) {
            return value;
        }
        let node = &mut self.memory.nodes[level];
        node.context =
            HistoryContext::new(&node.position, [node.piece_to(), PieceTo::NONE, PieceTo::NONE]);
        let wide = self.rules.switches().quiescence == Quiescence::Wide;
        if (modern || wide) && node.depth >= 0 {
            node.picker.begin_captures_and_checks(&node.position, node.table_move);
            if wide {
                node.picker.add_pushes();
            }
        } else {
            node.picker.begin_captures(&node.position, node.table_move, 0);
        }
        let (mut searched, mut checks) = (0, None);
        while let Some(mv) = self.pick_quiet(level) {
            if self.is_futile(level, mv, searched, &mut checks) {
                continue;
            }
            searched += 1;
            let value = -self.quiet_child(level, mv);
            if self.stopped {
                return 0;
            }
            let memory = &mut *self.memory;
            let node = &mut memory.nodes[level];
            node.best = node.best.max(value);
            if value > node.alpha {
                (node.alpha, node.best_move) = (value, mv);
                let (above, below) = memory.variations.split_at_mut(level + 1);
                above[level].set(mv, &below[0]);
                if value >= node.beta {
                    self.statistics.quiescence_cuts += 1;
                    self.statistics.quiescence_first_cuts += u64::from(searched == 1);
                    break;
                }
            }
        }
        self.quiet_leave(level, modern)
    }

    fn quiet_look_up(&mut self, level: usize, modern: bool) -> Option<i32> {
        let node = &mut self.memory.nodes[level];
        (node.entry, node.slot, node.table_move) = (None, None, Move::NONE);
        (node.best, node.best_move) = (-i32::from(INFINITE), Move::NONE);
        (node.raw_eval, node.eval) = (NO_EVAL, NO_EVAL);
        node.first_alpha = node.alpha;
        if !modern {
            return None;
        }
        // No remote table is asked at the horizon: the parent is not looked at.
        let asker = Asker { depth: 0, ply: node.ply, parent_known: false, cut: false };
        let probe = self.table.probe(node.position.key(), asker);
        (node.entry, node.slot) = (probe.entry(), Some(probe.slot()));
        let entry = node.entry?;
        let value = from_table(entry.score, node.ply);
        if !node.pv && entry.bound.decides(value, node.beta) && entry.bound != Bound::None {
            return Some(value);
        }
        let mv = entry.mv;
        let wanted = !mv.is_none() && (node.in_check() || node.position.is_capture(mv));
        if wanted && node.position.is_legal(mv) {
            node.table_move = mv;
        }
        None
    }

    /// No side has to capture: the evaluation is a lower bound, except in check.
    fn stand_pat(&mut self, level: usize, modern: bool) -> Option<i32> {
        let node = &self.memory.nodes[level];
        if node.in_check() {
            return None;
        }
        let (raw, eval, guess) = self.static_evaluation(level);
        let node = &mut self.memory.nodes[level];
        (node.raw_eval, node.eval) = (raw, eval);
        node.best = guess;
        if guess >= node.beta {
            if modern && node.entry.is_none() {
                self.quiet_store(level, Bound::Lower);
            }
            return Some(guess);
        }
        node.alpha = node.alpha.max(guess);
        None
    }

    fn pick_quiet(&mut self, level: usize) -> Option<Move> {
        let memory = &mut *self.memory;
        let Node { picker, position, context, .. } = &mut memory.nodes[level];
        let ordering = OrderingContext {
            position,
            histories: &memory.histories,
            context,
            killers: None,
            checks: None,
            skips_quiets: false,
        };
        let mv = picker.next(&ordering)?;
        // Captures that lose material come last: nothing after them is worth a look.
        (position.in_check() || !picker.is_at_bad_captures()).then_some(mv)
    }

    /// Whether a capture cannot bring alpha back, or loses material, or an evasion comes too late.
    /// `checks` says which moves give check, once that has been asked.
    fn is_futile(
        &mut self,
        level: usize,
        mv: Move,
        searched: i32,
        checks: &mut Option<CheckInfo>,
    ) -> bool {
        let modern = self.rules.switches().quiescence == Quiescence::Modern;
        let node = &mut self.memory.nodes[level];
        if node.best <= -i32::from(MATE_LIMIT) {
            return false;
        }
        if node.in_check() {
            let enough = searched > parameters::quiescence_evasions();
            return modern && enough && node.position.is_quiet(mv);
        }
        if mv.kind() == MoveKind::Promotion {
            return !node.position.see_at_least(mv, 0);
        }
        let gain = match node.position.captured(mv) {
            Some(kind) => PIECE_VALUES[kind.index()],
            // It threatens to become a queen.
            None if !modern && is_push_to_seventh(&node.position, mv) => {
                PIECE_VALUES[PieceKind::Queen.index()]
            }
            None => 0,
        };
        let margin = if modern { parameters::quiescence_margin() } else { DELTA };
        let hope = node.eval + gain + margin;
        if hope <= node.alpha {
            let checks = checks.get_or_insert_with(|| node.position.check_info());
            if !node.position.gives_check(checks, mv) {
                node.best = node.best.max(hope);
                return true;
            }
        }
        mv == node.table_move && !node.position.see_at_least(mv, 0)
    }

    fn quiet_child(&mut self, level: usize, mv: Move) -> i32 {
        let Memory { nodes, corrections, .. } = &mut *self.memory;
        let (above, below) = nodes.split_at_mut(level + 1);
        let (node, child) = (&above[level], &mut below[0]);
        self.table.prefetch(node.position.likely_key_after(mv));
        node.position.make_into(mv, &mut child.position);
        (child.alpha, child.beta) = (-node.beta, -node.alpha);
        (child.ply, child.pv) = (node.ply + 1, node.pv);
        child.depth = node.depth.min(0) - 1;
        child.mv = mv;
        (child.piece_tos, child.before) = node.past_after(PieceTo::of(&node.position, mv));
        corrections.prefetch(&child.position, child.earlier_moves());
        let ply = child.ply;
        self.history.push(node.position.key());
        self.evaluator.push(&node.position, mv, &child.position);
        self.count_node(ply);
        self.memory.variations[level + 1].clear();
        let value = match self.decided_by_rule(level + 1) {
            _ if self.stopped => 0,
            Some(value) => value,
            None => self.quiesce(level + 1),
        };
        self.evaluator.pop();
        self.history.pop();
        value
    }

    fn quiet_leave(&mut self, level: usize, modern: bool) -> i32 {
        let node = &mut self.memory.nodes[level];
        if node.in_check() && node.best == -i32::from(INFINITE) {
            return i32::from(mated_in(node.ply));
        }
        if node.best >= node.beta && !is_decided(node.best as i16) && modern {
            node.best = (node.best + node.beta) / 2;
        }
        if modern {
            let node = &self.memory.nodes[level];
            let bound = if node.best >= node.beta { Bound::Lower } else { Bound::Upper };
            self.quiet_store(level, bound);
        }
        self.memory.nodes[level].best
    }

    fn quiet_store(&mut self, level: usize, bound: Bound) {
        let node = &self.memory.nodes[level];
        store(&mut self.table, node, node.best_move, node.best, 0, bound);
    }
}
