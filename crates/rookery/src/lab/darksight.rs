//! `lab darksight`: Table 5.1 and Figures 5.7 to 5.10 (D109 to D112).

use super::figures::{line, powers, printed};
use super::printed::TABLE_5_1;
use super::report::{Cell, Report, Table};
use super::simulated::{SimRow, mean, over_positions, simulate, times};
use super::work::Lab;
use crate::failure::Failure;

/// Whose rules, and how they are asked for.
const RULES: [(&str, &str); 3] = [
    ("the thesis's rules", "paper --table local"),
    ("cured, all work at its home", "pure --table local"),
    (
        "cured, with stealing, homes that are told what is found",
        "hybrid --table asynchronous --write-from 1 --batch 16 --cache 1024",
    ),
];

/// A number of processors with the grain that was best, over all seeds.
struct Best {
    processors: u32,
    grain: Option<i32>,
    rows: Vec<SimRow>,
}

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("DarkSight: transposition-driven scheduling");
    report.text(
        "Transposition-driven scheduling on the simulated DAS-2 cluster. Each number of processors is run with every grain of the sweep, and the \
         grain with the highest mean speedup over the seeds is shown, as the thesis demands. Synchronisation is idle and waiting time, communication \
         the time of messages, both in per cent of all time. Means ± the standard deviation over the seeds, and an interval that says how far another draw of positions \
         would move the speedup (bootstrap, 95 %). Rules: those of the thesis; with the cures that leave every state at its home; and a \
         hybrid in which idle processors steal from homes.",
    );
    let (depth, grains, processors) =
        lab.choose((6, "1,2", "2,8,32"), (10, "2,3,4", "2,4,8,16,32"));
    // The thesis's processors had 64 MB each.
    let memory = lab.choose("", " --memory scaled");
    let call = |(_, option): &(&str, &str)| {
        format!(
            "--strategy tds --tds {option} --machine das2 --profile darksight --depth {depth} --processors {processors} --grain {grains}{memory}{}",
            lab.cut(12, 1)
        )
    };
    let calls: Vec<String> = RULES.iter().map(call).collect();
    let found = simulate(lab, &calls, lab.seeds(2, 3))?;
    let mut speedups = vec![printed(
        0,
        "printed, Table 5.1",
        TABLE_5_1.iter().map(|row| (f64::from(row.0), row.2)).collect(),
    )];
    let mut others: [Vec<plot::Series>; 2] = Default::default();
    for (number, (name, option)) in RULES.into_iter().enumerate() {
        let (words, runs) = (&calls[number], &found[number]);
        let bests = bests(runs);
        let file = ["table51-paper", "table51-pure", "table51-hybrid"][number];
        report.table(table(
            lab,
            file,
            &format!("Table 5.1 by {name}: `rookery sim {words}`"),
            &bests,
        ));
        let points = |value: fn(&SimRow) -> f64| {
            bests
                .iter()
                .map(|best| (f64::from(best.processors), of(&best.rows, value)))
                .collect::<Vec<_>>()
        };
        speedups.push(line(number + 1, name, points(|row| row.speedup)));
        others[0].push(line(number + 1, name, points(|row| row.nodes / row.time / 1e6)));
        others[1].push(line(number + 1, name, points(|row| row.imbalance)));
        if option.starts_with("paper") {
            report.table(sweep(lab, runs));
        }
    }
    let [rates, imbalances] = others;
    report.figure(
        "speedup",
        powers("Speedup, the thesis's Table 5.1", ("processors", "speedup"), speedups),
    );
    report.figure(
        "expansion",
        powers(
            "Speed of expansion, the thesis's Figure 5.7",
            ("processors", "million nodes a second"),
            rates,
        ),
    );
    report.figure(
        "imbalance",
        powers("Load imbalance, the thesis's Figure 5.10", ("processors", "imbalance"), imbalances),
    );
    Ok(report)
}

fn of(rows: &[SimRow], value: fn(&SimRow) -> f64) -> f64 {
    mean(&rows.iter().map(value).collect::<Vec<_>>())
}

