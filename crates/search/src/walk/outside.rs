//! What comes from outside: results, narrower windows, cancels, late answers of the table.

use super::TaskId;
use super::child::{decide, narrowed};
use super::frame::{State, Work};
use super::job::JobResult;
use super::stack::Stack;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, PlanKind};
use crate::phases::{Search, from_table};
use crate::switches::Rules;
use board::Key;
use eval::Evaluator;
use eval::score::Score;
use table::{Bound, Entry};

impl Stack {
    /// Takes the value of a child that another processor has searched.
    pub fn absorb_outside<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        id: TaskId,
        job_result: &JobResult,
    ) -> bool {
        let Some(index) = self.outs.iter().position(|out| out.id == id) else { return false };
        let out = self.outs.remove(index);
        let level = out.level;
        self.frames[level].out -= 1;
        // The child's line lies where the node looks for it, but only for the moment: the level above
        // may belong to a child under search here.
        let above = search.memory.variations[level + 1].clone();
        search.memory.variations[level + 1].assign(&job_result.line);
        let absorbed = search.absorb(level, &out.plan, -job_result.value);
        search.memory.variations[level + 1] = above;
        match absorbed {
            Absorbed::Settled => {
                self.frames[level].settled += 1;
                self.narrow_outside(&search.memory.nodes[level], level);
                self.narrow_line(search, level);
                self.wake(level);
            }
            Absorbed::Again(again) => {
                self.frames[level].queue.push(again);
                self.frames[level].spent = false;
                self.frames[level].begun -= 1;
                self.wake(level);
            }
            Absorbed::Cut => self.cut(search, level),
        }
        true
    }

    /// A child comes back unsearched.
    pub fn take_back(&mut self, id: TaskId) -> bool {
        let Some(index) = self.outs.iter().position(|out| out.id == id) else { return false };
        let out = self.outs.remove(index);
        let frame = &mut self.frames[out.level];
        frame.out -= 1;
        frame.begun -= 1;
        frame.queue.push(out.plan);
        frame.spent = false;
        self.wake(out.level);
        true
    }

    /// If the walk waits at this level, it looks again.
    fn wake(&mut self, level: usize) {
        if self.state == State::Wait && self.top == level {
            self.state = State::Next;
        }
    }

    /// Drops everything above a level, which is on top then.
    pub fn unwind<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
    ) {
        self.cancel_outside(level + 1);
        while self.tasks.last().is_some_and(|task| task.base > level) {
            self.tasks.pop();
        }
        self.release_marks(search, level);
        for frame in &mut self.frames[level + 1..=self.top.max(level)] {
            frame.open = false;
        }
        search.history.truncate(self.frames[level].history);
        self.top = level;
        self.catch_up(search);
    }

    /// What was marked as taken from this level on is not taken any more.
    fn release_marks<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
    ) {
        for frame in &mut self.frames[level..=self.top.max(level)] {
            if let Some(child) = frame.mark.take() {
                search.table.release(child);
            }
        }
    }

    /// Carries a change of a node's window up the line of its task, as far as windows are open. A node
    /// whose window closes is cut off.
    fn narrow_line<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        from: usize,
    ) {
        let nested = self.tasks.iter().find(|task| task.base > from);
        let last = nested.map_or(self.top, |task| task.below);
        for level in from..last {
            let plan = self.frames[level].plan;
            if plan.kind != PlanKind::Move || plan.attempt != Attempt::Full {
                return;
            }
            let (alpha, beta) = (search.memory.nodes[level].alpha, search.memory.nodes[level].beta);
            let child = &mut search.memory.nodes[level + 1];
            // A second search that begins above what the window ends at now has decided the node: its value is
            // taken when it comes.
            if child.beta <= -alpha && child.alpha >= -beta || plan.alpha >= beta {
                return;
            }
            child.beta = child.beta.min(-alpha);
            if child.alpha < -beta {
                (child.alpha, child.first_alpha) = (-beta, child.first_alpha.max(-beta));
            }
            if self.frames[level + 1].open && child.alpha >= child.beta {
                self.cut(search, level + 1);
                return;
            }
            self.narrow_outside(&search.memory.nodes[level + 1], level + 1);
        }
    }

    /// Ends a node that is decided.
    fn cut<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
    ) {
        self.unwind(search, level);
        self.cancel_outside(level);
        decide(&mut search.memory.nodes[level]);
        // Its remaining moves are not split off any more.
        self.frames[level].open = false;
        self.state = State::Return(search.leave(level));
    }

    /// The window of a task has become narrower.
    pub fn narrow_task<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        id: TaskId,
        alpha: Score,
        beta: Score,
    ) -> bool {
        let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) else { return false };
        let base = task.base;
        if let Work::Job(job) = &mut task.work {
            (job.alpha, job.beta) = (job.alpha.max(alpha), job.beta.min(beta));
            if job.alpha >= job.beta {
                return self.cancel(search, id);
            }
        }
        let node = &mut search.memory.nodes[base];
        node.beta = node.beta.min(beta);
        if node.alpha < alpha {
            (node.alpha, node.first_alpha) = (alpha, node.first_alpha.max(alpha));
        }
        if self.frames[base].open && node.alpha >= node.beta {
            self.cut(search, base);
            return true;
        }
        self.narrow_outside(&search.memory.nodes[base], base);
        self.narrow_line(search, base);
        true
    }

    /// Drops a task and those above it.
    pub fn cancel<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        id: TaskId,
    ) -> bool {
        let Some(index) = self.tasks.iter().position(|task| task.id == id) else { return false };
        let base = self.tasks[index].base;
        self.unwind(search, base);
        self.cancel_outside(base);
        self.frames[base].open = false;
        if let Some(task) = self.tasks.pop() {
            self.resume(search, &task);
        }
        true
    }

    /// An answer of the table that was not waited for (Z34). If it decides the node, or names another
    /// move than the one being searched first, the node begins anew. Else a move that is still to come is
    /// the next, and the node under search above may be worth a question now.
    pub fn answer<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        key: Key,
        entry: Entry,
    ) -> bool {
        let lowest = self.tasks.last().map_or(usize::MAX, |task| task.base);
        let is_it = |&level: &usize| {
            let node = &search.memory.nodes[level];
            let (frame, switches) = (&self.frames[level], search.rules.switches());
            let is_news = node.entry.is_none_or(|known| known.depth < entry.depth);
            let known_as = || node.table_key(&switches, &search.history, frame.history);
            frame.open && is_news && known_as() == key
        };
        let Some(level) = (lowest..=self.top).rev().find(is_it) else { return false };
        let (frame, node) = (&self.frames[level], &mut search.memory.nodes[level]);
        let value = from_table(entry.score, node.ply);
        let decides = i32::from(entry.depth) >= node.depth
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= node.beta,
                Bound::Upper => value <= node.alpha,
                Bound::None => false,
            };
        let known = !entry.mv.is_none() && node.position.is_legal(entry.mv);
        let first = frame.plan.kind == PlanKind::Move && frame.begun == 1 && frame.settled == 0;
        let other = first && self.top > level && frame.plan.mv != entry.mv
            || self.restart_late && node.picker.first_sorted().is_some_and(|mv| mv != entry.mv);
        if node.ply > 0 && (decides || known && other) {
            self.restart(search, level);
            return true;
        }
        let was_known = node.entry.replace(entry).is_some();
        if known && node.ply > 0 {
            node.picker.promote(entry.mv);
            if node.table_move.is_none() {
                node.table_move = entry.mv;
            }
        }
        self.expect_type(&search.memory.nodes[level], level);
        let above = level + 1;
        let is_unknown = || search.memory.nodes[above].entry.is_none();
        if !was_known && above <= self.top && self.frames[above].open && is_unknown() {
            let (node, switches) = (&search.memory.nodes[above], search.rules.switches());
            let key = node.table_key(&switches, &search.history, self.frames[above].history);
            let asker = search.asker(above);
            search.table.ask_late(key, asker);
        }
        false
    }

    /// Enters a node again from the beginning.
    pub fn restart<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
    ) {
        self.unwind(search, level);
        self.cancel_outside(level);
        let task = self.tasks.last().filter(|task| task.base == level);
        if let Some(Work::Job(job)) = task.map(|task| task.work.clone()) {
            self.place_job(search, level, &job);
            return;
        }
        // As if the plan had just been made: with the window that the node below has now.
        let below = level - 1;
        let plan = self.frames[below].plan;
        search.ascend(&plan, 0);
        let node = &search.memory.nodes[below];
        let plan = match (plan.kind, plan.attempt) {
            (PlanKind::Move, Attempt::Full) => narrowed(node, plan),
            _ => plan,
        };
        self.frames[below].plan = plan;
        search.descend(below, &plan);
        self.frames[level].reset(search.history.len());
        self.state = State::Enter;
    }
}
