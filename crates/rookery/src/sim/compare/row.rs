//! A row of the comparison, and what stands above it.

use crate::arguments::SimArguments;
use crate::sim::chart::Point;
use crate::sim::columns::{closure, strategy_name};
use crate::sim::spread::{self, Seeds};
use parallel::accounting::Balance;
use parallel::sim::{Setup, TableKind};
use serde::Serialize;
use std::io::{self, Write};

/// One strategy on one number of processors. The shares of all processors' time add up to 1.
#[derive(Clone, Serialize)]
pub struct Row {
    pub strategy: &'static str,
    /// Whose rules it follows, where there are several.
    rules: Option<String>,
    #[serde(skip)]
    label: String,
    profile: String,
    machine: String,
    depth: i32,
    positions: usize,
    pub processors: u32,
    pub table: String,
    /// Megabytes of the table, of all processors together.
    table_mb: u64,
    /// Whether the table costs nothing: free global knowledge, which no machine has.
    pub table_is_free: bool,
    /// The mean of the seeds.
    pub speedup: f64,
    #[serde(flatten)]
    pub seeds: Seeds,
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
    /// A row from the balances of its seeds, on the machine and where messages cost nothing.
    pub fn new(
        arguments: &SimArguments,
        setup: &Setup,
        positions: usize,
        seeds: &[Balance],
        ideal: &[Balance],
    ) -> Row {
        let (strategy, table) = (setup.strategy, setup.table.kind);
        let (balance, ideal) = (&sum(seeds), sum(ideal));
        let runs: Vec<(f64, f64)> =
            seeds.iter().map(|seed| (seed.speedup(), seed.search_overhead())).collect();
        let seeds = Seeds::new(&runs);
        let searching = balance.load() * balance.performance();
        let useful = searching / (1.0 + balance.search_overhead());
        Row {
            strategy: strategy.name(),
            rules: arguments.rules(strategy),
            label: strategy_name(strategy, arguments),
            profile: setup.profile.to_string(),
            machine: setup.model.name.clone(),
            depth: arguments.depth.first().copied().unwrap_or_default(),
            positions,
            processors: balance.processors,
            table: table.to_string(),
            table_mb: setup.table.kilobytes >> 10,
            table_is_free: table == TableKind::Shared,
            speedup: seeds.mean().unwrap_or_default(),
            seeds,
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

    /// Its point of the picture.
    pub fn point(&self) -> Point {
        let Row { processors, speedup, ideal, .. } = *self;
        Point { curve: self.label.clone(), processors, speedup, ideal: Some(ideal) }
    }

    /// Its line.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        writeln!(
            out,
            "{:<12} {:>6} {:>8.2} {:>6} {:>8.2} {:>8} {:>8} {:>9} {:>9} {:>10} {:>10}",
            self.label,
            self.processors,
            self.speedup,
            spread::text(self.seeds.speedup_spread, 2),
            self.ideal,
            percent(self.search_overhead),
            percent(self.useful),
            percent(self.useless),
            percent(self.waiting),
            percent(self.messages),
            closure(self.closure),
        )
    }
}

/// What stands above the rows.
pub fn write_columns(sequential: &[u64], out: &mut impl Write) -> io::Result<()> {
    let nodes = sequential.iter().sum::<u64>() / sequential.len().max(1) as u64;
    writeln!(out, "The sequential search takes {nodes} nodes for a position on average.")?;
    writeln!(
        out,
        "{:<12} {:>6} {:>8} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9} {:>10} {:>10}",
        "strategy",
        "procs",
        "speedup",
        "±",
        "ideal",
        "SO %",
        "useful %",
        "useless %",
        "waiting %",
        "messages %",
        "closure %",
    )
}

/// What several seeds came to together.
fn sum(balances: &[Balance]) -> Balance {
    let mut sum = Balance::default();
    balances.iter().for_each(|balance| sum.add_all(balance));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::Parser;
    use parallel::StrategyKind;
    use parallel::accounting::Account;
    use parallel::sim::Model;

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
        let seeds = [balance.clone(), balance];
        let parsed = Arguments::try_parse_from(["rookery", "sim", "--compare"]);
        let Ok(Some(Command::Sim(arguments))) = parsed.map(|parsed| parsed.command) else {
            panic!("these are its arguments")
        };
        let model = Model::named("ideal").expect("it is built in");
        let setup = Setup::new(StrategyKind::Ybw, model, 2, arguments.profile);
        let row = Row::new(&arguments, &setup, 1, &seeds, &seeds);
        assert_eq!(row.seeds.speedup_spread, Some(0.0));
        let sum = row.useful + row.useless + row.messages + row.waiting;
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert!((row.useful * 2.0 - row.speedup).abs() < 1e-9, "{}", row.useful);
    }
}
