//! The figure as a table of text and as JSON.

use super::{Cost, Figure};
use serde_json::{Value, json as object};
use std::fmt::Write;

/// A table: traces by depth, in per cent of direct alpha-beta.
pub fn text(figure: &Figure) -> String {
    let width = figure.traces.iter().map(|(trace, _)| trace.name.len()).max().unwrap_or(0).max(12);
    let mut text = format!("{:width$}", "depth");
    let row = |text: &mut String, name: &str, percents: &[f64]| {
        // Writing to a text cannot fail.
        let _ = write!(text, "\n{name:width$}");
        percents.iter().for_each(|percent| {
            let _ = write!(text, "{percent:8.1}");
        });
    };
    for depth in &figure.depths {
        let _ = write!(text, "{depth:8}");
    }
    for (trace, costs) in &figure.traces {
        row(&mut text, &trace.name, &figure.percents(costs));
    }
    row(&mut text, "minimal tree", &figure.minimal_percents());
    let base = figure.traces.first().map_or(&[][..], |(_, costs)| costs);
    let nodes: Vec<String> = base.iter().map(|cost| cost.nodes.to_string()).collect();
    let _ = write!(
        text,
        "\nin % of the nodes of direct alpha-beta on {} positions: {}\n",
        figure.positions,
        nodes.join(", ")
    );
    for (name, place) in [("ALL", 0), ("CUT", 1)] {
        let means = base.iter().map(|cost| mean(cost.frontier[place]));
        let means: Vec<String> = means.map(|mean| format!("{mean:.1}")).collect();
        let _ = writeln!(text, "nodes for each {name} node at its horizon: {}", means.join(", "));
    }
    text
}

/// Nodes for each node at the horizon.
fn mean(frontier: search::Frontier) -> f64 {
    if frontier.nodes == 0 { 0.0 } else { frontier.cost as f64 / frontier.nodes as f64 }
}

/// Everything, for a program.
pub fn json(figure: &Figure) -> Value {
    let traces: Vec<Value> = figure
        .traces
        .iter()
        .map(|(trace, costs)| {
            object!({
                "name": trace.name,
                "percent": figure.percents(costs),
                "nodes": costs.iter().map(|cost| cost.nodes).collect::<Vec<u64>>(),
                "frontier": costs.iter().map(frontier).collect::<Vec<Value>>(),
                "seconds": costs.iter().map(|cost| cost.seconds).collect::<Vec<f64>>(),
            })
        })
        .collect();
    object!({
        "depths": figure.depths,
        "positions": figure.positions,
        "traces": traces,
        "minimal_tree_percent": figure.minimal_percents(),
        "nodes_without_quiescence": figure.bare,
    })
}

/// Nodes at the horizon by type, and what they cost.
fn frontier(cost: &Cost) -> Value {
    let [all, cut] = cost.frontier.map(|one| object!({ "nodes": one.nodes, "cost": one.cost }));
    object!({ "all": all, "cut": cut })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure8::traces;
    use search::Frontier;

    #[test]
    fn the_table_has_a_line_for_each_trace() {
        let frontier = [Frontier { nodes: 10, cost: 45 }, Frontier { nodes: 20, cost: 30 }];
        let cost = |nodes| Cost { nodes, seconds: 0.5, frontier };
        let traces: Vec<_> =
            traces(false).into_iter().map(|trace| (trace, vec![cost(200), cost(1000)])).collect();
        let count = traces.len();
        let figure = Figure { depths: vec![1, 2], positions: 1, traces, bare: vec![100, 1000] };
        let table = text(&figure);
        assert_eq!(table.lines().count(), count + 5);
        assert!(table.contains("minimal tree") && table.contains("   100.0   100.0"), "{table}");
        assert!(table.contains("on 1 positions: 200, 1000\n"), "{table}");
        assert!(table.contains("each ALL node at its horizon: 4.5, 4.5\n"), "{table}");
        assert!(table.ends_with("each CUT node at its horizon: 1.5, 1.5\n"), "{table}");
        assert_eq!(json(&figure)["traces"][0]["percent"], object!([100.0, 100.0]));
    }
}
