//! Asking for work, and watching over those who have it.
//!
//! A processor has at most one request under way, recognised by its ticket. With faults about, requests
//! and helpers that are not heard of for too long are taken for lost: the request is made again, the
//! work is searched again. What comes late is not recognised and dropped.

use super::{Context, Helper, Ybw};
use crate::{Message, Peer, Time};

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

    /// Work has come; whether it is what was asked for.
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
    /// No work was found for us.
    pub(super) fn refused(&mut self, now: Time, ticket: u32) {
        let doublings = self.steal_request.refusals.min(self.settings.back_off).min(20);
        self.steal_request.close(ticket, now + (self.settings.retry_ns << doublings));
    }

    /// Asks for work if there is none here and no request is under way.
    pub(super) fn look_for_work(&mut self, context: &mut Context<'_>) {
        let (now, patience_ns) = (context.now, self.settings.patience_ns);
        let waits = self.settings.helpful && context.walk.is_waiting();
        if !waits && !context.walk.is_idle() || self.peers < 2 {
            return;
        }
        if let (Some(since), Some(patience_ns)) = (self.steal_request.open, patience_ns) {
            if now < since + patience_ns {
                context.wake_at(since + patience_ns);
                return;
            }
            self.steal_request.close(self.steal_request.last, now);
        }
        if self.steal_request.is_open() {
            return;
        }
        if now < self.steal_request.not_before {
            context.wake_at(self.steal_request.not_before);
            return;
        }
        let origin = self.me;
        if waits {
            let Some(Helper { peer, task, .. }) = self.awaited_helper(context) else { return };
            let (ticket, within) = (self.steal_request.open(now), Some(task));
            context.send(peer, Message::Request { origin, ticket, hops: 0, within });
        } else {
            let to = self.whom_to_ask();
            context.ask_any(to, origin, self.steal_request.open(now), 0);
        }
        if let Some(patience_ns) = patience_ns {
            context.wake_at(now + patience_ns);
        }
    }

    /// One of those that the node on top waits for: what helps them helps us.
    fn awaited_helper(&mut self, context: &Context<'_>) -> Option<Helper> {
        let awaited = context.walk.awaited();
        let task = *awaited.get(self.chance.below(awaited.len()))?;
        self.helper(task).copied()
    }

    /// A neighbour for the first request (Z30), any processor for the next.
    fn whom_to_ask(&mut self) -> Peer {
        if self.settings.local && self.steal_request.refusals == 0 && !self.neighbours.is_empty() {
            let chosen = self.chance.below(self.neighbours.len());
            return self.neighbours[chosen];
        }
        self.another_than(self.me, self.me).unwrap_or(Peer::FIRST)
    }

    /// Any processor but us and the one that wants work. Where requests stay local, one of the neighbours that
    /// remain beside the one from which the request came (Z31).
    pub(super) fn another_than(&mut self, origin: Peer, from: Peer) -> Option<Peer> {
        let (me, neighbours) = (self.me, &self.neighbours);
        if self.settings.local {
            let remain = |&peer: &Peer| peer != origin && peer != from;
            let others = neighbours.iter().copied().filter(remain);
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

    /// Asks after helpers that take too long, and gives up those who are silent.
    pub(super) fn watch(&mut self, context: &mut Context<'_>) {
        let now = context.now;
        let Some(patience_ns) = self.settings.patience_ns.filter(|_| !self.helpers.is_empty())
        else {
            return;
        };
        let (mut lost, mut next) = (Vec::new(), Time::MAX);
        for Helper { task, peer, since, asked } in &mut self.helpers {
            if now >= *since + patience_ns {
                if *asked {
                    lost.push(*task);
                    continue;
                }
                (*asked, *since) = (true, now);
                context.send(*peer, Message::Ask { task: *task });
            }
            next = next.min(*since + patience_ns);
        }
        for task in lost {
            self.forget_helper(task);
            context.walk.take_back(task);
        }
        if next < Time::MAX {
            context.wake_at(next);
        }
    }
}
