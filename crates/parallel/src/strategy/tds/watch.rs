//! Looking after children that are out, and telling others what was learnt.
//!
//! Where messages get lost and processors crash, a home that hears nothing of a child for too long asks
//! after it. A child of whom its home knows nothing is sent again under another name; a home that does
//! not answer is taken for lost, and the next takes its place. What comes late has a name that nobody
//! remembers.

use super::{Action, Tds};
use crate::{Dewey, Message, Peer, Searcher, Time};

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

    /// Somebody asks after a state.
    pub(super) fn asked_after(&mut self, from: Peer, path: Dewey) {
        let known = self.is_here(&path);
        self.send(from, Message::Status { path, known });
    }

    /// A home has answered.
    pub(super) fn heard_of(
        &mut self,
        now: Time,
        path: &Dewey,
        known: bool,
        searcher: &mut dyn Searcher,
    ) {
        if !known && !self.is_put_aside(path) {
            self.send_again(now, path, searcher);
            return;
        }
        let Some(held) = path.parent().and_then(|parent| self.busy.get_mut(&parent)) else {
            return;
        };
        let (number, attempt) = path.last();
        let is_it = |out: &&mut super::held::Out| (out.number, out.attempt) == (number, attempt);
        if let Some(out) = held.outs.iter_mut().find(is_it) {
            (out.asked, out.since) = (false, now);
        }
    }

    /// A child is lost: it is sent out again under another name.
    fn send_again(&mut self, now: Time, path: &Dewey, searcher: &mut dyn Searcher) {
        let Some(parent) = path.parent() else { return };
        let Some(mut held) = self.busy.remove(&parent) else { return };
        let (number, attempt) = path.last();
        if let Some(out) = held.take_out(number, attempt) {
            let plan = held.node.refreshed(out.plan);
            let name = (number, attempt + 1);
            self.send_out(now, &parent, &mut held, plan, name, out.promising, searcher);
        }
        self.busy.insert(parent, held);
    }

    /// Asks after children that were not heard of for too long, and gives up homes that are silent.
    pub(super) fn watch(&mut self, now: Time, searcher: &mut dyn Searcher) {
        let Some(patience) = self.settings.patience.filter(|_| !self.over) else { return };
        let (mut silent, mut lost, mut next) = (Vec::new(), Vec::new(), Time::MAX);
        for (path, held) in &mut self.busy {
            for out in held.outs.iter_mut().filter(|out| out.peer != self.me) {
                let name = || path.child(out.number, out.attempt);
                if now < out.since + patience {
                    next = next.min(out.since + patience);
                } else if out.asked {
                    lost.push((out.peer, name()));
                } else {
                    silent.push((out.peer, name()));
                    (out.asked, out.since) = (true, now);
                    next = next.min(now + patience);
                }
            }
        }
        for (peer, path) in silent {
            self.send(peer, Message::Inquiry { path });
        }
        for (peer, path) in lost {
            next = next.min(now + patience);
            if !self.is_put_aside(&path) {
                self.lost[peer.index()] = true;
                self.send_again(now, &path, searcher);
            }
        }
        self.work(now, searcher);
        if next < Time::MAX {
            self.actions.push_back(Action::WakeAt(next));
        }
    }

    /// Tells one of the listeners what was learnt about moves, if it is time. The listeners are those at
    /// distances 1, 2, 4 …; what one tells another is passed on by greater distances only, so that it
    /// comes to everybody once.
    pub(super) fn send_history_delta(&mut self, now: Time, searcher: &mut dyn Searcher) {
        if self.settings.history_delta == 0 || self.peers < 2 || now < self.next_lore || self.over {
            return;
        }
        self.next_lore = now + self.settings.history_delta;
        let listeners = self.peers.ilog2() as usize;
        self.listener = (self.listener + 1) % listeners.max(1);
        let history_delta = searcher.tell(self.listener, self.settings.delta_least);
        if !history_delta.is_empty() {
            let to = Peer((self.me.0 + (1 << self.listener)) % self.peers);
            let listener = self.listener as u8;
            self.send(
                to,
                Message::HistoryDelta { listener, history_delta: Box::new(history_delta) },
            );
        }
    }
}
