//! Teams: Felten and Otto's program for the hypercube (F1, F7 to F12, F15, F16).
//!
//! Work is given to a team: a captain and its members. The captain walks down the tree with his members
//! along until a node whose children may be searched side by side: where the table names a move, after
//! that one; else at once. There he divides his members into teams, and each takes the next child when it
//! is free. Teams travel with the work, so that nobody needs to know more of the machine than its own
//! helpers, and the hierarchy is built anew for every piece of work.
//!
//! When helpers have run out of work while a brother is still at it, the owner stops that one and gives
//! its work to all of them together (F15); or, with elastic teams (F16), lends it those who are idle
//! without stopping it. See docs/design/teams.md.
//!
//! `work.rs` gives and takes work, `spots.rs` cares for hot spots, `loans.rs` for elastic teams, and
//! `care.rs` for those who are not heard of any more.

mod care;
mod loans;
mod settings;
mod spots;
mod work;

pub use settings::TeamsSettings;

use super::{Action, Answer, Strategy};
use crate::{Member, Message, Peer, RootOrder, Searcher, TaskId, Time};
use loans::Loan;
use search::walk::{Effect, Job, JobResult, SplitPoint};
use std::collections::VecDeque;

/// A captain and his members, the captain first.
type Team = Vec<Member>;

/// Ends of work that are remembered: what comes about it later is dropped.
const MEMORY: usize = 16;

/// Work that we have, and those who help us with it.
struct Duty {
    task: TaskId,
    owner: Peer,
    /// Teams without work.
    free: Vec<Team>,
    /// Since when there are some.
    idle_since: Option<Time>,
}

/// Work that has come while we had other work.
struct Pending {
    task: TaskId,
    from: Peer,
    job: Box<Job>,
    members: Vec<Member>,
}

/// A team that searches one of our children.
struct Helper {
    task: TaskId,
    /// For which of our duties.
    owner: TaskId,
    /// The teams that make it up; the first's captain leads.
    teams: Vec<Team>,
    level: usize,
    depth: i32,
    begun: Time,
    /// How often it was stopped to make it larger.
    restarts: u32,
    /// It has sent members back: it gets none before this.
    sated: Time,
    /// When it was last heard of, or asked.
    heard: Time,
    asked: bool,
}

impl Helper {
    fn captain(&self) -> Option<Peer> {
        self.teams.first().and_then(|team| team.first()).map(|member| member.peer)
    }
}

/// A processor of the search.
pub struct Teams {
    me: Peer,
    peers: u32,
    settings: TeamsSettings,
    actions: VecDeque<Action>,
    last_task: u32,
    /// Those on the walk's stack, the topmost last.
    duties: Vec<Duty>,
    pending: VecDeque<Pending>,
    helpers: Vec<Helper>,
    loans: Vec<Loan>,
    last_loan: u32,
    /// Work that ended here lately.
    ended: VecDeque<TaskId>,
    /// Since when there has been nothing to do.
    alone: Option<Time>,
    /// Those who were lost before the search began.
    lost: Vec<Peer>,
    over: bool,
    // Lists that are kept for their memory.
    split_points: Vec<SplitPoint>,
    awaited: Vec<TaskId>,
}

impl Teams {
    /// One of so many.
    pub fn new(me: Peer, peers: u32, settings: TeamsSettings) -> Teams {
        Teams {
            me,
            peers,
            settings,
            actions: VecDeque::new(),
            last_task: 0,
            duties: Vec::new(),
            pending: VecDeque::new(),
            helpers: Vec::new(),
            loans: Vec::new(),
            last_loan: 0,
            ended: VecDeque::new(),
            alone: None,
            lost: Vec::new(),
            over: false,
            split_points: Vec::new(),
            awaited: Vec::new(),
        }
    }

    fn send(&mut self, to: Peer, message: Message) {
        self.actions.push_back(Action::Send(to, message));
    }

    fn wake_at(&mut self, time: Time) {
        self.actions.push_back(Action::WakeAt(time));
    }

    /// Tells helpers what has become of their work (F12).
    fn tell_slaves(&mut self, searcher: &mut dyn Searcher) {
        while let Some(effect) = searcher.effect() {
            match effect {
                Effect::Cancel(id) => {
                    let task = TaskId(id);
                    if let Some(helper) = self.forget_slave(task) {
                        self.dismiss(helper);
                    }
                }
                Effect::Narrow(id, alpha, beta) => {
                    let task = TaskId(id);
                    let helper = self.helpers.iter().find(|helper| helper.task == task);
                    if let Some(captain) = helper.and_then(Helper::captain) {
                        self.send(captain, Message::Narrow { task, alpha, beta });
                    }
                }
            }
        }
    }

    fn forget_slave(&mut self, task: TaskId) -> Option<Helper> {
        let index = self.helpers.iter().position(|helper| helper.task == task)?;
        Some(self.helpers.remove(index))
    }

