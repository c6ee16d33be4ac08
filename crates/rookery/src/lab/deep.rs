//! `lab deep`: how often the best move changes with depth (D104 to D108).
//!
//! The thesis's text defines the fresh-best rate over all positions; its tables are conditional on a change,
//! while the printed errors divide by all positions (G8), and those of the openings fit other numbers of
//! positions than the text names (G9). Here both rates stand side by side, each with its own number of cases.

use super::deepening::{self, Step, deepen};
use super::figures::{chart, line_with_bars, printed};
use super::positions::Phase;
use super::printed::{DEEP, DeepRow};
use super::report::{Cell, Report, ReportTable};
use super::statistics::{Share, bootstrap, decay, exponential};
use super::work::Lab;
use crate::failure::Failure;
use board::Position;
use search::Profile;

/// A profile that looks at every move.
const PLAIN: Profile = Profile::Negascout;

/// What happened at one depth.
#[derive(Clone, Copy, Default)]
struct Rates {
    /// The best move is another than one ply before.
    change: Share,
    /// It was never best before; of all positions.
    fresh: Share,
    /// The same, of the changes alone.
    fresh_of_changes: Share,
    /// It was best two plies before, of the changes; no cases where there was no such ply.
    two_before: Share,
    /// It was best three plies before and not two, of the changes.
    three_before: Share,
}

impl Rates {
    /// Counts a search at a depth, where it came as far (thesis, 5.2.2).
    fn count(&mut self, bests: &[u16], depth: usize) {
        let Some(&best) = bests.get(depth - 1) else { return };
        let before = |plies: usize| depth > plies && bests[depth - 1 - plies] == best;
        let (changed, fresh) = (!before(1), !bests[..depth - 1].contains(&best));
        self.change.count(changed);
        self.fresh.count(fresh);
        if changed {
            self.fresh_of_changes.count(fresh);
            if depth > 2 {
                self.two_before.count(before(2));
            }
            if depth > 3 {
                self.three_before.count(before(3) && !before(2));
            }
        }
    }
}

fn rates(searches: &[Vec<u16>], depth: usize) -> Rates {
    let mut rates = Rates::default();
    searches.iter().for_each(|bests| rates.count(bests, depth));
    rates
}

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let depth = lab.choose(9, 16);
    let phases = [Phase::Middlegames, Phase::Openings];
    let sets = [
        lab.pick(phases[0].positions(usize::MAX), 200, 342)?,
        lab.pick(phases[1].positions(usize::MAX), 200, 1000)?,
    ];
    let mut report = Report::new("How often the best move changes with depth");
    report.text(format!(
        "Each position is searched to depth {depth} by one thread of the profile `modern`, classical evaluation, with an empty table of {} MB. \
         *Best change* BC(d): the best move of depth d is another than that of depth d − 1. *Fresh best* FB(d): it was never best before. (d − 2) best: the \
         move of two plies before is best again; (d − 3) best: that of three plies before, and not that of two. Searches \
         that ended earlier, such as those that found a short mate, count as far as they came. Intervals are Wilson's, 95 %. \
         The thesis's tables give the fresh-best rate of the changes alone, and errors as if all positions were cases; \
         the last column is the rate that its text defines.",
        deepening::HASH
    ));
    report.text(
        "At depth 2 every change is fresh, for there is one earlier depth; (d − 2) and (d − 3) need depths 3 and 4. The rate at depth 2 is far below the printed \
         one because the default profile prunes: at the nodes of one ply it refutes a move by the static evaluation alone, so depth 2 seldom finds fault with the choice of depth 1. \
         The table of depth 2 shows the same positions by a profile without such pruning.",
    );
    let (found, plain) = search(lab, &sets, depth)?;
    report.table(depth_2(&phases, &found, &plain));
    let (mut changes, mut fresh) = (Vec::new(), Vec::new());
    for (number, (phase, searches)) in phases.into_iter().zip(&found).enumerate() {
        let all: Vec<Rates> = (2..=depth as usize).map(|depth| rates(searches, depth)).collect();
        report.table(table(phase, &all));
        let points = |value: fn(&Rates) -> Share| {
            let point = |(rates, depth)| Some((f64::from(depth), value(rates).value()?));
            all.iter().zip(2..).filter_map(point).collect::<Vec<(f64, f64)>>()
        };
        report.table(fit(phase, &points(|rates| rates.change)));
        let (name, color) = (format!("ours, {}", phase.name()), number);
        changes.extend(with_errors(color, &name, &all, |rates| rates.change));
        fresh.extend(with_errors(color, &name, &all, |rates| rates.fresh_of_changes));
    }
    for (number, (name, rows)) in DEEP.iter().enumerate() {
        let points = |value: fn(&DeepRow) -> f64| {
            rows.iter().map(|row| (f64::from(row.0), value(row))).collect()
        };
        changes.push(printed(number + 2, name, points(|row| row.1)));
        fresh.push(printed(number + 2, name, points(|row| row.2)));
    }
    report.figure(
        "best-change",
        chart("Best-change rate", ("search depth, plies", "share of the positions"), changes),
    );
    report.figure(
        "fresh-best",
        chart("Fresh-best rate", ("search depth, plies", "share of the changes"), fresh),
    );
    report.text(
        "**Newborn's hypothesis**: what a ply more gains in rating follows the best-change rate, RI(d + 1) = RI(d) · BC(d + 1) / BC(d). A quotient below 1 then means \
         diminishing returns; its interval is in the second column. Whether ratings follow it is not measured here: that needs games. **Heinz's hypothesis**: the fresh-best rate \
         changes by the same factor, BC(d + 1) / BC(d) ≈ FB(d + 1) / FB(d), with the fresh bests of the changes. It is refuted at a depth where the interval of the difference \
         leaves out 0; intervals are bootstraps over the positions, 95 %, so one depth in twenty is refuted by chance.",
    );
    for (phase, searches) in phases.into_iter().zip(&found) {
        report.table(ratios(phase, searches, depth as usize, lab));
    }
    report.table(printed_table());
    Ok(report)
}

