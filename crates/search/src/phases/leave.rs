//! Leaving a node: its value, what the table learns, what the histories learn.

use super::{Memory, Search, above_quiet_move, store};
use crate::histories::bonus;
use crate::lookup::Lookup;
use crate::node::NO_EVAL;
use crate::parameters;
use crate::switches::{Ordering, Rules};
use eval::Evaluator;
use eval::score::{Score, is_decided, mated_in};
use table::Bound;

/// What a success counts in the papers' history: a whole share of a delta that processors tell each other.
const SUCCESS: i32 = 16;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The value of a node whose children are done.
    #[inline(always)]
    pub fn leave(&mut self, level: usize) -> Score {
        let node = &self.memory.nodes[level];
        if let Some(value) = node.decided {
            return value;
        }
        if node.seen == 0 {
            return match (node.excluded.is_none(), node.in_check()) {
                (false, _) => node.alpha,
                (true, true) => i32::from(mated_in(node.ply)),
                (true, false) => 0,
            };
        }
        self.teach_histories(level);
        let switches = self.rules.switches();
        let node = &self.memory.nodes[level];
        if node.excluded.is_none() {
            if switches.table && self.root.may_store(node.ply) {
                // The old move is kept where no new one was found.
                let mv = if node.best_move.is_none() { node.table_move } else { node.best_move };
                let bound = Bound::of(node.best, node.first_alpha, node.beta);
                store(&mut self.table, node, mv, node.best, node.depth, bound);
            }
            if switches.corrections {
                self.learn_correction(level);
            }
        }
        self.memory.nodes[level].best
    }

    /// What is learnt about moves. In `modern` every best move is remembered as a killer and countermove, and
    /// where there is none the opponent's last move was good.
    #[inline(always)]
    fn teach_histories(&mut self, level: usize) {
        let modern = self.rules.switches().ordering == Ordering::Modern;
        if !modern {
            return self.count_success(level);
        }
        let node = &self.memory.nodes[level];
        let gain = bonus(node.depth);
        if node.best_move.is_none() {
            if node.best <= node.first_alpha {
                self.reward_last_move(level, gain * parameters::prior_bonus() / 100);
            }
        } else if node.best >= node.beta {
            self.reward(level, gain);
        } else {
            self.reward(level, gain * parameters::exact_bonus() / 100);
        }
    }

    /// What the papers' programs learn: the history counts quiet moves that become best or cut (Z19, M22), and
    /// nothing is held against those that fail; killers (Z18) and countermoves (Z20) are moves that cut.
    fn count_success(&mut self, level: usize) {
        let memory = &mut *self.memory;
        let node = &memory.nodes[level];
        let best = node.best_move;
        if best.is_none() || !node.position.is_quiet(best) {
            return;
        }
        memory.histories.update_quiet(&node.position, &node.context, best, SUCCESS);
        if node.best >= node.beta {
            memory.killers[node.ply as usize].reward(best);
            memory.histories.set_counter(node.piece_to(), best);
        }
    }

    /// The best move is better than those tried before it.
    fn reward(&mut self, level: usize, gain: i32) {
        let memory = &mut *self.memory;
        let node = &memory.nodes[level];
        let (position, best) = (&node.position, node.best_move);
        if position.is_quiet(best) {
            memory.killers[node.ply as usize].remember(best);
            memory.histories.set_counter(node.piece_to(), best);
            memory.histories.update_quiet(position, &node.context, best, gain);
            for &mv in node.quiets.as_slice() {
                memory.histories.update_quiet(position, &node.context, mv, -gain);
            }
        } else {
            memory.histories.update_capture(position, best, gain);
        }
        for &mv in node.captures.as_slice() {
            memory.histories.update_capture(position, mv, -gain);
        }
    }

    /// Nothing helps against the quiet move that led here: it deserves to come early.
    #[inline(always)]
    fn reward_last_move(&mut self, level: usize, gain: i32) {
        let Memory { nodes, histories, .. } = &mut *self.memory;
        if let Some(above) = above_quiet_move(nodes, level) {
            histories.update_quiet(&above.position, &above.context, nodes[level].mv, gain);
        }
    }

    /// Learns by how much the evaluation was off, where that is not the work of captures.
    fn learn_correction(&mut self, level: usize) {
        let node = &self.memory.nodes[level];
        let bound = Bound::of(node.best, node.first_alpha, node.beta);
        let contradicted = match bound {
            Bound::Lower => node.best > node.eval,
            Bound::Upper => node.best < node.eval,
            _ => true,
        };
        let quiet = node.best_move.is_none() || node.position.is_quiet(node.best_move);
        if node.eval != NO_EVAL && quiet && contradicted && !is_decided(node.best as i16) {
            let error = node.best - node.eval;
            let earlier = node.context.earlier;
            self.memory.corrections.learn(&node.position, earlier, node.depth, error);
        }
    }
}
