//! `lab zugzwang`: Figures 4 and 5 (Z46, Z47).

use super::figures::{line_with_bars, powers_of_both, printed};
use super::printed::{FIGURE_4, FIGURE_5};
use super::report::{Cell, Report, ReportTable};
use super::simulated::{SimRow, column, mean, over_positions, simulate, times};
use super::work::Lab;
use crate::failure::Failure;
use plot::Series;

/// Whose rules, with which table. The shared one is free global knowledge that no machine of the time had.
const WAYS: [(&str, &str, &str); 3] = [
    ("figure4-shared", "our rules, table shared (free)", "--table shared"),
    ("figure4-paid", "our rules, table paid", "--table asynchronous"),
    ("figure4-printed", "printed rules, table paid", "--ybw paper"),
];

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Zugzwang: young brothers wait to 1024 processors");
    report.text(
        "Young brothers wait on the simulated machine of the paper, by the rules of this program and by the printed ones (docs/design/ybw.md \
         says how they differ). SPE is the speedup in virtual time, SO the search overhead, LOAD the share of time with work, PERF \
         the share of that time that is not spent on messages. A *shared* table is free knowledge of all about everything; the *paid* one is \
         spread over the processors, and a look at it costs messages. Means ± the standard deviation over the seeds; the interval beside it says how far another draw of positions would move the speedup (bootstrap, 95 %).",
    );
    let (small, cut) = ("--processors 8,16,32,64 --depth 6,7,7,7", lab.cut(6, 1));
    // The paper's parallel search had "a much larger hash table than the sequential one": transputers had
    // 4 MB each.
    let large = "--figure4 --memory scaled --hash 2";
    let rows = format!("{}{cut}", lab.choose(small, large));
    let mut calls: Vec<String> =
        WAYS.iter().map(|(_, _, option)| format!("{rows} {option}")).collect();
    calls.push(format!(
        "{}{} --machine m604 --profile zugzwang --table asynchronous",
        lab.choose("--processors 4,8 --depth 6", "--figure5"),
        lab.cut(12, 1)
    ));
    let found = simulate(lab, &calls, lab.seeds(2, 3))?;
    let mut lines = vec![printed(
        0,
        "printed, Figure 4",
        FIGURE_4.iter().map(|row| (f64::from(row.0), row.2)).collect(),
    )];
    for (number, (file, name, _)) in WAYS.into_iter().enumerate() {
        let (words, runs) = (&calls[number], &found[number]);
        report.table(table(lab, file, &format!("Figure 4, {name}: `rookery sim {words}`"), runs));
        lines.extend(speedups(lab, number + 1, name, runs));
    }
    report.figure(
        "figure4",
        powers_of_both("Speedup, Zugzwang's Figure 4", ("processors", "speedup"), lines),
    );
    report.text(lab.choose(
        "The quick run searches four positions, to the depths of the paper, with a table of the same size for all: its trees are small for 64 processors.",
        "Depths for 50 to 250 s a position, where the paper chose 150 to 300 s; every third position from 256 processors on. Every processor has a table of 2 MB, the sequential search too: as in the paper the memory grows with the machine.",
    ));
    report.text(
        "Figure 5 calls the speedup an acceleration (ACC): with fail-high reductions the parallel search may visit another tree than the sequential one, so it compares times to the same depth and not the same work.",
    );
    let last = WAYS.len();
    report.table(acceleration(lab, &calls[last], &found[last]));
    Ok(report)
}

/// What the speedup of a row may be for other positions.
fn positions(lab: &Lab, runs: &[Vec<SimRow>], place: usize) -> Option<(f64, f64)> {
    over_positions(lab, &times(runs.iter().filter_map(|rows| rows.get(place))))
}

fn speedups(lab: &Lab, number: usize, name: &str, runs: &[Vec<SimRow>]) -> [Series; 2] {
    let places = runs.first().map_or(&[][..], |rows| rows);
    let point = |(place, row): (usize, &SimRow)| {
        let speedup = mean(&column(runs, place, |row| row.speedup));
        (f64::from(row.processors), speedup, positions(lab, runs, place))
    };
    line_with_bars(number, name, &places.iter().enumerate().map(point).collect::<Vec<_>>())
}

fn cells(lab: &Lab, runs: &[Vec<SimRow>], place: usize, row: &SimRow) -> Vec<Cell> {
    let percent = |value| Cell::spread(&column(runs, place, value), 0.01, 1);
    vec![
        row.processors.to_string().into(),
        row.depth.to_string().into(),
        row.times.len().to_string().into(),
        Cell::spread(&column(runs, place, |row| row.speedup), 1.0, 2),
        Cell::interval(positions(lab, runs, place), 2),
        percent(|row| row.search_overhead),
        percent(|row| row.load),
        percent(|row| row.performance),
    ]
}

fn table(lab: &Lab, name: &'static str, title: &str, runs: &[Vec<SimRow>]) -> ReportTable {
    let columns = [
        "processors",
        "depth",
        "positions",
        "SPE",
        "SPE over positions, 95 %",
        "SO, %",
        "LOAD, %",
        "PERF, %",
        "printed depth",
        "printed SPE",
        "printed LOAD, %",
    ];
    let mut table = ReportTable::new(name, title, &columns);
    for (place, row) in runs.first().map_or(&[][..], |rows| rows).iter().enumerate() {
        let mut cells = cells(lab, runs, place, row);
        let found = FIGURE_4.iter().find(|printed| printed.0 == row.processors);
        let [depth, speedup, load] = found
            .map_or([const { String::new() }; 3], |&(_, depth, speedup, load)| {
                [depth.to_string(), speedup.to_string(), load.to_string()]
            });
        cells.extend([depth, speedup, load].map(Cell::from));
        table.row(cells);
    }
    table
}

fn acceleration(lab: &Lab, words: &str, runs: &[Vec<SimRow>]) -> ReportTable {
    let columns = [
        "processors",
        "depth",
        "positions",
        "ACC",
        "ACC over positions, 95 %",
        "SO, %",
        "LOAD, %",
        "PERF, %",
        "printed ACC",
        "printed LOAD, %",
        "printed PERF, %",
    ];
    let mut table =
        ReportTable::new("figure5", &format!("Figure 5: `rookery sim {words}`"), &columns);
    for (place, row) in runs.first().map_or(&[][..], |rows| rows).iter().enumerate() {
        let mut cells = cells(lab, runs, place, row);
        // The deeper of two rows for one number of processors where the depth is printed.
        let matches = |printed: &&super::printed::Figure5Row| printed.0 == row.processors;
        let exact = |printed: &&super::printed::Figure5Row| printed.1 == row.depth;
        let mut rows = FIGURE_5.iter().filter(matches);
        let found = rows.clone().find(exact).or_else(|| rows.next());
        let numbers = found.map_or([const { String::new() }; 3], |row| {
            [row.2, row.3, row.4].map(|number| number.to_string())
        });
        cells.extend(numbers.map(Cell::from));
        table.row(cells);
    }
    table
}