/// For each number of processors the grain with the highest mean speedup over the seeds.
fn bests(runs: &[Vec<SimRow>]) -> Vec<Best> {
    let mut bests: Vec<Best> = Vec::new();
    for candidate in settings(runs) {
        let speedup = |best: &Best| of(&best.rows, |row| row.speedup);
        match bests.iter_mut().find(|best| best.processors == candidate.processors) {
            Some(best) if speedup(best) >= speedup(&candidate) => {}
            Some(best) => *best = candidate,
            None => bests.push(candidate),
        }
    }
    bests
}

/// The rows of all seeds with the same processors and grain.
fn settings(runs: &[Vec<SimRow>]) -> Vec<Best> {
    let mut settings: Vec<Best> = Vec::new();
    for row in runs.iter().flatten() {
        let same = |one: &&mut Best| (one.processors, one.grain) == (row.processors, row.grain);
        match settings.iter_mut().find(same) {
            Some(one) => one.rows.push(row.clone()),
            None => settings.push(Best {
                processors: row.processors,
                grain: row.grain,
                rows: vec![row.clone()],
            }),
        }
    }
    settings
}

fn numbers(lab: &Lab, best: &Best) -> Vec<Cell> {
    let text = |value: fn(&SimRow) -> f64, unit, digits| {
        Cell::spread(&best.rows.iter().map(value).collect::<Vec<_>>(), unit, digits)
    };
    vec![
        best.processors.to_string().into(),
        best.grain.map_or(String::new(), |grain| grain.to_string()).into(),
        text(|row| row.speedup, 1.0, 2),
        over_positions(lab, &times(&best.rows)),
        text(|row| row.search_overhead, 0.01, 1),
        text(|row| row.synchronisation, 0.01, 1),
        text(|row| row.communication, 0.01, 1),
        text(|row| row.imbalance, 0.01, 1),
    ]
}

fn table(lab: &Lab, name: &'static str, title: &str, bests: &[Best]) -> Table {
    let columns = [
        "processors",
        "best grain",
        "speedup",
        "speedup over positions, 95 %",
        "SO, %",
        "sync, %",
        "comm, %",
        "imbalance, %",
        "printed grain",
        "printed speedup",
        "printed SO, %",
        "printed sync, %",
        "printed comm, %",
    ];
    let mut table = Table::new(name, title, &columns);
    for best in bests {
        let found = TABLE_5_1.iter().find(|row| row.0 == best.processors);
        let printed =
            found.map_or(vec![String::new(); 5], |&(_, grain, speedup, overhead, sync, comm)| {
                [f64::from(grain), speedup, overhead, sync, comm]
                    .map(|number| number.to_string())
                    .to_vec()
            });
        let printed = printed.into_iter().map(Cell::from);
        table.row(numbers(lab, best).into_iter().chain(printed).collect::<Vec<_>>());
    }
    table
}

/// All grains by the thesis's rules.
fn sweep(lab: &Lab, runs: &[Vec<SimRow>]) -> Table {
    let columns = [
        "processors",
        "grain",
        "speedup",
        "speedup over positions, 95 %",
        "SO, %",
        "sync, %",
        "comm, %",
        "imbalance, %",
    ];
    let mut table = Table::new("sweep-paper", "All grains by the thesis's rules", &columns);
    settings(runs).iter().for_each(|one| table.row(numbers(lab, one)));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d109_the_best_grain_is_that_of_the_mean_over_the_seeds() {
        let row = |processors, grain, speedup| SimRow {
            processors,
            depth: 6,
            grain: Some(grain),
            time: 1.0,
            sequential_time: speedup,
            speedup,
            search_overhead: 0.0,
            load: 1.0,
            performance: 1.0,
            synchronisation: 0.0,
            communication: 0.0,
            imbalance: 0.0,
            nodes: 1.0,
            sequential_nodes: 1.0,
            times: Vec::new(),
            sequential_times: Vec::new(),
        };
        let runs = [
            vec![row(2, 1, 1.9), row(2, 2, 1.5), row(4, 1, 2.0)],
            vec![row(2, 1, 1.0), row(2, 2, 1.6), row(4, 1, 3.0)],
        ];
        let bests = bests(&runs);
        let found: Vec<_> =
            bests.iter().map(|best| (best.processors, best.grain, best.rows.len())).collect();
        assert_eq!(found, [(2, Some(2), 2), (4, Some(1), 2)]);
    }
}
