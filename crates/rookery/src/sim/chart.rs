//! The picture of a comparison: speedup over processors, both in powers of two.

use super::compare::Row;
use plot::{Axis, COLORS, Canvas, Chart, Scale, Series, Stroke};

/// Draws.
pub fn draw(rows: &[Row]) -> Canvas {
    let largest = rows.iter().map(|row| row.processors).max().unwrap_or(1).max(2);
    let ticks: Vec<f64> =
        (0..=largest.next_power_of_two().ilog2()).map(|power| f64::from(power).exp2()).collect();
    let axis =
        |title: &str| Axis { title: title.to_owned(), scale: Scale::Powers, ticks: ticks.clone() };
    let most = f64::from(largest);
    let grey = Stroke { color: "#999999", width: 1.0, dashes: &[] };
    let ideal = vec![(1.0, 1.0), (most, most)];
    let mut series = vec![Series::line("as many as processors", ideal, grey)];
    let mut names: Vec<&str> = rows.iter().map(|row| row.strategy).collect();
    names.dedup();
    for (name, color) in names.into_iter().zip(COLORS.into_iter().cycle()) {
        let own = || rows.iter().filter(|row| row.strategy == name);
        let through = |value: &dyn Fn(&Row) -> f64| {
            own().map(|row| (f64::from(row.processors), value(row))).collect()
        };
        let last = own().next_back().map_or(0.0, |row| row.speedup);
        let whole = Stroke { color, width: 2.0, dashes: &[] };
        let broken = Stroke { color, width: 1.0, dashes: &[4.0, 4.0] };
        series.push(Series::line(format!("{name} {last:.1}"), through(&|row| row.speedup), whole));
        series.push(Series::line("", through(&|row| row.ideal), broken));
    }
    let title = "Speedup over processors; broken lines: messages cost nothing".to_owned();
    let (x, y) = (axis("processors"), axis("speedup over one processor"));
    plot::stack(&[Chart { title, x, y, series }], 480.0)
}
