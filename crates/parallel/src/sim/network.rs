//! The way of messages: how long they take, in which order they come, and what happens to them.

use super::Setup;
use super::links::Links;
use super::mail::{Content, Mail};
use super::topology::Topology;
use crate::timeline::{Sent, Timeline};
use crate::{Chance, Peer, Time};
use files::Digest;

/// Messages take up to one part in this number longer than the model says, by chance: no two of a real
/// machine take the same time, and rows of different seeds show what of a result is chance.
const JITTER: Time = 16;

/// The network of a run.
pub(super) struct Network<'a> {
    setup: &'a Setup,
    pub topology: Topology,
    /// No message takes less than this.
    pub lookahead: Time,
    /// The last arrival from each to each: messages of a pair keep their order.
    arrivals: Vec<Vec<Time>>,
    sequence: u64,
    /// What becomes of messages where faults are wanted.
    chance: Chance,
    /// How much longer than the model says each takes.
    jitter: Chance,
    /// Who uses which link when, where that is asked for.
    links: Option<Links>,
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
            jitter: Chance::new(setup.seed, u64::MAX - 1),
            links: setup.contention.then(Links::default),
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
            timeline.messages.push(Sent::new(sent, from, to, message));
        }
        let faults = &self.setup.faults;
        let travel = self.travel(from, to, content.bytes());
        let mut arrival = match &mut self.links {
            Some(links) => {
                let way = self.topology.way(&self.setup.model, from, to, content.bytes());
                links.carry(sent, &way)
            }
            None => sent + travel,
        };
        let longer = travel / JITTER + self.setup.model.node / 1024;
        arrival += self.jitter.below(longer as usize + 1) as Time;
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

    /// Asks the CPU to load what [`Network::carry`] will read.
    pub fn prefetch(&self, from: Peer, to: Peer) {
        if let Some(last) = self.arrivals[from.index()].get(to.index()) {
            board::prefetch(last);
        }
    }

    fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// How long a message takes from end to end where no other is in its way.
    fn travel(&self, from: Peer, to: Peer, bytes: usize) -> Time {
        self.setup.model.travel(&self.topology, from, to, bytes)
    }

    /// No message is sent before this any more.
    pub fn forget_before(&mut self, time: Time) {
        if let Some(links) = &mut self.links {
            links.forget_before(time);
        }
    }

    fn mix(&mut self, time: Time, from: Peer, to: Peer, kind: u64) {
        for word in [time, u64::from(from.0) << 32 | u64::from(to.0), kind] {
            self.hash.add(&word.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StrategyKind;
    use crate::sim::Model;
    use search::Profile;

    #[test]
    fn where_no_other_is_in_its_way_a_message_over_links_takes_as_long_as_without() {
        for model in Model::all() {
            for peers in [2, 37, 300] {
                let setup = Setup::new(StrategyKind::Ybw, model.clone(), peers, Profile::Plain);
                let network = Network::new(&setup);
                for (from, to) in (0..peers).flat_map(|a| [(a, 0), (0, a), (a, peers - 1 - a)]) {
                    let (from, to) = (Peer(from), Peer(to));
                    if from == to {
                        continue;
                    }
                    let way = network.topology.way(&model, from, to, 16_384);
                    let travel = network.travel(from, to, 16_384);
                    let name = &model.name;
                    assert_eq!(Links::default().carry(7, &way), 7 + travel, "{name} {from} {to}");
                }
            }
        }
    }

    #[test]
    fn bytes_are_paid_at_every_hop_where_the_machine_stores_and_forwards() {
        let model = Model::named("ncube").expect("it is built in");
        let travel = |stores, to| {
            let model = Model { stores, ..model.clone() };
            let setup = Setup::new(StrategyKind::Ybw, model, 8, Profile::Plain);
            Network::new(&setup).travel(Peer(0), Peer(to), 1000)
        };
        let (hop, bytes) = (model.hop, 1000 * model.byte_ps / 1000);
        assert_eq!((travel(true, 1), travel(true, 7)), (hop + bytes, 3 * (hop + bytes)));
        assert_eq!((travel(false, 1), travel(false, 7)), (hop + bytes, 3 * hop + bytes));
    }
}
