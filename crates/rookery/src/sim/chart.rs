//! The picture of a comparison: speedup over processors, both in powers of two.

use super::compare::Row;
use plot::{Axis, COLORS, Chart, Line, Scale, Stroke};
use std::io::{self, Write};

/// Draws.
pub fn write(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    out.write_all(chart(rows).svg().as_bytes())
}

fn chart(rows: &[Row]) -> Chart {
    let largest = rows.iter().map(|row| row.processors).max().unwrap_or(1).max(2);
    let ticks: Vec<f64> =
        (0..=largest.next_power_of_two().ilog2()).map(|power| f64::from(power).exp2()).collect();
    let axis =
        |title: &str| Axis { title: title.to_owned(), scale: Scale::Powers, ticks: ticks.clone() };
    let most = f64::from(largest);
    let grey = Stroke { color: "#aaaaaa", width: 1.0, dashes: "" };
    let name = "as many as processors".to_owned();
    let mut lines = vec![Line { name, points: vec![(1.0, 1.0), (most, most)], stroke: grey }];
    let mut names: Vec<&str> = rows.iter().map(|row| row.strategy).collect();
    names.dedup();
    for (name, color) in names.into_iter().zip(COLORS.into_iter().cycle()) {
        let own = || rows.iter().filter(|row| row.strategy == name);
        let through = |value: &dyn Fn(&Row) -> f64| {
            own().map(|row| (f64::from(row.processors), value(row))).collect()
        };
        let last = own().next_back().map_or(0.0, |row| row.speedup);
        lines.push(Line {
            name: format!("{name} {last:.1}"),
            points: through(&|row| row.speedup),
            stroke: Stroke { color, width: 2.0, dashes: "" },
        });
        lines.push(Line {
            points: through(&|row| row.ideal),
            stroke: Stroke { color, width: 1.0, dashes: "4 4" },
            ..Line::default()
        });
    }
    Chart {
        title: "Speedup over processors; broken lines: messages cost nothing".to_owned(),
        x: axis("processors"),
        y: axis("speedup over one processor"),
        lines,
    }
}
