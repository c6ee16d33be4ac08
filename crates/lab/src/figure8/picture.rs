//! The figure as a picture (SVG), drawn as the survey draws it: depth to the right, per cent upwards.

use super::Figure;
use plot::{Axis, COLORS, Canvas, Chart, Scale, Series, Stroke};

/// Draws it.
pub fn draw(figure: &Figure) -> Canvas {
    plot::stack(&[chart(figure)], 480.0)
}

/// The chart.
pub fn chart(figure: &Figure) -> Chart {
    let mut traces: Vec<(&str, Vec<f64>)> = figure
        .traces
        .iter()
        .map(|(trace, costs)| (trace.name.as_str(), figure.percents(costs)))
        .collect();
    traces.push(("minimal tree", figure.minimal_percents()));
    let most = traces.iter().flat_map(|(_, percents)| percents).fold(100.0f64, |a, &b| a.max(b));
    let depths = || figure.depths.iter().map(|&depth| f64::from(depth));
    let dashes: [&[f64]; 4] = [&[], &[6.0, 3.0], &[2.0, 3.0], &[8.0, 2.0, 2.0, 2.0]];
    let line = |(number, (name, percents)): (usize, &(&str, Vec<f64>))| {
        let points = depths().zip(percents.clone()).collect();
        let color = COLORS[number % COLORS.len()];
        let dashes = dashes[number / COLORS.len() % dashes.len()];
        Series::line(*name, points, Stroke { color, width: 2.0, dashes })
    };
    Chart {
        title: "What each enhancement of alpha-beta saves".to_owned(),
        x: Axis {
            title: "search depth, plies".to_owned(),
            scale: Scale::Linear,
            ticks: depths().collect(),
        },
        y: Axis::linear("nodes, % of direct alpha-beta", 0.0, most, 10),
        series: traces.iter().enumerate().map(line).collect(),
    }
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
        let picture = draw(&figure).svg();
        // Each is drawn in the plot and in the legend.
        assert_eq!(picture.matches("stroke-width=\"2\"").count(), 2 * count);
        assert!(picture.contains(">pvs +trans +hist</text>") && picture.ends_with("</svg>\n"));
        assert!(!picture.contains("NaN"));
    }
}
