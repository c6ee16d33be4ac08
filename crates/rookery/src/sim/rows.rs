//! Which runs are wanted: for each number of processors a depth and positions, and the sequential
//! searches behind them.

use super::setup;
use crate::arguments::SimArguments;
use crate::failure::Failure;
use parallel::sim::{Model, Setup};

/// One line of the table.
pub struct Row {
    pub setup: Setup,
    pub depth: i32,
    /// Numbers of the positions, from 0.
    pub positions: Vec<usize>,
}

/// One piece of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The sequential search of a position to a depth, with iterations `step` plies apart, which tells
    /// the nodes of all iterations before the last.
    Sequential { position: usize, depth: i32, step: i32 },
    /// A position of a row.
    Simulated { row: usize, position: usize },
}

/// Zugzwang's Figure 4: processors, depth, and whether every third position must do.
///
/// The paper chose depths for 150 to 300 seconds a position; these give 50 to 200, since a ply more takes
/// three to six times as long and the longest rows would take hours to simulate.
const FIGURE_4: [(u32, i32, bool); 8] = [
    (8, 7, false),
    (16, 7, false),
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

/// The rows that were asked for, in their order.
pub fn rows(
    arguments: &SimArguments,
    model: &Model,
    positions: usize,
) -> Result<Vec<Row>, Failure> {
    let chosen = |every: usize| -> Vec<usize> {
        let all = (0..positions).filter(|number| (number + 1).is_multiple_of(every));
        all.take(arguments.first.unwrap_or(usize::MAX).max(1)).collect()
    };
    let every = arguments.every.map_or(1, usize::from);
    let figure = match (arguments.figure4, arguments.figure5) {
        (true, _) => Some(&FIGURE_4[..]),
        (_, true) => Some(&FIGURE_5[..]),
        _ => None,
    };
    let wanted: Vec<(u32, i32, usize)> = if let Some(figure) = figure {
        let third = |third: bool| if third { every.max(3) } else { every };
        figure.iter().map(|&(peers, depth, few)| (peers, depth, third(few))).collect()
    } else {
        let depths = &arguments.depth;
        if depths.len() != 1 && depths.len() != arguments.processors.len() {
            return Err(Failure::Usage(format!(
                "--depth names {} depths for {} numbers of processors",
                depths.len(),
                arguments.processors.len()
            )));
        }
        let depth = |row: usize| *depths.get(row).or(depths.last()).unwrap_or(&1);
        let processors = arguments.processors.iter().enumerate();
        processors.map(|(row, &peers)| (peers, depth(row), every)).collect()
    };
    let make = |&(peers, depth, every): &(u32, i32, usize), grain: Option<i32>| {
        let positions = chosen(every);
        if positions.is_empty() {
            let reason = format!("--every {every} leaves none of the positions");
            return Err(Failure::Usage(reason));
        }
        Ok(Row { setup: setup(arguments, model, peers, grain)?, depth, positions })
    };
    let grains: Vec<Option<i32>> = match arguments.grain.as_slice() {
        [] => vec![None],
        grains => grains.iter().copied().map(Some).collect(),
    };
    wanted.iter().flat_map(|row| grains.iter().map(move |&grain| make(row, grain))).collect()
}

/// The work that the rows need, row by row, position by position: what is done at any time can be compared.
/// No position is searched sequentially again where an earlier search was as deep.
pub fn plan(rows: &[Row]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut known: Vec<Need> = Vec::new();
    for (row, Row { setup, depth, positions }) in rows.iter().enumerate() {
        for &position in positions {
            units.push(Unit::Simulated { row, position });
            let need = Need { position, depth: *depth, step: setup.step };
            if !known.iter().any(|known| known.serves(need)) {
                known.push(need);
                units.push(Unit::Sequential { position, depth: *depth, step: setup.step });
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
        Unit::Simulated { row, .. } => (rows[row].depth, rows[row].setup.peers),
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

    #[test]
    fn a_deep_sequential_search_serves_the_shallow_rows_after_it() {
        let model = Model::named("t805").expect("a built-in machine");
        let row = |peers, depth, positions: &[usize]| Row {
            setup: Setup::new(StrategyKind::Ybw, model.clone(), peers, Profile::Negascout),
            depth,
            positions: positions.to_vec(),
        };
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
        let model = Model::named("t805").expect("a built-in machine");
        let row = |peers, depth, positions: &[usize]| Row {
            setup: Setup::new(StrategyKind::Ybw, model.clone(), peers, Profile::Negascout),
            depth,
            positions: positions.to_vec(),
        };
        let rows = [row(8, 5, &[0, 1]), row(64, 6, &[1])];
        assert_eq!(
            longest_first(plan(&rows), &rows),
            [
                Unit::Simulated { row: 1, position: 1 },
                Unit::Sequential { position: 1, depth: 6, step: 1 },
                Unit::Simulated { row: 0, position: 0 },
                Unit::Simulated { row: 0, position: 1 },
                Unit::Sequential { position: 0, depth: 5, step: 1 },
            ]
        );
    }
}
