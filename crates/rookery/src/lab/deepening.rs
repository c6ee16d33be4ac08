//! One search, iteration by iteration.

use crate::interrupt;
use board::polyglot::Entry;
use board::{History, Position};
use search::switches::Switches;
use search::{Bound, Iteration, Limits, Observer, Profile, Progress, Report, Worker};
use serde::{Deserialize, Serialize};
use table::AnyTable;

/// Megabytes of a search's table.
pub const HASH: u64 = 16;

/// A finished iteration.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Step {
    /// The best move, as opening books write it.
    pub best: u16,
    /// Its value.
    pub score: i32,
    /// The value of the first move that was searched, if the window left it exact.
    pub first: Option<i32>,
    /// Nodes of this iteration.
    pub nodes: u64,
}

struct Listener {
    steps: Vec<Step>,
    nodes: u64,
    first: Option<(i32, Option<i32>)>,
}

impl Observer for Listener {
    fn should_stop(&mut self, _: &Progress) -> bool {
        interrupt::requested()
    }

    fn report(&mut self, report: &Report<'_>) {
        // The first line of an iteration is that of the first move.
        if self.first.is_none_or(|(depth, _)| depth != report.depth) {
            let exact = report.line.bound == Bound::Exact;
            self.first = Some((report.depth, exact.then_some(report.line.score)));
        }
    }

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        let first = self.first.filter(|&(depth, _)| depth == iteration.depth);
        self.steps.push(Step {
            best: Entry::bits_of(iteration.best),
            score: iteration.score,
            first: first.and_then(|(_, value)| value),
            nodes: iteration.nodes - self.nodes,
        });
        self.nodes = iteration.nodes;
        !interrupt::requested()
    }
}

/// The iterations of a search by a profile with these switches, which knows nothing at first. They end before
/// `depth` where the search knows all there is to know, such as a short mate.
pub fn deepen(
    (profile, switches): (Profile, Switches),
    position: &Position,
    depth: i32,
) -> Result<Vec<Step>, String> {
    let table = AnyTable::new(profile.policy(), HASH).map_err(|error| error.to_string())?;
    let mut worker = Worker::new(profile).with_switches(switches);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut listener = Listener { steps: Vec::new(), nodes: 0, first: None };
    worker.search(&table, position, &History::new(), &limits, &mut listener);
    Ok(listener.steps)
}
