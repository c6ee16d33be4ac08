//! Giving and taking work.

use super::{Duty, Helper, MEMORY, Pending, Team, Teams};
use crate::{Member, Message, Peer, Searcher, TaskId, Time};
use search::walk::{Job, JobResult, NodeType, SplitPoint};

impl Teams {
    /// The members of a captain as teams of their own: contiguous, so that on a hypercube they are near
    /// each other. Elastic teams are put together when there is work for them.
    pub(super) fn divided(&self, members: Vec<Member>) -> Vec<Team> {
        let count = members.len();
        let branching = self.settings.branching.max(1) as usize;
        if self.settings.elastic || count <= 2 * branching {
            return members.into_iter().map(|member| vec![member]).collect();
        }
        let bounds = |place: usize| place * count / branching;
        (0..branching).map(|place| members[bounds(place)..bounds(place + 1)].to_vec()).collect()
    }

    /// Every free team gets the next child, if there is one (F10).
    pub(super) fn give_work(&mut self, now: Time, searcher: &mut dyn Searcher) {
        for index in 0..self.duties.len() {
            while !self.duties[index].free.is_empty() {
                let Some((level, task, job)) = self.next_child(index, searcher) else { break };
                let room = self.room(job.depth).max(1) as usize;
                let duty = &mut self.duties[index];
                let count = match self.settings.elastic {
                    true => duty.free.len().div_ceil(self.settings.branching.max(1) as usize),
                    false => 1,
                };
                let count = count.min(room);
                let teams = duty.free.drain(..count).collect();
                let helper = Helper {
                    task,
                    owner: duty.task,
                    teams,
                    level,
                    depth: job.depth,
                    begun: now,
                    restarts: 0,
                    sated: 0,
                    heard: now,
                    asked: false,
                };
                self.engage(helper, job);
            }
            let duty = &mut self.duties[index];
            if duty.free.is_empty() {
                duty.idle_since = None;
            }
        }
    }

    /// Sends work to a team.
    pub(super) fn engage(&mut self, helper: Helper, job: Job) {
        let mut members = helper.teams.iter().flatten().copied();
        let Some(captain) = members.next() else { return };
        let message = Message::Team {
            task: helper.task,
            ticket: captain.ticket,
            job: Box::new(if self.settings.killers { job } else { job.without_killers() }),
            members: members.collect(),
        };
        self.helpers.push(helper);
        self.send(captain.peer, message);
    }

    pub(super) fn new_task(&mut self) -> TaskId {
        self.last_task += 1;
        TaskId::new(self.me, self.last_task)
    }

    /// The next child of a duty that may be searched by others now: nearest to the root, or where the
    /// walk has stopped for it.
    fn next_child(
        &mut self,
        index: usize,
        searcher: &mut dyn Searcher,
    ) -> Option<(usize, TaskId, Job)> {
        let mut split_points = std::mem::take(&mut self.split_points);
        searcher.split_points(Some(self.duties[index].task), &mut split_points);
        let task = self.new_task();
        let mut found = None;
        for split_point in &split_points {
            if searcher.is_free(split_point) && may_split(split_point, self.settings.wait_more) {
                found = searcher
                    .split(split_point.level, task)
                    .map(|job| (split_point.level, task, job));
                if found.is_some() {
                    break;
                }
            }
        }
        self.split_points = split_points;
        if found.is_none() && index + 1 == self.duties.len() {
            let level = searcher.watched()?;
            found = searcher.split(level, task).map(|job| (level, task, job));
        }
        found
    }

    /// An owner whom nobody helps where he stands goes on himself; one who searches looks for work for
    /// idle members again soon.
    pub(super) fn go_on(&mut self, now: Time, searcher: &mut dyn Searcher) {
        if searcher.is_waiting() {
            let mut awaited = std::mem::take(&mut self.awaited);
            searcher.awaited(&mut awaited);
            if awaited.is_empty() {
                searcher.proceed();
            }
            self.awaited = awaited;
        }
        let idle_members = self.duties.iter().any(|duty| !duty.free.is_empty());
        if idle_members && !self.settings.watch && !searcher.is_waiting() {
            self.wake_at(now + self.settings.retry);
        }
    }

