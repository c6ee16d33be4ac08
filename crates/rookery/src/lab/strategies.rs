//! `lab strategies`: all ways of searching in parallel side by side on one machine.

use super::figures::{line, powers};
use super::report::{Report, Table};
use super::simulated::{column, mean, simulate, spread};
use super::work::Lab;
use crate::failure::Failure;

const STRATEGIES: [&str; 5] = ["ybw", "abdada", "lazy", "teams", "tds"];

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Strategies of parallel search side by side");
    report.text(
        "Every strategy on one simulated machine with the same sequential program, and no table that is free. Time to depth in virtual time; SO is the search overhead, LOAD the share of time with work. Time to depth is not strength: \
         strategies that search other trees are compared by games or by `rookery regret`.",
    );
    let (processors, depth, every) = lab.choose(("4,16,64", 5, 6), ("4,16,64,256", 7, 3));
    let columns = ["strategy", "table", "processors", "speedup", "SO, %", "LOAD, %", "PERF, %"];
    let mut table = Table::new("strategies", "By strategy and number of processors", &columns);
    let mut lines = Vec::new();
    for (number, strategy) in STRATEGIES.into_iter().enumerate() {
        // Transposition-driven scheduling has the table where the work is; the others ask for it.
        let memory = if strategy == "tds" { "local" } else { "asynchronous" };
        let words = format!(
            "--strategy {strategy} --machine infiniband --profile negascout --table {memory} --processors {processors} --depth {depth} --every {every}"
        );
        let runs = simulate(lab, &words, lab.choose(1, 3))?;
        let mut points = Vec::new();
        for (place, row) in runs.first().map_or(&[][..], |rows| rows).iter().enumerate() {
            let speedups = column(&runs, place, |row| row.speedup);
            points.push((f64::from(row.processors), mean(&speedups).0));
            let mut cells = vec![
                strategy.to_owned(),
                memory.to_owned(),
                row.processors.to_string(),
                spread(&speedups, 1.0, 2),
            ];
            let percents: [fn(&super::simulated::SimRow) -> f64; 3] =
                [|row| row.search_overhead, |row| row.load, |row| row.performance];
            cells.extend(percents.map(|value| spread(&column(&runs, place, value), 0.01, 1)));
            table.row(cells);
        }
        lines.push(line(number, strategy, points));
    }
    report.text(format!(
        "`rookery sim --strategy NAME --machine infiniband --profile negascout --table TABLE --processors {processors} --depth {depth} --every {every}`, {} seeds. \
         Transposition-driven scheduling has its table where the work is (`local`); the others pay for theirs.",
        lab.choose(1, 3)
    ));
    report.table(table);
    report.figure("speedup", powers("Speedup of the strategies", ("processors", "speedup"), lines));
    Ok(report)
}
