//! Entering a node: rules, table, evaluation, and the prunings that need no child.

use super::{Memory, Search, above_quiet_move, from_table, store};
use crate::histories::{HistoryContext, bonus};
use crate::lookup::{Asker, Lookup};
use crate::node::{Entered, NO_EVAL, Node, Stage};
use crate::parameters;
use crate::switches::{Ordering, Pruning, Quiescence, Rules, TableUse};
use board::Move;
use eval::Evaluator;
use eval::score::{INFINITE, MAX_PLY, Score, mate_in, mated_in};
use table::{Bound, MIN_DEPTH};

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Opens the node on a level of the stack, or finds its value.
    #[inline(always)]
    pub fn enter(&mut self, level: usize) -> Entered {
        self.count_node(self.memory.nodes[level].ply);
        self.memory.variations[level].clear();
        if self.stopped {
            return Entered::Value(0);
        }
        if let Some(value) = self.decided_by_rule(level) {
            return Entered::Value(value);
        }
        if self.memory.nodes[level].depth <= 0 {
            return Entered::Value(self.horizon(level));
        }
        // Z14 asks for a null window as the parent chose it, not as the table makes it.
        let scout = self.memory.nodes[level].is_scout();
        if let Some(value) = self.look_up(level) {
            return Entered::Value(value);
        }
        self.evaluate(level);
        if self.rules.switches().reductions.fail_high()
            && let Some(value) = self.reduce_fail_high(level, scout)
        {
            return Entered::Value(value);
        }
        if let Some(value) = self.prune_without_child(level) {
            return Entered::Value(value);
        }
        self.open(level);
        Entered::Open
    }

    /// At depth 0.
    #[inline(always)]
    fn horizon(&mut self, level: usize) -> i32 {
        self.memory.nodes[level].depth = 0;
        let (nodes, beta) = (self.statistics.nodes, self.memory.nodes[level].beta);
        let value = match self.rules.switches().quiescence {
            Quiescence::Off => self.static_value(level),
            Quiescence::Exchanges => self.exchanged_value(level),
            _ => self.quiesce(level),
        };
        if self.rules.switches().pruning != Pruning::Modern {
            let frontier = &mut self.statistics.frontier[usize::from(value >= beta)];
            frontier.nodes += 1;
            frontier.cost += self.statistics.nodes - nodes + 1;
        }
        value
    }

    /// The static evaluation with the best exchange that the side to move can begin, if any gains.
    fn exchanged_value(&mut self, level: usize) -> i32 {
        let position = &self.memory.nodes[level].position;
        let moves = position.legal_moves();
        let gains = moves.iter().filter(|&&mv| !position.is_quiet(mv)).map(|&mv| position.see(mv));
        let gain = gains.max().unwrap_or(0).max(0);
        self.static_value(level) + gain
    }

    /// The static evaluation, or the result if the game is over.
    pub(super) fn static_value(&mut self, level: usize) -> i32 {
        let node = &self.memory.nodes[level];
        if !node.position.has_legal_move() {
            return if node.in_check() { i32::from(mated_in(node.ply)) } else { 0 };
        }
        i32::from(self.evaluator.evaluate(&node.position))
    }

    /// Draws, the end of the stack, and mates that cannot matter any more.
    #[inline(always)]
    pub fn decided_by_rule(&mut self, level: usize) -> Option<i32> {
        let levels = self.memory.nodes.len();
        let node = &mut self.memory.nodes[level];
        let (ply, position) = (node.ply, &node.position);
        if ply == 0 {
            return None;
        }
        if self.history.is_repetition(position, ply as usize) || position.is_insufficient_material()
        {
            return Some(0);
        }
        // Mate by the hundredth half-move comes before the draw.
        if position.halfmove_clock() >= 100 && (!node.in_check() || position.has_legal_move()) {
            return Some(0);
        }
        if node.excluded.is_none()
            && let Some(value) = self.known(level)
        {
            return Some(value);
        }
        let node = &mut self.memory.nodes[level];
        let position = &node.position;
        if ply >= MAX_PLY - 1 || level + 3 >= levels {
            let value = if node.in_check() { 0 } else { self.evaluator.evaluate(&node.position) };
            return Some(i32::from(value));
        }
        if self.rules.switches().pruning == Pruning::Modern {
            node.alpha = node.alpha.max(i32::from(mated_in(ply)));
            node.beta = node.beta.min(i32::from(mate_in(ply + 1)));
            // The clock is easier to predict than alpha.
            let may_repeat = position.halfmove_clock() >= 3 && node.alpha < 0;
            if may_repeat && self.history.has_upcoming_repetition(position, ply as usize) {
                node.alpha = 0;
            }
            if node.alpha >= node.beta {
                return Some(node.alpha);
            }
        }
        None
    }

    /// Who asks the table.
    #[inline(always)]
    pub fn asker(&self, level: usize) -> Asker {
        let node = &self.memory.nodes[level];
        let parent = self.memory.nodes.get(level.wrapping_sub(1));
        let parent_known = parent.is_some_and(|parent| parent.entry.is_some());
        Asker { depth: node.depth, ply: node.ply, parent_known, cut: node.cut }
    }

    /// Asks the table (Z16); a value that is deep enough ends the node.
    #[inline(always)]
    fn look_up(&mut self, level: usize) -> Option<i32> {
        let switches = self.rules.switches();
        (self.memory.nodes[level].entry, self.memory.nodes[level].slot) = (None, None);
        self.memory.nodes[level].table_move = Move::NONE;
        if switches.table {
            let (asker, node) = (self.asker(level), &self.memory.nodes[level]);
            let key = node.table_key(&switches, &self.history, self.history.len());
            let probe = self.table.probe(key, asker);
            let node = &mut self.memory.nodes[level];
            (node.entry, node.slot) = (probe.entry(), Some(probe.slot()));
            if let Some(entry) = node.entry
                && switches.table_use.ordering
                && !entry.mv.is_none()
                && node.position.is_legal(entry.mv)
            {
                node.table_move = entry.mv;
            }
        }
        if switches.refutations {
            self.use_refutation(level);
        }
        let node = &mut self.memory.nodes[level];
        node.best = -i32::from(INFINITE);
        node.best_move = Move::NONE;
        let entry = node.entry?;
        if node.ply == 0
            || !node.excluded.is_none()
            || i32::from(entry.depth) < node.depth
            || i32::from(node.position.halfmove_clock()) >= parameters::table_clock()
        {
            return None;
        }
        let value = from_table(entry.score, node.ply);
        if switches.pruning == Pruning::Modern {
            let cut = !node.pv && entry.bound.decides(value, node.beta);
            if cut && value >= node.beta {
                self.reward_table_move(level);
            }
            return cut.then_some(value);
        }
        narrow(node, entry.bound, value, switches.table_use)
    }

    /// A quiet move that cuts off without a search is still a good one.
    #[inline(always)]
    fn reward_table_move(&mut self, level: usize) {
        let memory = &mut *self.memory;
        let node = &memory.nodes[level];
        let mv = node.table_move;
        if !mv.is_none() && node.position.is_quiet(mv) {
            let context = HistoryContext::new(&node.position, node.earlier_moves());
            let gain = bonus(node.depth) * parameters::table_bonus() / 100;
            memory.histories.update_quiet(&node.position, &context, mv, gain);
        }
    }

    #[cold]
    fn use_refutation(&mut self, level: usize) {
        let path: Vec<Move> = self.memory.nodes[1..=level].iter().map(|node| node.mv).collect();
        let mv = self.memory.refutations.first(&path);
        let node = &mut self.memory.nodes[level];
        if node.table_move.is_none() && !mv.is_none() && node.position.is_legal(mv) {
            node.table_move = mv;
        }
    }

    /// The evaluation of a position that is not in check, as the evaluator gives it and with what was
    /// learned, and what the table may know better.
    #[inline(always)]
    pub fn static_evaluation(&mut self, level: usize) -> (i32, i32, i32) {
        let node = &self.memory.nodes[level];
        let raw = match node.entry.and_then(|entry| entry.eval) {
            Some(value) => i32::from(value),
            None => i32::from(self.evaluator.evaluate(&node.position)),
        };
        let eval = match self.rules.switches().corrections {
            true => self.memory.corrections.apply(&node.position, node.earlier_moves(), raw),
            false => raw,
        };
        (raw, eval, better_guess(node, eval))
    }

    /// Finds the static evaluation and whether it improves. A new evaluation is stored without a value, so
    /// that the next visit need not work it out again.
    #[inline(always)]
    fn evaluate(&mut self, level: usize) {
        let node = &self.memory.nodes[level];
        let (is_new, is_staged) = (node.entry.is_none(), node.is_staged());
        let (raw, eval, guess) = if !node.excluded.is_none() {
            let same = &self.memory.nodes[level - 1];
            (same.raw_eval, same.eval, same.guess)
        } else if node.in_check() || is_staged {
            (NO_EVAL, NO_EVAL, NO_EVAL)
        } else if node.known != NO_EVAL {
            (node.known, node.known, node.known)
        } else {
            self.static_evaluation(level)
        };
        let node = &mut self.memory.nodes[level];
        (node.raw_eval, node.eval, node.guess) = (raw, eval, guess);
        node.improving = eval != NO_EVAL && (eval >= node.beta || is_improving(&node.before, eval));
        node.context = HistoryContext::new(&node.position, node.earlier_moves());
        let stores = is_new && node.excluded.is_none() && raw != NO_EVAL;
        if stores && self.rules.switches().pruning == Pruning::Modern {
            store(&mut self.table, node, Move::NONE, 0, i32::from(MIN_DEPTH), Bound::None);
        }
        if self.rules.switches().ordering == Ordering::Modern {
            self.learn_from_evaluation(level);
        }
    }

    /// A quiet move that gained in evaluation for its side deserves to come early.
    #[inline(always)]
    fn learn_from_evaluation(&mut self, level: usize) {
        let Memory { nodes, histories, .. } = &mut *self.memory;
        let node = &nodes[level];
        let former = node.before[0];
        if node.eval != NO_EVAL
            && former != NO_EVAL
            && let Some(above) = above_quiet_move(nodes, level)
        {
            let most = parameters::eval_history_max();
            let gain = -(node.eval + former) * parameters::eval_history();
            histories.update_plain(&above.position, node.mv, gain.clamp(-most, most));
        }
    }

    /// Makes the node ready to give plans.
    #[inline(always)]
    fn open(&mut self, level: usize) {
        let node = &mut self.memory.nodes[level];
        node.stage = Stage::Null;
        (node.seen, node.searched) = (0, 0);
        node.decided = None;
        node.quiets.clear();
        node.captures.clear();
        (node.tested, node.extension) = (false, 0);
        (node.mate_threat, node.deep_search, node.null_tried) = (false, false, false);
        node.threat = Move::NONE;
        node.checks = node.position.check_info();
        if self.rules.switches().ordering == Ordering::Modern {
            node.picker.begin(node.table_move);
        }
    }
}

