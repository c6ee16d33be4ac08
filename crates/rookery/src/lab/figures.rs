//! Charts with axes that fit their lines.

use plot::{Axis, COLORS, Chart, Mark, Scale, Series, Stroke};

/// A line of our own, by its number.
pub fn line(number: usize, name: &str, points: Vec<(f64, f64)>) -> Series {
    let stroke = Stroke { color: COLORS[number % COLORS.len()], width: 2.0, dashes: &[] };
    Series::line(name, points, stroke)
}

/// Error bars in the colour of a line: place, low, high.
pub fn errors(number: usize, bars: Vec<(f64, f64, f64)>) -> Series {
    let stroke = Stroke { color: COLORS[number % COLORS.len()], width: 1.0, dashes: &[] };
    let bar = |(x, low, high)| [(x, low), (x, high)];
    Series {
        name: String::new(),
        mark: Mark::Segments(bars.into_iter().map(bar).collect(), stroke),
    }
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
        Mark::Segments(bars, _) => bars.iter().flatten().map(value).collect(),
        _ => Vec::new(),
    };
    series.iter().flat_map(points).filter(|value| value.is_finite()).collect()
}

/// A chart with linear axes from nought.
pub fn chart(title: &str, (x, y): (&str, &str), series: Vec<Series>) -> Chart {
    let most = |value| values(&series, value).into_iter().fold(0.0, f64::max);
    let (x, y) = ((x, most(|point| point.0)), (y, most(|point| point.1)));
    let [x, y] = [x, y].map(|(title, most)| Axis::linear(title, 0.0, most, 10));
    Chart { title: title.to_owned(), x, y, series }
}

/// The same with powers of two to the right, for processors.
pub fn powers(title: &str, titles: (&str, &str), series: Vec<Series>) -> Chart {
    let processors = values(&series, |point| point.0);
    let least = processors.iter().copied().fold(f64::MAX, f64::min);
    let most = processors.iter().copied().fold(1.0, f64::max);
    let ticks = (0..31).map(|power| f64::from(1u32 << power));
    let ticks = ticks.filter(|&tick| 2.0 * tick > least && tick < 2.0 * most).collect();
    let x = Axis { title: titles.0.to_owned(), scale: Scale::Powers, ticks };
    Chart { x, ..chart(title, titles, series) }
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
    }
}
