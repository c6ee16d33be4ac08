//! What single searches came to, sequential and simulated, as it is kept and added up.

use parallel::Time;
use parallel::accounting::{Account, Balance};
use parallel::sim::Run;
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
    /// Of all processors together.
    #[serde(flatten)]
    sum: Account,
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
        let Balance { processors, time, most_nodes, sum, .. } = balance;
        Simulated { processors, time, most_nodes, sum, hash: run.hash, seconds }
    }

    /// The same against a sequential search.
    pub fn balance(&self, sequential_nodes: u64, sequential_time: Time) -> Balance {
        let Simulated { processors, time, most_nodes, .. } = *self;
        let sum = self.sum.clone();
        Balance { processors, sequential_nodes, sequential_time, time, sum, most_nodes }
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
