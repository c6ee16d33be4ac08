//! Which runs are wanted: for each number of processors a depth and positions, and the sequential
//! searches behind them.

use super::outcome::Sequential;
use super::{figure6, setup};
use crate::arguments::SimArguments;
use crate::counted::counted;
use crate::failure::Failure;
use parallel::sim::{Model, Setup};

/// A position, by its number from 0, and how deep it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub position: usize,
    pub depth: i32,
}

/// One line of the table.
pub struct Row {
    /// What is simulated, with the first of the seeds.
    pub setup: Setup,
    /// The greatest depth.
    pub depth: i32,
    pub cases: Vec<Case>,
    pub seeds: Vec<u64>,
    /// The time for which depths were chosen (Figure 6).
    pub seconds: Option<f64>,
}

/// One piece of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The sequential search of a position to a depth, with iterations `step` plies apart, which tells
    /// the nodes of all iterations before the last.
    Sequential { position: usize, depth: i32, step: i32 },
    /// A case of a row with one of its seeds, by their places.
    Simulated { row: usize, case: usize, seed: usize },
}

/// Zugzwang's Figure 4: processors, depth, and whether every third position must do.
///
/// The paper chose depths for 150 to 300 seconds a position; these give 50 to 250, since a ply more takes
/// three to six times as long and the longest rows would take hours to simulate.
const FIGURE_4: [(u32, i32, bool); 8] = [
    (8, 7, false),
    (16, 8, false),
    (32, 8, false),
    (64, 8, false),
    (128, 9, false),
    (256, 9, true),
    (512, 9, true),
    (1024, 9, true),
];

/// Zugzwang's Figure 5, in the same form. The depths are the paper's.
const FIGURE_5: [(u32, i32, bool); 7] = [
    (1, 9, false),
    (4, 10, false),
    (8, 10, false),
    (16, 11, false),
    (32, 11, false),
    (40, 11, false),
    (40, 12, false),
];

/// The positions that are wanted: every `every`-th, and of those only the first.
pub fn chosen(
    arguments: &SimArguments,
    positions: usize,
    every: usize,
) -> Result<Vec<usize>, Failure> {
    let all = (0..positions).filter(|number| (number + 1).is_multiple_of(every));
    let chosen: Vec<usize> = all.take(arguments.first.unwrap_or(usize::MAX)).collect();
    match chosen.is_empty() {
        true => Err(Failure::Usage(format!("--every {every} leaves none of the positions"))),
        false => Ok(chosen),
    }
}

/// The rows that were asked for, in their order. `found` has the sequential searches by which Figure 6 chooses
/// its depths.
pub fn rows(
    arguments: &SimArguments,
    model: &Model,
    positions: usize,
    found: &[Option<Sequential>],
) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (peers, depth, cases, seconds) in wanted(arguments, model, positions, found)? {
        for &kind in &arguments.table {
            let grains: Vec<Option<i32>> = match arguments.grain.as_slice() {
                [] => vec![None],
                grains => grains.iter().copied().map(Some).collect(),
            };
            for grain in grains {
                let setup = setup(arguments, arguments.strategy, model, peers, grain, kind)?;
                let (cases, seeds) = (cases.clone(), arguments.seeds().collect());
                rows.push(Row { setup, depth, cases, seeds, seconds });
            }
        }
    }
    Ok(rows)
}

/// Processors, greatest depth, cases, and the time for which depths were chosen.
type Wanted = (u32, i32, Vec<Case>, Option<f64>);

fn wanted(
    arguments: &SimArguments,
    model: &Model,
    positions: usize,
    found: &[Option<Sequential>],
) -> Result<Vec<Wanted>, Failure> {
    let every = arguments.every.map_or(1, usize::from);
    let uniform = |peers, depth, every| -> Result<Wanted, Failure> {
        let chosen = chosen(arguments, positions, every)?;
        let cases = chosen.into_iter().map(|position| Case { position, depth }).collect();
        Ok((peers, depth, cases, None))
    };
    let figure = match (arguments.figure4, arguments.figure5) {
        (true, _) => Some(&FIGURE_4[..]),
        (_, true) => Some(&FIGURE_5[..]),
        _ => None,
    };
    if let Some(figure) = figure {
        let third = |third: bool| if third { every.max(3) } else { every };
        return figure
            .iter()
            .map(|&(peers, depth, few)| uniform(peers, depth, third(few)))
            .collect();
    }
    if !arguments.figure6.is_empty() {
        return Ok(figure6::wanted(arguments, model, found));
    }
    let (depths, count) = (&arguments.depth, arguments.processors.len());
    if depths.len() != 1 && depths.len() != count {
        return Err(Failure::Usage(format!(
            "--depth names {} for {} of processors",
            counted(depths.len(), "depth"),
            counted(count, "number"),
        )));
    }
    let depth = |row: usize| *depths.get(row).or(depths.last()).unwrap_or(&1);
    let processors = arguments.processors.iter().enumerate();
    processors.map(|(row, &peers)| uniform(peers, depth(row), every)).collect()
}

