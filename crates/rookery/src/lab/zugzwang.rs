//! `lab zugzwang`: Figures 4 and 5 (Z46, Z47).

use super::figures::{line, powers, printed};
use super::printed::{FIGURE_4, FIGURE_5};
use super::report::{Report, Table};
use super::simulated::{SimRow, column, mean, simulate, spread};
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
         spread over the processors, and a look at it costs messages. Means with the standard deviation over the seeds alone (`--seeds`): another set of positions would differ by more.",
    );
    let small = "--processors 8,16,32,64 --depth 5 --every 6";
    let large = "--figure4";
    let seeds = lab.choose(2, 3);
    let mut lines = vec![printed(
        0,
        "printed, Figure 4",
        FIGURE_4.iter().map(|row| (f64::from(row.0), row.2)).collect(),
    )];
    for (number, (file, name, option)) in WAYS.into_iter().enumerate() {
        let words = format!("{} {option}", lab.choose(small, large));
        let runs = simulate(lab, &words, seeds)?;
        report.table(table(file, &format!("Figure 4, {name}: `rookery sim {words}`"), &runs));
        lines.push(speedups(number + 1, name, &runs));
    }
    report.figure(
        "figure4",
        powers("Speedup, Zugzwang's Figure 4", ("processors", "speedup"), lines),
    );
    report.text(lab.choose(
        "The quick run searches shallower and four positions: its trees are too small for 64 processors, and its speedups are lower.",
        "Depths as printed; every third position from 256 processors on.",
    ));
    let words = lab.choose(
        "--processors 4,8 --depth 6 --every 12 --machine m604 --profile zugzwang --table asynchronous",
        "--figure5 --machine m604 --profile zugzwang --table asynchronous",
    );
    let runs = simulate(lab, words, seeds)?;
    report.text(
        "Figure 5 calls the speedup an acceleration (ACC): with fail-high reductions the parallel search may visit another tree than the sequential one, so it compares times to the same depth and not the same work.",
    );
    report.table(acceleration(words, &runs));
    Ok(report)
}

fn speedups(number: usize, name: &str, runs: &[Vec<SimRow>]) -> Series {
    let places = runs.first().map_or(&[][..], |rows| rows);
    let point = |(place, row): (usize, &SimRow)| {
        (f64::from(row.processors), mean(&column(runs, place, |row| row.speedup)).0)
    };
    line(number, name, places.iter().enumerate().map(point).collect())
}

fn cells(runs: &[Vec<SimRow>], place: usize, row: &SimRow) -> Vec<String> {
    let percent = |value| spread(&column(runs, place, value), 0.01, 1);
    vec![
        row.processors.to_string(),
        row.depth.to_string(),
        spread(&column(runs, place, |row| row.speedup), 1.0, 2),
        percent(|row| row.search_overhead),
        percent(|row| row.load),
        percent(|row| row.performance),
    ]
}

fn table(name: &'static str, title: &str, runs: &[Vec<SimRow>]) -> Table {
    let columns = [
        "processors",
        "depth",
        "SPE",
        "SO, %",
        "LOAD, %",
        "PERF, %",
        "printed depth",
        "printed SPE",
        "printed LOAD, %",
    ];
    let mut table = Table::new(name, title, &columns);
    for (place, row) in runs.first().map_or(&[][..], |rows| rows).iter().enumerate() {
        let mut cells = cells(runs, place, row);
        let found = FIGURE_4.iter().find(|printed| printed.0 == row.processors);
        let [depth, speedup, load] = found
            .map_or([const { String::new() }; 3], |&(_, depth, speedup, load)| {
                [depth.to_string(), speedup.to_string(), load.to_string()]
            });
        cells.extend([depth, speedup, load]);
        table.row(cells);
    }
    table
}

fn acceleration(words: &str, runs: &[Vec<SimRow>]) -> Table {
    let columns = [
        "processors",
        "depth",
        "ACC",
        "SO, %",
        "LOAD, %",
        "PERF, %",
        "printed ACC",
        "printed LOAD, %",
        "printed PERF, %",
    ];
    let mut table = Table::new("figure5", &format!("Figure 5: `rookery sim {words}`"), &columns);
    for (place, row) in runs.first().map_or(&[][..], |rows| rows).iter().enumerate() {
        let mut cells = cells(runs, place, row);
        // The deeper of two rows for one number of processors where the depth is printed.
        let matches = |printed: &&super::printed::Figure5Row| printed.0 == row.processors;
        let exact = |printed: &&super::printed::Figure5Row| printed.1 == row.depth;
        let mut rows = FIGURE_5.iter().filter(matches);
        let found = rows.clone().find(exact).or_else(|| rows.next());
        let numbers = found.map_or([const { String::new() }; 3], |row| {
            [row.2, row.3, row.4].map(|number| number.to_string())
        });
        cells.extend(numbers);
        table.row(cells);
    }
    table
}
