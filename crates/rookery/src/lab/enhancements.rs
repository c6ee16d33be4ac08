//! `lab enhancements`: Marsland's Figure 8 with its claims tested one by one (M35).

use super::report::{Report, Table};
use super::work::Lab;
use crate::failure::Failure;
use crate::sim::{BRATKO_KOPEC, read_positions};
use lab::figure8::{self, Cost, Figure, Trace};

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let depths: Vec<i32> = (2..=lab.choose(4, 6)).collect();
    let figure = measure(lab, &depths)?;
    let mut report = Report::new("What each enhancement of alpha-beta saves");
    report.text(
        "The Bratko-Kopec positions. The base is direct alpha-beta: one search to the full depth, captures first, a quiescence \
         search at the horizon. All else is shown in per cent of its nodes (the survey shows CPU time; nodes are the same on every \
         machine). The transposition table has 8,192 places, as there. The curves of the survey's figure are lost; its claims are not.",
    );
    report.table(percents(&figure));
    report.figure("figure8", figure8::chart(&figure));
    report.table(claims(&figure));
    Ok(report)
}

fn measure(lab: &Lab, depths: &[i32]) -> Result<Figure, Failure> {
    let mut positions = read_positions(BRATKO_KOPEC, "the built-in positions")?;
    positions.truncate(lab.count(24, 24));
    let traces = figure8::traces(false);
    let bare = figure8::bare();
    let ways: Vec<&Trace> = traces.iter().chain([&bare]).collect();
    // The deepest first: they take longest, and the end is not waited for by one thread alone.
    let each_way = |depth: usize| (0..ways.len()).map(move |way| (depth, way));
    let each_place = |(depth, way)| (0..positions.len()).map(move |place| (depth, way, place));
    let units: Vec<_> = (0..depths.len()).rev().flat_map(each_way).flat_map(each_place).collect();
    let name = |&(depth, way, place): &(usize, usize, usize)| {
        format!("{}, depth {}, {}", ways[way].name, depths[depth], positions[place].fen())
    };
    let nodes = lab.each(&units, name, |&(depth, way, place)| {
        figure8::search_alone(ways[way].switches, &positions[place], depths[depth])
            .map(|cost| cost.nodes)
    })?;
    let mut costs = vec![vec![Cost::default(); depths.len()]; ways.len()];
    for (&(depth, way, _), nodes) in units.iter().zip(nodes) {
        costs[way][depth].nodes += nodes;
    }
    let bare = costs.pop().unwrap_or_default().iter().map(|cost| cost.nodes).collect();
    let positions = positions.len();
    Ok(Figure {
        depths: depths.to_vec(),
        positions,
        traces: traces.into_iter().zip(costs).collect(),
        bare,
    })
}

fn percents(figure: &Figure) -> Table {
    let mut table = Table::new("figure8", "Nodes, % of direct alpha-beta, by depth", &["trace"]);
    figure.depths.iter().for_each(|depth| table.column(depth.to_string()));
    let minimal = ("minimal tree", figure.minimal_percents());
    let traces =
        figure.traces.iter().map(|(trace, costs)| (trace.name.as_str(), figure.percents(costs)));
    for (name, percents) in traces.chain([minimal]) {
        let cells = percents.iter().map(|percent| format!("{percent:.1}"));
        table.row([name.to_owned()].into_iter().chain(cells).collect());
    }
    table
}

/// The survey's claims (a) to (f), each with the numbers that decide it.
fn claims(figure: &Figure) -> Table {
    let mut table =
        Table::new("claims", "The survey's claims", &["claim", "what it says", "here", "outcome"]);
    let mut claim = |label: &str, says: &str, here: String, holds: bool| {
        let outcome = if holds { "holds" } else { "does not hold" };
        table.row([label, says, &here, outcome].map(str::to_owned).to_vec());
    };
    let of = |name: &str| {
        let trace = figure.traces.iter().find(|(trace, _)| trace.name == name);
        trace.map_or(Vec::new(), |(_, costs)| figure.percents(costs))
    };
    let last = |name: &str| of(name).last().copied().unwrap_or(f64::NAN);
    let (shallowest, deepest) = (figure.depths[0], figure.depths[figure.depths.len() - 1]);
    let (deepening, pvs, aspiration) =
        (last("iterative alpha-beta"), last("pvs"), last("aspiration"));
    let here = format!("{deepening:.1} % at depth {deepest}");
    claim(
        "(a)",
        "iterative deepening alone costs about 5 %",
        here,
        (100.0..=110.0).contains(&deepening),
    );
    let here = format!("{pvs:.1} % against {aspiration:.1} % at depth {deepest}");
    claim(
        "(b)",
        "with iterative deepening, PVS beats aspiration by a pawn",
        here,
        pvs < aspiration,
    );
    let (refutations, table_moves) = (last("pvs +ref"), last("pvs +trans"));
    let here = format!("{refutations:.1} % against {table_moves:.1} %, without either {pvs:.1} %");
    let holds = pvs - refutations > (pvs - table_moves) / 2.0;
    claim("(c)", "a refutation table saves much of what a transposition table saves", here, holds);
    let [even, odd] = growth(figure);
    claim(
        "(d)",
        "an odd ply adds less than an even one",
        format!("factor {odd:.1} against {even:.1}"),
        odd < even,
    );
    let gains: Vec<f64> =
        of("pvs").iter().zip(of("pvs +trans")).map(|(pvs, with)| 100.0 * with / pvs).collect();
    let (first, end) = (gains[0], gains[gains.len() - 1]);
    let here = format!("{first:.1} % of PVS at depth {shallowest}, {end:.1} % at depth {deepest}");
    claim("(e)", "a table of fixed size helps less the deeper the search", here, end > first);
    let place = figure.depths.iter().rposition(|depth| depth % 2 == 1).unwrap_or(0);
    let (best, minimal) = (of("pvs +trans +hist")[place], figure.minimal_percents()[place]);
    let here = format!("{best:.1} % against {minimal:.1} % at depth {}", figure.depths[place]);
    claim(
        "(f)",
        "transposition table and history come near the minimal tree at odd depths",
        here,
        best < 2.0 * minimal,
    );
    table
}

/// By what factor the base's tree grows with an even and with an odd ply, in the mean.
fn growth(figure: &Figure) -> [f64; 2] {
    let base = figure.traces.first().map_or(&[][..], |(_, costs)| costs);
    [0, 1].map(|parity| {
        let steps =
            base.windows(2).zip(&figure.depths[1..]).filter(|(_, depth)| **depth % 2 == parity);
        let factors: Vec<f64> =
            steps.map(|(pair, _)| pair[1].nodes as f64 / pair[0].nodes.max(1) as f64).collect();
        factors.iter().sum::<f64>() / factors.len().max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m35_each_claim_is_decided_by_the_numbers() {
        let traces = figure8::traces(false);
        let cost = |nodes: u64| Cost { nodes, ..Cost::default() };
        // All traces alike: no claim but that of the costs of deepening holds.
        let alike = traces
            .into_iter()
            .map(|trace| (trace, vec![cost(100), cost(1000), cost(20_000)]))
            .collect();
        let figure = Figure {
            depths: vec![2, 3, 4],
            positions: 1,
            traces: alike,
            bare: vec![100, 1000, 20_000],
        };
        assert_eq!(growth(&figure), [20.0, 10.0]);
        let table = claims(&figure);
        let outcomes: Vec<&str> = table.rows().iter().map(|row| row[3].as_str()).collect();
        assert_eq!(
            outcomes,
            ["holds", "does not hold", "does not hold", "holds", "does not hold", "holds"]
        );
    }
}
