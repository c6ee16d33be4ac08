//! Looking after children that are out, and telling others what was learnt.
//!
//! Where messages get lost and processors crash, a home that hears nothing of a child for too long asks
//! after it. A child of whom its home knows nothing is sent again under another name; a home that does
//! not answer is taken for lost, and the next takes its place. What comes late has a name that is forgotten.

use super::{Context, Tds};
use crate::{Dewey, Message, Peer, Time};

impl Tds {
    /// Whether a state is known here.
    pub(super) fn is_here(&mut self, path: &Dewey) -> bool {
        self.busy.contains_key(path)
            || self.agenda.find(path).is_some()
            || self.running.iter().any(|running| running.path == *path && !running.dead)
            || self.stealing.of(path).is_some()
            || self.is_put_aside(path)
    }

    /// Whether a state, or its value, is among the messages that wait for the end of the work in hand.
    fn is_put_aside(&self, path: &Dewey) -> bool {
        self.stash.iter().any(|(_, message)| match message {
            Message::State { path: it, .. } | Message::Value { path: it, .. } => it == path,
            _ => false,
        })
    }

    /// A parent asks after a state.
    pub(super) fn asked_after(&mut self, from: Peer, path: Dewey, context: &mut Context<'_>) {
        let known = self.is_here(&path);
        context.send(from, Message::Status { path, known });
    }

    /// A home has answered.
    pub(super) fn heard_of(&mut self, path: &Dewey, known: bool, context: &mut Context<'_>) {
        if !known && !self.is_put_aside(path) {
            self.send_again(path, context);
            return;
        }
        let Some(held) = path.parent().and_then(|parent| self.busy.get_mut(&parent)) else {
            return;
        };
        let (number, attempt) = path.last();
        let is_it = |out: &&mut super::held::Out| (out.number, out.attempt) == (number, attempt);
        if let Some(out) = held.outs.iter_mut().find(is_it) {
            (out.asked, out.since) = (false, context.now);
        }
    }

    /// A child is lost: it is sent out again under another name.
    fn send_again(&mut self, path: &Dewey, context: &mut Context<'_>) {
        let Some(parent) = path.parent() else { return };
        let Some(mut held) = self.busy.remove(&parent) else { return };
        let (number, attempt) = path.last();
        if let Some(out) = held.take_out(number, attempt) {
            let plan = held.node.refreshed(out.plan);
            let name = (number, attempt + 1);
            self.send_out(&parent, &mut held, plan, name, out.promising, context);
        }
        self.busy.insert(parent, held);
    }

    /// Asks after children that were not heard of for too long, and gives up homes that are silent.
    pub(super) fn watch(&mut self, context: &mut Context<'_>) {
        let Some(patience_ns) = self.settings.patience_ns.filter(|_| !self.over) else { return };
        let (now, mut lost, mut next) = (context.now, Vec::new(), Time::MAX);
        for (path, held) in &mut self.busy {
            for out in held.outs.iter_mut().filter(|out| out.peer != self.me) {
                let path = || path.child(out.number, out.attempt);
                if now >= out.since + patience_ns {
                    if out.asked {
                        lost.push((out.peer, path()));
                        continue;
                    }
                    context.send(out.peer, Message::Inquiry { path: path() });
                    (out.asked, out.since) = (true, now);
                }
                next = next.min(out.since + patience_ns);
            }
        }
        for (peer, path) in lost {
            next = next.min(now + patience_ns);
            if !self.is_put_aside(&path) {
                self.lost[peer.index()] = true;
                self.send_again(&path, context);
            }
        }
        self.work(context);
        if next < Time::MAX {
            context.wake_at(next);
        }
    }

    /// Sends what was learnt about moves to one of the receivers, if it is time. Those are the processors at
    /// distances 1, 2, 4 …; what one sends another is passed on by greater distances only, so that it
    /// comes to each once.
    pub(super) fn send_history_delta(&mut self, context: &mut Context<'_>) {
        let (now, every_ns) = (context.now, self.settings.delta_every_ns);
        if every_ns == 0 || self.peers < 2 || now < self.next_delta || self.over {
            return;
        }
        self.next_delta = now + every_ns;
        let receivers = self.peers.ilog2() as usize;
        self.receiver = (self.receiver + 1) % receivers.max(1);
        let history_delta = context.walk.history_delta(self.receiver, self.settings.delta_least);
        if !history_delta.is_empty() {
            let to = Peer((self.me.0 + (1 << self.receiver)) % self.peers);
            let (receiver, history_delta) = (self.receiver as u8, Box::new(history_delta));
            context.send(to, Message::HistoryDelta { receiver, history_delta });
        }
    }
}
