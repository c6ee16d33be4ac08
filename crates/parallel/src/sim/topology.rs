//! Networks of processors: who is whose neighbour, and how far it is from one to another.

use super::Model;
use super::links::{Leg, Way};
use crate::{Peer, Time};
use std::collections::VecDeque;

/// The form of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// All are neighbours.
    #[default]
    Complete,
    /// Neighbours differ in one bit of their numbers.
    Hypercube,
    /// Neighbours of i are 2i and 2i + 1 (modulo the number of processors), and those of whom i is one.
    DeBruijn,
    /// Two dimensions, as square as can be.
    Grid,
    /// A tree of switches; the way goes up to a common switch and down again.
    FatTree {
        /// Ports downwards.
        arity: u32,
    },
    /// Groups, complete inside, with slow links between them.
    Clusters {
        /// Processors in a group.
        size: u32,
    },
}

/// The other end of a port.
const SWITCH: u32 = u32::MAX;

/// A network of processors.
#[derive(Clone, Debug)]
pub struct Topology {
    shape: Shape,
    peers: u32,
    width: u32,
    /// Hops from each to each, where they cannot be worked out at once.
    hops: Vec<u8>,
}

impl Topology {
    /// `peers` processors in this form.
    pub fn new(shape: Shape, peers: u32) -> Topology {
        let width = (1..=peers.max(1)).find(|side| side * side >= peers).unwrap_or(1);
        let mut topology = Topology { shape, peers, width, hops: Vec::new() };
        if shape == Shape::DeBruijn {
            topology.hops = topology.breadth_first();
        }
        topology
    }

    /// Hops from one to another.
    pub fn distance(&self, from: Peer, to: Peer) -> u32 {
        let (a, b) = (from.0, to.0);
        match self.shape {
            _ if a == b => 0,
            Shape::Complete | Shape::Clusters { .. } => 1,
            Shape::Hypercube => (a ^ b).count_ones(),
            Shape::DeBruijn => {
                let place = from.index() * self.peers as usize + to.index();
                self.hops.get(place).map_or(1, |&hops| u32::from(hops))
            }
            Shape::Grid => {
                let (w, apart) = (self.width, u32::abs_diff);
                apart(a % w, b % w) + apart(a / w, b / w)
            }
            Shape::FatTree { arity } => {
                let (mut a, mut b, mut levels) = (a / arity, b / arity, 1);
                while a != b {
                    (a, b, levels) = (a / arity, b / arity, levels + 1);
                }
                2 * levels
            }
        }
    }

    /// The processors on the way from one to another, where it leads over others: the first dimension first
    /// in a hypercube and a grid, else any that is nearer.
    fn next(&self, here: Peer, to: Peer) -> Peer {
        let nearer = |peer: &Peer| self.distance(*peer, to) < self.distance(here, to);
        self.neighbours(here).into_iter().find(nearer).unwrap_or(to)
    }

    /// The way of a message over links that others use too. Where all are joined by switches, the ports of
    /// sender and receiver are what is scarce; between clusters it is the link of the pair.
    pub(super) fn way(&self, model: &Model, from: Peer, to: Peer, bytes: usize) -> Way {
        let transfer = bytes as Time * model.byte_ps / 1000;
        let hops = Time::from(self.distance(from, to));
        let mut links = Vec::new();
        match self.shape {
            Shape::Hypercube | Shape::DeBruijn | Shape::Grid => {
                let mut here = from;
                while here != to {
                    let next = self.next(here, to);
                    links.push((here.0, next.0));
                    here = next;
                }
            }
            _ => links.extend([(from.0, SWITCH), (SWITCH, to.0)]),
        }
        let count = links.len().max(1) as Time;
        let (stored, tail) = if model.stores { (transfer * hops, 0) } else { (0, transfer) };
        let share = |all: Time, number: Time| all * (number + 1) / count - all * number / count;
        let leg = |(link, number)| {
            let delay = share(model.hop * hops + stored, number);
            Leg { link, busy: transfer, delay }
        };
        let mut legs: Vec<Leg> = links.into_iter().zip(0..).map(leg).collect();
        if let Shape::Clusters { size } = self.shape
            && self.is_remote(from, to)
        {
            let busy = bytes as Time * model.remote_byte_ps / 1000;
            let link = (SWITCH - 1 - from.0 / size, SWITCH - 1 - to.0 / size);
            legs.insert(1, Leg { link, busy, delay: model.remote + busy });
        }
        Way { legs, tail }
    }

