//! The figure as a picture (SVG), drawn as the survey draws it: depth to the right, per cent upwards.

use super::Figure;
use plot::{Axis, COLORS, Chart, Line, Scale, Stroke};

/// Draws it.
pub fn svg(figure: &Figure) -> String {
    let mut traces: Vec<(&str, Vec<f64>)> = figure
        .traces
        .iter()
        .map(|(trace, costs)| (trace.name.as_str(), figure.percents(costs)))
        .collect();
    traces.push(("minimal tree", figure.minimal_percents()));
    let most = traces.iter().flat_map(|(_, percents)| percents).fold(100.0f64, |a, &b| a.max(b));
    let line = |(number, (name, percents)): (usize, &(&str, Vec<f64>))| Line {
        name: (*name).to_owned(),
        points: figure.depths.iter().map(|&depth| f64::from(depth)).zip(percents.clone()).collect(),
        stroke: Stroke {
            color: COLORS[number % COLORS.len()],
            width: 2.0,
            dashes: ["", "6 3", "2 3", "8 2 2 2"][number / COLORS.len() % 4],
        },
    };
    let chart = Chart {
        title: "What each enhancement of alpha-beta saves".to_owned(),
        x: Axis {
            title: "search depth, plies".to_owned(),
            scale: Scale::Linear,
            ticks: figure.depths.iter().map(|&depth| f64::from(depth)).collect(),
        },
        y: Axis {
            title: "nodes, % of direct alpha-beta".to_owned(),
            scale: Scale::Linear,
            ticks: (0..=(most / 20.0).ceil() as u32).map(|step| f64::from(20 * step)).collect(),
        },
        lines: traces.iter().enumerate().map(line).collect(),
    };
    chart.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure8::{Cost, traces};

    #[test]
    fn every_trace_is_drawn_and_named() {
        let traces: Vec<_> = traces(true)
            .into_iter()
            .map(|trace| (trace, vec![Cost { nodes: 10, ..Cost::default() }; 2]))
            .collect();
        let count = traces.len() + 1;
        let figure = Figure { depths: vec![2, 3], positions: 1, traces, bare: vec![5, 50] };
        let picture = svg(&figure);
        // Each is drawn in the plot and in the legend.
        assert_eq!(picture.matches("stroke-width=\"2\"").count(), 2 * count);
        assert!(picture.contains(">pvs +trans +hist</text>") && picture.ends_with("</svg>\n"));
        assert!(!picture.contains("NaN"));
    }
}
