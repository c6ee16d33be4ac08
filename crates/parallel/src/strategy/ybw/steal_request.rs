//! Asking for work, and watching over those who have it.
//!
//! A processor has at most one request under way, recognised by its ticket. With faults about, requests
//! and helpers that are not heard of for too long are taken for lost: the request is made again, the
//! work is searched again. What comes late is not recognised and dropped.

use super::{Action, Ybw};
use crate::{Message, Peer, Searcher, TaskId, Time};

/// The request under way, or the time when the next may be made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StealRequest {
    last: u32,
    open: Option<Time>,
    not_before: Time,
    /// Refusals since there was work.
    refusals: u32,
}

impl StealRequest {
    /// Makes a request; its number.
    pub fn open(&mut self, now: Time) -> u32 {
        self.last += 1;
        self.open = Some(now);
        self.last
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Work has come; whether it is what was wished for.
    pub fn fulfil(&mut self, ticket: u32) -> bool {
        let right = self.open.is_some() && ticket == self.last;
        if right {
            (self.open, self.refusals) = (None, 0);
        }
        right
    }

    /// The request was refused, or has been lost.
    fn close(&mut self, ticket: u32, not_before: Time) {
        if ticket == self.last {
            (self.open, self.not_before) = (None, not_before);
            self.refusals += 1;
        }
    }
}

impl Ybw {
    /// Nobody had work for us.
    pub(super) fn refused(&mut self, now: Time, ticket: u32) {
        let pause =
            self.settings.retry << self.steal_request.refusals.min(self.settings.back_off).min(20);
        self.steal_request.close(ticket, now + pause);
    }

    /// Asks for work if there is none here and nobody has been asked.
    pub(super) fn look_for_work(&mut self, now: Time, searcher: &mut dyn Searcher) {
        let waits = self.settings.helpful && searcher.is_waiting();
        if !waits && !searcher.is_idle() || self.peers < 2 {
            return;
        }
        if let (Some(since), Some(patience)) = (self.steal_request.open, self.settings.patience) {
            if now < since + patience {
                self.actions.push_back(Action::WakeAt(since + patience));
                return;
            }
            self.steal_request.close(self.steal_request.last, now);
        }
        if self.steal_request.is_open() {
            return;
        }
        if now < self.steal_request.not_before {
            self.actions.push_back(Action::WakeAt(self.steal_request.not_before));
            return;
        }
        let target = match waits {
            true => self.some_awaited_slave(searcher),
            false => Some((self.whom_to_ask(), None)),
        };
        let Some((target, within)) = target else { return };
        let ticket = self.steal_request.open(now);
        let request = Message::Request { origin: self.me, ticket, hops: 0, within };
        self.send(target, request);
        if let Some(patience) = self.settings.patience {
            self.actions.push_back(Action::WakeAt(now + patience));
        }
    }

    /// One of those that the node on top waits for: what helps them helps us.
    fn some_awaited_slave(&mut self, searcher: &dyn Searcher) -> Option<(Peer, Option<TaskId>)> {
        let mut awaited = std::mem::take(&mut self.awaited);
        searcher.awaited(&mut awaited);
        let chosen = self.chance.below(awaited.len());
        let task = awaited.get(chosen).copied();
        self.awaited = awaited;
        let task = task?;
        let helper = self.helpers.iter().find(|helper| helper.task == task)?;
        Some((helper.peer, Some(task)))
    }

    /// A neighbour for the first request (Z30), anybody for the next.
    fn whom_to_ask(&mut self) -> Peer {
        if self.settings.local && self.steal_request.refusals == 0 && !self.neighbours.is_empty() {
            let chosen = self.chance.below(self.neighbours.len());
            return self.neighbours[chosen];
        }
        self.somebody_but(self.me).unwrap_or(Peer::FIRST)
    }

    /// Anybody but us and one other; a neighbour where requests stay local (Z31).
    pub(super) fn somebody_but(&mut self, origin: Peer) -> Option<Peer> {
        let (me, neighbours) = (self.me, &self.neighbours);
        if self.settings.local {
            let others = neighbours.iter().copied().filter(|&peer| peer != origin);
            let chosen = self.chance.below(others.clone().count());
            return others.into_iter().nth(chosen);
        }
        let left_out = if origin == me { 1 } else { 2 };
        let count = (self.peers as usize).checked_sub(left_out).filter(|&count| count > 0)?;
        let chosen = self.chance.below(count) as u32;
        let (low, high) = (me.0.min(origin.0), me.0.max(origin.0));
        // Numbers from `low` on move up by one, those from `high` on by two.
        let chosen = if chosen >= low { chosen + 1 } else { chosen };
        let chosen = if origin != me && chosen >= high { chosen + 1 } else { chosen };
        Some(Peer(chosen))
    }

    /// Asks after helpers for whom the node on top waits too long, and gives up those who are silent.
    pub(super) fn watch(&mut self, now: Time, searcher: &mut dyn Searcher) {
        let Some(patience) = self.settings.patience.filter(|_| !self.helpers.is_empty()) else {
            return;
        };
        let mut lost = Vec::new();
        let mut silent = Vec::new();
        let mut next = Time::MAX;
        for helper in &mut self.helpers {
            if now < helper.since + patience {
                next = next.min(helper.since + patience);
            } else if helper.asked {
                lost.push(helper.task);
            } else {
                (helper.asked, helper.since) = (true, now);
                next = next.min(now + patience);
                silent.push((helper.peer, helper.task));
            }
        }
        for (peer, task) in silent {
            self.send(peer, Message::Ask { task });
        }
        for task in lost {
            self.forget_slave(task);
            searcher.take_back(task);
        }
        if next < Time::MAX {
            self.actions.push_back(Action::WakeAt(next));
        }
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
                (helper.asked, helper.since) = (false, now);
            }
        } else {
            self.forget_slave(task);
            searcher.take_back(task);
        }
    }
}