/// A line with its error bars.
fn with_errors(
    color: usize,
    name: &str,
    all: &[Rates],
    value: fn(&Rates) -> Share,
) -> [plot::Series; 2] {
    let at = |(rates, depth)| {
        let share = value(rates);
        Some((f64::from(depth), share.value()?, share.interval()))
    };
    line_with_bars(color, name, &all.iter().zip(2..).filter_map(at).collect::<Vec<_>>())
}

/// The best moves of each search by depth, for each set; and those of a search without pruning to depth 2.
type Bests = [Vec<Vec<u16>>; 2];

fn search(lab: &Lab, sets: &[Vec<Position>; 2], depth: i32) -> Result<(Bests, Bests), Failure> {
    let ways = [(Profile::Modern, depth), (PLAIN, 2)];
    let each_set = |way| (0..sets.len()).map(move |set| (way, set));
    let each_place =
        |(way, set): (usize, usize)| (0..sets[set].len()).map(move |at| (way, set, at));
    let units: Vec<_> = (0..ways.len()).flat_map(each_set).flat_map(each_place).collect();
    let name = |&(way, set, at): &(usize, usize, usize)| {
        let ((profile, depth), fen) = (ways[way], sets[set][at].fen());
        format!("deep, {profile}, depth {depth}, {fen}")
    };
    let length = |&(way, ..): &(usize, usize, usize)| 1.8f64.powi(ways[way].1);
    let found: Vec<Vec<Step>> = lab.each(&units, name, length, |&(way, set, at)| {
        let (profile, depth) = ways[way];
        deepen((profile, profile.switches()), &sets[set][at], depth)
    })?;
    let mut bests: [Bests; 2] = Default::default();
    for (&(way, set, _), steps) in units.iter().zip(found) {
        bests[way][set].push(steps.iter().map(|step| step.best).collect());
    }
    let [found, plain] = bests;
    Ok((found, plain))
}