    /// Work has come: it is begun, or waits until what is under way has ended. That is soon: whoever has
    /// put us into another team has also had our old work stopped. An owner who has lent himself takes
    /// work only while he waits for that part of the tree; else processors could wait for each other.
    pub(super) fn work_came(
        &mut self,
        from: Peer,
        task: TaskId,
        ticket: u32,
        work: Pending,
        searcher: &mut dyn Searcher,
    ) {
        let known = searcher.has(task) || self.pending.iter().any(|other| other.task == task);
        if known || self.over || self.ended.contains(&task) {
            return;
        }
        if ticket == 0 {
            self.pending.push_back(work);
        } else if !self.is_lent(ticket, searcher) || !self.start(work, searcher) {
            self.send(from, Message::Declined { task });
        }
    }

    /// Begins what has waited.
    pub(super) fn take_pending(&mut self, searcher: &mut dyn Searcher) {
        while searcher.is_idle()
            && let Some(work) = self.pending.pop_front()
        {
            self.start(work, searcher);
        }
    }

    fn start(&mut self, work: Pending, searcher: &mut dyn Searcher) -> bool {
        let Pending { task, from, job, members } = work;
        let started = searcher.start_job(task, job);
        if started {
            let free = self.divided(members);
            self.duties.push(Duty { task, owner: from, free, idle_since: None });
        }
        started
    }

    /// Our work is done: it goes to its owner, who knows which members are free with it.
    pub(super) fn give_back(&mut self, task: TaskId, job_result: JobResult) {
        let Some(index) = self.duties.iter().position(|duty| duty.task == task) else { return };
        let duty = self.duties.remove(index);
        self.remember_end(task);
        self.send(duty.owner, Message::Return { task, job_result, ticket: None });
    }

    pub(super) fn remember_end(&mut self, task: TaskId) {
        if self.ended.len() == MEMORY {
            self.ended.pop_front();
        }
        self.ended.push_back(task);
    }

    /// The value of a child has come; its team is free.
    pub(super) fn returned(
        &mut self,
        task: TaskId,
        job_result: &JobResult,
        searcher: &mut dyn Searcher,
    ) {
        if let Some(helper) = self.forget_slave(task) {
            self.reclaim(helper, None);
        }
        searcher.absorb(task, job_result);
    }

    /// Somebody does not take the work: he is not one of ours any more.
    pub(super) fn declined(&mut self, from: Peer, task: TaskId, searcher: &mut dyn Searcher) {
        if let Some(helper) = self.forget_slave(task) {
            self.reclaim(helper, Some(from));
        }
        searcher.take_back(task);
    }

    /// Our work is of no use any more.
    pub(super) fn cancelled(&mut self, task: TaskId, searcher: &mut dyn Searcher) {
        self.remember_end(task);
        self.pending.retain(|work| work.task != task);
        self.duties.retain(|duty| duty.task != task);
        searcher.cancel(task);
    }

    /// What was on top of work that ended has ended too; its owners hear of it.
    pub(super) fn drop_duties(&mut self, searcher: &dyn Searcher) {
        let mut index = 0;
        while index < self.duties.len() {
            let duty = &self.duties[index];
            if self.over || searcher.has(duty.task) {
                index += 1;
            } else {
                let (task, owner) = (duty.task, duty.owner);
                self.duties.remove(index);
                self.remember_end(task);
                self.send(owner, Message::Declined { task });
            }
        }
    }
}

/// Whether promising children have had their turn where a cut is expected (Z39).
fn may_split(split_point: &SplitPoint, wait_more: Option<u32>) -> bool {
    match wait_more {
        Some(more) if split_point.node_type == NodeType::Two => split_point.young > more,
        _ => true,
    }
}
