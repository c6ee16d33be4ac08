//! Those who are not heard of any more: their work is searched again. Only where faults are expected.

use super::{Context, Teams};
use crate::{Member, Message, Peer, TaskId, Time};

/// One that has had nothing to do for this many times the patience tells the first.
const LONELY: Time = 8;

impl Teams {
    /// Asks after helpers that take long, gives up those who are silent, and shows up if this processor
    /// seems forgotten.
    pub(super) fn care(&mut self, context: &mut Context<'_>) {
        let now = context.now;
        let Some(patience_ns) = self.settings.patience_ns else { return };
        let (mut lost, mut next) = (Vec::new(), Time::MAX);
        for helper in &mut self.helpers {
            if now >= helper.heard + patience_ns {
                if helper.asked {
                    lost.push((helper.task, helper.captain()));
                    continue;
                }
                (helper.asked, helper.heard) = (true, now);
                if let Some(captain) = helper.captain() {
                    context.send(captain, Message::Ask { task: helper.task });
                }
            }
            next = next.min(helper.heard + patience_ns);
        }
        if !lost.is_empty() {
            // What they had is given to others at the next look.
            next = now + self.settings.retry_ns;
        }
        for (task, captain) in lost {
            self.give_up(task, captain, context);
        }
        if next < Time::MAX {
            context.wake_at(next);
        }
        self.show_up(LONELY * patience_ns, context);
    }

    /// A team whose captain is silent or does not take the work: its other members may be given other work.
    pub(super) fn give_up(
        &mut self,
        task: TaskId,
        captain: Option<Peer>,
        context: &mut Context<'_>,
    ) {
        if let Some(helper) = self.forget_helper(task) {
            self.reclaim(helper, captain);
        }
        context.walk.take_back(task);
    }

    /// A helper has answered.
    pub(super) fn heard_of(&mut self, task: TaskId, working: bool, context: &mut Context<'_>) {
        if working {
            if let Some(helper) = self.helpers.iter_mut().find(|helper| helper.task == task) {
                (helper.asked, helper.heard) = (false, context.now);
            }
        } else if let Some(helper) = self.forget_helper(task) {
            // The work may still wait there behind other work: it is called off.
            self.dismiss(helper, context);
            context.walk.take_back(task);
        }
    }

    /// A processor without work that may be on no list tells the first from time to time.
    fn show_up(&mut self, span: Time, context: &mut Context<'_>) {
        let (now, origin) = (context.now, self.me);
        if origin == Peer::FIRST || !self.duties.is_empty() || !self.pending.is_empty() {
            self.alone = None;
            return;
        }
        let since = *self.alone.get_or_insert(now);
        if now >= since + span {
            self.alone = Some(now);
            // It is for the first alone, which has the lists.
            let within = Some(TaskId::ROOT);
            let request = Message::Request { origin, ticket: 0, hops: 0, within };
            context.send(Peer::FIRST, request);
            context.wake_at(now + span);
        } else {
            context.wake_at(since + span);
        }
    }

    /// A processor has nothing to do: if it is on no list, it is put on one.
    pub(super) fn came_back(&mut self, origin: Peer) {
        let listed = self.helpers.iter().flat_map(|helper| &helper.teams);
        let mut listed = listed.chain(self.duties.iter().flat_map(|duty| &duty.free)).flatten();
        if listed.any(|member| member.peer == origin) {
            return;
        }
        if let Some(duty) = self.duties.iter_mut().find(|duty| duty.task == TaskId::ROOT) {
            duty.free.push(vec![Member { peer: origin, ticket: 0 }]);
        }
    }
}
