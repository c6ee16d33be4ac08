//! `lab strategies`: all ways of searching in parallel side by side on one machine.

use super::equal_strength;
use super::figures::{line_with_bars, powers_of_both};
use super::report::{Cell, Report, ReportTable};
use super::simulated::{column, mean, over_positions, simulate, times};
use super::work::Lab;
use crate::failure::Failure;

/// Names, and how they are asked for. Transposition-driven scheduling has the table where the work is; the
/// others ask for it.
const STRATEGIES: [(&str, &str, &str); 6] = [
    ("ybw", "ybw", "asynchronous"),
    ("abdada", "abdada", "asynchronous"),
    ("lazy", "lazy", "asynchronous"),
    ("teams", "teams", "asynchronous"),
    ("tds, all work at its home", "tds --tds pure", "local"),
    ("tds with stealing", "tds --tds hybrid", "local"),
];

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Strategies of parallel search side by side");
    report.text(
        "Every strategy on one simulated machine with the same sequential program, and no table that is free. Time to depth in virtual time; SO is the search overhead, LOAD the share of time with work. Time to depth is not strength: \
         strategies that search other trees are compared below by the time to equal strength.",
    );
    let (processors, depth) = lab.choose(("4,16,64", 5), ("4,16,64,256", 7));
    let cut = lab.cut(6, 3);
    let call = |(_, strategy, memory): &(&str, &str, &str)| {
        format!(
            "--strategy {strategy} --machine infiniband --profile negascout --table {memory} --processors {processors} --depth {depth}{cut}"
        )
    };
    let calls: Vec<String> = STRATEGIES.iter().map(call).collect();
    let seeds = lab.seeds(1, 3);
    let found = simulate(lab, &calls, seeds)?;
    let columns = [
        "strategy",
        "table",
        "processors",
        "speedup",
        "speedup over positions, 95 %",
        "SO, %",
        "LOAD, %",
        "PERF, %",
    ];
    let mut table =
        ReportTable::new("strategies", "By strategy and number of processors", &columns);
    let mut lines = Vec::new();
    for (number, (name, _, memory)) in STRATEGIES.into_iter().enumerate() {
        let runs = &found[number];
        let mut points = Vec::new();
        for (place, row) in runs.first().map_or(&[][..], |rows| rows).iter().enumerate() {
            let speedups = column(runs, place, |row| row.speedup);
            let rows = runs.iter().filter_map(|rows| rows.get(place));
            let interval = over_positions(lab, &times(rows));
            points.push((f64::from(row.processors), mean(&speedups), interval));
            let mut cells = vec![
                Cell::from(name.to_owned()),
                memory.to_owned().into(),
                row.processors.to_string().into(),
                Cell::spread(&speedups, 1.0, 2),
                Cell::interval(interval, 2),
            ];
            let percents: [fn(&super::simulated::SimRow) -> f64; 3] =
                [|row| row.search_overhead, |row| row.load, |row| row.performance];
            cells.extend(percents.map(|value| Cell::spread(&column(runs, place, value), 0.01, 1)));
            table.row(cells);
        }
        lines.extend(line_with_bars(number, name, &points));
    }
    report.text(format!(
        "`rookery sim --strategy NAME --machine infiniband --profile negascout --table TABLE --processors {processors} --depth {depth}{cut}`, {seeds} seeds. \
         Transposition-driven scheduling has its table where the work is (`local`); the others pay for theirs."
    ));
    report.table(table);
    report.figure(
        "speedup",
        powers_of_both("Speedup of the strategies, simulated", ("processors", "speedup"), lines),
    );
    equal_strength::report(lab, &mut report)?;
    Ok(report)
}
