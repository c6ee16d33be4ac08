//! `rookery sim --compare`: every strategy on one machine, and on the same machine with messages that
//! cost nothing; what each loses to waiting, to useless work and to messages.

use super::{chart, each, order, search_sequentially, setup};
use crate::arguments::SimArguments;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use board::Position;
use parallel::StrategyKind;
use parallel::accounting::Balance;
use parallel::sim::{self, Model, Shape};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// One strategy on one number of processors. The shares of all processors' time add up to 1.
#[derive(Clone, Serialize)]
pub struct Row {
    pub strategy: &'static str,
    pub processors: u32,
    pub speedup: f64,
    /// The speedup where messages cost nothing.
    pub ideal: f64,
    pub search_overhead: f64,
    /// Time spent on what the sequential search did too.
    pub useful: f64,
    /// Time spent on nodes beyond those.
    pub useless: f64,
    /// Time spent on messages and on the table.
    pub messages: f64,
    /// Time spent waiting, with a task or without.
    pub waiting: f64,
    pub sequential_nodes: u64,
    pub closure: f64,
}

impl Row {
    fn new(strategy: StrategyKind, balance: &Balance, ideal: &Balance) -> Row {
        let searching = balance.load() * balance.performance();
        let useful = searching / (1.0 + balance.search_overhead());
        Row {
            strategy: strategy.name(),
            processors: balance.processors,
            speedup: balance.speedup(),
            ideal: ideal.speedup(),
            search_overhead: balance.search_overhead(),
            useful,
            useless: searching - useful,
            messages: balance.communication(),
            waiting: 1.0 - balance.load(),
            sequential_nodes: balance.sequential_nodes,
            closure: balance.closure(),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        writeln!(
            out,
            "{:<9} {:>6} {:>8.2} {:>8.2} {:>8} {:>8} {:>9} {:>9} {:>10} {:>10.2}",
            self.strategy,
            self.processors,
            self.speedup,
            self.ideal,
            percent(self.search_overhead),
            percent(self.useful),
            percent(self.useless),
            percent(self.waiting),
            percent(self.messages),
            self.closure * 100.0,
        )
    }
}

fn write_head(
    arguments: &SimArguments,
    model: &Model,
    sequential: &[u64],
    out: &mut impl Write,
) -> io::Result<()> {
    let nodes = sequential.iter().sum::<u64>() / sequential.len().max(1) as u64;
    writeln!(
        out,
        "All strategies, profile {}, machine {}, table {} ({} MB), depth {}, {} positions of {nodes} \
         sequential nodes on average",
        arguments.profile,
        model.name,
        arguments.table,
        arguments.hash,
        arguments.depth.first().copied().unwrap_or_default(),
        sequential.len(),
    )?;
    writeln!(
        out,
        "{:<9} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>10} {:>10}",
        "strategy",
        "procs",
        "speedup",
        "ideal",
        "SO %",
        "useful %",
        "useless %",
        "waiting %",
        "messages %",
        "closure %",
    )
}

/// The machine with messages that cost nothing and processors that are all neighbours.
fn without_costs(model: &Model) -> Model {
    Model {
        send: 0,
        receive: 0,
        hop: 0,
        byte_ps: 0,
        access: 0,
        far: 0,
        far_byte_ps: 0,
        shape: Shape::Complete,
        large: None,
        ..model.clone()
    }
}

/// Does something with every position, on several threads; the results in the order of the positions.
fn all<A: Send>(
    threads: u16,
    positions: &[Position],
    work: impl Fn(&Position) -> Result<A, String> + Sync,
) -> Result<Vec<A>, Failure> {
    let numbers: Vec<usize> = (0..positions.len()).collect();
    let mut found: Vec<Option<A>> = positions.iter().map(|_| None).collect();
    let keep = |number: usize, result| {
        found[number] = Some(result);
        Ok(())
    };
    each(threads, &numbers, |number| work(&positions[number]), keep)?;
    Ok(found.into_iter().flatten().collect())
}

/// Runs the comparison.
pub fn run(
    arguments: &SimArguments,
    model: &Model,
    positions: &[Position],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let positions = &positions[..arguments.first.unwrap_or(usize::MAX).clamp(1, positions.len())];
    let &[depth] = arguments.depth.as_slice() else {
        return Err(Failure::Usage("--compare takes one depth for all".to_owned()));
    };
    let ideal = without_costs(model);
    let runs = 2 * StrategyKind::ALL.len() * arguments.processors.len();
    let units = positions.len() * (runs + 1);
    let (bar, done) = (Progress::new(units as u64), AtomicUsize::new(0));
    let tick = || bar.set(done.fetch_add(1, Relaxed) as u64 + 1, units as u64);
    let sequential = all(arguments.threads, positions, |position| {
        let found = search_sequentially(arguments, position, depth, 1)?;
        tick();
        Ok(found.to_depth(depth))
    })?;
    let balance_of = |strategy: StrategyKind, peers: u32, model: &Model| {
        let mut setup = setup(arguments, model, peers)?;
        setup.strategy = strategy;
        let runs = all(arguments.threads, positions, |position| {
            let run = sim::run(&setup, &order(position, depth));
            tick();
            run.map_err(|error| format!("{strategy}, {}: {error}", position.fen()))
        })?;
        let mut balance = Balance::default();
        for (run, &nodes) in runs.iter().zip(&sequential) {
            balance.add(&run.accounts, run.time, nodes, nodes * model.node);
        }
        Ok::<Balance, Failure>(balance)
    };
    if !arguments.json {
        bar.pause(|| write_head(arguments, model, &sequential, out))?;
    }
    let mut rows = Vec::new();
    for strategy in StrategyKind::ALL {
        for &peers in &arguments.processors {
            let balance = balance_of(strategy, peers, model)?;
            let row = Row::new(strategy, &balance, &balance_of(strategy, peers, &ideal)?);
            bar.pause(|| match arguments.json {
                true => json::write(&row, out),
                false => row.write(out),
            })?;
            rows.push(row);
        }
    }
    if let Some(path) = &arguments.plot {
        chart::write(path, &rows).map_err(|error| super::cannot("write", path, &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallel::accounting::Account;

    #[test]
    fn what_a_strategy_loses_and_what_is_useful_add_up_to_all_time() {
        let account = Account {
            search: 500,
            messages: 100,
            table: 50,
            waiting: 150,
            idle: 200,
            nodes: 50,
            ..Account::default()
        };
        let mut balance = Balance::default();
        balance.add(&[account.clone(), account], 1000, 80, 800);
        let row = Row::new(StrategyKind::Ybw, &balance, &balance);
        let sum = row.useful + row.useless + row.messages + row.waiting;
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert!((row.useful * 2.0 - row.speedup).abs() < 1e-9, "{}", row.useful);
    }

    #[test]
    fn a_machine_without_costs_keeps_its_nodes() {
        let model = Model::named("ncube").expect("it is built in");
        let free = without_costs(&model);
        assert_eq!((free.node, free.send, free.hop), (model.node, 0, 0));
    }
}
