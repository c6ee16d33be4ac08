//! Members without work: teams that are put together anew, or grow and shrink.
//!
//! Hot spots (F15): the times of two subtrees of the same depth differ by up to a hundred. When enough
//! teams are idle and a search has been going on for long enough, its owner stops it, puts all idle
//! teams and that one together, and begins it again there. This concerns only the owner and its helpers,
//! and happens at all levels of the hierarchy.
//!
//! Elastic teams (F16): members without work are lent to those whose work goes on, at once and without
//! stopping it, and go back up the hierarchy where they are of no use. An owner that waits for its helpers
//! lends itself to one of them.

use super::{Context, Helper, Team, Teams};
use crate::{Member, Message, Peer, TaskId, Time};
use search::Depth;

/// A search that was stopped before gets twice the time, up to this many times.
const MOST_DOUBLINGS: u32 = 6;

/// An owner that waits has lent itself, under this number, to the search of this child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loan {
    pub ticket: u32,
    pub task: TaskId,
}

/// A child's search is some six times as large for each ply (F2): that many more can work at it.
const EFFECTIVE_BRANCHING: u64 = 6;

impl Teams {
    /// How many can work at a child's search.
    pub(super) fn room(&self, depth: Depth) -> u64 {
        let plies = (depth - self.settings.grain).clamp(0, 12) as u32;
        if plies == 0 { 0 } else { EFFECTIVE_BRANCHING.pow(plies) }
    }

    /// Sends idle members to where work goes on.
    pub(super) fn lend(&mut self, context: &mut Context<'_>) {
        let now = context.now;
        for index in 0..self.duties.len() {
            let duty = &mut self.duties[index];
            if duty.free.is_empty() {
                continue;
            }
            let since = *duty.idle_since.get_or_insert(now);
            let kept = now >= since + self.settings.keep_ns;
            let searches = index + 1 == self.duties.len() && !context.walk.is_waiting();
            if searches && !kept {
                continue;
            }
            self.send_down(index, context);
            self.send_back(index, kept, context);
        }
        self.lend_myself(context);
    }

    /// To the helpers, evenly by what they have to do.
    fn send_down(&mut self, index: usize, context: &mut Context<'_>) {
        let owner = self.duties[index].task;
        let mut free = std::mem::take(&mut self.duties[index].free);
        let mut next_sated = Time::MAX;
        let mut targets: Vec<(usize, u64, Vec<Team>)> = Vec::new();
        for (place, helper) in self.helpers.iter().enumerate() {
            let room = self.room(helper.depth);
            if helper.owner != owner || room == 0 {
                continue;
            }
            match helper.sated > context.now {
                true => next_sated = next_sated.min(helper.sated),
                false => targets.push((place, room, Vec::new())),
            }
        }
        while !free.is_empty() {
            let crowd = |&(place, room, ref new): &(usize, u64, Vec<Team>)| {
                let count = self.helpers[place].teams.len() + new.len();
                (count as u64 * 1000 / room, place)
            };
            let has_room = |target: &&mut (usize, u64, Vec<Team>)| crowd(target).0 < 1000;
            let best = targets.iter_mut().filter(has_room).min_by_key(|target| crowd(target));
            let Some((_, _, new)) = best else { break };
            new.extend(free.pop());
        }
        for (place, _, new) in targets.into_iter().filter(|(_, _, new)| !new.is_empty()) {
            let helper = &mut self.helpers[place];
            let members = new.iter().flatten().copied().collect();
            helper.teams.extend(new);
            let (task, captain) = (helper.task, helper.captain());
            if let Some(captain) = captain {
                context.send(captain, Message::Join { task, members });
            }
        }
        if !free.is_empty() && next_sated < Time::MAX {
            context.wake_at(next_sated);
        }
        self.duties[index].free = free;
    }

    /// To the owner, where there has been no use for them for some time.
    fn send_back(&mut self, index: usize, kept: bool, context: &mut Context<'_>) {
        let duty = &mut self.duties[index];
        if duty.free.is_empty() {
            duty.idle_since = None;
        } else if duty.task == TaskId::ROOT {
            duty.idle_since = Some(context.now);
        } else if kept {
            let members = duty.free.drain(..).flatten().collect();
            duty.idle_since = None;
            let (owner, task) = (duty.owner, duty.task);
            context.send(owner, Message::Release { task, members });
        } else if let Some(since) = duty.idle_since {
            context.wake_at(since + self.settings.keep_ns);
        }
    }

