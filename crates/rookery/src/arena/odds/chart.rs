//! The picture of `--odds --plot`: strength over the factor of the second engine's time.

use super::fit::Equal;
use super::report::Report;
use crate::arena::chart::{EVEN, HEIGHT, LINE, elo_axis, mark_beyond};
use plot::{Axis, COLORS, Canvas, Chart, Mark, Scale, Series, Stroke};

const FITTED: Stroke = Stroke { color: COLORS[1], width: 1.5, dashes: &[] };
const ANSWER: Stroke = Stroke { color: COLORS[1], width: 1.0, dashes: &[6.0, 3.0] };

/// Draws.
pub fn draw(report: &Report<'_>) -> Canvas {
    let counted = || report.steps.iter().filter(|step| step.results.are_enough());
    let x = factors(report);
    let bounds = counted().flat_map(|step| {
        let (low, high) = step.results.elo_interval();
        [low, high, step.results.elo().value]
    });
    let y = elo_axis(format!("Elo of {}", report.first), bounds);
    let (least, most) = ends(&y);
    let across = |value: f64| [ends(&x).0, ends(&x).1].map(|x| (x, value)).to_vec();
    let bars = counted().map(|step| {
        let (low, high) = step.results.elo_interval();
        [(step.odds, low.clamp(least, most)), (step.odds, high.clamp(least, most))]
    });
    let dots: Vec<_> = counted().map(|step| (step.odds, step.results.elo().value)).collect();
    let beyond = mark_beyond(
        &y,
        counted().flat_map(|step| {
            let (low, high) = step.results.elo_interval();
            [(step.odds, low), (step.odds, high)]
        }),
    );
    let mut series = vec![
        Series::line("", across(0.0), EVEN),
        Series { name: "95 % confidence".into(), mark: Mark::Segments(bars.collect(), LINE) },
    ];
    let title = format!("{} against {} with k times the time", report.first, report.second);
    let title = match (report.found(), dots.is_empty()) {
        (Some(equal), _) => {
            let Equal { odds, low, high, .. } = equal;
            let through = x.ticks.iter().map(|&k| (k, equal.elo_at(k).clamp(least, most)));
            series.push(Series::line("fit", through.collect(), FITTED));
            let name = format!("equal at {odds:.2} ({low:.2} to {high:.2})");
            series.push(Series::line(name, vec![(odds, least), (odds, most)], ANSWER));
            title
        }
        (None, true) => format!("{title}: too few games for an answer"),
        (None, false) => format!("{title}: no answer yet"),
    };
    let dots = dots.into_iter().filter(|dot| (least..=most).contains(&dot.1)).collect();
    series.push(Series { name: "steps".into(), mark: Mark::Dots(dots, LINE.color) });
    series.extend(beyond);
    plot::stack(&[Chart { title, x, y, series }], HEIGHT)
}

/// The first and the last tick.
fn ends(axis: &Axis) -> (f64, f64) {
    let tick = |tick: Option<&f64>| tick.copied().unwrap_or(1.0);
    (tick(axis.ticks.first()), tick(axis.ticks.last()))
}

/// Powers of two around all factors that were played, and around the answer.
fn factors(report: &Report<'_>) -> Axis {
    let played = || report.steps.iter().map(|step| step.odds);
    let powers = || played().chain(report.found().map(|equal| equal.odds)).map(f64::log2);
    let low = powers().fold(0.0, f64::min).floor() as i32;
    let high = powers().fold(1.0, f64::max).ceil() as i32;
    let ticks = (low..=high).map(|power| f64::from(power).exp2()).collect();
    Axis { title: "k, the factor of the second engine's time".into(), scale: Scale::Powers, ticks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::elo::Pentanomial;
    use crate::arena::odds::report::Step;
    use crate::arena::tally::Duel;
    use std::collections::BTreeMap;

    fn picture(steps: &[(f64, [u64; 5])]) -> String {
        let step = |&(odds, pairs): &(f64, [u64; 5])| {
            let mut duel = Duel::default();
            duel.pairs = Pentanomial { pairs };
            Step::new(odds, &duel, Vec::new())
        };
        let steps: Vec<Step> = steps.iter().map(step).collect();
        draw(&Report::new(["A", "B"], &[], &BTreeMap::new(), &steps)).svg()
    }

    #[test]
    fn steps_have_error_bars_and_the_answer_a_line() {
        let drawn = picture(&[(2.0, [1, 2, 4, 6, 7]), (8.0, [7, 6, 4, 2, 1])]);
        for text in ["Elo of A", "95 % confidence", "fit", "equal at 4.00 (", "steps", ">8</text>"]
        {
            assert!(drawn.contains(text), "{text}: {drawn}");
        }
        assert_eq!(drawn.matches("<circle").count(), 3, "two steps and the legend: {drawn}");
    }

    #[test]
    fn what_is_no_answer_is_drawn_without_wild_numbers() {
        for (steps, words) in [
            (&[][..], "too few games for an answer"),
            (&[(4.0, [0, 0, 0, 0, 1])], "too few games for an answer"),
            (&[(4.0, [0, 0, 0, 0, 20]), (8.0, [0, 0, 0, 0, 20])], "no answer yet"),
        ] {
            let drawn = picture(steps);
            let is_wild = ["NaN", "inf", "fit"].iter().any(|wild| drawn.contains(wild));
            assert!(drawn.contains(words) && !is_wild, "{steps:?}: {drawn}");
        }
    }
}
