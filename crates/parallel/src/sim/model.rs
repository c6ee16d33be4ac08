//! Machine models: what a node, a message, a hop and a byte cost, and how the processors are joined.
//!
//! A model is a small text of `key = value` lines; `#` begins a comment. The built-in ones lie in
//! `crates/parallel/machines`.

use super::topology::{Shape, Topology};
use crate::{Peer, Time};

/// What things cost on a machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Searching a node.
    pub node: Time,
    /// Sending a message: time of the sender.
    pub send: Time,
    /// Receiving a message: time of the receiver.
    pub receive: Time,
    /// Each hop on the way.
    pub hop: Time,
    /// Each byte on the way, in picoseconds.
    pub byte_ps: u64,
    /// Each byte that a processor puts into a message, takes out of one, or reads to find what has changed,
    /// in picoseconds: its own time.
    pub copy_ps: u64,
    /// Whether every processor on the way takes in the whole message before it passes it on.
    pub stores: bool,
    /// A table access for another processor: time of the owner.
    pub access: Time,
    /// The network.
    pub shape: Shape,
    /// The network from this many processors on.
    pub large: Option<(u32, Shape)>,
    /// A message between clusters, beside the rest.
    pub remote: Time,
    /// Each of its bytes, in picoseconds.
    pub remote_byte_ps: u64,
}

const BUILT_IN: [&str; 9] = [
    include_str!("../../machines/t805.txt"),
    include_str!("../../machines/m604.txt"),
    include_str!("../../machines/ncube.txt"),
    include_str!("../../machines/das2.txt"),
    include_str!("../../machines/infiniband.txt"),
    include_str!("../../machines/ethernet.txt"),
    include_str!("../../machines/wan.txt"),
    include_str!("../../machines/threads.txt"),
    include_str!("../../machines/ideal.txt"),
];

/// More than an hour for a node or a message is a mistake.
const LONGEST_US: f64 = 3.6e9;

impl Model {
    /// The built-in models.
    pub fn all() -> impl Iterator<Item = Model> {
        BUILT_IN.into_iter().filter_map(|text| Model::parse(text).ok())
    }

    /// The built-in model of a name.
    pub fn named(name: &str) -> Option<Model> {
        Model::all().find(|model| model.name == name)
    }

    /// Reads a model; an error names the line and what is wrong with it.
    pub fn parse(text: &str) -> Result<Model, String> {
        let mut model = Model { name: "unnamed".to_owned(), ..Model::default() };
        let (mut large, mut large_from, mut arity, mut cluster) = (None, None, 16, 16);
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |reason: String| format!("line {}: {reason}", number + 1);
            let Some((key, value)) = line.split_once('=') else {
                return Err(wrong(format!("expected `key = value`, found {line:?}")));
            };
            let (key, value) = (key.trim(), value.trim());
            match key {
                "name" => model.name = value.to_owned(),
                "node_us" => model.node = time(value).map_err(wrong)?,
                "send_us" => model.send = time(value).map_err(wrong)?,
                "receive_us" => model.receive = time(value).map_err(wrong)?,
                "hop_us" => model.hop = time(value).map_err(wrong)?,
                "access_us" => model.access = time(value).map_err(wrong)?,
                "far_us" => model.remote = time(value).map_err(wrong)?,
                "byte_ns" => model.byte_ps = time(value).map_err(wrong)?,
                "copy_byte_ns" => model.copy_ps = time(value).map_err(wrong)?,
                "forwarding" => model.stores = stores(value).map_err(wrong)?,
                "far_byte_ns" => model.remote_byte_ps = time(value).map_err(wrong)?,
                "topology" => model.shape = shape(value).map_err(wrong)?,
                "large_topology" => large = Some(shape(value).map_err(wrong)?),
                "large_from" => large_from = Some(count(value).map_err(wrong)?),
                "arity" => arity = count(value).map_err(wrong)?,
                "cluster" => cluster = count(value).map_err(wrong)?,
                _ => return Err(wrong(format!("no key is called {key:?}"))),
            }
        }
        if model.node == 0 {
            return Err("node_us is missing or 0: a node must take time".to_owned());
        }
        let sized = |shape| match shape {
            Shape::FatTree { .. } => Shape::FatTree { arity: arity.max(2) },
            Shape::Clusters { .. } => Shape::Clusters { size: cluster.max(1) },
            shape => shape,
        };
        (model.shape, large) = (sized(model.shape), large.map(sized));
        model.large = large_from.zip(large);
        Ok(model)
    }

    /// What it costs a processor to copy or read a number of bytes.
    pub fn copying(&self, bytes: u64) -> Time {
        bytes * self.copy_ps / 1000
    }

    /// How long a message takes from end to end where no other is in its way.
    pub(super) fn travel(&self, topology: &Topology, from: Peer, to: Peer, bytes: usize) -> Time {
        let hops = Time::from(topology.distance(from, to));
        let transfers = if self.stores { hops } else { 1 };
        let near = self.hop * hops + bytes as u64 * self.byte_ps / 1000 * transfers;
        match topology.is_remote(from, to) {
            true => near + self.remote + bytes as u64 * self.remote_byte_ps / 1000,
            false => near,
        }
    }

    /// How long a message takes to another processor and back, as a sum of the time of both ends and of the
    /// way: to the one nearest to the first of `peers`, and to the one farthest from it.
    pub fn round_trips(&self, peers: u32, bytes: usize) -> [Time; 2] {
        let topology = Topology::new(self.shape_of(peers), peers);
        let ends = self.send + self.receive + 2 * self.copying(bytes as u64);
        let trip = |peer| 2 * (ends + self.travel(&topology, Peer(0), Peer(peer), bytes));
        let trips = || (1..peers).map(trip);
        [trips().min(), trips().max()].map(|trip| trip.unwrap_or(0))
    }

    /// The network of `peers` processors.
    pub fn shape_of(&self, peers: u32) -> Shape {
        match self.large {
            Some((from, shape)) if peers >= from => shape,
            _ => self.shape,
        }
    }
}