    /// An owner that waits helps one of those for whom it waits.
    fn lend_myself(&mut self, context: &mut Context<'_>) {
        if self.settings.watch || !context.walk.is_waiting() {
            return;
        }
        let awaited = context.walk.awaited();
        let lent = self.loans.iter().any(|loan| awaited.contains(&loan.task));
        let mut best: Option<(u64, usize)> = None;
        let mut next_sated = Time::MAX;
        for (place, helper) in self.helpers.iter().enumerate() {
            let room = self.room(helper.depth);
            if lent || room == 0 || !awaited.contains(&helper.task) {
                continue;
            }
            if helper.sated > context.now {
                next_sated = next_sated.min(helper.sated);
                continue;
            }
            let crowd = helper.teams.len() as u64 * 1000 / room;
            if best.is_none_or(|(least, _)| crowd < least) {
                best = Some((crowd, place));
            }
        }
        if let Some((_, place)) = best {
            self.last_loan += 1;
            let me = Member { peer: self.me, ticket: self.last_loan };
            let helper = &mut self.helpers[place];
            helper.teams.push(vec![me]);
            let (task, captain) = (helper.task, helper.captain());
            self.loans.push(Loan { ticket: me.ticket, task });
            if let Some(captain) = captain {
                context.send(captain, Message::Join { task, members: vec![me] });
            }
        } else if next_sated < Time::MAX {
            context.wake_at(next_sated);
        }
    }

    /// Whether we have lent ourselves under a number, and wait for that child still.
    pub(super) fn is_lent(&self, ticket: u32, context: &Context<'_>) -> bool {
        let awaited = context.walk.awaited();
        self.loans.iter().any(|loan| loan.ticket == ticket && awaited.contains(&loan.task))
    }

    /// More members for our work.
    pub(super) fn joined(&mut self, task: TaskId, members: Vec<Member>) {
        if let Some(duty) = self.duties.iter_mut().find(|duty| duty.task == task) {
            duty.free.extend(members.into_iter().map(|member| vec![member]));
        } else if let Some(work) = self.pending.iter_mut().find(|work| work.task == task) {
            work.members.extend(members);
        }
    }

    /// A helper sends members back.
    pub(super) fn released(&mut self, now: Time, task: TaskId, members: &[Member]) {
        let (me, pause) = (self.me, 4 * self.settings.keep_ns);
        let Some(helper) = self.helpers.iter_mut().find(|helper| helper.task == task) else {
            return;
        };
        let is_back = |peer: Peer| members.iter().any(|member| member.peer == peer);
        let captain = helper.captain();
        for team in &mut helper.teams {
            team.retain(|member| Some(member.peer) == captain || !is_back(member.peer));
        }
        helper.teams.retain(|team| !team.is_empty());
        helper.sated = now + pause;
        let owner = helper.owner;
        self.loans.retain(|loan| loan.task != task || !is_back(me));
        if let Some(duty) = self.duties.iter_mut().find(|duty| duty.task == owner) {
            let back = members.iter().filter(|member| member.peer != me);
            duty.free.extend(back.map(|&member| vec![member]));
        }
    }

    /// Looks for hot spots among the helpers of every duty.
    pub(super) fn cool_hot_spots(&mut self, context: &mut Context<'_>) {
        if !self.settings.reorganise {
            return;
        }
        for index in 0..self.duties.len() {
            if let Some(ready) = self.next_hot_spot(index) {
                match ready <= context.now {
                    true => self.reorganise(index, context),
                    false => context.wake_at(ready),
                }
            }
        }
    }

    fn hot_at(&self, helper: &Helper) -> Time {
        helper.begun + (self.settings.hot_after_ns << helper.restarts.min(MOST_DOUBLINGS))
    }

    /// When the next search of a duty becomes a hot spot, if enough teams are idle. Where a child cannot
    /// be divided any more, helpers are of no use.
    fn next_hot_spot(&self, index: usize) -> Option<Time> {
        let duty = &self.duties[index];
        let helpers = self.helpers.iter().filter(|helper| helper.owner == duty.task);
        let busy: usize = helpers.clone().map(|helper| helper.teams.len()).sum();
        let idle = duty.free.len();
        let enough = idle > 0 && idle * 100 >= (idle + busy) * self.settings.idle_share as usize;
        let hot = helpers.filter(|helper| helper.depth > self.settings.grain);
        hot.map(|helper| self.hot_at(helper)).min().filter(|_| enough)
    }

    /// Stops the hottest search of a duty and begins it anew with all that are idle.
    fn reorganise(&mut self, index: usize, context: &mut Context<'_>) {
        let owner = self.duties[index].task;
        let hottest = self
            .helpers
            .iter()
            .filter(|helper| helper.owner == owner && helper.depth > self.settings.grain)
            .min_by_key(|helper| (self.hot_at(helper), helper.task));
        let Some(old) = hottest.map(|helper| helper.task) else { return };
        let Some(mut helper) = self.forget_helper(old) else { return };
        let captain = helper.captain();
        if let Some(captain) = captain {
            context.send(captain, Message::Cancel { task: old });
        }
        let task = self.new_task();
        context.walk.take_back(old);
        match context.walk.split(helper.level, task, self.rules.of(captain.unwrap_or(self.me))) {
            Some(job) => {
                helper.teams.append(&mut self.duties[index].free);
                (helper.task, helper.depth, helper.begun) = (task, job.depth, context.now);
                (helper.heard, helper.asked) = (context.now, false);
                helper.restarts += 1;
                self.engage(helper, job, context);
            }
            None => self.reclaim(helper, None),
        }
    }
}
