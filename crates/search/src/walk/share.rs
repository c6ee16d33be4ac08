//! Splitting off children for other processors, and telling these what changes.

use super::TaskId;
use super::child::{Luggage, child_type, narrowed, refreshed};
use super::frame::{Effect, Out, SplitPoint};
use super::job::Job;
use super::stack::Stack;
use crate::Depth;
use crate::lookup::Lookup;
use crate::node::{Attempt, Node, Plan, PlanKind, Stage};
use crate::phases::{Memory, Search};
use crate::switches::Rules;
use eval::Evaluator;

/// Plies for which a job's search gets the killers of its owner, beyond its own depth.
const MORE_KILLERS: i32 = 1;

/// What another processor may get: it depends on how far away it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitRule {
    /// The smallest depth of a child that is worth its messages.
    pub grain: Depth,
    /// The smallest depth of a child with which the history of moves goes along.
    pub history_from: Depth,
}

/// Whether a node's first child must be done before the others make sense: the table names it (F9), or
/// scouts need its value.
pub(super) fn leads(node: &Node, scout: bool) -> bool {
    !node.table_move.is_none() || node.pv && scout
}

impl Stack {
    /// Takes what the table knows about an open node for what is expected of it, where that is wanted.
    #[inline(always)]
    pub fn expect_type(&mut self, node: &Node, level: usize) {
        if self.expected_types {
            let frame = &mut self.frames[level];
            frame.node_type = frame.node_type.expected_by_table(node);
        }
    }

    /// The next open node from a level on that is at its moves.
    pub fn split_point(&self, memory: &Memory, from: usize, grain: Depth) -> Option<SplitPoint> {
        let end = if self.tasks.is_empty() { 0 } else { self.top + 1 };
        (from..end).find_map(|level| {
            let (frame, node) = (&self.frames[level], &memory.nodes[level]);
            let at_moves = node.stage == Stage::Moves && !frame.spent;
            (frame.open && frame.begun > 0 && at_moves && node.depth > grain).then_some(
                SplitPoint {
                    level,
                    node_type: frame.node_type,
                    depth: node.depth,
                    begun: frame.begun,
                    young: frame.young,
                    settled: frame.settled,
                    out: frame.out,
                },
            )
        })
    }

    /// Whether the walk stops at the node on top, so that all children are given away and none is searched
    /// here (F12). It does not stop where `pass` says to search one here.
    pub fn stops_here<R: Rules, E: Evaluator, T: Lookup>(
        &self,
        search: &Search<'_, R, E, T>,
    ) -> bool {
        let (frame, node) = (&self.frames[self.top], &search.memory.nodes[self.top]);
        let begun = frame.begun > 0 || !leads(node, search.rules.switches().scout);
        !self.pass && frame.open && node.depth > self.grain && begun
    }

    /// The next child of the node on a level, to be searched elsewhere.
    pub fn split<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
        id: TaskId,
        rule: SplitRule,
    ) -> Option<Job> {
        let node = &search.memory.nodes[level];
        let plan = match self.frames[level].queue.pop() {
            Some(plan) => Some(refreshed(node, plan)),
            None => search.next(level),
        };
        let frame = &mut self.frames[level];
        frame.spent = plan.is_none_or(|plan| plan.depth < rule.grain);
        let plan = plan?;
        if plan.kind != PlanKind::Move || plan.depth < rule.grain {
            frame.queue.push(plan);
            return None;
        }
        let job = self.job(search, level, &plan, rule);
        let frame = &mut self.frames[level];
        frame.begun += 1;
        frame.out += 1;
        self.outs.push(Out { id, level, plan });
        Some(job)
    }

    fn job<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &Search<'_, R, E, T>,
        level: usize,
        plan: &Plan,
        rule: SplitRule,
    ) -> Job {
        let frame = &self.frames[level];
        let node = &search.memory.nodes[level];
        let clock = node.position.halfmove_clock() as usize;
        let mut keys = search.history.before(frame.history, clock).to_vec();
        keys.push(node.position.key());
        let ply = node.ply + 1;
        let last = (ply + plan.depth + MORE_KILLERS).max(ply) as usize;
        let killers = &search.memory.killers;
        let scout = search.rules.switches().scout;
        let luggage = Luggage {
            node_type: child_type(frame.node_type, frame.begun == 0, plan, scout),
            keys,
            killers: killers[ply as usize..last.min(killers.len())].to_vec(),
            root_depth: search.root.depth,
        };
        let mut job = Job::of(&mut self.scratch, node, plan, luggage, &search.rules);
        job.history = (plan.depth >= rule.history_from).then(|| search.memory.histories.copy());
        job
    }

    /// Tells those who search children of a node with an open window that alpha has risen (Z26). A
    /// null window stays where it is: what failed low inside it would say nothing about a lower one.
    pub fn narrow_outside(&mut self, node: &Node, level: usize) {
        for out in self.outs.iter_mut().filter(|out| out.level == level) {
            let changed = node.alpha > out.plan.alpha || node.beta < out.plan.beta;
            // What begins above the window's end has decided the node: nothing would be left of its window.
            if out.plan.attempt == Attempt::Full && changed && out.plan.alpha < node.beta {
                out.plan = narrowed(node, out.plan);
                self.effects.push(Effect::Narrow(out.id, -node.beta, -out.plan.alpha));
            }
        }
    }

    /// Gives up the children of a node and of all above it that others search.
    pub fn cancel_outside(&mut self, level: usize) {
        let Stack { outs, effects, frames, .. } = self;
        if outs.is_empty() {
            return;
        }
        outs.retain(|out| {
            let kept = out.level < level;
            if !kept {
                frames[out.level].out = 0;
                effects.push(Effect::Cancel(out.id));
            }
            kept
        });
    }
}
