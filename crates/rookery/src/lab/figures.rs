//! Charts with axes that fit their lines.

use plot::{Axis, COLORS, Chart, Line, Scale, Stroke};

/// A line of our own, by its number.
pub fn line(number: usize, name: &str, points: Vec<(f64, f64)>) -> Line {
    let stroke = Stroke { color: COLORS[number % COLORS.len()], width: 2.0, dashes: "" };
    Line { name: name.to_owned(), points, stroke }
}

/// A line of a paper, dashed, by its number.
pub fn printed(number: usize, name: &str, points: Vec<(f64, f64)>) -> Line {
    let line = line(number, name, points);
    Line { stroke: Stroke { width: 1.2, dashes: "5 3", ..line.stroke }, ..line }
}

/// A chart with linear axes from nought.
pub fn chart(title: &str, (x, y): (&str, &str), lines: Vec<Line>) -> Chart {
    let most = |value: fn(&(f64, f64)) -> f64| {
        let points = lines.iter().flat_map(|line| &line.points);
        points.map(value).filter(|value| value.is_finite()).fold(0.0f64, f64::max)
    };
    let axis = |title: &str, most: f64| Axis {
        title: title.to_owned(),
        scale: Scale::Linear,
        ticks: ticks(most),
    };
    let (x, y) = (axis(x, most(|point| point.0)), axis(y, most(|point| point.1)));
    Chart { title: title.to_owned(), x, y, lines }
}

/// A chart whose axis to the right has powers of two, for processors, and whose lines may go as far up.
pub fn powers(title: &str, (x, y): (&str, &str), lines: Vec<Line>) -> Chart {
    let linear = chart(title, (x, y), lines);
    let values = || linear.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(1.0, f64::max));
    let ticks = (0..31).map(|power| f64::from(1u32 << power));
    let ticks = ticks.filter(|&tick| 2.0 * tick > least && tick < 2.0 * most).collect();
    let x = Axis { title: linear.x.title.clone(), scale: Scale::Powers, ticks };
    Chart { x, ..linear }
}

/// Round values from 0 to at least `most`, five to ten of them.
fn ticks(most: f64) -> Vec<f64> {
    let most = if most > 0.0 { most } else { 1.0 };
    let power = 10f64.powf((most / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| most / step <= 10.0).unwrap_or(most);
    // Multiples of a decimal fraction would show their last digits.
    let digits = (-power.log10()).max(0.0) as i32 + 1;
    let round = |value: f64| (value * 10f64.powi(digits)).round() / 10f64.powi(digits);
    (0..=(most / step).ceil() as u32).map(|number| round(f64::from(number) * step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_the_largest_value() {
        assert_eq!(ticks(0.37), [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]);
        assert_eq!(ticks(12.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        assert_eq!(ticks(0.0).last(), Some(&1.0));
        for most in [0.003, 0.99, 7.0, 21.0, 1024.0, 3e6] {
            let ticks = ticks(most);
            assert!((5..=12).contains(&ticks.len()) && ticks.last() >= Some(&most), "{ticks:?}");
        }
    }
}