/// The rate at depth 2 with and without pruning.
fn depth_2(phases: &[Phase; 2], found: &Bests, plain: &Bests) -> ReportTable {
    let columns = ["positions", "cases", "best change, default profile", "without pruning"];
    let title = format!("Best change at depth 2, by the default profile and by `{PLAIN}`");
    let mut table = ReportTable::new("depth-2", &title, &columns);
    for (number, phase) in phases.iter().enumerate() {
        let [ours, plain] = [found, plain].map(|bests| rates(&bests[number], 2).change);
        table.row(vec![
            Cell::from(phase.name().to_owned()),
            ours.cases.to_string().into(),
            Cell::share(ours),
            Cell::share(plain),
        ]);
    }
    table
}

fn table(phase: Phase, rates: &[Rates]) -> ReportTable {
    let columns = [
        "depth",
        "positions",
        "best change",
        "fresh best of the changes",
        "(d − 2) best",
        "(d − 3) best",
        "fresh best of all",
    ];
    let mut table = ReportTable::new(
        format!("rates-{}", phase.name()),
        &format!("Rates, {}", phase.name()),
        &columns,
    );
    for (rates, depth) in rates.iter().zip(2..) {
        let Rates { change, fresh, fresh_of_changes, two_before, three_before } = rates;
        let shares = [change, fresh_of_changes, two_before, three_before, fresh]
            .map(|&share| Cell::share(share));
        let mut row = vec![Cell::from(depth.to_string()), change.cases.to_string().into()];
        row.extend(shares);
        table.row(row);
    }
    table
}

/// The exponential curve through the best-change rates, as in the thesis's Figure 5.5, beside a constant.
///
/// Depth 2 is left out: with this search it seldom finds another move than depth 1.
fn fit(phase: Phase, points: &[(f64, f64)]) -> ReportTable {
    let title = format!(
        "Best-change rate from depth 3 on as a curve and as a constant, {}: root mean square error",
        phase.name()
    );
    let mut table = ReportTable::new(
        format!("fit-{}", phase.name()),
        &title,
        &["a + b·exp(−c·d)", "a", "b", "c", "error"],
    );
    let points = points.get(1..).unwrap_or_default();
    let error = |value: &dyn Fn(f64) -> f64| {
        let squares = points.iter().map(|&(x, y)| (value(x) - y).powi(2)).sum::<f64>();
        (squares / points.len().max(1) as f64).sqrt()
    };
    let mut row = |name: &str, [a, b, c, error]: [Option<f64>; 4]| {
        let number = |digits: usize| {
            move |number: Option<f64>| number.map_or(String::new(), |n| format!("{n:.digits$}"))
        };
        let [a, b, c] = [a, b, c].map(number(3));
        table.row(vec![name.to_owned(), a, b, c, number(4)(error)]);
    };
    // At the ends of what is tried the curve is a straight line or a step.
    match exponential(points).filter(|(.., c)| (0.011..2.999).contains(c)) {
        Some((a, b, c)) => {
            let curve = error(&|x| a + b * (-c * x).exp());
            row("exponential with a floor", [Some(a), Some(b), Some(c), Some(curve)]);
        }
        None => row("exponential with a floor: none fits", [None; 4]),
    }
    if let Some((b, c)) = decay(points) {
        let curve = error(&|x| b * (-c * x).exp());
        row("exponential to nought", [None, Some(b), Some(c), Some(curve)]);
    }
    let mean = points.iter().map(|point| point.1).sum::<f64>() / points.len().max(1) as f64;
    row("constant", [Some(mean), None, None, Some(error(&|_| mean))]);
    table
}

