//! `rookery sim --compare`: every strategy on one machine, and on the same machine with messages that
//! cost nothing; what each loses to waiting, to useless work and to messages.

mod row;

use super::chart::{self, Point};
use super::columns::{FREE_TABLE, table_name};
use super::csv;
use super::each::{Event, each};
use super::keep::Keep;
use super::outcome::Simulated;
use super::pictures::Pictures;
use super::row_writer::{say, say_interrupted};
use super::rows::chosen;
use super::{named, need, search_sequentially, sequential_name, setup, simulate, too_large};
use crate::arguments::SimArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{json, memory, picture};
use board::Position;
use parallel::accounting::Balance;
use parallel::sim::{Model, Setup, Shape, TableKind};
use parallel::{StrategyKind, Time};
use row::{Row, write_columns};
use std::io::{self, Write};

fn write_head(
    arguments: &SimArguments,
    model: &Model,
    table: TableKind,
    positions: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "All strategies, profile {}, machine {}, table {} ({} MB), depth {}, {}, seeds: {}",
        arguments.profile,
        model.name,
        table_name(table, arguments),
        arguments.hash,
        arguments.depth.first().copied().unwrap_or_default(),
        counted(positions, "position"),
        arguments.seeds,
    )?;
    if table == TableKind::Shared {
        writeln!(out, "{FREE_TABLE}")?;
    }
    out.flush()
}

/// The machine with messages that cost nothing and processors that are all neighbours.
fn without_costs(model: &Model) -> Model {
    Model {
        send: 0,
        receive: 0,
        hop: 0,
        byte_ps: 0,
        copy_ps: 0,
        stores: false,
        access: 0,
        remote: 0,
        remote_byte_ps: 0,
        shape: Shape::Complete,
        large: None,
        ..model.clone()
    }
}

/// A position of a cell: of one strategy on one number of processors, with one of the seeds.
#[derive(Clone, Copy)]
struct Unit {
    cell: usize,
    seed: usize,
    position: usize,
}

/// All cells, two for each row: on the machine, and on the one without costs.
fn cells(arguments: &SimArguments, model: &Model, table: TableKind) -> Result<Vec<Setup>, Failure> {
    let mut cells = Vec::new();
    let (free, grain) = (without_costs(model), arguments.grain.first().copied());
    for strategy in StrategyKind::ALL {
        for &peers in &arguments.processors {
            for model in [model, &free] {
                let setup = setup(arguments, strategy, model, peers, grain, table)?;
                cells.push(Setup { strategy, ..setup });
            }
        }
    }
    Ok(cells)
}

/// The pieces of work, the longest first: many processors that all search the root take the longest.
fn units(cells: &[Setup], seeds: usize, positions: usize) -> Vec<Unit> {
    let of_seed = |cell, seed| (0..positions).map(move |position| Unit { cell, seed, position });
    let of_cell = |cell| (0..seeds).flat_map(move |seed| of_seed(cell, seed));
    let mut units: Vec<Unit> = (0..cells.len()).flat_map(of_cell).collect();
    units.sort_by_key(|unit| {
        let Setup { strategy, peers, .. } = cells[unit.cell];
        let shares_root = matches!(strategy, StrategyKind::Lazy | StrategyKind::Abdada);
        std::cmp::Reverse((peers, shares_root))
    });
    units
}

