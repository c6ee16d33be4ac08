//! `lab darksight`: Table 5.1 and Figures 5.7 to 5.10 (D109 to D112).

use super::figures::{chart, line, line_with_bars, powers_of_both, printed};
use super::printed::TABLE_5_1;
use super::report::{Cell, Report, ReportTable};
use super::simulated::{SimRow, mean, over_positions, simulate, times};
use super::work::Lab;
use crate::failure::Failure;
use plot::Chart;

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
        "Transposition-driven scheduling on the simulated DAS-2 cluster. As the thesis demands, each number of processors has the grain that is best for it: every grain \
         is tried with one seed (in the full protocol on every fourth position), and the best one is run on all positions with every seed. Synchronisation is idle and waiting time, communication \
         the time of messages, both in per cent of all time. Means ± the standard deviation over the seeds, and an interval that says how far another draw of positions \
         would move the speedup (bootstrap, 95 %). Rules: those of the thesis; with the cures that leave every state at its home; and a \
         hybrid in which idle processors steal from homes.",
    );
    let depths = lab.choose(4..=6, 6..=10);
    let deepest = *depths.end();
    let protocol = |option: &str, depth: i32| Protocol::new(lab, option, depth);
    let mut protocols: Vec<Protocol> =
        RULES.iter().map(|(_, option)| protocol(option, deepest)).collect();
    let shallower: Vec<i32> = depths.clone().filter(|&depth| depth < deepest).collect();
    protocols.extend(shallower.iter().map(|&depth| protocol(RULES[0].1, depth)));
    let sweeps: Vec<String> = protocols.iter().map(Protocol::sweep).collect();
    let swept = simulate(lab, &sweeps, 1)?;
    let found = run_best(lab, &protocols, &swept)?;
    let mut speedups = vec![printed(
        0,
        "printed, Table 5.1",
        TABLE_5_1.iter().map(|row| (f64::from(row.0), row.2)).collect(),
    )];
    for (number, (name, _)) in RULES.into_iter().enumerate() {
        let bests = &found[number];
        let file = ["table51-paper", "table51-pure", "table51-hybrid"][number];
        let title = format!("Table 5.1 by {name}: `rookery sim {}`", protocols[number].words);
        report.table(table(lab, file, &title, bests));
        let bar = |best: &Best| {
            let speedup = of(&best.rows, |row| row.speedup);
            (f64::from(best.processors), speedup, over_positions(lab, &times(&best.rows)))
        };
        let bars: Vec<_> = bests.iter().map(bar).collect();
        speedups.extend(line_with_bars(number + 1, name, &bars));
    }
    report.figure(
        "speedup",
        powers_of_both("Speedup, the thesis's Table 5.1", ("processors", "speedup"), speedups),
    );
    for (number, (name, _)) in RULES.into_iter().enumerate() {
        let file = ["sweep-paper", "sweep-pure", "sweep-hybrid"][number];
        report.table(sweep(lab, file, name, &sweeps[number], &swept[number]));
    }
    report.figure("figure57", expansion(&swept[0]));
    let (bests_of_rules, bests_of_depths) = found.split_at(RULES.len());
    let by_depth: Vec<(i32, &[Best])> = shallower
        .into_iter()
        .zip(bests_of_depths.iter().map(Vec::as_slice))
        .chain([(deepest, bests_of_rules[0].as_slice())])
        .collect();
    report_by_depth(&mut report, &by_depth);
    Ok(report)
}

/// How a table is made: the call without processors, grain and positions, and these.
struct Protocol {
    words: String,
    processors: &'static str,
    grains: &'static str,
    /// Positions of the sweep, and of the runs with the best grain.
    cuts: [String; 2],
}

impl Protocol {
    fn new(lab: &Lab, option: &str, depth: i32) -> Protocol {
        let (grains, processors) = lab.choose(("1,2", "2,8,32"), ("2,3,4", "2,4,8,16,32"));
        // The thesis's processors had 64 MB each.
        let memory = lab.choose("", " --memory scaled");
        let words = format!(
            "--strategy tds --tds {option} --machine das2 --profile darksight --depth {depth}{memory}"
        );
        Protocol { words, processors, grains, cuts: [lab.cut(12, 4), lab.cut(12, 1)] }
    }

    fn sweep(&self) -> String {
        let Protocol { words, processors, grains, cuts } = self;
        format!("{words} --processors {processors} --grain {grains}{}", cuts[0])
    }

    fn best(&self, best: &Best) -> String {
        let grain = best.grain.map_or(String::new(), |grain| format!(" --grain {grain}"));
        format!("{} --processors {}{grain}{}", self.words, best.processors, self.cuts[1])
    }
}

/// Runs the best grain of each sweep on all positions, with all seeds.
fn run_best(
    lab: &Lab,
    protocols: &[Protocol],
    swept: &[Vec<Vec<SimRow>>],
) -> Result<Vec<Vec<Best>>, Failure> {
    let chosen: Vec<Vec<Best>> = swept.iter().map(|runs| bests(runs)).collect();
    let call = |(protocol, bests): (&Protocol, &Vec<Best>)| -> Vec<String> {
        bests.iter().map(|best| protocol.best(best)).collect()
    };
    let calls: Vec<String> = protocols.iter().zip(&chosen).flat_map(call).collect();
    let mut found = simulate(lab, &calls, lab.seeds(1, 3))?.into_iter();
    let mut run =
        |best: Best| Best { rows: found.next().into_iter().flatten().flatten().collect(), ..best };
    Ok(chosen.into_iter().map(|bests| bests.into_iter().map(&mut run).collect()).collect())
}

