//! Giving and taking work.

use super::{Helper, Ybw, YbwSettings};
use crate::{Message, Peer, Searcher, TaskId, Time};
use search::walk::{Job, JobResult, NodeType, SplitPoint};

impl Ybw {
    /// Somebody wants work: from us, from others, or back to him.
    pub(super) fn requested(
        &mut self,
        now: Time,
        origin: Peer,
        ticket: u32,
        hops: u32,
        within: Option<TaskId>,
        searcher: &mut dyn Searcher,
    ) {
        if origin == self.me {
            self.refused(now, ticket);
            return;
        }
        if self.over {
            // The search has ended here; the end will be known there soon.
            return;
        }
        if let Some((task, job)) = self.free_subproblem(within, searcher) {
            self.helpers.push(Helper { task, peer: origin, since: now, asked: false });
            self.send(origin, Message::Work { task, ticket, job: Box::new(job) });
            return;
        }
        let next = match within {
            Some(task) => self.some_slave_within(task, origin, searcher),
            // Where requests are put up for all to see, one that only two processors could hear of waits too.
            None => {
                let put_up = (self.settings.hop_limit == u32::MAX).then_some(origin);
                self.somebody_but(origin).or(put_up).map(|peer| (peer, None))
            }
        };
        match next.filter(|_| hops < self.settings.hop_limit) {
            Some((next, within)) => {
                self.send(next, Message::Request { origin, ticket, hops: hops + 1, within });
            }
            None => self.send(origin, Message::Refused { ticket }),
        }
    }

    /// Somebody who searches a part of a task, and that part.
    fn some_slave_within(
        &mut self,
        task: TaskId,
        origin: Peer,
        searcher: &dyn Searcher,
    ) -> Option<(Peer, Option<TaskId>)> {
        let mut parts = std::mem::take(&mut self.awaited);
        searcher.outside(task, &mut parts);
        let helps = |helper: &&Helper| helper.peer != origin && parts.contains(&helper.task);
        let count = self.helpers.iter().filter(helps).count();
        let chosen = self.chance.below(count);
        let helper = self.helpers.iter().filter(helps).nth(chosen).copied();
        self.awaited = parts;
        helper.map(|helper| (helper.peer, Some(helper.task)))
    }

    /// The right brother nearest to the root that may be searched by others now.
    fn free_subproblem(
        &mut self,
        within: Option<TaskId>,
        searcher: &mut dyn Searcher,
    ) -> Option<(TaskId, Job)> {
        let mut split_points = std::mem::take(&mut self.split_points);
        searcher.split_points(within, &mut split_points);
        let task = TaskId::new(self.me, self.last_task + 1);
        let settings = self.settings;
        let job = split_points
            .iter()
            .filter(|split_point| may_split(split_point, &settings))
            .find_map(|split_point| searcher.split(split_point.level, task));
        self.split_points = split_points;
        let job = job?;
        self.last_task += 1;
        Some((task, if settings.killers { job } else { job.without_killers() }))
    }

    /// Whether there is a node whose brothers may be searched by others now.
    pub(super) fn has_free_node(&mut self, searcher: &mut dyn Searcher) -> bool {
        let mut split_points = std::mem::take(&mut self.split_points);
        searcher.split_points(None, &mut split_points);
        let free = split_points.iter().any(|split_point| may_split(split_point, &self.settings));
        self.split_points = split_points;
        free
    }

    /// Work has come, asked for or not.
    pub(super) fn work_came(
        &mut self,
        from: Peer,
        task: TaskId,
        ticket: u32,
        job: Box<Job>,
        searcher: &mut dyn Searcher,
    ) {
        if searcher.has(task) {
            return;
        }
        let wanted = self.steal_request.fulfil(ticket)
            && !self.over
            && (searcher.is_idle() || searcher.is_waiting());
        if wanted && searcher.start_job(task, job) {
            self.owners.push((task, from));
        } else {
            self.send(from, Message::Declined { task });
        }
    }

    /// Our work is done: it goes to its owner.
    pub(super) fn give_back(
        &mut self,
        now: Time,
        task: TaskId,
        job_result: JobResult,
        searcher: &mut dyn Searcher,
    ) {
        let Some(index) = self.owners.iter().position(|&(known, _)| known == task) else { return };
        let (_, owner) = self.owners.swap_remove(index);
        self.owners.retain(|&(task, _)| searcher.has(task));
        let asks =
            searcher.is_idle() && self.settings.return_requests && !self.steal_request.is_open();
        let ticket = asks.then(|| self.steal_request.open(now));
        self.send(owner, Message::Return { task, job_result, ticket });
    }

    /// The value of a child has come, and perhaps a request with it.
    pub(super) fn returned(
        &mut self,
        now: Time,
        from: Peer,
        task: TaskId,
        job_result: &JobResult,
        ticket: Option<u32>,
        searcher: &mut dyn Searcher,
    ) {
        self.forget_slave(task);
        searcher.absorb(task, job_result);
        // Others hear of new bounds before anybody gets work by the old ones.
        self.tell_slaves(searcher);
        if let Some(ticket) = ticket {
            self.requested(now, from, ticket, 0, None, searcher);
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
