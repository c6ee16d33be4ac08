//! The way of messages: how long they take, in which order they come, and what happens to them.

use super::processor::{Content, Mail};
use super::timeline::{Sent, Timeline};
use super::topology::Topology;
use super::{Model, Setup};
use crate::{Chance, Message, Peer, Time};
use files::Digest;

/// The network of a run.
pub(super) struct Network<'a> {
    setup: &'a Setup,
    pub topology: Topology,
    /// No message takes less than this.
    pub lookahead: Time,
    /// The last arrival from each to each: messages of a pair keep their order.
    arrivals: Vec<Vec<Time>>,
    sequence: u64,
    chance: Chance,
    /// Crashes (true) and returns to come, the last first.
    faults: Vec<(Time, Peer, bool)>,
    pub hash: Digest,
    pub timeline: Option<Timeline>,
}

impl Network<'_> {
    pub fn new(setup: &Setup) -> Network<'_> {
        let topology = Topology::new(setup.model.shape_of(setup.peers), setup.peers);
        let crashes = setup.faults.crashes.iter().map(|&(peer, time)| (time, peer, true));
        let returns = setup.faults.returns.iter().map(|&(peer, time)| (time, peer, false));
        let mut faults: Vec<_> = crashes.chain(returns).collect();
        faults.sort_unstable_by(|a, b| b.cmp(a));
        Network {
            setup,
            topology,
            lookahead: setup.model.hop + setup.model.send,
            arrivals: vec![Vec::new(); setup.peers as usize],
            sequence: 0,
            chance: Chance::new(setup.seed, u64::MAX),
            faults,
            hash: Digest::default(),
            timeline: setup.record.then(Timeline::default),
        }
    }

    /// The next fault that comes before a time.
    pub fn next_fault(&mut self, before: Time) -> Option<(Peer, Time, bool)> {
        let &(time, peer, crashes) = self.faults.last()?;
        if time > before {
            return None;
        }
        self.faults.pop();
        Some((peer, time, crashes))
    }

    /// What comes of a message: usually one copy, with its time of arrival and its number.
    pub fn carry(&mut self, from: Peer, mail: Mail) -> [Option<((Time, u64), Content)>; 2] {
        let Mail { to, sent, content } = mail;
        self.mix(sent, from, to, content.kind() as u64);
        if let (Some(timeline), Content::Strategy(message)) = (&mut self.timeline, &content) {
            let kind = Message::KINDS[message.kind()];
            timeline.messages.push(Sent { time: sent, from: from.0, to: to.0, kind });
        }
        let faults = &self.setup.faults;
        let mut arrival = sent + self.travel(from, to, content.bytes());
        let (mut ordered, mut copy) = (true, None);
        if !faults.is_empty() {
            if self.chance.happens(faults.drop) {
                return [None, None];
            }
            if self.chance.happens(faults.delay) {
                arrival += self.chance.below(faults.delay_by as usize + 1) as Time;
            }
            ordered = !self.chance.happens(faults.reorder);
            if self.chance.happens(faults.double) {
                let later = arrival + self.travel(from, to, 0) + 1;
                copy = Some(((later, self.number()), content.clone()));
            }
        }
        if ordered {
            let row = &mut self.arrivals[from.index()];
            if row.is_empty() {
                row.resize(self.setup.peers as usize, 0);
            }
            let last = &mut row[to.index()];
            arrival = arrival.max(*last);
            *last = arrival;
        }
        [Some(((arrival, self.number()), content)), copy]
    }

    fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn travel(&self, from: Peer, to: Peer, bytes: usize) -> Time {
        let Model { hop, byte_ps, far, far_byte_ps, .. } = self.setup.model;
        let near =
            hop * Time::from(self.topology.distance(from, to)) + bytes as u64 * byte_ps / 1000;
        match self.topology.is_remote(from, to) {
            true => near + far + bytes as u64 * far_byte_ps / 1000,
            false => near,
        }
    }

    fn mix(&mut self, time: Time, from: Peer, to: Peer, kind: u64) {
        for word in [time, u64::from(from.0) << 32 | u64::from(to.0), kind] {
            self.hash.add(&word.to_le_bytes());
        }
    }
}