/// Thousandths of a unit: nanoseconds from microseconds, picoseconds from nanoseconds.
fn time(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=LONGEST_US).contains(&number) => Ok((number * 1000.0).round() as u64),
        _ => Err(format!("expected a number from 0 to {LONGEST_US}, found {text:?}")),
    }
}

fn count(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(number) if number <= 65_536 => Ok(number),
        _ => Err(format!("expected a number from 0 to 65536, found {text:?}")),
    }
}

/// Whether a machine stores and forwards, as the text names it.
fn stores(text: &str) -> Result<bool, String> {
    match text {
        "store" => Ok(true),
        "cut-through" => Ok(false),
        _ => Err(format!("expected `store` or `cut-through`, found {text:?}")),
    }
}

/// A network as the text names it; the sizes come from other lines.
fn shape(text: &str) -> Result<Shape, String> {
    Ok(match text {
        "complete" => Shape::Complete,
        "hypercube" => Shape::Hypercube,
        "debruijn" => Shape::DeBruijn,
        "grid" => Shape::Grid,
        "fattree" => Shape::FatTree { arity: 0 },
        "clusters" => Shape::Clusters { size: 0 },
        _ => {
            let names = "complete, hypercube, debruijn, grid, fattree, clusters";
            return Err(format!("no topology is called {text:?}; there are {names}"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_model_can_be_read() {
        let names: Vec<String> = Model::all().map(|model| model.name).collect();
        let expected =
            ["t805", "m604", "ncube", "das2", "infiniband", "ethernet", "wan", "threads", "ideal"];
        assert_eq!(names, expected);
    }

    #[test]
    fn z42_transputers_are_a_de_bruijn_network_up_to_256_and_a_grid_above() {
        let model = Model::named("t805").expect("it is built in");
        assert_eq!(model.shape_of(256), Shape::DeBruijn);
        assert_eq!(model.shape_of(512), Shape::Grid);
        assert_eq!((model.node, model.hop), (1_000_000, 75_000));
    }

    #[test]
    fn z42_a_message_costs_more_nodes_on_the_later_machine() {
        let message = |name| {
            let model = Model::named(name).expect("it is built in");
            (model.send + model.receive) as f64 / model.node as f64
        };
        assert!(message("m604") > 3.0 * message("t805"), "the paper: a worse ratio");
    }

    #[test]
    fn d79_a_round_trip_is_both_ends_and_the_way_twice() {
        let model = Model::named("das2").expect("it is built in");
        // Sending and receiving 3 each, a hop 4; 1000 bytes: 5 on the way, copied at both ends for 1 each.
        assert_eq!(model.round_trips(32, 0), [20_000, 20_000]);
        assert_eq!(model.round_trips(32, 1000), [34_000, 34_000]);
        let cube = Model::named("ncube").expect("it is built in");
        let [near, far] = cube.round_trips(64, 0);
        assert_eq!(far - near, 2 * 5 * cube.hop, "six dimensions, and one");
        assert_eq!(cube.round_trips(1, 16), [0, 0]);
    }

    #[test]
    fn a_bad_model_is_an_error_that_names_the_line() {
        let cases = [
            ("node_us = 5\nsend_us = fast", "line 2: expected a number"),
            ("node_us 5", "line 1: expected `key = value`"),
            ("# nothing\n\nfoo = 1", "line 3: no key is called \"foo\""),
            ("node_us = 1\ntopology = ring", "line 2: no topology is called \"ring\""),
            ("node_us = 1\nforwarding = maybe", "line 2: expected `store` or `cut-through`"),
            ("send_us = 1", "node_us is missing"),
        ];
        for (text, expected) in cases {
            let error = Model::parse(text).expect_err("it is bad");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