/// The quotients of Newborn's and Heinz's hypotheses with bootstrapped intervals (D106, D107).
fn ratios(phase: Phase, searches: &[Vec<u16>], depth: usize, lab: &Lab) -> ReportTable {
    let columns =
        ["d", "BC(d+1)/BC(d)", "FB(d+1)/FB(d)", "BC quotient − FB quotient", "Heinz's hypothesis"];
    let mut table = ReportTable::new(
        format!("ratios-{}", phase.name()),
        &format!("Newborn's and Heinz's quotients, {}", phase.name()),
        &columns,
    );
    let quotient =
        |one: Share, next: Share| Some(next.value()? / one.value().filter(|&share| share > 0.0)?);
    let rounds = lab.choose(500, 10_000);
    for d in 2..depth {
        let both = |draw: &mut dyn FnMut() -> usize| {
            let (mut one, mut next) = (Rates::default(), Rates::default());
            for _ in 0..searches.len() {
                let bests = &searches[draw()];
                one.count(bests, d);
                next.count(bests, d + 1);
            }
            let change = quotient(one.change, next.change)?;
            Some((change, quotient(one.fresh_of_changes, next.fresh_of_changes)?))
        };
        let interval = |number: &dyn Fn((f64, f64)) -> f64| {
            bootstrap(searches.len(), rounds, lab.seed, |draw| both(draw).map(number))
        };
        let difference = interval(&|(change, fresh)| change - fresh);
        let holds = difference.map_or("", |(low, high)| {
            if low <= 0.0 && 0.0 <= high { "not refuted" } else { "refuted" }
        });
        let [change, fresh] = [interval(&|pair| pair.0), interval(&|pair| pair.1)];
        let [change, fresh, difference] =
            [change, fresh, difference].map(|interval| Cell::interval(interval, 3));
        table.row(vec![
            Cell::from(d.to_string()),
            change,
            fresh,
            difference,
            Cell::from(holds.to_owned()),
        ]);
    }
    table
}

/// The thesis's rates, for the eye beside ours.
fn printed_table() -> ReportTable {
    let mut table = ReportTable::new(
        "printed",
        "Printed in the thesis, Tables A.1 to A.4: best change BC, fresh best of the changes FB",
        &["depth"],
    );
    for (name, _) in DEEP {
        ["BC", "FB"].into_iter().for_each(|rate| table.column(format!("{name}, {rate}")));
    }
    for depth in 2..=20 {
        let both = |rows: &[DeepRow]| {
            let row = rows.iter().find(|row| row.0 == depth);
            row.map_or(Default::default(), |row| [row.1, row.2].map(|rate| format!("{rate:.4}")))
        };
        let cells = DEEP.iter().flat_map(|(_, rows)| -> [String; 2] { both(rows) });
        table.row([depth.to_string()].into_iter().chain(cells).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g8_a_change_back_is_no_fresh_move_and_short_searches_count_as_far_as_they_came() {
        // The second search ended after three plies.
        let searches = [vec![1, 2, 1, 3], vec![5, 5, 6]];
        let at = |depth| rates(&searches, depth);
        assert_eq!(
            (at(2).change, at(2).fresh),
            (Share { hits: 1, cases: 2 }, Share { hits: 1, cases: 2 })
        );
        assert_eq!(at(3).change, Share { hits: 2, cases: 2 });
        assert_eq!(
            (at(3).fresh, at(3).fresh_of_changes),
            (Share { hits: 1, cases: 2 }, Share { hits: 1, cases: 2 })
        );
        assert_eq!(at(3).two_before, Share { hits: 1, cases: 2 });
        assert_eq!(
            (at(4).change, at(4).fresh_of_changes),
            (Share { hits: 1, cases: 1 }, Share { hits: 1, cases: 1 })
        );
        assert_eq!(at(4).three_before, Share { hits: 0, cases: 1 });
        assert_eq!((at(2).two_before, at(3).three_before), (Share::default(), Share::default()));
    }

    #[test]
    fn g8_the_printed_errors_divide_by_all_positions() {
        let error = |share: f64, cases: f64| 100.0 * (share * (1.0 - share) / cases).sqrt();
        let original = DEEP[0].1;
        // Best change at depth 2: 2.65 % of 342 positions. Fresh best at depth 20: 2.59 %, which is that of
        // 248 positions, while only 19 of them had changed (4 of 19).
        assert!((error(original[0].1, 342.0) - 2.65).abs() < 0.005);
        assert!((error(original[18].2, 248.0) - 2.59).abs() < 0.005);
        assert!(
            (original[18].2 - 4.0 / 19.0).abs() < 1e-4
                && (original[18].1 - 19.0 / 248.0).abs() < 1e-4
        );
    }
}
