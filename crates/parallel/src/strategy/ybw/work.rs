//! Giving and taking work.

use super::{Context, Helper, Ybw, YbwSettings};
use crate::{Message, Peer, TaskId};
use search::walk::{Job, JobResult, NodeType, SplitPoint, Walker};

/// A request as it came.
#[derive(Clone, Copy)]
pub(super) struct Request {
    /// Who sent it here: the origin, or one that passed it on.
    pub from: Peer,
    pub origin: Peer,
    pub ticket: u32,
    pub hops: u32,
    pub within: Option<TaskId>,
}

impl Ybw {
    /// A processor wants work: from us, from others, or its request goes back.
    pub(super) fn requested(&mut self, request: Request, context: &mut Context<'_>) {
        let Request { from, origin, ticket, hops, within } = request;
        if origin == self.me {
            self.refused(context.now, ticket);
            return;
        }
        if self.over {
            // The search has ended here; the end will be known there soon.
            return;
        }
        if let Some((task, job)) = self.free_subproblem(&request, context) {
            self.helpers.push(Helper { task, peer: origin, since: context.now, asked: false });
            context.send(origin, Message::Work { task, ticket, job: Box::new(job) });
            return;
        }
        let unlimited = self.settings.hop_limit.is_none();
        let goes_on = self.settings.hop_limit.is_none_or(|limit| hops < limit);
        let refusal = Message::Refused { ticket };
        match within {
            Some(task) => match self.helper_within(task, origin, context) {
                Some(Helper { peer, task, .. }) if goes_on => {
                    let (hops, within) = (hops + 1, Some(task));
                    context.send(peer, Message::Request { origin, ticket, hops, within });
                }
                _ => context.send(origin, refusal),
            },
            // Where passing on costs nothing, a request waits even if there is no other to ask.
            None => match self.another_than(origin, from).or(unlimited.then_some(origin)) {
                Some(to) if goes_on => context.ask_any(to, origin, ticket, hops + 1),
                _ => context.send(origin, refusal),
            },
        }
    }

    /// A helper that searches a part of a task.
    fn helper_within(
        &mut self,
        task: TaskId,
        origin: Peer,
        context: &Context<'_>,
    ) -> Option<Helper> {
        let parts = context.walk.outside(task);
        let helps = |helper: &&Helper| helper.peer != origin && parts.contains(&helper.task);
        let chosen = self.chance.below(self.helpers.iter().filter(helps).count());
        self.helpers.iter().filter(helps).nth(chosen).copied()
    }

    /// The right sibling nearest to the root that a processor may search now.
    fn free_subproblem(
        &mut self,
        request: &Request,
        context: &mut Context<'_>,
    ) -> Option<(TaskId, Job)> {
        let Request { origin, within, hops, .. } = *request;
        let (settings, rule) = (self.settings.after_hops(hops), self.rules.of(origin));
        let task = self.me.task(self.last_task + 1);
        let (_, job) = context
            .split(within, task, rule, |_, split_point| may_split(split_point, &settings))?;
        self.last_task += 1;
        Some((task, if settings.killers { job } else { job.without_killers() }))
    }

    /// Whether there is a node whose children a processor may search now.
    pub(super) fn has_free_node(&self, to: Peer, walk: &dyn Walker) -> bool {
        let grain = self.rules.of(to).grain;
        let first = walk.split_point(0, grain);
        std::iter::successors(first, |split_point| walk.split_point(split_point.level + 1, grain))
            .any(|split_point| may_split(&split_point, &self.settings))
    }

    /// Work has come, asked for or not.
    pub(super) fn work_came(
        &mut self,
        from: Peer,
        task: TaskId,
        ticket: u32,
        job: Box<Job>,
        context: &mut Context<'_>,
    ) {
        let walk = &mut *context.walk;
        if walk.has(task) {
            return;
        }
        let wanted = self.steal_request.fulfil(ticket)
            && !self.over
            && (walk.is_idle() || walk.is_waiting());
        if wanted && walk.start_job(task, job) {
            self.owners.push((task, from));
        } else {
            context.send(from, Message::Declined { task });
        }
    }

    /// Our work is done: it goes to its owner.
    pub(super) fn give_back(
        &mut self,
        task: TaskId,
        job_result: JobResult,
        context: &mut Context<'_>,
    ) {
        let Some(index) = self.owners.iter().position(|&(known, _)| known == task) else { return };
        let (_, owner) = self.owners.swap_remove(index);
        self.owners.retain(|&(task, _)| context.walk.has(task));
        let asks = context.walk.is_idle()
            && self.settings.return_requests
            && !self.steal_request.is_open();
        let ticket = asks.then(|| self.steal_request.open(context.now));
        context.send(owner, Message::Return { task, job_result, ticket });
    }

    /// The value of a child has come, and perhaps a request with it.
    pub(super) fn returned(
        &mut self,
        from: Peer,
        task: TaskId,
        job_result: &JobResult,
        ticket: Option<u32>,
        context: &mut Context<'_>,
    ) {
        self.forget_helper(task);
        context.walk.absorb(task, job_result);
        // Others hear of new bounds before work is given out by the old ones.
        self.tell_helpers(context);
        if let Some(ticket) = ticket {
            let request = Request { from, origin: from, ticket, hops: 0, within: None };
            self.requested(request, context);
        }
    }
}

/// Whether young brothers have waited long enough (Z38 to Z40).
fn may_split(split_point: &SplitPoint, settings: &YbwSettings) -> bool {
    match split_point.node_type {
        NodeType::One => split_point.settled > 0,
        NodeType::Two => {
            split_point.young > settings.wait_more
                || settings.free_after.is_some_and(|moves| split_point.settled >= moves)
        }
        NodeType::Three => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_point(node_type: NodeType, begun: u32, young: u32, settled: u32) -> SplitPoint {
        SplitPoint { level: 0, node_type, depth: 5, begun, young, settled, out: 0 }
    }

    fn waiting(wait_more: u32) -> YbwSettings {
        YbwSettings { wait_more, ..YbwSettings::default() }
    }

    #[test]
    fn z38_a_type_1_node_waits_for_its_first_child() {
        assert!(!may_split(&split_point(NodeType::One, 1, 0, 0), &waiting(0)));
        assert!(may_split(&split_point(NodeType::One, 1, 0, 1), &waiting(0)));
    }

    #[test]
    fn z39_a_type_2_node_waits_for_its_promising_children() {
        assert!(!may_split(&split_point(NodeType::Two, 3, 0, 2), &waiting(0)));
        assert!(may_split(&split_point(NodeType::Two, 4, 1, 3), &waiting(0)));
        assert!(!may_split(&split_point(NodeType::Two, 4, 1, 3), &waiting(1)));
    }

    #[test]
    fn z40_a_type_3_node_splits_at_once() {
        assert!(may_split(&split_point(NodeType::Three, 1, 0, 0), &waiting(3)));
    }

    #[test]
    fn a_type_2_node_may_be_free_after_some_moves_whatever_the_others_promise() {
        let settings = YbwSettings { free_after: Some(2), ..YbwSettings::default() };
        assert!(!may_split(&split_point(NodeType::Two, 2, 0, 1), &settings));
        assert!(may_split(&split_point(NodeType::Two, 3, 0, 2), &settings));
    }
}
