//! `lab hypercube`: Felten and Otto's Figure 6 (F18) and what reorganising hot spots gains (F19).

use super::figures::{line, powers};
use super::report::{Report, Table};
use super::simulated::{SimRow, column, mean, simulate, spread};
use super::work::Lab;
use crate::failure::Failure;

/// The rules as printed: fixed teams under owners that only watch, all waiting left to the table.
const PRINTED: &str = "--teams-elastic off --teams-watch on --teams-wait-more off";

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Felten and Otto: teams on a hypercube");
    report.text(
        "Teams on the simulated hypercube, every second Bratko-Kopec position at two successive depths, times summed. Printed: 101 on 256 \
         processors and at least 170 on 512; reorganising hot spots gained a factor of 3; the curve dips at 16, where the hierarchy becomes deeper. The curve itself is lost.",
    );
    let depths = lab.choose("4,4,4,4", "6,6,6,6,6,6,6");
    let processors = lab.choose("4,8,16,32", "4,8,16,32,64,256,512");
    let deeper = depths.replace(['4', '6'], lab.choose("5", "7"));
    let ways = [
        ("paid", "printed rules, table paid", format!("{PRINTED} --table blocking")),
        ("shared", "printed rules, shared table (free)", format!("{PRINTED} --table shared")),
        (
            "fixed",
            "printed rules without reorganising, table paid",
            format!("{PRINTED} --teams-reorganise off --table blocking"),
        ),
        ("elastic", "elastic teams, table paid", "--table blocking".to_owned()),
    ];
    let mut lines = Vec::new();
    let columns = ["rules", "processors", "speedup", "SO, %", "LOAD, %", "PERF, %", "efficiency"];
    let mut table = Table::new("figure6", "Both depths together", &columns);
    for (number, (_, name, option)) in ways.iter().enumerate() {
        let words = |depths: &str| {
            format!(
                "--strategy teams --profile hypercube --machine ncube {option} --processors {processors} --depth {depths} --every {}",
                lab.choose(8, 2)
            )
        };
        let both = [
            simulate(lab, &words(depths), lab.choose(1, 3))?,
            simulate(lab, &words(&deeper), lab.choose(1, 3))?,
        ];
        let first = both[0].first().map_or(&[][..], |rows| rows);
        let mut points = Vec::new();
        for (place, row) in first.iter().enumerate() {
            let speedups: Vec<f64> = together(&both, place);
            // Shares of both depths together: weighted by what they are shares of.
            let sum = |value: fn(&SimRow) -> f64| -> f64 {
                both.iter().flat_map(|runs| column(runs, place, value)).sum()
            };
            let overhead = sum(|row| row.nodes) / sum(|row| row.sequential_nodes) - 1.0;
            let load = sum(|row| row.load * row.time) / sum(|row| row.time);
            let performance =
                sum(|row| row.performance * row.load * row.time) / sum(|row| row.load * row.time);
            let speedup = mean(&speedups).0;
            points.push((f64::from(row.processors), speedup));
            table.row(vec![
                (*name).to_owned(),
                row.processors.to_string(),
                spread(&speedups, 1.0, 2),
                format!("{:.1}", 100.0 * overhead),
                format!("{:.1}", 100.0 * load),
                format!("{:.1}", 100.0 * performance),
                format!("{:.2}", speedup / f64::from(row.processors)),
            ]);
        }
        lines.push(line(number, name, points));
    }
    report.table(table);
    report.figure(
        "figure6",
        powers("Speedup, Felten and Otto's Figure 6", ("processors", "speedup"), lines),
    );
    report.text(format!("`rookery sim --strategy teams --profile hypercube --machine ncube {PRINTED} --table blocking --processors {processors} --depth {depths} --every {}` and the same at {deeper}; the other rows with the choices of their rules. `rookery sim --figure6` has the paper's depths of equal times.", lab.choose(8, 2)));
    Ok(report)
}

/// The speedup of both depths together, seed by seed: summed sequential over summed parallel times.
fn together(both: &[Vec<Vec<SimRow>>; 2], place: usize) -> Vec<f64> {
    let rows = |depth: usize| both[depth].iter().filter_map(move |rows| rows.get(place));
    let join = |(one, other): (&SimRow, &SimRow)| {
        (one.sequential_time + other.sequential_time) / (one.time + other.time)
    };
    rows(0).zip(rows(1)).map(join).collect()
}