/// Runs the comparison. Every search is kept as soon as it is there (`--keep`).
pub fn run(
    arguments: &SimArguments,
    model: &Model,
    positions: &[Position],
    keep: &Keep,
    mut pictures: Pictures,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let &[depth] = arguments.depth.as_slice() else {
        return Err(Failure::Usage("--compare takes one depth for all".to_owned()));
    };
    let &[table] = arguments.table.as_slice() else {
        return Err(Failure::Usage("--compare takes one table for all".to_owned()));
    };
    let every = arguments.every.map_or(1, usize::from);
    let chosen = chosen(arguments, positions.len(), every)?;
    let positions: Vec<Position> = chosen.into_iter().map(|number| positions[number]).collect();
    let cells = cells(arguments, model, table)?;
    let (seeds, quietly): (Vec<u64>, bool) =
        (arguments.seeds().collect(), arguments.is_for_programs());
    let units = units(&cells, seeds.len(), positions.len());
    let of_unit =
        |unit: Unit| named(&cells[unit.cell], seeds[unit.seed], &positions[unit.position], depth);
    let needs = units.iter().map(|&unit| need(keep, &of_unit(unit)));
    memory::check_free_at_once(arguments.threads, needs).map_err(too_large)?;
    let total = (units.len() + positions.len()) as u64;
    let bar = Progress::new();
    if !quietly {
        bar.pause(|| write_head(arguments, model, table, positions.len(), out))?;
    }
    let mut sequential = vec![0; positions.len()];
    let numbers: Vec<usize> = (0..positions.len()).collect();
    let search = |number: usize| {
        let position = &positions[number];
        let what = sequential_name(arguments, position, 1);
        let search = || search_sequentially(arguments, position, depth, 1);
        Ok(keep.sequential(&what, depth, 1, search)?.to_depth(depth))
    };
    let (mut done, rows) = (0, cells.len() / 2);
    each(arguments.threads, &numbers, search, |event| match event {
        Event::Done(number, nodes) => {
            sequential[number] = nodes;
            done += 1;
            bar.set(done, total);
            Ok(())
        }
        Event::Interrupted => {
            pictures = Pictures::default();
            bar.pause(|| say_interrupted(0, rows, quietly, out))
        }
    })?;
    if !quietly {
        bar.pause(|| write_columns(&sequential, out))?;
    }
    let simulate = |unit: Unit| {
        let (setup, what) = of_unit(unit);
        keep.simulated(&what, || Ok(simulate(&setup, &positions[unit.position], depth)?.0))
    };
    let mut found = Found::new(&cells, seeds.len(), &sequential);
    each(arguments.threads, &units, simulate, |event| match event {
        Event::Done(unit, run) => {
            done += 1;
            bar.set(done, total);
            found.add(unit, &run, model.node);
            bar.pause(|| found.write_complete(arguments, out))
        }
        Event::Interrupted => {
            pictures = Pictures::default();
            bar.pause(|| say_interrupted(found.rows.len(), rows, quietly, out))
        }
    })?;
    drop(bar);
    say(found.too_small(depth).as_slice(), quietly, out)?;
    let title = "Speedup over processors; broken lines: messages cost nothing";
    let points: Vec<Point> = found.rows.iter().map(Row::point).collect();
    picture::draw(pictures.plot, || chart::draw(title, &points))?;
    keep.failure().map_or(Ok(()), |reason| Err(Failure::Work(reason)))
}

/// What has been found, and the rows that are complete.
struct Found<'a> {
    cells: &'a [Setup],
    sequential: &'a [u64],
    /// By cell and seed, and how many searches each cell has.
    balances: Vec<(Vec<Balance>, usize)>,
    rows: Vec<Row>,
}

impl Found<'_> {
    fn new<'a>(cells: &'a [Setup], seeds: usize, sequential: &'a [u64]) -> Found<'a> {
        let balances = vec![(vec![Balance::default(); seeds], 0); cells.len()];
        Found { cells, sequential, balances, rows: Vec::new() }
    }

    fn add(&mut self, unit: Unit, run: &Simulated, node: Time) {
        let nodes = self.sequential[unit.position];
        let (balances, count) = &mut self.balances[unit.cell];
        balances[unit.seed].add_all(&run.balance(nodes, nodes * node));
        *count += 1;
    }

    fn write_complete(
        &mut self,
        arguments: &SimArguments,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        while let Some((row, is_first)) = self.next_row(arguments) {
            match (arguments.json, arguments.csv) {
                (true, _) => json::write(row, out)?,
                (_, true) => csv::write(row, &[], is_first, out)?,
                _ => row.write(out)?,
            }
            out.flush()?;
        }
        Ok(())
    }

    /// Says so if the trees were too small for the largest number of processors.
    fn too_small(&self, depth: i32) -> Option<String> {
        let processors = self.rows.iter().map(|row| row.processors).max()?;
        let positions = self.sequential.len() as u64;
        let nodes = self.sequential.iter().sum();
        super::report::too_small(processors, depth, nodes, positions)
    }

    /// The next row in order, if all its searches are there, and whether it is the first.
    fn next_row(&mut self, arguments: &SimArguments) -> Option<(&Row, bool)> {
        let first = 2 * self.rows.len();
        let pair = self.balances.get(first..first + 2)?;
        let all = |seeds: &[Balance]| seeds.len() * self.sequential.len();
        if pair.iter().any(|(seeds, count)| *count < all(seeds)) {
            return None;
        }
        let (setup, positions) = (&self.cells[first], self.sequential.len());
        self.rows.push(Row::new(arguments, setup, positions, &pair[0].0, &pair[1].0));
        self.rows.last().map(|row| (row, first == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_costs_keeps_its_nodes() {
        let model = Model::named("ncube").expect("it is built in");
        let free = without_costs(&model);
        assert_eq!((free.node, free.send, free.hop), (model.node, 0, 0));
    }
}