/// Z16 with a window of any width: exact values and bounds outside the window end the node, others narrow it.
fn narrow(node: &mut Node, bound: Bound, value: Score, uses: TableUse) -> Option<Score> {
    let closes = match bound {
        Bound::Exact => true,
        Bound::Lower => value >= node.beta,
        Bound::Upper => value <= node.alpha,
        Bound::None => false,
    };
    if closes {
        return uses.cuts.then_some(value);
    }
    match bound {
        Bound::Lower if uses.bounds && value > node.alpha => {
            (node.alpha, node.first_alpha, node.best) = (value, value, value);
        }
        Bound::Upper if uses.bounds && value < node.beta => node.beta = value,
        _ => (),
    }
    None
}

/// Whether the evaluation is better than two plies ago, or four if there was check.
#[inline(always)]
fn is_improving(before: &[i32; 4], eval: Score) -> bool {
    let earlier = if before[1] != NO_EVAL { before[1] } else { before[3] };
    eval > earlier
}

/// What the table knows may be a better guess than the evaluation.
#[inline(always)]
fn better_guess(node: &Node, eval: Score) -> i32 {
    match node.entry {
        Some(entry) if entry.bound != Bound::None => {
            let value = from_table(entry.score, node.ply);
            if entry.bound.decides(value, eval) { value } else { eval }
        }
        _ => eval,
    }
}
