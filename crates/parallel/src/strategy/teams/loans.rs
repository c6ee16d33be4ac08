//! Elastic teams (F16): members without work are lent to those whose work goes on, at once and without
//! stopping it, and go back up the hierarchy where they are of no use. An owner who waits for his helpers
//! lends himself to one of them.

use super::{Team, Teams};
use crate::{Member, Message, Peer, Searcher, TaskId, Time};

/// An owner who waits has lent himself, under this number, to the search of this child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loan {
    pub ticket: u32,
    pub task: TaskId,
}

/// A child's search is some six times as large for each ply (F2): so many more can work at it.
const EFFECTIVE_BRANCHING: u64 = 6;

impl Teams {
    /// How many can work at a child's search.
    pub(super) fn room(&self, depth: i32) -> u64 {
        let plies = (depth - self.settings.grain).clamp(0, 12) as u32;
        if plies == 0 { 0 } else { EFFECTIVE_BRANCHING.pow(plies) }
    }

    /// Sends idle members to where work goes on.
    pub(super) fn lend(&mut self, now: Time, searcher: &mut dyn Searcher) {
        for index in 0..self.duties.len() {
            let duty = &mut self.duties[index];
            if duty.free.is_empty() {
                continue;
            }
            let since = *duty.idle_since.get_or_insert(now);
            let kept = now >= since + self.settings.keep;
            let searches = index + 1 == self.duties.len() && !searcher.is_waiting();
            if searches && !kept {
                continue;
            }
            self.send_down(now, index);
            self.send_back(now, index, kept);
        }
        self.lend_myself(now, searcher);
    }

    /// To the helpers, evenly by what they have to do.
    fn send_down(&mut self, now: Time, index: usize) {
        let owner = self.duties[index].task;
        let mut free = std::mem::take(&mut self.duties[index].free);
        let mut next_sated = Time::MAX;
        let mut targets: Vec<(usize, u64, Vec<Team>)> = Vec::new();
        for (place, helper) in self.helpers.iter().enumerate() {
            let room = self.room(helper.depth);
            if helper.owner != owner || room == 0 {
                continue;
            }
            match helper.sated > now {
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
                self.send(captain, Message::Join { task, members });
            }
        }
        if !free.is_empty() && next_sated < Time::MAX {
            self.wake_at(next_sated);
        }
        self.duties[index].free = free;
    }

    /// To the owner, where nobody here has had use for them for some time.
    fn send_back(&mut self, now: Time, index: usize, kept: bool) {
        let duty = &mut self.duties[index];
        if duty.free.is_empty() {
            duty.idle_since = None;
        } else if duty.task == TaskId::ROOT {
            duty.idle_since = Some(now);
        } else if kept {
            let members = duty.free.drain(..).flatten().collect();
            duty.idle_since = None;
            let (owner, task) = (duty.owner, duty.task);
            self.send(owner, Message::Release { task, members });
        } else if let Some(since) = duty.idle_since {
            self.wake_at(since + self.settings.keep);
        }
    }

    /// An owner who waits helps one of those for whom he waits.
    fn lend_myself(&mut self, now: Time, searcher: &mut dyn Searcher) {
        if self.settings.watch || !searcher.is_waiting() {
            return;
        }
        let mut awaited = std::mem::take(&mut self.awaited);
        searcher.awaited(&mut awaited);
        let lent = self.loans.iter().any(|loan| awaited.contains(&loan.task));
        let mut best: Option<(u64, usize)> = None;
        let mut next_sated = Time::MAX;
        for (place, helper) in self.helpers.iter().enumerate() {
            let room = self.room(helper.depth);
            if lent || room == 0 || !awaited.contains(&helper.task) {
                continue;
            }
            if helper.sated > now {
                next_sated = next_sated.min(helper.sated);
                continue;
            }
            let crowd = helper.teams.len() as u64 * 1000 / room;
            if best.is_none_or(|(least, _)| crowd < least) {
                best = Some((crowd, place));
            }
        }
        self.awaited = awaited;
        if let Some((_, place)) = best {
            self.last_loan += 1;
            let me = Member { peer: self.me, ticket: self.last_loan };
            let helper = &mut self.helpers[place];
            helper.teams.push(vec![me]);
            let (task, captain) = (helper.task, helper.captain());
            self.loans.push(Loan { ticket: me.ticket, task });
            if let Some(captain) = captain {
                self.send(captain, Message::Join { task, members: vec![me] });
            }
        } else if next_sated < Time::MAX {
            self.wake_at(next_sated);
        }
    }

    /// Whether we have lent ourselves under a number, and wait for that child still.
    pub(super) fn is_lent(&mut self, ticket: u32, searcher: &dyn Searcher) -> bool {
        let mut awaited = std::mem::take(&mut self.awaited);
        searcher.awaited(&mut awaited);
        let lent =
            self.loans.iter().any(|loan| loan.ticket == ticket && awaited.contains(&loan.task));
        self.awaited = awaited;
        lent
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
        let (me, pause) = (self.me, 4 * self.settings.keep);
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
}