/// Figures 5.9 and 5.10.
fn report_by_depth(report: &mut Report, by_depth: &[(i32, &[Best])]) {
    report.text(
        "By depth, with the best grain of each: the thesis finds that the speedup grows with depth up to a maximum that grows with the processors, and falls below 1 in trees that are too small; its load imbalance falls \
         from 0.04 to 0.20 at depth 9 to 0.02 to 0.14 at depth 10.",
    );
    let columns = ["depth", "processors", "best grain", "speedup", "imbalance, %"];
    let mut table = ReportTable::new("by-depth", "By depth, the thesis's rules", &columns);
    for (depth, best) in
        by_depth.iter().flat_map(|(depth, bests)| bests.iter().map(move |best| (depth, best)))
    {
        let of_all = |value: fn(&SimRow) -> f64, unit, digits| {
            Cell::spread(&best.rows.iter().map(value).collect::<Vec<_>>(), unit, digits)
        };
        table.row(vec![
            Cell::from(depth.to_string()),
            best.processors.to_string().into(),
            best.grain.map_or(String::new(), |grain| grain.to_string()).into(),
            of_all(|row| row.speedup, 1.0, 2),
            of_all(|row| row.imbalance, 0.01, 1),
        ]);
    }
    report.table(table);
    report.figure(
        "figure59",
        lines_by_depth("Speedup by depth, the thesis's Figure 5.9", "speedup", by_depth, |row| {
            row.speedup
        }),
    );
    report.figure(
        "figure510",
        lines_by_depth(
            "Load imbalance by depth, the thesis's Figure 5.10",
            "imbalance",
            by_depth,
            |row| row.imbalance,
        ),
    );
}

/// A line over the depths for each number of processors.
fn lines_by_depth(
    title: &str,
    what: &str,
    by_depth: &[(i32, &[Best])],
    value: fn(&SimRow) -> f64,
) -> Chart {
    let processors = by_depth.first().map_or(&[][..], |&(_, bests)| bests);
    let line_of = |(number, one): (usize, &Best)| {
        let at = |(depth, bests): &(i32, &[Best])| {
            let best = bests.iter().find(|best| best.processors == one.processors)?;
            Some((f64::from(*depth), of(&best.rows, value)))
        };
        line(
            number,
            &format!("{} processors", one.processors),
            by_depth.iter().filter_map(at).collect(),
        )
    };
    chart(
        title,
        ("search depth, plies", what),
        processors.iter().enumerate().map(line_of).collect(),
    )
}

/// How many times faster than alone all processors together expand nodes, by grain.
fn expansion(runs: &[Vec<SimRow>]) -> Chart {
    let settings = settings(runs);
    let mut grains: Vec<Option<i32>> = settings.iter().map(|one| one.grain).collect();
    grains.sort_unstable();
    grains.dedup();
    let line_of = |(number, grain): (usize, &Option<i32>)| {
        let at = |one: &Best| {
            let speed = of(&one.rows, |row| row.nodes / row.time);
            let alone = of(&one.rows, |row| row.sequential_nodes / row.sequential_time);
            (f64::from(one.processors), speed / alone)
        };
        let points = settings.iter().filter(|one| one.grain == *grain).map(at).collect();
        let name = grain.map_or(String::new(), |grain| format!("grain {grain}"));
        line(number, &name, points)
    };
    powers_of_both(
        "Expansion of nodes, the thesis's Figure 5.7",
        ("processors", "times the speed of one"),
        grains.iter().enumerate().map(line_of).collect(),
    )
}

fn of(rows: &[SimRow], value: fn(&SimRow) -> f64) -> f64 {
    mean(&rows.iter().map(value).collect::<Vec<_>>())
}

/// For each number of processors the grain with the highest mean speedup over the seeds of a sweep.
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

/// What [`numbers`] gives after processors and grain.
const MEASURES: [&str; 6] =
    ["speedup", "speedup over positions, 95 %", "SO, %", "sync, %", "comm, %", "imbalance, %"];

fn numbers(lab: &Lab, best: &Best) -> Vec<Cell> {
    let text = |value: fn(&SimRow) -> f64, unit, digits| {
        Cell::spread(&best.rows.iter().map(value).collect::<Vec<_>>(), unit, digits)
    };
    vec![
        best.processors.to_string().into(),
        best.grain.map_or(String::new(), |grain| grain.to_string()).into(),
        text(|row| row.speedup, 1.0, 2),
        Cell::interval(over_positions(lab, &times(&best.rows)), 2),
        text(|row| row.search_overhead, 0.01, 1),
        text(|row| row.synchronisation, 0.01, 1),
        text(|row| row.communication, 0.01, 1),
        text(|row| row.imbalance, 0.01, 1),
    ]
}

fn table(lab: &Lab, name: &'static str, title: &str, bests: &[Best]) -> ReportTable {
    let printed =
        ["printed grain", "printed speedup", "printed SO, %", "printed sync, %", "printed comm, %"];
    let columns = [&["processors", "best grain"][..], &MEASURES, &printed].concat();
    let mut table = ReportTable::new(name, title, &columns);
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

/// All grains of a sweep.
fn sweep(
    lab: &Lab,
    file: &'static str,
    name: &str,
    call: &str,
    runs: &[Vec<SimRow>],
) -> ReportTable {
    let columns = [&["processors", "grain"][..], &MEASURES].concat();
    let title = format!("All grains by {name}, one seed: `rookery sim {call}`");
    let mut table = ReportTable::new(file, &title, &columns);
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
