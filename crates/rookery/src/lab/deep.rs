//! `lab deep`: how often the best move changes with depth (D104 to D108).
//!
//! The thesis's text defines the fresh-best rate over all positions; its tables are conditional on a change,
//! while the printed errors divide by all positions (G8), and those of the openings fit other numbers of
//! positions than the text names (G9). Here both rates stand side by side, each with its own number of cases.

use super::deepening::{self, Step, deepen};
use super::figures::{chart, line, printed};
use super::positions::Phase;
use super::printed::{DEEP, DeepRow};
use super::report::{Report, Table};
use super::statistics::{Share, bootstrap, exponential};
use super::work::Lab;
use crate::failure::Failure;
use search::Profile;

/// What happened at one depth.
#[derive(Clone, Copy, Default)]
struct Rates {
    /// The best move is another than one ply before.
    change: Share,
    /// It was never best before; of all positions.
    fresh: Share,
    /// The same, of the changes alone.
    fresh_of_changes: Share,
    /// It was best two plies before, of the changes.
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
            self.two_before.count(before(2));
            self.three_before.count(before(3) && !before(2));
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
    let depth = lab.choose(9, 14);
    let sets = [(Phase::Middlegames, lab.count(200, 342)), (Phase::Openings, lab.count(200, 1000))];
    let mut report = Report::new("How often the best move changes with depth");
    report.text(format!(
        "Each position is searched to depth {depth} by one thread of the default profile with an empty table of {} MB. \
         *Best change*: the best move is another than one ply before. *Fresh best*: it was never best before. Searches \
         that ended earlier, such as those that found a short mate, count as far as they came. Intervals are Wilson's, 95 %. \
         The thesis's tables give the fresh-best rate of the changes alone, and errors as if all positions were cases; \
         the last column is the rate that its text defines.",
        deepening::HASH
    ));
    let (mut changes, mut fresh) = (Vec::new(), Vec::new());
    for (number, (phase, count)) in sets.into_iter().enumerate() {
        let searches = search(lab, phase, count, depth)?;
        let all: Vec<Rates> = (2..=depth as usize).map(|depth| rates(&searches, depth)).collect();
        report.table(table(phase, &all));
        let points = |value: fn(&Rates) -> Share| {
            let point = |(rates, depth)| Some((f64::from(depth), value(rates).value()?));
            all.iter().zip(2..).filter_map(point).collect::<Vec<(f64, f64)>>()
        };
        report.text(fit(phase, &points(|rates| rates.change)));
        report.table(ratios(phase, &searches, depth as usize, lab));
        changes.push(line(
            number,
            &format!("ours, {}", phase.name()),
            points(|rates| rates.change),
        ));
        fresh.push(line(
            number,
            &format!("ours, {}", phase.name()),
            points(|rates| rates.fresh_of_changes),
        ));
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
    report.table(printed_table());
    Ok(report)
}

/// The best moves of each search, by depth.
fn search(lab: &Lab, phase: Phase, count: usize, depth: i32) -> Result<Vec<Vec<u16>>, Failure> {
    let positions = phase.positions(count);
    let switches = Profile::Modern.switches();
    let name = |position: &board::Position| format!("deep, depth {depth}, {}", position.fen());
    let found: Vec<Vec<Step>> =
        lab.each(&positions, name, |position| deepen(switches, position, depth))?;
    Ok(found.iter().map(|steps| steps.iter().map(|step| step.best).collect()).collect())
}

fn table(phase: Phase, rates: &[Rates]) -> Table {
    let columns = [
        "depth",
        "positions",
        "best change",
        "fresh best of the changes",
        "(d − 2) best",
        "(d − 3) best",
        "fresh best of all",
    ];
    let mut table = Table::new(
        format!("rates-{}", phase.name()),
        &format!("Rates, {}", phase.name()),
        &columns,
    );
    for (rates, depth) in rates.iter().zip(2..) {
        let Rates { change, fresh, fresh_of_changes, two_before, three_before } = rates;
        let shares =
            [change, fresh_of_changes, two_before, three_before, fresh].map(|share| share.text());
        let mut row = vec![depth.to_string(), change.cases.to_string()];
        row.extend(shares);
        table.row(row);
    }
    table
}

/// The exponential curve through the best-change rates, as in the thesis's Figure 5.5, beside a constant.
///
/// Depth 2 is left out: with this search it seldom finds another move than depth 1.
fn fit(phase: Phase, points: &[(f64, f64)]) -> String {
    let points = points.get(1..).unwrap_or_default();
    let Some((a, b, c)) = exponential(points) else { return String::new() };
    if c <= 0.01 || c >= 3.0 {
        return format!(
            "The best-change rates of the {} show no exponential decay that could be fitted.",
            phase.name()
        );
    }
    let mean = points.iter().map(|point| point.1).sum::<f64>() / points.len() as f64;
    let error = |value: &dyn Fn(f64) -> f64| {
        let squares = points.iter().map(|&(x, y)| (value(x) - y).powi(2)).sum::<f64>();
        (squares / points.len() as f64).sqrt()
    };
    let (curve, constant) = (error(&|x| a + b * (-c * x).exp()), error(&|_| mean));
    format!(
        "Best-change rate of the {} from depth 3 on: {a:.3} + {b:.3}·exp(−{c:.2}·d) is {curve:.4} from the points (root mean square); the constant {mean:.3} is {constant:.4} from them.",
        phase.name()
    )
}

/// The quotients of Newborn's and Heinz's hypotheses with bootstrapped intervals (D106, D107).
fn ratios(phase: Phase, searches: &[Vec<u16>], depth: usize, lab: &Lab) -> Table {
    let columns = [
        "d",
        "BC(d+1)/BC(d)",
        "FB(d+1)/FB(d)",
        "difference of the two",
        "Heinz's hypothesis at 95 %",
    ];
    let mut table = Table::new(
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
        let text = |interval: Option<(f64, f64)>| {
            interval.map_or(String::new(), |(low, high)| format!("{low:.3} to {high:.3}"))
        };
        let difference = interval(&|(change, fresh)| change - fresh);
        let holds = difference.map_or("", |(low, high)| {
            if low <= 0.0 && 0.0 <= high { "not refuted" } else { "refuted" }
        });
        let [change, fresh] = [interval(&|pair| pair.0), interval(&|pair| pair.1)].map(text);
        table.row(vec![d.to_string(), change, fresh, text(difference), holds.to_owned()]);
    }
    table
}

/// The thesis's rates, for the eye beside ours.
fn printed_table() -> Table {
    let mut table = Table::new(
        "printed",
        "Printed in the thesis, Tables A.1 to A.4: best change / fresh best",
        &["depth"],
    );
    DEEP.iter().for_each(|(name, _)| table.column((*name).to_owned()));
    for depth in 2..=20 {
        let cell = |rows: &[DeepRow]| {
            let row = rows.iter().find(|row| row.0 == depth);
            row.map_or(String::new(), |row| format!("{:.4} / {:.4}", row.1, row.2))
        };
        let cells = DEEP.iter().map(|(_, rows)| cell(rows));
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
