//! Curves of speedup over processors, both in powers of two.

use plot::{Axis, COLORS, Canvas, Chart, Scale, Series, Stroke};

/// A point of a curve.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its curve's name; the points of a curve stand together.
    pub curve: String,
    pub processors: u32,
    pub speedup: f64,
    /// The speedup where messages cost nothing, if it is known: a broken line.
    pub ideal: Option<f64>,
}

/// Draws.
pub fn draw(title: &str, rows: &[Point]) -> Canvas {
    let largest = rows.iter().map(|row| row.processors).max().unwrap_or(1).max(2);
    let ticks: Vec<f64> =
        (0..=largest.next_power_of_two().ilog2()).map(|power| f64::from(power).exp2()).collect();
    let axis =
        |title: &str| Axis { title: title.to_owned(), scale: Scale::Powers, ticks: ticks.clone() };
    let most = f64::from(largest);
    let grey = Stroke { color: "#999999", width: 1.0, dashes: &[] };
    let ideal = vec![(1.0, 1.0), (most, most)];
    let mut series = vec![Series::line("as many as processors", ideal, grey)];
    let curves = rows.chunk_by(|a, b| a.curve == b.curve);
    for (own, color) in curves.zip(COLORS.into_iter().cycle()) {
        let through = |value: &dyn Fn(&Point) -> Option<f64>| {
            own.iter().filter_map(|row| Some((f64::from(row.processors), value(row)?))).collect()
        };
        let Some(Point { curve: name, speedup: last, .. }) = own.last() else { continue };
        let whole = Stroke { color, width: 2.0, dashes: &[] };
        let broken = Stroke { color, width: 1.0, dashes: &[4.0, 4.0] };
        let speedups = through(&|row| Some(row.speedup));
        series.push(Series::line(format!("{name} {last:.1}"), speedups, whole));
        series.push(Series::line("", through(&|row| row.ideal), broken));
    }
    let title = title.to_owned();
    let (x, y) = (axis("processors"), axis("speedup over one processor"));
    plot::stack(&[Chart { title, x, y, series }], 480.0)
}
