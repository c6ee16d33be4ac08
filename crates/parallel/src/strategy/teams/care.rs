//! Those who are not heard of any more: their work is searched again. Only where faults are expected.

use super::Teams;
use crate::{Message, Peer, Searcher, TaskId, Time};

/// Who has had nothing to do for so many times the patience tells the first.
const LONELY: Time = 8;

impl Teams {
    /// Asks after helpers that take long, gives up those who are silent, and shows up if nobody seems to
    /// know us.
    pub(super) fn care(&mut self, now: Time, searcher: &mut dyn Searcher) {
        let Some(patience) = self.settings.patience else { return };
        let (mut lost, mut silent, mut next) = (Vec::new(), Vec::new(), Time::MAX);
        for helper in &mut self.helpers {
            if now < helper.heard + patience {
                next = next.min(helper.heard + patience);
            } else if helper.asked {
                lost.push(helper.task);
            } else {
                (helper.asked, helper.heard) = (true, now);
                next = next.min(now + patience);
                silent.extend(helper.captain().map(|captain| (captain, helper.task)));
            }
        }
        for (peer, task) in silent {
            self.send(peer, Message::Ask { task });
        }
        let somebody_lost = !lost.is_empty();
        for task in lost {
            self.give_up(task, searcher);
        }
        if somebody_lost {
            // What they had is given to others at the next look.
            next = now + self.settings.retry;
        }
        if next < Time::MAX {
            self.wake_at(next);
        }
        self.show_up(now, LONELY * patience);
    }

    /// A team whose captain is silent: its members are asked no more, but may be given other work.
    fn give_up(&mut self, task: TaskId, searcher: &mut dyn Searcher) {
        if let Some(helper) = self.forget_slave(task) {
            let captain = helper.captain();
            self.reclaim(helper, captain);
        }
        searcher.take_back(task);
    }

    /// A helper has answered.
    pub(super) fn heard_of(
        &mut self,
        now: Time,
        task: TaskId,
        working: bool,
        searcher: &mut dyn Searcher,
    ) {
        if working {
            if let Some(helper) = self.helpers.iter_mut().find(|helper| helper.task == task) {
                (helper.asked, helper.heard) = (false, now);
            }
        } else if let Some(helper) = self.forget_slave(task) {
            // The work may still wait there behind other work: it is called off.
            self.dismiss(helper);
            searcher.take_back(task);
        }
    }

    /// One without work, who may be in nobody's list, tells the first from time to time.
    fn show_up(&mut self, now: Time, span: Time) {
        if self.me == Peer::FIRST || !self.duties.is_empty() || !self.pending.is_empty() {
            self.alone = None;
            return;
        }
        let since = *self.alone.get_or_insert(now);
        if now >= since + span {
            self.alone = Some(now);
            let request = Message::Request { origin: self.me, ticket: 0, hops: 0, within: None };
            self.send(Peer::FIRST, request);
            self.wake_at(now + span);
        } else {
            self.wake_at(since + span);
        }
    }

    /// Somebody has nothing to do: if he is in no list, he is taken into one.
    pub(super) fn came_back(&mut self, origin: Peer) {
        let listed = self.helpers.iter().flat_map(|helper| &helper.teams);
        let mut listed = listed.chain(self.duties.iter().flat_map(|duty| &duty.free)).flatten();
        if listed.any(|member| member.peer == origin) {
            return;
        }
        if let Some(duty) = self.duties.iter_mut().find(|duty| duty.task == TaskId::ROOT) {
            duty.free.push(vec![crate::Member { peer: origin, ticket: 0 }]);
        }
    }
}
