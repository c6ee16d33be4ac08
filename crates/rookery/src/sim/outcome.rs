//! What single searches came to, sequential and simulated, as it is kept and added up.

use parallel::accounting::{Account, Balance};
use parallel::sim::Run;
use parallel::{Message, Time, sim::TableMessage};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A sequential search: the nodes of all its iterations.
#[derive(Clone, Serialize, Deserialize)]
pub struct Sequential {
    /// How deep it was to go.
    pub depth: i32,
    /// Plies from iteration to iteration.
    pub step: i32,
    /// Nodes at the end of each iteration.
    pub nodes: Vec<u64>,
    /// Real time.
    pub seconds: f64,
}

impl Sequential {
    /// Whether it has the iteration of a depth.
    pub fn reaches(&self, depth: i32, step: i32) -> bool {
        self.step == step && self.depth >= depth && (self.depth - depth) % step.max(1) == 0
    }

    /// Nodes of a search to a depth.
    pub fn to_depth(&self, depth: i32) -> u64 {
        // The last iteration may not have been begun: a mate was found.
        let step = self.step.max(1);
        let first = 1 + (self.depth - 1) % step;
        let place = usize::try_from((depth - first) / step).unwrap_or(0);
        self.nodes.get(place).or(self.nodes.last()).copied().unwrap_or(0)
    }

    /// Nodes in a real second.
    pub fn rate(&self) -> f64 {
        self.nodes.last().copied().unwrap_or(0) as f64 / self.seconds.max(1e-9)
    }
}

/// A simulated search.
#[derive(Clone, Serialize, Deserialize)]
pub struct Simulated {
    processors: u32,
    time: Time,
    most_nodes: u64,
    search: Time,
    messages: Time,
    table: Time,
    waiting: Time,
    idle: Time,
    nodes: u64,
    sent: Vec<u64>,
    table_sent: Vec<u64>,
    bytes: u64,
    #[serde(default)]
    far_messages: u64,
    #[serde(default)]
    far_bytes: u64,
    restarts: u64,
    aborts: u64,
    jobs: u64,
    /// Over all messages.
    pub hash: u64,
    /// Real time.
    pub seconds: f64,
}

impl Simulated {
    /// What a run came to; it took `seconds` of real time.
    pub fn new(run: &Run, seconds: f64) -> Simulated {
        let mut balance = Balance::default();
        balance.add(&run.accounts, run.time, 0, 0);
        let sum = &balance.sum;
        Simulated {
            processors: balance.processors,
            time: run.time,
            most_nodes: balance.most_nodes,
            search: sum.search,
            messages: sum.messages,
            table: sum.table,
            waiting: sum.waiting,
            idle: sum.idle,
            nodes: sum.nodes,
            sent: sum.sent.to_vec(),
            table_sent: sum.table_sent.to_vec(),
            bytes: sum.bytes,
            far_messages: sum.far_messages,
            far_bytes: sum.far_bytes,
            restarts: sum.restarts,
            aborts: sum.aborts,
            jobs: sum.jobs,
            hash: run.hash,
            seconds,
        }
    }

    /// The same against a sequential search.
    pub fn balance(&self, sequential_nodes: u64, sequential_time: Time) -> Balance {
        let mut sum = Account {
            search: self.search,
            messages: self.messages,
            table: self.table,
            waiting: self.waiting,
            idle: self.idle,
            nodes: self.nodes,
            bytes: self.bytes,
            far_messages: self.far_messages,
            far_bytes: self.far_bytes,
            restarts: self.restarts,
            aborts: self.aborts,
            jobs: self.jobs,
            sent: [0; Message::KINDS.len()],
            table_sent: [0; TableMessage::KINDS.len()],
        };
        let pairs = sum.sent.iter_mut().zip(&self.sent);
        pairs.chain(sum.table_sent.iter_mut().zip(&self.table_sent)).for_each(|(a, b)| *a = *b);
        Balance {
            processors: self.processors,
            sequential_nodes,
            sequential_time,
            time: self.time,
            sum,
            most_nodes: self.most_nodes,
        }
    }
}

/// Measures how long a thread is at work: its time on a processor where the system tells it, else the
/// time on the clock.
pub struct Stopwatch {
    begun: Instant,
    busy: Option<Duration>,
}

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Stopwatch {
        Stopwatch { begun: Instant::now(), busy: busy() }
    }

    /// Seconds since then.
    pub fn seconds(&self) -> f64 {
        match (self.busy, busy()) {
            (Some(before), Some(now)) => now.saturating_sub(before).as_secs_f64(),
            _ => self.begun.elapsed().as_secs_f64(),
        }
    }
}

/// What Linux says about the thread that asks.
fn busy() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
