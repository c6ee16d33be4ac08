//! `lab aspiration`: how far the value moves from one depth to the next, and the window that costs least
//! (D102, D103).

use super::deepening::{self, Step, deepen};
use super::figures::{chart, line};
use super::positions::Phase;
use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use board::Position;
use eval::score::is_decided;
use plot::Series;
use search::Profile;
use search::switches::{Switches, Window};

/// Windows of the second part, in centipawns to each side.
const WINDOWS: [i32; 6] = [10, 20, 40, 80, 160, 320];
/// Cells of the density, in centipawns.
const CELL: usize = 10;
/// The largest difference that the figures show.
const LARGEST: usize = 120;

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let depth = lab.choose(9, 13);
    let mut report = Report::new("Aspiration windows");
    report.text(format!(
        "Each position is searched to depth {depth} with an open window. ε is the difference between the value of depth d \
         and the value of the first move at depth d + 1: a window of ±ε around the former would have held. Default profile, \
         one thread, an empty table of {} MB; won and lost positions are left out.",
        deepening::HASH
    ));
    let [first, second, third] =
        Phase::ALL.map(|phase| lab.pick(phase.positions(usize::MAX), 40, 400));
    let sets = [first?, second?, third?];
    let searched = search(lab, &sets, depth)?;
    for (phase, searches) in Phase::ALL.into_iter().zip(&searched.open) {
        let sizes: Vec<Vec<i32>> =
            (1..depth as usize).map(|depth| sizes(searches, depth)).collect();
        report.table(quantiles(phase, &sizes));
        if phase == Phase::Openings {
            report.figure("density", density(&sizes));
            report.figure("cumulative", cumulative(&sizes));
        }
        report.table(pairs(phase, &sizes));
    }
    report.text(
        "The thesis leaves open which window costs least. Here the same positions are searched with a window of ±w around the \
         last value, which a failure opens to that side; nodes of an iteration in per cent of those with the open window.",
    );
    report.table(costs(&searched, depth));
    Ok(report)
}

/// All searches: the open window by set; some positions of all sets by window, beginning with the open one.
struct Searched {
    open: [Vec<Vec<Step>>; 3],
    by_window: Vec<Vec<Vec<Step>>>,
}

fn search(lab: &Lab, sets: &[Vec<Position>; 3], depth: i32) -> Result<Searched, Failure> {
    let few = lab.choose(12, 100);
    let narrow = WINDOWS.map(Window::Static);
    let mut units: Vec<(Window, Position)> = Vec::new();
    for set in sets {
        units.extend(set.iter().map(|&position| (Window::Full, position)));
    }
    for window in narrow {
        let positions = sets.iter().flat_map(|set| set.iter().take(few));
        units.extend(positions.map(|&position| (window, position)));
    }
    let name = |(window, position): &(Window, Position)| {
        format!("{window:?}, depth {depth}, {}", position.fen())
    };
    let mut found = lab
        .each(
            &units,
            name,
            |_| 1.0,
            |&(window, ref position)| {
                let switches = Switches { window, ..Profile::Modern.switches() };
                deepen((Profile::Modern, switches), position, depth)
            },
        )?
        .into_iter();
    let open = [0, 1, 2].map(|set: usize| found.by_ref().take(sets[set].len()).collect::<Vec<_>>());
    let first = open.iter().flat_map(|set| set.iter().take(few).cloned()).collect::<Vec<_>>();
    let count = first.len();
    let rest = WINDOWS.iter().map(|_| found.by_ref().take(count).collect());
    let by_window = [first].into_iter().chain(rest).collect();
    Ok(Searched { open, by_window })
}

/// The window sizes that the step from a depth to the next needed, in ascending order.
fn sizes(searches: &[Vec<Step>], depth: usize) -> Vec<i32> {
    let known = |value: i32| i16::try_from(value).is_ok_and(|value| !is_decided(value));
    let size = |steps: &Vec<Step>| {
        let (last, first) = (steps.get(depth - 1)?.score, steps.get(depth)?.first?);
        (known(last) && known(first)).then(|| (first - last).abs())
    };
    let mut sizes: Vec<i32> = searches.iter().filter_map(size).collect();
    sizes.sort_unstable();
    sizes
}

fn quantiles(phase: Phase, sizes: &[Vec<i32>]) -> ReportTable {
    let columns = [
        "d",
        "positions",
        "median",
        "75 %",
        "90 %",
        "95 %",
        "within 10",
        "within 20",
        "within 40",
        "within 80",
    ];
    let mut table = ReportTable::new(
        phase.name(),
        &format!("ε by depth, {}, centipawns", phase.name()),
        &columns,
    );
    for (sizes, depth) in sizes.iter().zip(1..) {
        let quantile = |part: f64| {
            let place = (part * sizes.len().saturating_sub(1) as f64).round() as usize;
            sizes.get(place).map_or(String::new(), i32::to_string)
        };
        let within = |size: i32| format!("{:.1} %", 100.0 * share_within(sizes, size));
        let mut row = vec![depth.to_string(), sizes.len().to_string()];
        row.extend([0.5, 0.75, 0.9, 0.95].map(quantile));
        row.extend([10, 20, 40, 80].map(within));
        table.row(row);
    }
    table
}

fn share_within(sizes: &[i32], size: i32) -> f64 {
    sizes.partition_point(|&one| one <= size) as f64 / sizes.len().max(1) as f64
}

