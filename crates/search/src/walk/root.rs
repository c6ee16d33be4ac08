//! The search of the root as a task: how it begins, and how it begins anew where others know better.

use super::frame::{State, WalkTask, Work};
use super::stack::Stack;
use super::{NodeType, Session, TaskId, Walk};
use crate::Depth;
use crate::iterate::Deepening;
use crate::lookup::Lookup;
use crate::phases::Search;
use crate::root::NOTHING;
use crate::switches::Rules;
use board::{Move, Position};
use eval::Evaluator;
use eval::score::Score;

/// A root move that has turned out better than the window of its iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailHigh {
    /// The iteration.
    pub depth: Depth,
    /// The move.
    pub mv: Move,
    /// It is worth at least this.
    pub value: Score,
}

impl Stack {
    pub fn start_root<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        position: &Position,
        helper: usize,
    ) {
        let mut deepening = search.begin_deepening((helper % 2) as i32, self.step);
        deepening.skip_as(if self.skips { helper } else { 0 });
        let first = deepening.next();
        let work = Work::Root(Box::new((*position, deepening)));
        (self.tasks, self.outs) = (Vec::new(), Vec::new());
        let (history, nodes) = (search.history.len(), search.statistics.nodes);
        let interrupted = None;
        let id = TaskId::ROOT;
        self.tasks.push(WalkTask { id, base: 0, below: 0, history, nodes, interrupted, work });
        self.top = 0;
        self.frames[0].base = true;
        self.frames[0].node_type = NodeType::One;
        self.frames[0].reset(history);
        self.state = match first {
            Some((alpha, beta, depth)) => {
                search.place_root(position, alpha, beta, depth);
                State::Enter
            }
            None => State::Return(0),
        };
    }

    /// The recursion below the node on top was stopped: should the search go on after all, the node begins anew.
    pub fn enter_again<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
    ) {
        match self.top {
            0 => _ = self.restart_root(search, |_, _| true),
            level => self.restart(search, level),
        }
    }

    /// Begins the search of the root anew where it is the only task and `change` finds a reason: with another
    /// iteration, window or order of moves.
    fn restart_root<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        change: impl FnOnce(&mut Search<'_, R, E, T>, &mut Deepening) -> bool,
    ) -> bool {
        let [WalkTask { work: Work::Root(root), .. }] = &mut self.tasks[..] else { return false };
        let (position, deepening) = &mut **root;
        if deepening.next().is_none() || !change(search, deepening) {
            return false;
        }
        let (position, next) = (*position, deepening.next());
        self.unwind(search, 0);
        self.cancel_outside(0);
        self.frames[0].reset(search.history.len());
        if let Some((alpha, beta, depth)) = next {
            search.place_root(&position, alpha, beta, depth);
            self.state = State::Enter;
        }
        true
    }
}

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// Lets the next iteration of the root be at least this deep.
    pub fn set_ahead(&mut self, depth: Depth) {
        self.stack.ahead = depth;
    }

    /// The move by which the last search of the root has left its window, if it has.
    pub fn failed_high(&self) -> Option<FailHigh> {
        let best = self.root.moves.first()?;
        let failed = best.value != NOTHING && !best.exact && self.root.rank == 0;
        failed.then_some(FailHigh { depth: self.root.depth, mv: best.mv, value: best.value })
    }
}

impl<R: Rules, E: Evaluator, T: Lookup> Session<'_, R, E, T> {
    /// Gives up the iteration of the root that is under way where it is not as deep as this, and goes on with
    /// this one; whether it did.
    pub fn leap(&mut self, depth: Depth) -> bool {
        self.with(|stack, search| {
            stack.restart_root(search, |search, deepening| search.leap(deepening, depth))
        })
    }

    /// Another search of the same root has found that a move is better than its window. If that one is as deep
    /// as ours, and the move neither our best nor under search, the iteration begins anew with that move and
    /// room for its value; whether it does.
    pub fn hear_fail_high(&mut self, heard: &FailHigh) -> bool {
        self.with(|stack, search| {
            stack.restart_root(search, |search, deepening| search.heed(deepening, heard))
        })
    }
}