/// The work that the rows need, row by row, position by position: what is done at any time can be compared.
/// No position is searched sequentially again where an earlier search was as deep.
pub fn plan(rows: &[Row]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut known: Vec<Need> = Vec::new();
    for (row, Row { setup, cases, seeds, .. }) in rows.iter().enumerate() {
        for (case, &Case { position, depth }) in cases.iter().enumerate() {
            units.extend((0..seeds.len()).map(|seed| Unit::Simulated { row, case, seed }));
            let need = Need { position, depth, step: setup.step };
            if !known.iter().any(|known| known.serves(need)) {
                known.push(need);
                units.push(Unit::Sequential { position, depth, step: setup.step });
            }
        }
    }
    units
}

/// A sequential search.
#[derive(Clone, Copy)]
struct Need {
    position: usize,
    depth: i32,
    step: i32,
}

impl Need {
    /// Whether it has the iteration with which another one ends.
    fn serves(self, other: Need) -> bool {
        let above = self.depth - other.depth;
        self.position == other.position
            && self.step == other.step
            && above >= 0
            && above % self.step.max(1) == 0
    }
}

/// The same for several threads: the longest pieces first, so that no thread is left alone with one of
/// them at the end, and of the sequential searches only the deepest.
pub fn longest_first(mut units: Vec<Unit>, rows: &[Row]) -> Vec<Unit> {
    let length = |unit: &Unit| match *unit {
        Unit::Simulated { row, case, .. } => (rows[row].cases[case].depth, rows[row].setup.peers),
        Unit::Sequential { depth, .. } => (depth, 1),
    };
    units.sort_by_key(|unit| std::cmp::Reverse(length(unit)));
    let mut known: Vec<Need> = Vec::new();
    units.retain(|unit| match *unit {
        Unit::Sequential { position, depth, step } => {
            let need = Need { position, depth, step };
            let new = !known.iter().any(|known| known.serves(need));
            known.push(need);
            new
        }
        Unit::Simulated { .. } => true,
    });
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallel::StrategyKind;
    use search::Profile;

    fn row(peers: u32, depth: i32, positions: &[usize]) -> Row {
        let model = Model::named("t805").expect("a built-in machine");
        let case = |&position| Case { position, depth };
        let cases = positions.iter().map(case).collect();
        let setup = Setup::new(StrategyKind::Ybw, model, peers, Profile::Negascout);
        Row { setup, depth, cases, seeds: vec![1], seconds: None }
    }

    #[test]
    fn a_deep_sequential_search_serves_the_shallow_rows_after_it() {
        let units = plan(&[row(8, 5, &[0, 1]), row(4, 4, &[1]), row(2, 6, &[1])]);
        let deep = |unit: &&Unit| matches!(unit, Unit::Sequential { .. });
        assert_eq!(units.len(), 7);
        assert_eq!(
            units.iter().filter(deep).copied().collect::<Vec<_>>(),
            [
                Unit::Sequential { position: 0, depth: 5, step: 1 },
                Unit::Sequential { position: 1, depth: 5, step: 1 },
                Unit::Sequential { position: 1, depth: 6, step: 1 },
            ]
        );
    }

    #[test]
    fn several_threads_begin_with_the_longest_and_search_each_position_once() {
        let rows = [row(8, 5, &[0, 1]), row(64, 6, &[1])];
        assert_eq!(
            longest_first(plan(&rows), &rows),
            [
                Unit::Simulated { row: 1, case: 0, seed: 0 },
                Unit::Sequential { position: 1, depth: 6, step: 1 },
                Unit::Simulated { row: 0, case: 0, seed: 0 },
                Unit::Simulated { row: 0, case: 1, seed: 0 },
                Unit::Sequential { position: 0, depth: 5, step: 1 },
            ]
        );
    }
}
