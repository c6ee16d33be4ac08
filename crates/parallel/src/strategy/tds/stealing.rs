//! Idle processors as helpers: they search states that wait in the queues of others.
//!
//! Homes spread the load evenly in the long run, but at any moment some have a queue and others nothing to
//! do. One without work asks for some; one that has a state below the grain in its queue lends it. The thief
//! tells the home what came of it, with what its table knows of it now, and the home tells the parent: so
//! no other need know, and the state's entry is where it belongs. Where faults are expected there is no
//! stealing.

use super::{Context, Pending, Tds, TdsSettings};
use crate::{Chance, Dewey, Message, Peer, StateResult, Time};
use board::Key;
use search::walk::{Job, NodeType};
use std::collections::BTreeMap;

/// How often a request is passed on.
const HOPS: u32 = 3;
/// How often the pause after a refusal doubles.
const BACK_OFF: u32 = 3;

/// A state that a thief searches for its home.
pub(super) struct Lent {
    parent: Peer,
    pub key: Key,
    pub thief: Peer,
}

/// Who searches what for whom.
pub(super) struct Stealing {
    retry_ns: Time,
    lent: BTreeMap<Dewey, Lent>,
    ticket: u32,
    /// Whether a request is under way.
    asked: bool,
    refusals: u32,
    next: Time,
    /// Nothing has come yet: the search may be too small to be shared (D96).
    asleep: bool,
    /// Until when a processor that was without work a short time ago counts as such.
    pub hungry_until: Time,
    /// The processor that had something the last time.
    generous: Option<Peer>,
    chance: Chance,
}

impl Stealing {
    pub fn new(me: Peer, settings: &TdsSettings) -> Stealing {
        Stealing {
            retry_ns: settings.retry_ns,
            lent: BTreeMap::new(),
            ticket: 0,
            asked: false,
            refusals: 0,
            next: settings.lull_ns,
            asleep: true,
            hungry_until: 0,
            generous: None,
            chance: Chance::new(settings.seed, u64::from(me.0)),
        }
    }

    /// A state has come: the search is being shared.
    pub fn wake(&mut self) {
        if std::mem::take(&mut self.asleep) {
            self.next = 0;
        }
    }

    /// A state that was lent comes back.
    pub fn take_back(&mut self, path: &Dewey) -> Option<Lent> {
        self.lent.remove(path)
    }

    /// Those that were lent and lie below a state.
    pub fn take_below(&mut self, path: &Dewey) -> Vec<(Dewey, Lent)> {
        let below: Vec<Dewey> = self.lent.keys().filter(|it| it.is_within(path)).cloned().collect();
        below.into_iter().filter_map(|it| self.lent.remove_entry(&it)).collect()
    }

    /// The thief of a state that was lent.
    pub fn of(&self, path: &Dewey) -> Option<Peer> {
        self.lent.get(path).map(|lent| lent.thief)
    }
}

impl Tds {
    /// Asks for work, if there is none and it is time.
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        let settings = &self.settings;
        let never = settings.retry_ns == 0 || settings.patience_ns.is_some() || self.peers == 1;
        let busy = !self.running.is_empty() || !self.agenda.is_empty();
        if never || busy || self.stealing.asked || self.over {
            return;
        }
        if context.now < self.stealing.next {
            context.wake_at(self.stealing.next);
            return;
        }
        // The thesis's work stealing asks one by chance (D71).
        let generous = self.stealing.generous.take().filter(|_| self.settings.homes);
        let to = generous.unwrap_or_else(|| self.another_than(self.me));
        (self.stealing.asked, self.stealing.ticket) = (true, self.stealing.ticket + 1);
        context.ask_any(to, self.me, self.stealing.ticket, 0);
    }

    fn another_than(&mut self, other: Peer) -> Peer {
        loop {
            let peer = Peer(self.stealing.chance.below(self.peers as usize) as u32);
            if peer != self.me && (peer != other || self.peers == 2) {
                return peer;
            }
        }
    }

    /// A processor asks for work.
    pub(super) fn give(&mut self, origin: Peer, ticket: u32, hops: u32, context: &mut Context<'_>) {
        if origin == self.me {
            // The own request, shown to all: there is work here now.
            self.stealing.asked = false;
            return;
        }
        let alone = self.grain.is_alone();
        let any = !self.settings.homes;
        if self.settings.split_on_demand && !alone && !self.agenda.has_for_thief(any) {
            self.stealing.hungry_until = context.now + self.stealing.retry_ns;
            self.release(context);
        }
        let lent = if alone { None } else { self.agenda.take_for_thief(any) };
        if let Some((path, Pending { job, parent, .. })) = lent {
            let key = job.position().key();
            self.agenda.begin(&path, key, true);
            self.stealing.lent.insert(path.clone(), Lent { parent, key, thief: origin });
            context.send(origin, Message::Steal { path, job, ticket });
        } else if hops < HOPS && self.peers > 2 {
            context.ask_any(self.another_than(origin), origin, ticket, hops + 1);
        } else {
            context.send(origin, Message::Refused { ticket });
        }
    }

    /// A processor is without work: children that wait for others go out, those first that are the most
    /// likely to be needed.
    fn release(&mut self, context: &mut Context<'_>) {
        for of in [NodeType::Three, NodeType::Two] {
            let Some((path, held)) =
                self.busy.iter_mut().find(|(_, held)| held.holds_back(of, &self.settings))
            else {
                continue;
            };
            held.release(&self.settings);
            let path = path.clone();
            if let Some(held) = self.busy.remove(&path) {
                self.spread(path, held, context);
            }
            return;
        }
    }

    /// Whether children wait that may go out on demand.
    pub(super) fn holds_back(&self) -> bool {
        let any = |of| self.busy.values().any(|held| held.holds_back(of, &self.settings));
        self.settings.split_on_demand && (any(NodeType::Three) || any(NodeType::Two))
    }

    /// No work was found.
    pub(super) fn refused(&mut self, now: Time, ticket: u32) {
        let stealing = &mut self.stealing;
        if ticket == stealing.ticket {
            stealing.asked = false;
            stealing.next = now + (stealing.retry_ns << stealing.refusals.min(BACK_OFF));
            stealing.refusals += 1;
        }
    }

    /// A state has come that lives elsewhere.
    pub(super) fn thief_came(&mut self, from: Peer, path: Dewey, job: Box<Job>, ticket: u32) {
        let stealing = &mut self.stealing;
        if ticket == stealing.ticket {
            (stealing.asked, stealing.refusals, stealing.generous) = (false, 0, Some(from));
        }
        // Below the grain only the walk gets it; where there are no homes, its children may be stolen in turn.
        let held = !self.settings.homes && self.is_held(&job);
        self.agenda.add(path, Pending { job, parent: from, held, shared: false, thief: true });
    }

    /// A thief has searched a state.
    pub(super) fn stolen_done(
        &mut self,
        path: &Dewey,
        lent: Lent,
        mut state_result: StateResult,
        context: &mut Context<'_>,
    ) {
        if let Some(entry) = state_result.entry.take() {
            context.walk.note(lent.key, entry);
        }
        self.agenda.end(path, lent.key);
        self.deliver(path, lent.parent, state_result, context);
    }
}
