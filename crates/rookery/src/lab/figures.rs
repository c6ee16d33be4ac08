//! Charts with axes that fit their lines.

use plot::{Axis, COLORS, Chart, Mark, Scale, Series, Stroke};

/// A line of our own, by its number.
pub fn line(number: usize, name: &str, points: Vec<(f64, f64)>) -> Series {
    // More lines than colours: the next ones are dotted.
    let dashes: &[f64] = if number < COLORS.len() { &[] } else { &[2.0, 3.0] };
    let stroke = Stroke { color: COLORS[number % COLORS.len()], width: 2.0, dashes };
    Series::line(name, points, stroke)
}

/// A place, its value and what the value may be.
pub type Bar = (f64, f64, Option<(f64, f64)>);

/// A line of our own with error bars.
pub fn line_with_bars(number: usize, name: &str, points: &[Bar]) -> [Series; 2] {
    let bars = points.iter().filter_map(|&(x, _, bar)| bar.map(|(low, high)| (x, low, high)));
    let bars = errors(number, bars.collect());
    [bars, line(number, name, points.iter().map(|&(x, y, _)| (x, y)).collect())]
}

/// Error bars in the colour of a line: place, low, high.
fn errors(number: usize, bars: Vec<(f64, f64, f64)>) -> Series {
    let stroke = Stroke { color: COLORS[number % COLORS.len()], width: 1.0, dashes: &[] };
    // In the middle, to the right, to the left, farther to the right and so on.
    let steps = number.div_ceil(2) as f64;
    let beside = if number % 2 == 1 { 3.0 * steps } else { -3.0 * steps };
    Series { name: String::new(), mark: Mark::Bars(bars, stroke, beside) }
}

/// A line of a paper, by its number: broken, with hollow points.
pub fn printed(number: usize, name: &str, points: Vec<(f64, f64)>) -> Series {
    let stroke = Stroke { color: COLORS[number % COLORS.len()], width: 1.2, dashes: &[5.0, 3.0] };
    Series { name: name.to_owned(), mark: Mark::Hollow(points, stroke) }
}

/// A number of all points that lines go through.
fn values(series: &[Series], value: fn(&(f64, f64)) -> f64) -> Vec<f64> {
    let points = |series: &'_ Series| match &series.mark {
        Mark::Line(points, _) | Mark::Hollow(points, _) => points.iter().map(value).collect(),
        Mark::Bars(bars, ..) => bars
            .iter()
            .flat_map(|&(x, low, high)| [(x, low), (x, high)])
            .map(|end| value(&end))
            .collect(),
        _ => Vec::new(),
    };
    series.iter().flat_map(points).filter(|value| value.is_finite()).collect()
}

/// A chart with linear axes: upwards from nought, to the right from the first place to the last.
pub fn chart(title: &str, (x, y): (&str, &str), series: Vec<Series>) -> Chart {
    let places = values(&series, |point| point.0);
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let (first, last) = (places.iter().copied().fold(most(&places), f64::min), most(&places));
    let y = Axis::linear(y, 0.0, most(&values(&series, |point| point.1)), 10);
    Chart { title: title.to_owned(), x: Axis::whole(x, first, last, 10), y, series }
}

/// The same with powers of two to the right, for processors.
pub fn powers(title: &str, titles: (&str, &str), series: Vec<Series>) -> Chart {
    let x = axis_of_powers(titles.0, &values(&series, |point| point.0));
    Chart { x, ..chart(title, titles, series) }
}

/// Powers of two to the right and upwards.
pub fn powers_of_both(title: &str, titles: (&str, &str), series: Vec<Series>) -> Chart {
    let y = axis_of_powers(titles.1, &values(&series, |point| point.1));
    Chart { y, ..powers(title, titles, series) }
}

/// Powers of two upwards alone.
pub fn powers_upwards(title: &str, titles: (&str, &str), series: Vec<Series>) -> Chart {
    let y = axis_of_powers(titles.1, &values(&series, |point| point.1));
    Chart { y, ..chart(title, titles, series) }
}

fn axis_of_powers(title: &str, values: &[f64]) -> Axis {
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let most = values.iter().copied().fold(1.0, f64::max);
    let ticks = (-4..40).map(|power| 2f64.powi(power));
    let ticks = ticks.filter(|&tick| 2.0 * tick > least && tick < 2.0 * most).collect();
    Axis { title: title.to_owned(), scale: Scale::Powers, ticks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_hold_all_points() {
        let series =
            vec![line(0, "a", vec![(2.0, 1.5), (40.0, 17.0)]), printed(9, "b", vec![(8.0, 3.0)])];
        let powers = powers("t", ("processors", "speedup"), series.clone());
        assert_eq!(powers.x.ticks, [2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
        assert!(powers.y.ticks.first() == Some(&0.0) && powers.y.ticks.last() >= Some(&17.0));
        let linear = chart("t", ("x", "y"), series);
        assert!(linear.x.ticks.last() >= Some(&40.0) && linear.series.len() == 2);
        // Depths are whole numbers, and the axis begins at the first of them.
        let depths = chart("t", ("depth", "y"), vec![line(0, "a", vec![(4.0, 1.0), (6.0, 2.0)])]);
        assert_eq!((depths.x.ticks, depths.y.ticks[0]), (vec![4.0, 5.0, 6.0], 0.0));
    }
}
