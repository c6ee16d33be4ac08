//! What a timeline says in numbers.

use parallel::Time;
use parallel::timeline::{Activity, Timeline};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A real search beside a simulated one.
#[derive(Serialize)]
pub struct Report {
    pub threads: u32,
    pub strategy: &'static str,
    /// The simulated machine, and what a node takes on it.
    pub machine: String,
    pub node_us: f64,
    /// The last finished iteration of the real search; the simulated one ends with it.
    pub depth: i32,
    /// Spans and messages of the real search that were too many to be kept.
    pub forgotten: u64,
    pub real: Side,
    pub simulated: Side,
}

/// One of the two.
#[derive(Serialize)]
pub struct Side {
    milliseconds: f64,
    nodes: u64,
    /// The share of all processors' time that went into each activity.
    shares: BTreeMap<&'static str, f64>,
    messages: usize,
    /// Pieces of work that were taken up, and how long half of them were on their way at most.
    jobs: usize,
    way_us: Option<f64>,
    iterations: Vec<Begun>,
}

/// When an iteration of the root began.
#[derive(Serialize)]
struct Begun {
    depth: i32,
    milliseconds: f64,
}

fn milliseconds(time: Time) -> f64 {
    time as f64 / 1e6
}

impl Side {
    pub fn new(timeline: &Timeline, nodes: u64) -> Side {
        let spent = timeline.spent();
        let all = spent.iter().sum::<Time>().max(1) as f64;
        let shares = Activity::ALL.iter().zip(spent);
        let mut ways = timeline.ways();
        ways.sort_unstable();
        let begun = |(depth, time)| Begun { depth, milliseconds: milliseconds(time) };
        Side {
            milliseconds: milliseconds(timeline.end()),
            nodes,
            shares: shares.map(|(one, spent)| (one.name(), spent as f64 / all)).collect(),
            messages: timeline.messages.len(),
            jobs: ways.len(),
            way_us: ways.get(ways.len() / 2).map(|&way| way as f64 / 1e3),
            iterations: timeline.iterations().into_iter().map(begun).collect(),
        }
    }

    /// When an iteration began, in words.
    fn begun(&self, depth: i32) -> String {
        let found = self.iterations.iter().find(|begun| begun.depth == depth);
        found.map_or("-".to_owned(), |begun| format!("{:.2} ms", begun.milliseconds))
    }
}

impl Report {
    /// Writes it for people.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Report { threads, strategy, machine, node_us, depth, real, simulated, .. } = self;
        writeln!(
            out,
            "{threads} threads, {strategy}; the simulated machine is {machine}, {node_us:.2} µs a node"
        )?;
        let mut row = |name: &str, cell: &dyn Fn(&Side) -> String| {
            writeln!(out, "{name:24}{:>12}{:>12}", cell(real), cell(simulated))
        };
        row("", &|side| if std::ptr::eq(side, real) { "real" } else { "simulated" }.to_owned())?;
        row("time", &|side| format!("{:.2} ms", side.milliseconds))?;
        for activity in Activity::ALL {
            let share = |side: &Side| side.shares.get(activity.name()).copied().unwrap_or(0.0);
            row(activity.name(), &|side| format!("{:.1} %", 100.0 * share(side)))?;
        }
        row("nodes", &|side| side.nodes.to_string())?;
        row("messages", &|side| side.messages.to_string())?;
        row("jobs", &|side| side.jobs.to_string())?;
        let way = |way: f64| format!("{way:.1} µs");
        row("on the way, median", &|side| side.way_us.map_or("-".to_owned(), way))?;
        for iteration in 1..=depth + 1 {
            if [real, simulated].iter().any(|side| side.begun(iteration) != "-") {
                row(&format!("iteration {iteration} begins"), &|side| side.begun(iteration))?;
            }
        }
        match self.forgotten {
            0 => Ok(()),
            forgotten => writeln!(out, "{forgotten} spans and messages were too many to be kept"),
        }
    }
}
