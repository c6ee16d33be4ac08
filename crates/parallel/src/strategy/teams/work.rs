//! Giving and taking work.

use super::{Context, Duty, Helper, MEMORY, Pending, Team, Teams, TeamsSettings};
use crate::{Member, Message, Peer, TaskId};
use board::{PieceKind, Position};
use search::walk::{Job, JobResult, NodeType, SplitPoint};

impl Teams {
    /// Into how many teams the members of a captain are divided below a position (F8).
    pub(super) fn branching(&self, position: &Position) -> usize {
        let TeamsSettings { branching, endgame_branching, .. } = self.settings;
        let branching = if is_endgame(position) { endgame_branching } else { branching };
        branching.max(1) as usize
    }

    /// Takes on work with members who help.
    pub(super) fn take_duty(
        &mut self,
        task: TaskId,
        owner: Peer,
        members: Vec<Member>,
        branching: usize,
    ) {
        let free = self.divided(members, branching);
        self.duties.push(Duty { task, owner, free, idle_since: None, branching });
    }

    /// The members of a captain as teams of their own: contiguous, so that on a hypercube they are near
    /// each other. Elastic teams are put together when there is work for them.
    fn divided(&self, members: Vec<Member>, branching: usize) -> Vec<Team> {
        let count = members.len();
        if self.settings.elastic || count <= 2 * branching {
            return members.into_iter().map(|member| vec![member]).collect();
        }
        let bounds = |place: usize| place * count / branching;
        (0..branching).map(|place| members[bounds(place)..bounds(place + 1)].to_vec()).collect()
    }

    /// Every free team gets the next child, if there is one (F10).
    pub(super) fn give_work(&mut self, context: &mut Context<'_>) {
        for index in 0..self.duties.len() {
            while !self.duties[index].free.is_empty() {
                let Some((level, task, job)) = self.next_child(index, context) else { break };
                let room = self.room(job.depth).max(1) as usize;
                let duty = &mut self.duties[index];
                let count = match self.settings.elastic {
                    true => duty.free.len().div_ceil(duty.branching),
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
                    begun: context.now,
                    restarts: 0,
                    sated: 0,
                    heard: context.now,
                    asked: false,
                };
                self.engage(helper, job, context);
            }
            let duty = &mut self.duties[index];
            if duty.free.is_empty() {
                duty.idle_since = None;
            }
        }
    }

    /// Sends work to a team.
    pub(super) fn engage(&mut self, helper: Helper, job: Job, context: &mut Context<'_>) {
        let mut members = helper.teams.iter().flatten().copied();
        let Some(captain) = members.next() else { return };
        let message = Message::Team {
            task: helper.task,
            ticket: captain.ticket,
            job: Box::new(if self.settings.killers { job } else { job.without_killers() }),
            members: members.collect(),
        };
        self.helpers.push(helper);
        context.send(captain.peer, message);
    }

    pub(super) fn new_task(&mut self) -> TaskId {
        self.last_task += 1;
        self.me.task(self.last_task)
    }

    /// The next child of a duty that may be searched by others now: nearest to the root, or where the
    /// walk has stopped for it.
    fn next_child(
        &mut self,
        index: usize,
        context: &mut Context<'_>,
    ) -> Option<(usize, TaskId, Job)> {
        let (task, duty) = (self.new_task(), &self.duties[index]);
        let captain = duty.free.first()?.first()?.peer;
        let (rule, more) = (self.rules.of(captain), self.settings.wait_more);
        let found = context.split(Some(duty.task), task, rule, |walk, split_point| {
            walk.is_free(split_point) && may_split(split_point, more)
        });
        if let Some((level, job)) = found {
            return Some((level, task, job));
        }
        let is_last = index + 1 == self.duties.len();
        let level = context.walk.watched().filter(|_| is_last)?;
        context.walk.split(level, task, rule).map(|job| (level, task, job))
    }

    /// An owner without helpers where it stands goes on itself; one that searches looks for work for idle
    /// members again soon.
    pub(super) fn go_on(&mut self, context: &mut Context<'_>) {
        if context.walk.is_waiting() && context.walk.awaited().is_empty() {
            context.walk.proceed();
        }
        let idle_members = self.duties.iter().any(|duty| !duty.free.is_empty());
        if idle_members && !self.settings.watch && !context.walk.is_waiting() {
            context.wake_at(context.now + self.settings.retry_ns);
        }
    }