    /// Whether a message has to cross a slow link.
    pub fn is_remote(&self, from: Peer, to: Peer) -> bool {
        match self.shape {
            Shape::Clusters { size } => from.0 / size != to.0 / size,
            _ => false,
        }
    }

    /// The nearest others, a few of them where there are no direct links.
    pub fn neighbours(&self, peer: Peer) -> Vec<Peer> {
        const MOST: usize = 16;
        let (i, n, w) = (peer.0, self.peers, self.width);
        let mut found: Vec<u32> = match self.shape {
            Shape::Complete => (1..n.min(MOST as u32 + 1)).map(|step| (i + step) % n).collect(),
            Shape::Hypercube => (0..32).map(|bit| i ^ 1 << bit).collect(),
            Shape::DeBruijn => {
                let next = |i: u32| [2 * i % n, (2 * i + 1) % n];
                let before = (0..n).filter(|&other| next(other).contains(&i));
                next(i).into_iter().chain(before).collect()
            }
            Shape::Grid => {
                let left = (!i.is_multiple_of(w)).then(|| i - 1);
                let right = ((i + 1) % w != 0).then_some(i + 1);
                [left, right, i.checked_sub(w), Some(i + w)].into_iter().flatten().collect()
            }
            Shape::FatTree { arity: size } | Shape::Clusters { size } => {
                let first = i / size * size;
                (first..first + size).collect()
            }
        };
        found.retain(|&other| other < n && other != i);
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST);
        found.into_iter().map(Peer).collect()
    }

    fn breadth_first(&self) -> Vec<u8> {
        let n = self.peers as usize;
        let links: Vec<Vec<Peer>> =
            (0..self.peers).map(|peer| self.neighbours(Peer(peer))).collect();
        let mut hops = vec![u8::MAX; n * n];
        let mut queue = VecDeque::new();
        for start in 0..n {
            let row = &mut hops[start * n..(start + 1) * n];
            row[start] = 0;
            queue.push_back(start);
            while let Some(here) = queue.pop_front() {
                for next in links[here].iter().map(|peer| peer.index()) {
                    if row[next] == u8::MAX {
                        row[next] = row[here] + 1;
                        queue.push_back(next);
                    }
                }
            }
        }
        hops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 6] = [
        Shape::Complete,
        Shape::Hypercube,
        Shape::DeBruijn,
        Shape::Grid,
        Shape::FatTree { arity: 4 },
        Shape::Clusters { size: 4 },
    ];

    #[test]
    fn distances_are_symmetric_and_none_is_out_of_reach() {
        for shape in SHAPES {
            for peers in [1, 2, 3, 7, 16, 37] {
                let topology = Topology::new(shape, peers);
                for (a, b) in (0..peers).flat_map(|a| (0..peers).map(move |b| (Peer(a), Peer(b)))) {
                    let hops = topology.distance(a, b);
                    assert_eq!(hops, topology.distance(b, a), "{shape:?} {a} {b}");
                    assert_eq!(hops == 0, a == b);
                    assert!(hops < 16, "{shape:?} {peers} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn neighbours_are_others_and_exist() {
        for shape in SHAPES {
            for peers in [2, 3, 7, 16, 37] {
                let topology = Topology::new(shape, peers);
                for peer in (0..peers).map(Peer) {
                    let neighbours = topology.neighbours(peer);
                    assert!(!neighbours.contains(&peer) && neighbours.iter().all(|p| p.0 < peers));
                }
            }
        }
    }

    #[test]
    fn z42_a_de_bruijn_network_is_narrower_than_a_grid() {
        let widest = |shape| {
            let topology = Topology::new(shape, 256);
            (0..256).map(|to| topology.distance(Peer(0), Peer(to))).max()
        };
        assert_eq!(widest(Shape::DeBruijn), Some(8));
        assert_eq!(widest(Shape::Grid), Some(30));
        assert_eq!(widest(Shape::Hypercube), Some(8));
    }
}
