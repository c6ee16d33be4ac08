//! Curves of speedup over processors, both in powers of two.

use plot::{Axis, COLORS, Canvas, Chart, Line, Scale, Stroke};

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
pub fn draw(title: &str, points: &[Point]) -> Canvas {
    chart(title, points).canvas()
}

fn chart(title: &str, rows: &[Point]) -> Chart {
    let largest = rows.iter().map(|row| row.processors).max().unwrap_or(1).max(2);
    let ticks: Vec<f64> =
        (0..=largest.next_power_of_two().ilog2()).map(|power| f64::from(power).exp2()).collect();
    let axis =
        |title: &str| Axis { title: title.to_owned(), scale: Scale::Powers, ticks: ticks.clone() };
    let most = f64::from(largest);
    let grey = Stroke { color: "#aaaaaa", width: 1.0, dashes: "" };
    let name = "as many as processors".to_owned();
    let mut lines = vec![Line { name, points: vec![(1.0, 1.0), (most, most)], stroke: grey }];
    let curves = rows.chunk_by(|a, b| a.curve == b.curve);
    for (own, color) in curves.zip(COLORS.into_iter().cycle()) {
        let through = |value: &dyn Fn(&Point) -> Option<f64>| {
            own.iter().filter_map(|row| Some((f64::from(row.processors), value(row)?))).collect()
        };
        let Some(Point { curve: name, speedup: last, .. }) = own.last() else { continue };
        lines.push(Line {
            name: format!("{name} {last:.1}"),
            points: through(&|row| Some(row.speedup)),
            stroke: Stroke { color, width: 2.0, dashes: "" },
        });
        lines.push(Line {
            points: through(&|row| row.ideal),
            stroke: Stroke { color, width: 1.0, dashes: "4 4" },
            ..Line::default()
        });
    }
    Chart {
        title: title.to_owned(),
        x: axis("processors"),
        y: axis("speedup over one processor"),
        lines,
    }
}
