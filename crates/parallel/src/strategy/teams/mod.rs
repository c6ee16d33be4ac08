//! Teams: Felten and Otto's program for the hypercube (F1, F7 to F12, F15, F16).
//!
//! Work is given to a team: a captain and its members. The captain walks down the tree with its members
//! along until a node whose children may be searched side by side: where the table names a move, after
//! that one; else at once. There it divides its members into teams, and each takes the next child when it
//! is free. Teams travel with the work, so that a processor knows no more of the machine than its own
//! helpers, and the hierarchy is built anew for every piece of work.
//!
//! When helpers have run out of work while a sibling is still at it, the owner stops that one and gives
//! its work to all of them together (F15); or, with elastic teams (F16), lends it those who are idle
//! without stopping it. See docs/design/teams.md.
//!
//! `work.rs` gives and takes work, `idle.rs` finds use for members without work (hot spots and loans), and
//! `care.rs` looks after those who are not heard of any more.

mod care;
mod idle;
mod work;

use super::{Context, SplitRules, Strategy};
use crate::{Member, Message, Peer, RootSearch, TaskId, Time};
use idle::Loan;
use search::Depth;
use search::walk::{Effect, Job, JobResult};
use std::collections::VecDeque;

/// The choices of the strategy. The paper gives few numbers; those it does not give were found on LCT II
/// positions (docs/lab/teams.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamsSettings {
    /// Teams into which an owner divides its members (F8: 6 to 15).
    pub branching: u32,
    /// The same in endgames, where nodes have fewer children: a deeper, narrower hierarchy (F8 gives no
    /// number).
    pub endgame_branching: u32,
    /// Whether owners only watch while their helpers search (F12); else they search too.
    pub watch: bool,
    /// Whether a hot spot is given to all that are idle (F15).
    pub reorganise: bool,
    /// Per cent of an owner's teams that must be idle before it reorganises (F15 gives no number).
    pub idle_share: u32,
    /// How long a search must have been going on before it counts as a hot spot (F15 gives no number).
    pub hot_after_ns: Time,
    /// Whether teams grow and shrink without being stopped (F16).
    pub elastic: bool,
    /// How long idle members are kept before they are sent on or back, where teams are elastic.
    pub keep_ns: Time,
    /// How long an owner who searches lets idle members wait before it looks for work for them again.
    pub retry_ns: Time,
    /// Children of a node of type 2 beyond the promising ones that are searched before others may help;
    /// none for the paper's rule, by which the table alone decides (F9).
    pub wait_more: Option<u32>,
    /// Whether what the table knows of a node overrules the type that its parent expects, as in young brothers.
    pub expected_types: bool,
    /// Whether killers go with the work.
    pub killers: bool,
    /// The smallest depth of a child that another processor searches, as the walk has it.
    pub grain: Depth,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience_ns: Option<Time>,
}

impl TeamsSettings {
    /// The usual choices on a machine whose nodes and messages take these times: elastic teams whose
    /// owners search.
    pub fn for_machine(node_ns: Time, message_ns: Time) -> TeamsSettings {
        TeamsSettings {
            branching: 8,
            endgame_branching: 4,
            watch: false,
            reorganise: true,
            idle_share: 30,
            hot_after_ns: (100 * node_ns).max(20 * message_ns),
            elastic: true,
            keep_ns: (8 * node_ns).max(8 * message_ns),
            retry_ns: (2 * node_ns).max(2 * message_ns),
            wait_more: Some(0),
            expected_types: false,
            killers: true,
            grain: 1,
            patience_ns: None,
        }
    }

    /// The paper's rules: fixed teams, owners that only watch, hot spots reorganised.
    pub fn paper(self) -> TeamsSettings {
        TeamsSettings {
            watch: true,
            elastic: false,
            wait_more: None,
            expected_types: false,
            ..self
        }
    }
}

/// A captain and its members, the captain first.
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
    /// Into how many teams members are divided here.
    branching: usize,
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
    depth: Depth,
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
    rules: SplitRules,
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
}

impl Teams {
    /// One of `peers`.
    pub fn new(me: Peer, peers: u32, settings: TeamsSettings, rules: SplitRules) -> Teams {
        Teams {
            me,
            peers,
            settings,
            rules,
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
        }
    }