    /// Work has come: it is begun, or waits until what is under way has ended. That is soon: the owner that
    /// has put us into another team has also had our old work stopped. An owner that has lent itself takes
    /// work only while it waits for that part of the tree; else processors could wait for each other.
    pub(super) fn work_came(&mut self, ticket: u32, work: Pending, context: &mut Context<'_>) {
        let Pending { task, from, .. } = work;
        let known = context.walk.has(task) || self.pending.iter().any(|other| other.task == task);
        if known || self.over || self.ended.contains(&task) {
            return;
        }
        if ticket == 0 {
            self.pending.push_back(work);
        } else if !self.is_lent(ticket, context) || !self.start(work, context) {
            context.send(from, Message::Declined { task });
        }
    }

    /// Begins what has waited.
    pub(super) fn take_pending(&mut self, context: &mut Context<'_>) {
        while context.walk.is_idle()
            && let Some(work) = self.pending.pop_front()
        {
            self.start(work, context);
        }
    }

    fn start(&mut self, work: Pending, context: &mut Context<'_>) -> bool {
        let Pending { task, from, job, members } = work;
        let branching = self.branching(job.position());
        let started = context.walk.start_job(task, job);
        if started {
            self.take_duty(task, from, members, branching);
        }
        started
    }

    /// Our work is done: it goes to its owner, which knows which members are free with it.
    pub(super) fn give_back(
        &mut self,
        task: TaskId,
        job_result: JobResult,
        context: &mut Context<'_>,
    ) {
        let Some(index) = self.duties.iter().position(|duty| duty.task == task) else { return };
        let duty = self.duties.remove(index);
        self.remember_end(task);
        context.send(duty.owner, Message::Return { task, job_result, ticket: None });
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
        context: &mut Context<'_>,
    ) {
        if let Some(helper) = self.forget_helper(task) {
            self.reclaim(helper, None);
        }
        context.walk.absorb(task, job_result);
    }

    /// Our work is of no use any more.
    pub(super) fn cancelled(&mut self, task: TaskId, context: &mut Context<'_>) {
        self.remember_end(task);
        self.pending.retain(|work| work.task != task);
        self.duties.retain(|duty| duty.task != task);
        context.walk.cancel(task);
    }

    /// What was on top of work that ended has ended too; its owners hear of it.
    pub(super) fn drop_duties(&mut self, context: &mut Context<'_>) {
        let ended = |duty: &mut Duty| !context.walk.has(duty.task);
        if self.over {
            return;
        }
        for duty in self.duties.extract_if(.., ended).collect::<Vec<_>>() {
            self.remember_end(duty.task);
            context.send(duty.owner, Message::Declined { task: duty.task });
        }
    }
}

/// Pieces beside kings and pawns up to which a position is an endgame.
const ENDGAME_PIECES: u32 = 6;

fn is_endgame(position: &Position) -> bool {
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    kinds.map(|kind| position.kind(kind).count()).iter().sum::<u32>() <= ENDGAME_PIECES
}

/// Whether promising children have had their turn where a cut is expected (Z39).
fn may_split(split_point: &SplitPoint, wait_more: Option<u32>) -> bool {
    match wait_more {
        Some(more) if split_point.node_type == NodeType::Two => split_point.young > more,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::SplitRules;
    use search::walk::SplitRule;

    #[test]
    fn f8_in_endgames_the_hierarchy_is_narrower_and_deeper() {
        let settings = TeamsSettings::for_machine(1000, 1000).paper();
        let rules = SplitRules::uniform(SplitRule { grain: 1, history_from: 4 });
        let teams = Teams::new(Peer(0), 64, settings, rules);
        let divide = |fen: &str| {
            let position = Position::from_fen(fen).expect("a sound position");
            let members = (1..64).map(|peer| Member { peer: Peer(peer), ticket: 0 }).collect();
            let teams = teams.divided(members, teams.branching(&position));
            assert_eq!(teams.iter().map(Vec::len).sum::<usize>(), 63);
            (teams.len(), teams[0].len())
        };
        assert_eq!(divide("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), (8, 7));
        assert_eq!(divide("4k3/2r2pp1/8/8/8/3B4/1R3PP1/4K3 w - - 0 1"), (4, 15));
    }
}
