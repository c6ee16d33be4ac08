//! `lab hypercube`: Felten and Otto's Figure 6 (F18) and what reorganising hot spots gains (F19).

use super::figures::{Bar, line_with_bars, powers_of_both, printed};
use super::report::{Cell, Report, ReportTable};
use super::simulated::{SimRow, column, mean, over_positions, simulate, times};
use super::work::Lab;
use crate::failure::Failure;

/// The rules as printed: fixed teams under owners that only watch, all waiting left to the table.
const PRINTED: &str = "--teams-elastic off --teams-watch on --teams-wait-more off";

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Felten and Otto: teams on a hypercube");
    report.text(
        "Teams on the simulated hypercube, every second Bratko-Kopec position at two successive depths, times summed. Means ± the standard deviation over the seeds, where there are several, and the interval for other draws of positions (bootstrap, 95 %). Printed: 101 on 256 \
         processors and at least 170 on 512; reorganising hot spots gained a factor of 3; the curve dips at 16, where the hierarchy becomes deeper. The curve itself is lost.",
    );
    let processors = lab.choose("4,8,16,32,64", "4,8,16,32,64,256,512");
    let every = |depth: u8| vec![depth.to_string(); processors.split(',').count()].join(",");
    let (depths, deeper) = (every(lab.choose(5, 7)), every(lab.choose(6, 8)));
    let ways = [
        ("printed rules, table paid", format!("{PRINTED} --table blocking")),
        ("printed rules, shared table (free)", format!("{PRINTED} --table shared")),
        (
            "printed rules without reorganising, table paid",
            format!("{PRINTED} --teams-reorganise off --table blocking"),
        ),
        ("elastic teams, table paid", "--table blocking".to_owned()),
    ];
    let mut lines = Vec::new();
    let columns = [
        "rules",
        "processors",
        "speedup",
        "speedup over positions, 95 %",
        "SO, %",
        "LOAD, %",
        "PERF, %",
        "efficiency",
    ];
    let mut table = ReportTable::new("figure6", "Both depths together", &columns);
    let cut = lab.cut(8, 2);
    // "Each processor contributes an equal amount of memory"; the smallest table is a megabyte, twice what they had.
    let memory = lab.choose("", " --memory scaled --hash 1");
    let words = |option: &str, depths: &str| {
        format!(
            "--strategy teams --profile hypercube --machine ncube {option} --processors {processors} --depth {depths}{memory}{cut}"
        )
    };
    let both = |(_, option): &(&str, String)| [words(option, &depths), words(option, &deeper)];
    let calls: Vec<String> = ways.iter().flat_map(both).collect();
    let found = simulate(lab, &calls, lab.seeds(1, 3))?;
    for (number, ((name, _), both)) in ways.iter().zip(found.chunks(2)).enumerate() {
        let first = both[0].first().map_or(&[][..], |rows| rows);
        let mut points = Vec::new();
        for (place, row) in first.iter().enumerate() {
            let (cells, bar) = both_depths(lab, name, both, place, row);
            table.row(cells);
            points.push(bar);
        }
        lines.extend(line_with_bars(number, name, &points));
    }
    report.table(table);
    // What is left of their curve.
    lines.push(printed(ways.len(), "printed", vec![(256.0, 101.0), (512.0, 170.0)]));
    report.figure(
        "figure6",
        powers_of_both("Speedup, Felten and Otto's Figure 6", ("processors", "speedup"), lines),
    );
    report.table(hot_spots(&found[0..2], &found[4..6]));
    report.text(format!("`rookery sim --strategy teams --profile hypercube --machine ncube {PRINTED} --table blocking --processors {processors} --depth {depths}{memory}{cut}` and the same at {deeper}; the other rows with the choices of their rules. `rookery sim --figure6` has the paper's depths of equal times."));
    Ok(report)
}

/// The cells of a row over both depths, and its point in the figure.
fn both_depths(
    lab: &Lab,
    name: &str,
    both: &[Vec<Vec<SimRow>>],
    place: usize,
    row: &SimRow,
) -> (Vec<Cell>, Bar) {
    let speedups: Vec<f64> = together(both, place);
    // Shares of both depths together: weighted by what they are shares of.
    let sum = |value: fn(&SimRow) -> f64| -> f64 {
        both.iter().flat_map(|runs| column(runs, place, value)).sum()
    };
    let overhead = sum(|row| row.nodes) / sum(|row| row.sequential_nodes) - 1.0;
    let load = sum(|row| row.load * row.time) / sum(|row| row.time);
    let performance =
        sum(|row| row.performance * row.load * row.time) / sum(|row| row.load * row.time);
    let speedup = mean(&speedups);
    let rows = both.iter().flatten().filter_map(|rows| rows.get(place));
    let interval = over_positions(lab, &times(rows));
    let cells = vec![
        Cell::from(name.to_owned()),
        row.processors.to_string().into(),
        Cell::spread(&speedups, 1.0, 2),
        Cell::interval(interval, 2),
        format!("{:.1}", 100.0 * overhead).into(),
        format!("{:.1}", 100.0 * load).into(),
        format!("{:.1}", 100.0 * performance).into(),
        format!("{:.2}", speedup / f64::from(row.processors)).into(),
    ];
    (cells, (f64::from(row.processors), speedup, interval))
}

/// What reorganising hot spots gains: the printed rules with it and without (F19).
fn hot_spots(with: &[Vec<Vec<SimRow>>], without: &[Vec<Vec<SimRow>>]) -> ReportTable {
    let columns = ["processors", "with", "without", "gain", "printed gain"];
    let title = "Speedup with hot spots reorganised and without, printed rules, table paid";
    let mut table = ReportTable::new("hot-spots", title, &columns);
    let first = with.first().and_then(|runs| runs.first()).map_or(&[][..], |rows| rows);
    for (place, row) in first.iter().enumerate() {
        let [with, without] = [with, without].map(|both| mean(&together(both, place)));
        // The paper gives one number, for its largest machine.
        let printed = if row.processors >= 256 { "3" } else { "" };
        let numbers = [with, without, with / without].map(|number| format!("{number:.2}"));
        let cells = [row.processors.to_string()].into_iter().chain(numbers);
        table.row(cells.chain([printed.to_owned()]).collect::<Vec<_>>());
    }
    table
}

/// The speedup of both depths together, seed by seed: summed sequential over summed parallel times.
fn together(both: &[Vec<Vec<SimRow>>], place: usize) -> Vec<f64> {
    let rows = |depth: usize| both[depth].iter().filter_map(move |rows| rows.get(place));
    let join = |(one, other): (&SimRow, &SimRow)| {
        (one.sequential_time + other.sequential_time) / (one.time + other.time)
    };
    rows(0).zip(rows(1)).map(join).collect()
}
