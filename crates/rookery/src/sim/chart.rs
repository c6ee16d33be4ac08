//! The picture of a comparison: speedup over processors, both in powers of two.

use super::compare::Row;
use std::fmt::Write as _;
use std::io::{self, Write};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;
/// Room for the names on the right.
const NAMES: f64 = 120.0;
const COLORS: [&str; 8] =
    ["#204060", "#c0584f", "#3b7d4f", "#d9a441", "#8a6fb0", "#4a9aa5", "#7a5c3e", "#555555"];

/// Draws.
pub fn write(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    out.write_all(draw(rows).as_bytes())
}

/// Where things lie; powers of two from 1 to the largest.
struct Scale {
    powers: f64,
}

impl Scale {
    fn x(&self, processors: f64) -> f64 {
        MARGIN + processors.max(1.0).log2() / self.powers * WIDTH
    }

    fn y(&self, speedup: f64) -> f64 {
        MARGIN + HEIGHT - speedup.max(1.0).log2() / self.powers * HEIGHT
    }
}

fn draw(rows: &[Row]) -> String {
    let largest = rows.iter().map(|row| row.processors).max().unwrap_or(1).max(2);
    let scale = Scale { powers: f64::from(largest).log2() };
    let mut svg = String::new();
    let (width, height) = (WIDTH + 2.0 * MARGIN + NAMES, HEIGHT + 2.0 * MARGIN);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    );
    draw_grid(&mut svg, &scale);
    let mut names: Vec<&str> = rows.iter().map(|row| row.strategy).collect();
    names.dedup();
    for (name, color) in names.into_iter().zip(COLORS.into_iter().cycle()) {
        let own = || rows.iter().filter(|row| row.strategy == name);
        let (x, y) = (|row: &Row| scale.x(f64::from(row.processors)), |value| scale.y(value));
        let line = |value: &dyn Fn(&Row) -> f64| {
            let points = own().map(|row| format!("{:.1},{:.1}", x(row), y(value(row))));
            points.collect::<Vec<String>>().join(" ")
        };
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-dasharray=\"4 4\"/>",
            line(&|row| row.speedup),
            line(&|row| row.ideal),
        );
        if let Some(last) = own().next_back() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{name} {:.1}</text>",
                x(last) + 6.0,
                y(last.speedup) + 4.0,
                last.speedup
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_grid(svg: &mut String, scale: &Scale) {
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"24\">Speedup over processors; broken lines: messages cost nothing; \
         grey: as many as there are processors</text>"
    );
    for power in 0..=scale.powers.floor() as u32 {
        let value = f64::from(1u32 << power.min(31));
        let (x, y) = (scale.x(value), scale.y(value));
        let (right, bottom) = (MARGIN + WIDTH, MARGIN + HEIGHT);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {MARGIN}V{bottom}M{MARGIN} {y:.1}H{right}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            bottom + 18.0,
            MARGIN - 6.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#aaaaaa\"/>",
        MARGIN,
        MARGIN + HEIGHT,
        MARGIN + WIDTH,
        MARGIN
    );
}
