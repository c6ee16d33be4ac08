//! The figure as a picture (SVG), drawn as the survey draws it: depth to the right, per cent upwards.

use super::Figure;
use std::fmt::Write;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 520.0;
/// Where the plot lies in the picture: left, top, right, bottom.
const FRAME: (f64, f64, f64, f64) = (60.0, 30.0, 580.0, 460.0);
/// Colours that are told apart, and with dashes again as many.
const COLOURS: [&str; 8] =
    ["#000000", "#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf"];

/// Draws it.
pub fn svg(figure: &Figure) -> String {
    let mut lines: Vec<(&str, Vec<f64>)> = figure
        .traces
        .iter()
        .map(|(trace, costs)| (trace.name.as_str(), figure.percents(costs)))
        .collect();
    lines.push(("minimal tree", figure.minimal_percents()));
    let most = lines.iter().flat_map(|(_, percents)| percents).fold(100.0f64, |a, &b| a.max(b));
    let top = (most / 20.0).ceil() * 20.0;
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         fill=\"white\"/>"
    );
    axes(&mut out, figure, top);
    for (number, (name, percents)) in lines.iter().enumerate() {
        let points = figure.depths.iter().zip(percents).map(|(&depth, &percent)| {
            let (x, y) = (across(figure, depth), upwards(percent, top));
            format!("{x:.1},{y:.1}")
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let colour = COLOURS[number % COLOURS.len()];
        let dashes = ["none", "6 3", "2 3", "8 2 2 2"][number / COLOURS.len() % 4];
        let style = format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"");
        let _ = writeln!(out, "<polyline points=\"{points}\" fill=\"none\" {style}/>");
        let (x, y) = (FRAME.2 + 20.0, FRAME.1 + 12.0 + 18.0 * number as f64);
        let _ = writeln!(out, "<path d=\"M{x} {y}h30\" fill=\"none\" {style}/>");
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">{name}</text>", x + 38.0, y + 4.0);
    }
    out.push_str("</svg>\n");
    out
}

fn axes(out: &mut String, figure: &Figure, top: f64) {
    let (left, upper, right, lower) = FRAME;
    let _ = writeln!(
        out,
        "<path d=\"M{left} {upper}V{lower}H{right}\" fill=\"none\" stroke=\"black\"/>"
    );
    for step in 0..=(top / 20.0) as i32 {
        let (percent, y) = (20 * step, upwards(f64::from(20 * step), top));
        let _ = writeln!(out, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#dddddd\"/>");
        let (x, y) = (left - 8.0, y + 4.0);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{percent}</text>");
    }
    for &depth in &figure.depths {
        let (x, y) = (across(figure, depth), lower + 18.0);
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{depth}</text>");
    }
    let (x, y) = ((left + right) / 2.0, lower + 40.0);
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">search depth</text>");
    let title = "nodes in % of direct alpha-beta";
    let _ = writeln!(out, "<text x=\"{left}\" y=\"{}\">{title}</text>", upper - 10.0);
}

fn across(figure: &Figure, depth: i32) -> f64 {
    let (first, last) = match (figure.depths.first(), figure.depths.last()) {
        (Some(&first), Some(&last)) => (f64::from(first), f64::from(last)),
        _ => (0.0, 0.0),
    };
    let part = (f64::from(depth) - first) / (last - first).max(1.0);
    FRAME.0 + 20.0 + part * (FRAME.2 - FRAME.0 - 40.0)
}

fn upwards(percent: f64, top: f64) -> f64 {
    FRAME.3 - percent / top * (FRAME.3 - FRAME.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure8::{Cost, traces};

    #[test]
    fn every_trace_is_drawn_and_named() {
        let traces: Vec<_> = traces(true)
            .into_iter()
            .map(|trace| (trace, vec![Cost { nodes: 10, seconds: 0.0 }; 2]))
            .collect();
        let count = traces.len() + 1;
        let figure = Figure { depths: vec![2, 3], positions: 1, traces, bare: vec![5, 50] };
        let picture = svg(&figure);
        assert_eq!(picture.matches("<polyline").count(), count);
        assert!(picture.contains(">pvs +trans +hist</text>") && picture.ends_with("</svg>\n"));
        assert!(!picture.contains("NaN"));
    }
}
