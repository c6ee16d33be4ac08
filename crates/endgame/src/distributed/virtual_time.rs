//! A simulated machine for the build: virtual time, messages that overtake each other or come twice.
//!
//! The same seed gives the same course. What a step and a message cost stands in the [`Model`]; who has
//! nothing to do waits for messages. The simulator of searches (`parallel::sim`) cannot carry it: that one
//! runs walks, and its crate stands on this one.

use super::message::{Message, Processor};
use super::{Action, BuildSpec, Builder, Packed, Traffic};
use board::random::SplitMix;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What things cost.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// A step of work, whatever it finds.
    pub step_ns: u64,
    /// A position that was looked at, or whose moves were taken back.
    pub position_ns: u64,
    /// Handing a message over, at each end.
    pub handling_ns: u64,
    /// The way of a message, at least.
    pub latency_ns: u64,
    /// By how much longer it may take, at random: messages overtake each other.
    pub spread_ns: u64,
    /// A byte on the way.
    pub byte_ns: u64,
    /// Messages in a thousand that come twice.
    pub twice: u64,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for Model {
    /// A cluster as of today: microseconds on the wire, ten gigabits.
    fn default() -> Model {
        Model {
            step_ns: 1_000,
            position_ns: 300,
            handling_ns: 1_000,
            latency_ns: 2_000,
            spread_ns: 2_000,
            byte_ns: 1,
            twice: 0,
            seed: 1,
        }
    }
}

/// How a build went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// From beginning to end.
    pub time_ns: u64,
    /// What all processors together worked, messages included.
    pub busy_ns: u64,
    /// What they sent.
    pub traffic: Traffic,
}

/// Something that happens at a time, in nanoseconds; the number keeps the order of equal times.
type Event = Reverse<(u64, u64, Processor)>;

struct World<'a> {
    builders: Vec<Builder<'a>>,
    /// When each processor is free again, in nanoseconds.
    free_ns: Vec<u64>,
    events: BinaryHeap<Event>,
    /// The message of an event; none for a step of work.
    messages: BTreeMap<u64, (Processor, Message)>,
    /// Whether a step of work is already planned.
    planned: Vec<bool>,
    next: u64,
    random: SplitMix,
    model: Model,
    course: Course,
    report: Option<Result<Vec<Packed>, String>>,
}

/// Builds a table on a simulated machine; a build that is to stop ends with an error.
pub fn in_virtual_time(
    spec: BuildSpec<'_>,
    processors: u32,
    model: Model,
    stop: &dyn Fn() -> bool,
) -> Result<(Vec<Packed>, Course), String> {
    let processors = processors.max(1);
    let count = processors as usize;
    let mut world = World {
        builders: (0..processors).map(|me| Builder::new(spec, me, processors)).collect(),
        free_ns: vec![0; count],
        events: BinaryHeap::new(),
        messages: BTreeMap::new(),
        planned: vec![false; count],
        next: 0,
        random: SplitMix(model.seed),
        model,
        course: Course::default(),
        report: None,
    };
    (0..processors).for_each(|who| world.plan(who, 0));
    while let Some(Reverse((time, number, who))) = world.events.pop() {
        if stop() {
            return Err("the build was stopped".to_owned());
        }
        world.happen(time, number, who);
    }
    world.builders.iter().for_each(|builder| world.course.traffic.add(builder.traffic()));
    let files = world.report.unwrap_or_else(|| Err("the build stands still".to_owned()))?;
    Ok((files, world.course))
}

impl World<'_> {
    fn add(&mut self, time: u64, who: Processor, message: Option<(Processor, Message)>) {
        let number = self.next;
        self.next += 1;
        if let Some(message) = message {
            self.messages.insert(number, message);
        }
        self.events.push(Reverse((time, number, who)));
    }

    /// Plans a step of work.
    fn plan(&mut self, who: Processor, time: u64) {
        if !std::mem::replace(&mut self.planned[who as usize], true) {
            self.add(time, who, None);
        }
    }

    fn happen(&mut self, time: u64, number: u64, who: Processor) {
        let at = who as usize;
        let begin = time.max(self.free_ns[at]);
        let cost = match self.messages.remove(&number) {
            Some((from, message)) => {
                self.builders[at].handle(from, message);
                self.model.handling_ns
            }
            None => {
                self.planned[at] = false;
                match self.builders[at].work() {
                    Some(positions) => self.model.step_ns + positions * self.model.position_ns,
                    None => return,
                }
            }
        };
        let mut now = begin + cost;
        while let Some(action) = self.builders[at].poll() {
            match action {
                Action::Send(to, message) => {
                    now += if to == who { 0 } else { self.model.handling_ns };
                    self.post(now, who, to, message);
                }
                Action::Report(said) => self.report = Some(said),
            }
        }
        self.course.busy_ns += now - begin;
        self.course.time_ns = self.course.time_ns.max(now);
        self.free_ns[at] = now;
        self.plan(who, now);
    }

    fn post(&mut self, now: u64, from: Processor, to: Processor, message: Message) {
        let Model { latency_ns, spread_ns, byte_ns, twice, .. } = self.model;
        let copies = 1 + u64::from(from != to && self.random.below(1000) < twice);
        for _ in 0..copies {
            let way = match from == to {
                true => 0,
                false => {
                    let bytes_ns = byte_ns * message.length() as u64;
                    latency_ns + self.random.below(spread_ns + 1) + bytes_ns
                }
            };
            self.add(now + way, to, Some((from, message.clone())));
        }
    }
}