    /// Stops a team; its members are free.
    fn dismiss(&mut self, helper: Helper) {
        if let Some(captain) = helper.captain() {
            self.send(captain, Message::Cancel { task: helper.task });
        }
        self.reclaim(helper, None);
    }

    /// The members of a team are free again, but for one.
    fn reclaim(&mut self, helper: Helper, without: Option<Peer>) {
        let (me, owner) = (self.me, helper.owner);
        self.loans.retain(|loan| loan.task != helper.task);
        let Some(duty) = self.duties.iter_mut().find(|duty| duty.task == owner) else { return };
        for mut team in helper.teams {
            team.retain(|member| member.peer != me && Some(member.peer) != without);
            if !team.is_empty() {
                duty.free.push(team);
            }
        }
    }

    /// Whether somebody helps us with what is on top.
    fn has_members(&self) -> bool {
        self.duties.last().is_some_and(|duty| {
            !duty.free.is_empty() || self.helpers.iter().any(|helper| helper.owner == duty.task)
        })
    }

    /// After anything has happened: tells helpers, gives them work, cares for what takes too long.
    fn settle(&mut self, now: Time, searcher: &mut dyn Searcher) {
        self.tell_slaves(searcher);
        self.drop_duties(searcher);
        if self.over {
            return;
        }
        self.take_pending(searcher);
        searcher.set_watch(self.settings.watch && self.has_members());
        self.give_work(now, searcher);
        match self.settings.elastic {
            true => self.lend(now, searcher),
            false => self.cool_hot_spots(now, searcher),
        }
        self.go_on(now, searcher);
        self.care(now, searcher);
    }
}

impl Strategy for Teams {
    fn begin(&mut self, now: Time, order: Option<&RootOrder>, searcher: &mut dyn Searcher) {
        let mut fresh = Teams::new(self.me, self.peers, self.settings);
        // One that comes back after a crash must not use the old names again: tasks are rarer than
        // microseconds.
        (fresh.last_task, fresh.last_loan) = ((now / 1000) as u32, (now / 1000) as u32);
        std::mem::swap(&mut fresh.actions, &mut self.actions);
        std::mem::swap(&mut fresh.lost, &mut self.lost);
        *self = fresh;
        if let Some(order) = order {
            searcher.start_root(order, 0);
            let there = |peer: &Peer| *peer != self.me && !self.lost.contains(peer);
            let others = (0..self.peers).map(Peer).filter(there);
            let members: Vec<Member> = others.map(|peer| Member { peer, ticket: 0 }).collect();
            let free = self.divided(members);
            let duty = Duty { task: TaskId::ROOT, owner: self.me, free, idle_since: None };
            self.duties.push(duty);
        }
        self.settle(now, searcher);
    }

    fn lose(&mut self, peer: Peer) {
        self.lost.push(peer);
    }

    fn handle(&mut self, now: Time, from: Peer, message: Message, searcher: &mut dyn Searcher) {
        match message {
            Message::Team { task, ticket, job, members } => {
                self.work_came(from, task, ticket, Pending { task, from, job, members }, searcher);
            }
            Message::Return { task, job_result, .. } => self.returned(task, &job_result, searcher),
            Message::Narrow { task, alpha, beta } => {
                searcher.narrow(task, alpha, beta);
            }
            Message::Cancel { task } => self.cancelled(task, searcher),
            Message::Join { task, members } => self.joined(task, members),
            Message::Release { task, members } => self.released(now, task, &members),
            Message::Declined { task } => self.declined(from, task, searcher),
            Message::Ask { task } => {
                let working = searcher.has(task);
                self.send(from, Message::Alive { task, working });
            }
            Message::Alive { task, working } => self.heard_of(now, task, working, searcher),
            Message::Request { origin, .. } => self.came_back(origin),
            Message::Stop if from == Peer::FIRST => {
                self.over = true;
                for duty in std::mem::take(&mut self.duties) {
                    searcher.cancel(duty.task);
                }
                self.pending.clear();
                self.helpers.clear();
            }
            // What other strategies say.
            _ => (),
        }
        self.settle(now, searcher);
    }

    fn finished(
        &mut self,
        now: Time,
        task: TaskId,
        job_result: JobResult,
        searcher: &mut dyn Searcher,
    ) {
        if task == TaskId::ROOT {
            self.over = true;
            let answer = Answer { value: job_result.value, line: job_result.line };
            self.actions.push_back(Action::Report(answer));
            for peer in (0..self.peers).map(Peer).filter(|&peer| peer != self.me) {
                self.actions.push_back(Action::Send(peer, Message::Stop));
            }
        } else {
            self.tell_slaves(searcher);
            self.give_back(task, job_result);
        }
        self.settle(now, searcher);
    }

    fn paused(&mut self, now: Time, searcher: &mut dyn Searcher) {
        self.settle(now, searcher);
    }

    fn timeout(&mut self, now: Time, searcher: &mut dyn Searcher) {
        self.settle(now, searcher);
    }

    fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }
}