fn depths(sizes: &[Vec<i32>], points: impl Fn(&[i32]) -> Vec<(f64, f64)>) -> Vec<Series> {
    let every = sizes.iter().zip(1..).filter(|(_, depth)| depth % 2 == 0).enumerate();
    every
        .map(|(number, (sizes, depth))| line(number, &format!("d = {depth}"), points(sizes)))
        .collect()
}

fn density(sizes: &[Vec<i32>]) -> plot::Chart {
    let points = |sizes: &[i32]| {
        let cell = |cell: usize| {
            let (low, high) = ((cell * CELL) as i32, ((cell + 1) * CELL) as i32);
            let share = share_within(sizes, high - 1) - share_within(sizes, low - 1);
            ((cell * CELL) as f64 + CELL as f64 / 2.0, 100.0 * share)
        };
        (0..LARGEST / CELL).map(cell).collect()
    };
    chart(
        "Density of the window sizes, openings",
        ("ε, centipawns", "share, % per 10 centipawns"),
        depths(sizes, points),
    )
}

fn cumulative(sizes: &[Vec<i32>]) -> plot::Chart {
    let points = |sizes: &[i32]| {
        (0..=LARGEST)
            .step_by(2)
            .map(|size| (size as f64, 100.0 * share_within(sizes, size as i32)))
            .collect()
    };
    chart(
        "Cumulative distribution of the window sizes, openings",
        ("ε, centipawns", "share, %"),
        depths(sizes, points),
    )
}

/// How unlike the distributions of neighbouring depths are: the thesis saw pairs of an odd depth and the next.
fn pairs(phase: Phase, sizes: &[Vec<i32>]) -> ReportTable {
    let title =
        format!("Largest distance between the distributions of d and d + 1, {}", phase.name());
    let mut table = ReportTable::new(
        format!("pairs-{}", phase.name()),
        &title,
        &["d", "d is", "distance", "significant at 5 %"],
    );
    for (d, pair) in (1..).zip(sizes.windows(2)) {
        let (one, next) = (&pair[0], &pair[1]);
        let distance = distance(one, next);
        // Kolmogorov and Smirnov: 1.358 is the critical value for 5 %.
        let (n, m) = (one.len().max(1) as f64, next.len().max(1) as f64);
        let significant = distance > 1.358 * ((n + m) / (n * m)).sqrt();
        let parity = if d % 2 == 0 { "even" } else { "odd" };
        let answer = if significant { "yes" } else { "no" };
        table.row(vec![
            d.to_string(),
            parity.to_owned(),
            format!("{distance:.3}"),
            answer.to_owned(),
        ]);
    }
    table
}

/// The largest difference of two distributions.
fn distance(one: &[i32], next: &[i32]) -> f64 {
    let at = |&size: &i32| (share_within(one, size) - share_within(next, size)).abs();
    one.iter().chain(next).map(at).fold(0.0, f64::max)
}

/// What windows cost, by depth.
fn costs(searched: &Searched, depth: i32) -> ReportTable {
    let nodes = |searches: &Vec<Vec<Step>>| -> Vec<u64> {
        let at =
            |depth: usize| searches.iter().filter_map(|steps| Some(steps.get(depth)?.nodes)).sum();
        (0..depth as usize).map(at).collect()
    };
    let mut columns: Vec<Vec<u64>> = searched.by_window.iter().map(nodes).collect();
    let open = columns.remove(0);
    let mut table = ReportTable::new(
        "costs",
        "Nodes of an iteration, % of those with the open window",
        &["depth"],
    );
    WINDOWS.iter().for_each(|window| table.column(format!("±{window}")));
    table.column("least".to_owned());
    for depth in 2..=depth as usize {
        let percent =
            |column: &Vec<u64>| 100.0 * column[depth - 1] as f64 / open[depth - 1].max(1) as f64;
        let percents: Vec<f64> = columns.iter().map(percent).collect();
        let least = percents.iter().zip(WINDOWS).min_by(|one, other| one.0.total_cmp(other.0));
        let least =
            least.filter(|(percent, _)| **percent < 100.0).map(|(_, window)| window.to_string());
        let cells = percents.iter().map(|percent| format!("{percent:.1}"));
        let last = least.unwrap_or_else(|| "open".to_owned());
        table.row([depth.to_string()].into_iter().chain(cells).chain([last]).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(score: i32, first: i32) -> Step {
        Step { best: 0, score, first: Some(first), nodes: 1 }
    }

    #[test]
    fn d102_the_size_is_from_the_last_value_to_that_of_the_first_move() {
        // The best move of depth 2 is not its first one: only the latter counts.
        let searches = [vec![step(10, 10), step(90, 30), step(0, 80)], vec![step(5, 5)]];
        assert_eq!(sizes(&searches, 1), [20]);
        assert_eq!(sizes(&searches, 2), [10]);
        let mated = [vec![step(31_000, 31_000), step(20, 20)]];
        assert!(sizes(&mated, 1).is_empty());
    }

    #[test]
    fn distances_of_distributions_are_those_of_kolmogorov_and_smirnov() {
        assert_eq!(distance(&[1, 2, 3, 4], &[1, 2, 3, 4]), 0.0);
        assert_eq!(distance(&[1, 2], &[3, 4]), 1.0);
        assert_eq!(distance(&[1, 2, 3, 4], &[3, 4, 5, 6]), 0.5);
        assert_eq!(share_within(&[1, 2, 3, 4], 2), 0.5);
    }
}
