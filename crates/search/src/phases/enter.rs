//! Entering a node: rules, table, evaluation, and the prunings that need no child.

use super::{Search, from_table, margins};
use crate::histories::{Context, bonus};
use crate::lookup::{Asker, Lookup};
use crate::node::{Entered, NO_EVAL, Node, Stage};
use crate::ordering::{self, Scene};
use crate::parameters;
use crate::switches::{NoTableMove, Ordering, Pruning, Quiescence, Rules};
use board::{Move, MoveKind, Position};
use eval::Evaluator;
use eval::score::{INFINITE, MAX_PLY, mate_in, mated_in};
use table::{Bound, Entry, MIN_DEPTH};

/// A table value is not trusted near the fifty-move rule, of which the table knows nothing.
const CLOCK_LIMIT: u16 = 90;

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
        if let Some(value) = self.look_up(level) {
            return Entered::Value(value);
        }
        self.judge(level);
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
        match self.rules.switches().quiescence {
            Quiescence::Off => self.static_value(level),
            _ => self.quiesce(level),
        }
    }

    /// The static evaluation, or the result if the game is over.
    fn static_value(&mut self, level: usize) -> i32 {
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
            // The clock is easier to expect than alpha.
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
        let father_known = parent.is_some_and(|parent| parent.entry.is_some());
        Asker { depth: node.depth, ply: node.ply, father_known }
    }

    /// Asks the table (Z16); a value that is deep enough ends the node.
    #[inline(always)]
    fn look_up(&mut self, level: usize) -> Option<i32> {
        let switches = self.rules.switches();
        (self.memory.nodes[level].entry, self.memory.nodes[level].slot) = (None, None);
        self.memory.nodes[level].table_move = Move::NONE;
        if switches.table {
            let asker = self.asker(level);
            let probe = self.table.probe(self.memory.nodes[level].position.key(), asker);
            let node = &mut self.memory.nodes[level];
            (node.entry, node.slot) = (probe.entry(), Some(probe.slot()));
            if let Some(entry) = node.entry
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
            || node.position.halfmove_clock() >= CLOCK_LIMIT
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
        narrow(node, entry.bound, value)
    }

    /// A quiet move that cuts off without a search is still a good one.
    #[inline(always)]
    fn reward_table_move(&mut self, level: usize) {
        let memory = &mut *self.memory;
        let node = &memory.nodes[level];
        let mv = node.table_move;
        if !mv.is_none() && !node.position.is_capture(mv) && mv.kind() != MoveKind::Promotion {
            let context = Context::new(&node.position, node.earlier_moves());
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

    /// Finds the static evaluation and whether it improves.
    #[inline(always)]
    fn judge(&mut self, level: usize) {
        let node = &self.memory.nodes[level];
        let earlier = node.earlier_moves();
        let (mut raw, mut eval, mut guess) = (NO_EVAL, NO_EVAL, NO_EVAL);
        if !node.excluded.is_none() {
            let same = &self.memory.nodes[level - 1];
            (raw, eval, guess) = (same.raw_eval, same.eval, same.guess);
        } else if !node.in_check() {
            let known = node.entry.and_then(|entry| entry.eval);
            raw = match known {
                Some(value) => i32::from(value),
                None => i32::from(self.evaluator.evaluate(&node.position)),
            };
            let switches = self.rules.switches();
            eval = match switches.corrections {
                true => self.memory.corrections.apply(&node.position, earlier, raw),
                false => raw,
            };
            guess = better_guess(node, eval);
            if node.known != NO_EVAL {
                (raw, eval, guess) = [node.known; 3].into();
            }
            if node.is_staged() {
                (raw, eval, guess) = [NO_EVAL; 3].into();
            } else if known.is_none() && node.entry.is_none() && switches.pruning == Pruning::Modern
            {
                remember_eval(&mut self.table, node, raw);
            }
        }
        let improving = eval != NO_EVAL && is_improving(&node.before, eval);
        let node = &mut self.memory.nodes[level];
        (node.raw_eval, node.eval, node.guess, node.improving) = (raw, eval, guess, improving);
        node.context = Context::new(&node.position, earlier);
    }

    /// Razoring and reverse futility; DarkSight's three rules.
    #[inline(always)]
    fn prune_without_child(&mut self, level: usize) -> Option<i32> {
        let node = &mut self.memory.nodes[level];
        if node.pv || node.eval == NO_EVAL || !node.excluded.is_none() {
            self.reduce_without_table_move(level);
            return None;
        }
        match self.rules.switches().pruning {
            Pruning::Off => return None,
            Pruning::DarkSight => {
                if let Some(value) = margins::darksight_estimate(node.depth, node.eval, node.alpha)
                {
                    return Some(value);
                }
                if margins::darksight_razors(node.depth, node.eval, node.alpha) {
                    node.depth -= 1;
                }
            }
            Pruning::Modern => {
                if margins::reverse_futility(node) {
                    return Some((node.guess + node.beta) / 2);
                }
                if margins::razors(node) {
                    if let Some(value) = self.ask_quiescence(level) {
                        return Some(value);
                    }
                } else if margins::scouts(node) {
                    self.ask_quiescence(level);
                }
                // An interrupted answer is no value; the driver looks at `stopped` first.
                if self.stopped {
                    return Some(0);
                }
            }
        }
        self.reduce_without_table_move(level);
        None
    }

    /// Asks the quiescence search, which uses the node as its own; what it overwrites is put back. A
    /// capture that it finds good enough will be the first to be tried; a value not above alpha is told.
    #[inline(never)]
    fn ask_quiescence(&mut self, level: usize) -> Option<i32> {
        let node = &self.memory.nodes[level];
        let (alpha, table_move, raw_eval, eval) =
            (node.alpha, node.table_move, node.raw_eval, node.eval);
        let value = self.quiesce(level);
        let node = &mut self.memory.nodes[level];
        (node.alpha, node.first_alpha, node.best) = (alpha, alpha, -i32::from(INFINITE));
        (node.table_move, node.raw_eval, node.eval) = (table_move, raw_eval, eval);
        if value >= node.beta && node.table_move.is_none() {
            node.table_move = node.best_move;
        }
        node.best_move = Move::NONE;
        self.memory.variations[level].clear();
        (value <= alpha).then_some(value)
    }

    /// Without a first move the search is likely to be wasteful: a ply less costs little and finds one.
    #[inline(always)]
    fn reduce_without_table_move(&mut self, level: usize) {
        let node = &mut self.memory.nodes[level];
        if self.rules.switches().no_table_move == NoTableMove::Reduce
            && node.depth >= 4
            && node.table_move.is_none()
            && node.excluded.is_none()
            && (node.pv || node.cut)
        {
            node.depth -= 1;
        }
    }

    /// Makes the node ready to give out plans.
    #[inline(always)]
    fn open(&mut self, level: usize) {
        let node = &mut self.memory.nodes[level];
        node.stage = Stage::Null;
        (node.seen, node.searched) = (0, 0);
        node.job_result = None;
        node.quiets.clear();
        node.captures.clear();
        (node.tested, node.extension) = (false, 0);
        (node.mate_threat, node.deep_search) = (false, false);
        node.checks = node.position.check_info();
        if self.rules.switches().ordering == Ordering::Modern {
            node.picker.begin(node.table_move);
        }
    }

    /// Generates and scores the moves by a paper's rule; after a possible search for a first move.
    pub fn sort_moves(&mut self, level: usize) {
        let switches = self.rules.switches();
        let killers = self.memory.killers[self.memory.nodes[level].ply as usize].moves();
        let histories = &self.memory.histories;
        let node = &mut self.memory.nodes[level];
        let position = node.position;
        let scene = Scene {
            position: &position,
            histories,
            first: node.table_move,
            killers: if switches.killers { killers } else { [Move::NONE; 2] },
            counter: histories.counter(node.step()),
            switches,
        };
        let (table, depth, beta, ply) = (&self.table, node.depth, node.beta, node.ply);
        let enhanced = switches.ordering == Ordering::DarkSight && switches.table;
        node.picker.begin_sorted(&position, |mv| {
            scene.score(mv, |mv| enhanced && leads_to_cut(table, &position, mv, depth, beta, ply))
        });
        if switches.ordering == Ordering::DarkSight {
            let (moves, scores) = node.picker.sorted_mut();
            ordering::promote_two_best(moves, scores, |mv| histories.butterfly(&position, mv));
        }
    }
}

/// Z16 with a window of any width: exact values end the node, bounds narrow the window.
fn narrow(node: &mut Node, bound: Bound, value: i32) -> Option<i32> {
    match bound {
        Bound::Exact => return Some(value),
        Bound::Lower if value > node.alpha => {
            (node.alpha, node.first_alpha, node.best) = (value, value, value);
        }
        Bound::Upper if value < node.beta => node.beta = value,
        _ => (),
    }
    (node.alpha >= node.beta).then_some(value)
}

/// Whether the evaluation is better than two plies ago, or four if there was check.
#[inline(always)]
fn is_improving(before: &[i32; 4], eval: i32) -> bool {
    let earlier = if before[1] != NO_EVAL { before[1] } else { before[3] };
    eval > earlier
}

/// What the table knows may be a better guess than the evaluation.
#[inline(always)]
fn better_guess(node: &Node, eval: i32) -> i32 {
    match node.entry {
        Some(entry) if entry.bound != Bound::None => {
            let value = from_table(entry.score, node.ply);
            if entry.bound.decides(value, eval) { value } else { eval }
        }
        _ => eval,
    }
}

/// Stores an evaluation without a value, so that the next visit need not work it out again.
#[inline(always)]
fn remember_eval<T: Lookup>(table: &mut T, node: &Node, raw: i32) {
    if let Some(slot) = node.slot {
        let entry = Entry {
            mv: Move::NONE,
            score: 0,
            eval: Some(raw as i16),
            depth: MIN_DEPTH,
            bound: Bound::None,
            pv: node.pv,
        };
        table.store(slot, entry);
    }
}

/// Enhanced transposition cut-off (D31): the table knows that the move's child fails low enough.
fn leads_to_cut<T: Lookup>(
    table: &T,
    position: &Position,
    mv: Move,
    depth: i32,
    beta: i32,
    ply: i32,
) -> bool {
    let child = position.make(mv);
    table.peek(child.key()).is_some_and(|entry| {
        let value = -from_table(entry.score, ply + 1);
        i32::from(entry.depth) >= depth - 1
            && matches!(entry.bound, Bound::Upper | Bound::Exact)
            && value >= beta
    })
}