    /// Tells helpers what has become of their work (F12).
    fn tell_helpers(&mut self, context: &mut Context<'_>) {
        while let Some(effect) = context.walk.effect() {
            match effect {
                Effect::Cancel(task) => {
                    if let Some(helper) = self.forget_helper(task) {
                        self.dismiss(helper, context);
                    }
                }
                Effect::Narrow(task, alpha, beta) => {
                    let helper = self.helpers.iter().find(|helper| helper.task == task);
                    if let Some(captain) = helper.and_then(Helper::captain) {
                        context.send(captain, Message::Narrow { task, alpha, beta });
                    }
                }
            }
        }
    }

    fn forget_helper(&mut self, task: TaskId) -> Option<Helper> {
        let index = self.helpers.iter().position(|helper| helper.task == task)?;
        Some(self.helpers.remove(index))
    }

    /// Stops a team; its members are free.
    fn dismiss(&mut self, helper: Helper, context: &mut Context<'_>) {
        if let Some(captain) = helper.captain() {
            context.send(captain, Message::Cancel { task: helper.task });
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

    /// Whether there are helpers for what is on top.
    fn has_members(&self) -> bool {
        self.duties.last().is_some_and(|duty| {
            !duty.free.is_empty() || self.helpers.iter().any(|helper| helper.owner == duty.task)
        })
    }

    /// After anything has happened: tells helpers, gives them work, cares for what takes too long.
    fn settle(&mut self, context: &mut Context<'_>) {
        self.tell_helpers(context);
        self.drop_duties(context);
        if self.over {
            return;
        }
        self.take_pending(context);
        context.walk.set_watch(self.settings.watch && self.has_members());
        self.give_work(context);
        match self.settings.elastic {
            true => self.lend(context),
            false => self.cool_hot_spots(context),
        }
        self.go_on(context);
        self.care(context);
    }
}

impl Strategy for Teams {
    fn begin(&mut self, root: Option<&RootSearch>, context: &mut Context<'_>) {
        let mut fresh = Teams::new(self.me, self.peers, self.settings, self.rules);
        // One that comes back after a crash must not use the old names again: tasks are rarer than
        // microseconds.
        let number = (context.now / 1000) as u32;
        (fresh.last_task, fresh.last_loan) = (number, number);
        std::mem::swap(&mut fresh.lost, &mut self.lost);
        *self = fresh;
        if let Some(root) = root {
            context.walk.start_root(root, 0);
            let there = |peer: &Peer| *peer != self.me && !self.lost.contains(peer);
            let others = (0..self.peers).map(Peer).filter(there);
            let members: Vec<Member> = others.map(|peer| Member { peer, ticket: 0 }).collect();
            let branching = self.branching(&root.position);
            self.take_duty(TaskId::ROOT, self.me, members, branching);
        }
        self.settle(context);
    }

    fn lose(&mut self, peer: Peer) {
        self.lost.push(peer);
    }

    fn handle(&mut self, from: Peer, message: Message, context: &mut Context<'_>) {
        match message {
            Message::Team { task, ticket, job, members } => {
                self.work_came(ticket, Pending { task, from, job, members }, context);
            }
            Message::Return { task, job_result, .. } => self.returned(task, &job_result, context),
            Message::Narrow { task, alpha, beta } => {
                context.walk.narrow(task, alpha, beta);
            }
            Message::Cancel { task } => self.cancelled(task, context),
            Message::Join { task, members } => self.joined(task, members),
            Message::Release { task, members } => self.released(context.now, task, &members),
            Message::Declined { task } => self.give_up(task, Some(from), context),
            Message::Ask { task } => {
                let working = context.walk.has(task);
                context.send(from, Message::Alive { task, working });
            }
            Message::Alive { task, working } => self.heard_of(task, working, context),
            Message::Request { origin, .. } => self.came_back(origin),
            Message::Stop if from == Peer::FIRST => {
                self.over = true;
                for duty in std::mem::take(&mut self.duties) {
                    context.walk.cancel(duty.task);
                }
                self.pending.clear();
                self.helpers.clear();
            }
            // What other strategies say.
            _ => (),
        }
        self.settle(context);
    }

    fn finished(&mut self, task: TaskId, job_result: JobResult, context: &mut Context<'_>) {
        if task == TaskId::ROOT {
            self.over = true;
            context.end(self.me, self.peers, job_result);
        } else {
            self.tell_helpers(context);
            self.give_back(task, job_result, context);
        }
        self.settle(context);
    }

    fn paused(&mut self, context: &mut Context<'_>) {
        self.settle(context);
    }
}
