//! A call that is planned and not yet run: the laboratory makes one list of the searches of many calls, so
//! that no thread waits between them.

use super::keep::Keep;
use super::rows::{self, Row, Unit};
use super::{Work, explore, positions, read_model, search_sequentially, sequential_name};
use crate::arguments::SimArguments;
use crate::failure::Failure;
use crate::sim::outcome::Sequential;
use board::Position;
use parallel::sim::TableKind;

/// So deep is a position searched to tell how large its tree will be.
const SHALLOW: i32 = 6;

/// What a call will search.
pub struct Plan<'a> {
    arguments: &'a SimArguments,
    positions: Vec<Position>,
    explored: Vec<Option<Sequential>>,
    rows: Vec<Row>,
    /// The searches.
    pub units: Vec<Unit>,
}

impl Plan<'_> {
    /// Reads the call; nothing is searched, unless depths are to be chosen by time.
    pub fn new<'a>(arguments: &'a SimArguments, keep: &Keep) -> Result<Plan<'a>, Failure> {
        let model = read_model(&arguments.machine)?;
        let positions = positions(arguments.positions.as_deref())?;
        let explored = explore(arguments, &model, &positions, keep)?;
        let rows = rows::rows(arguments, &model, positions.len(), &explored)?;
        let units = rows::longest_first(rows::plan(&rows), &rows);
        Ok(Plan { arguments, positions, explored, rows, units })
    }

    /// Makes a search, unless it is kept already, and keeps it.
    pub fn search(&self, unit: Unit, keep: &Keep) -> Result<(), String> {
        self.work(keep).go(unit).map(drop)
    }

    /// The memory that a search needs, in megabytes, unless it is kept already.
    pub fn megabytes(&self, unit: Unit, keep: &Keep) -> u64 {
        self.work(keep).megabytes(unit)
    }

    fn work<'a>(&'a self, keep: &'a Keep) -> Work<'a> {
        let Plan { arguments, positions, explored, rows, .. } = self;
        Work { arguments, positions, rows, keep, explored }
    }

    /// A sequential search by its name, its iterations and its depth: calls share them.
    pub fn sequential(&self, unit: Unit) -> Option<(String, i32, i32)> {
        match unit {
            Unit::Sequential { position, depth, step } => {
                let name = sequential_name(self.arguments, &self.positions[position], step);
                Some((name, step, depth))
            }
            Unit::Simulated { .. } => None,
        }
    }

    /// The position of a unit with the name of its shallow search.
    pub fn shallow(&self, unit: Unit) -> (String, usize) {
        let position = match unit {
            Unit::Sequential { position, .. } => position,
            Unit::Simulated { row, case, .. } => self.rows[row].cases[case].position,
        };
        (sequential_name(self.arguments, &self.positions[position], 1), position)
    }

    /// A search that is deep enough to estimate by.
    pub fn look(&self, position: usize, keep: &Keep) -> Result<Vec<u64>, String> {
        let position = &self.positions[position];
        let what = sequential_name(self.arguments, position, 1);
        let search = || search_sequentially(self.arguments, position, SHALLOW, 1);
        keep.sequential(&what, SHALLOW, 1, search).map(|found| found.nodes)
    }

    /// About how long a unit takes, in nodes of the sequential search, where `nodes` are those of its
    /// first iterations.
    pub fn length(&self, unit: Unit, nodes: &[u64]) -> f64 {
        match unit {
            Unit::Sequential { depth, .. } => grown(nodes, depth),
            Unit::Simulated { row, case, .. } => {
                let Row { setup, cases, .. } = &self.rows[row];
                // The simulator searches at half the speed, and more with messages about the table.
                let paid = if setup.table.kind == TableKind::Shared { 2.0 } else { 3.0 };
                let overhead = 1.0 + 0.1 * f64::from(setup.peers).log2();
                grown(nodes, cases[case].depth) * paid * overhead
            }
        }
    }
}

/// The nodes of a search to a depth, from those of earlier iterations: the tree grows on as it did.
fn grown(nodes: &[u64], depth: i32) -> f64 {
    let at = |depth: usize| nodes.get(depth.wrapping_sub(1)).map(|&nodes| nodes as f64);
    let deepest = nodes.len().min(usize::try_from(depth).unwrap_or(0));
    let Some(last) = at(deepest) else { return 1.0 };
    let growth = at(deepest.wrapping_sub(2)).map_or(3.0, |before| (last / before.max(1.0)).sqrt());
    last * growth.clamp(1.5, 8.0).powi(depth - deepest as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_grows_on_as_it_did() {
        assert_eq!(grown(&[10, 40, 160], 3), 160.0);
        assert_eq!(grown(&[10, 40, 160], 2), 40.0);
        assert_eq!(grown(&[10, 40, 160], 5), 160.0 * 16.0);
        assert_eq!(grown(&[], 5), 1.0);
    }
}
