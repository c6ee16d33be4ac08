//! `lab enhancements`: Marsland's Figure 8 with its claims tested one by one (M35).

use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use crate::sim;
use lab::figure8::{self, Cost, Figure, Trace};

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let depths: Vec<i32> = (2..=lab.choose(4, 7)).collect();
    let [figure, parts] = measure(lab, &depths)?;
    let mut report = Report::new("What each enhancement of alpha-beta saves");
    report.text(
        "The Bratko-Kopec positions. The base is direct alpha-beta: one search to the full depth, captures first, a quiescence \
         search at the horizon. All else is shown in per cent of its nodes (the survey shows CPU time; nodes are the same on every \
         machine). The transposition table has 8,192 places, as there. The curves of the survey's figure are lost; its claims are not.",
    );
    report.table(percents("figure8", "Nodes, % of direct alpha-beta, by depth", &figure));
    report.figure("figure8", figure8::chart(&figure));
    report.table(nodes(&figure));
    report.table(claims(&figure));
    report.text(
        "The survey does not tell apart what the transposition table does by its moves, by narrowing windows and by ending nodes (3.6 e). \
         Here each use is on for itself, in pairs and together; `+past` is a table that knows the past of a position, `exchanges` has static exchanges in place of the quiescence search.",
    );
    report.table(percents(
        "parts",
        "Uses of the table apart, nodes in % of direct alpha-beta",
        &parts,
    ));
    report.text(
        "Times are those of this computer with all its threads busy; they differ from run to run.",
    );
    report.table(seconds(&figure));
    Ok(report)
}

/// Searches all traces; the last of the traces of the figure is followed by the uses of the table.
fn measure(lab: &Lab, depths: &[i32]) -> Result<[Figure; 2], Failure> {
    let (traces, parts) = (figure8::traces(false), figure8::parts());
    let positions = lab.pick(sim::positions(None)?, 24, 24)?;
    let bare = figure8::bare();
    let ways: Vec<&Trace> = traces.iter().chain(&parts).chain([&bare]).collect();
    let each_way = |depth: usize| (0..ways.len()).map(move |way| (depth, way));
    let each_place = |(depth, way)| (0..positions.len()).map(move |place| (depth, way, place));
    let units: Vec<_> = (0..depths.len()).flat_map(each_way).flat_map(each_place).collect();
    let name = |&(depth, way, place): &(usize, usize, usize)| {
        format!("{}, depth {}, {}", ways[way].name, depths[depth], positions[place].fen())
    };
    // Alpha-beta without memory takes longest.
    let length = |&(depth, way, _): &(usize, usize, usize)| {
        let memory = if ways[way].name.contains('+') { 1.0 } else { 3.0 };
        memory * 6f64.powi(depths[depth])
    };
    let found = lab.each(&units, name, length, |&(depth, way, place)| {
        figure8::search_alone(ways[way].switches, &positions[place], depths[depth])
            .map(|cost| (cost.nodes, cost.seconds))
    })?;
    let mut costs = vec![vec![Cost::default(); depths.len()]; ways.len()];
    for (&(depth, way, _), (nodes, seconds)) in units.iter().zip(found) {
        costs[way][depth].nodes += nodes;
        costs[way][depth].seconds += seconds;
    }
    let bare: Vec<u64> = costs.pop().unwrap_or_default().iter().map(|cost| cost.nodes).collect();
    let uses = costs.split_off(traces.len());
    let figure = |traces: Vec<Trace>, costs: Vec<Vec<Cost>>| Figure {
        depths: depths.to_vec(),
        positions: positions.len(),
        traces: traces.into_iter().zip(costs).collect(),
        bare: bare.clone(),
    };
    Ok([figure(traces, costs), figure(parts, uses)])
}

/// A table of the traces with a cell for each depth.
fn by_depth(
    (name, title): (&str, &str),
    figure: &Figure,
    cell: impl Fn(&Cost) -> String,
) -> ReportTable {
    let mut table = ReportTable::new(name, title, &["trace"]);
    figure.depths.iter().for_each(|depth| table.column(depth.to_string()));
    for (trace, costs) in &figure.traces {
        table.row([trace.name.clone()].into_iter().chain(costs.iter().map(&cell)).collect());
    }
    table
}

fn nodes(figure: &Figure) -> ReportTable {
    let title = format!("Nodes of {} positions, by depth", figure.positions);
    by_depth(("nodes", &title), figure, |cost| cost.nodes.to_string())
}

fn seconds(figure: &Figure) -> ReportTable {
    let title = format!("Seconds for {} positions, by depth", figure.positions);
    by_depth(("seconds", &title), figure, |cost| format!("{:.2}", cost.seconds))
}

fn percents(name: &str, title: &str, figure: &Figure) -> ReportTable {
    let mut table = ReportTable::new(name, title, &["trace"]);
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

/// The survey's claims (a) to (f), each with the numbers that decide it, if the search is deep enough to.
fn claims(figure: &Figure) -> ReportTable {
    let mut table = ReportTable::new(
        "claims",
        "The survey's claims",
        &["claim", "what it says", "here", "outcome"],
    );
    let (shallowest, deepest) = (figure.depths[0], figure.depths[figure.depths.len() - 1]);
    let mut claim = |(label, plies): (&str, i32), says: &str, here: String, holds: bool| {
        let outcome = match (deepest >= plies, holds) {
            (false, _) => format!("not enough plies: {plies} are needed"),
            (_, true) => "holds".to_owned(),
            (_, false) => "does not hold".to_owned(),
        };
        table.row(vec![label.to_owned(), says.to_owned(), here, outcome]);
    };
    let of = |name: &str| {
        let trace = figure.traces.iter().find(|(trace, _)| trace.name == name);
        trace.map_or(Vec::new(), |(_, costs)| figure.percents(costs))
    };
    let last = |name: &str| of(name).last().copied().unwrap_or(f64::NAN);
    let (deepening, pvs, aspiration) =
        (last("iterative alpha-beta"), last("pvs"), last("aspiration"));
    let here = format!("{deepening:.1} % at depth {deepest}");
    claim(
        ("(a)", 5),
        "iterative deepening alone costs about 5 %",
        here,
        (100.0..=110.0).contains(&deepening),
    );
    let here = format!("{pvs:.1} % against {aspiration:.1} % at depth {deepest}");
    claim(
        ("(b)", 5),
        "with iterative deepening, PVS beats aspiration by a pawn",
        here,
        pvs < aspiration,
    );
    let (refutations, table_moves) = (last("pvs +ref"), last("pvs +trans"));
    let here = format!("{refutations:.1} % against {table_moves:.1} %, without either {pvs:.1} %");
    let holds = pvs - refutations > (pvs - table_moves) / 2.0;
    claim(
        ("(c)", 5),
        "a refutation table saves much of what a transposition table saves",
        here,
        holds,
    );
    let (depth, odd, even) = odd_ply(figure);
    claim(
        ("(d)", 6),
        "odd-ply searches are more efficient than even-ply ones",
        format!(
            "the minimal tree is {odd:.1} % of alpha-beta's at depth {depth}, {even:.1} % in the mean of the even depths around it"
        ),
        odd > even,
    );
    let gains: Vec<f64> =
        of("pvs").iter().zip(of("pvs +trans")).map(|(pvs, with)| 100.0 * with / pvs).collect();
    let (first, end) = (gains[0], gains[gains.len() - 1]);
    let here = format!("{first:.1} % of PVS at depth {shallowest}, {end:.1} % at depth {deepest}");
    claim(("(e)", 6), "a table of fixed size helps less the deeper the search", here, end > first);
    let place = figure.depths.iter().rposition(|depth| depth % 2 == 1).unwrap_or(0);
    let (best, minimal) = (of("pvs +trans +hist")[place], figure.minimal_percents()[place]);
    let here = format!("{best:.1} % against {minimal:.1} % at depth {}", figure.depths[place]);
    claim(
        ("(f)", 5),
        "transposition table and history come near the minimal tree at odd depths",
        here,
        best < 2.0 * minimal,
    );
    table
}

/// The deepest odd depth between two even ones: what share the minimal tree is of alpha-beta's there, and the
/// geometric mean of its shares at the depths around it. Shares fall with depth: neighbours alone compare.
fn odd_ply(figure: &Figure) -> (i32, f64, f64) {
    let minimal = figure.minimal_percents();
    let found =
        figure.depths.windows(3).zip(minimal.windows(3)).rfind(|(depths, _)| depths[1] % 2 == 1);
    found.map_or((0, f64::NAN, f64::NAN), |(depths, shares)| {
        (depths[1], shares[1], (shares[0] * shares[2]).sqrt())
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
        let costs = [100, 1000, 20_000, 200_000, 4_000_000, 40_000_000].map(cost);
        let figure = |plies: usize| Figure {
            depths: (2..).take(plies).collect(),
            positions: 1,
            traces: traces.iter().map(|trace| (trace.clone(), costs[..plies].to_vec())).collect(),
            bare: costs[..plies].iter().map(|cost| cost.nodes).collect(),
        };
        let (shallow, figure) = (claims(&figure(3)), figure(6));
        for row in shallow.texts() {
            assert!(row[3].starts_with("not enough plies"), "{row:?}");
        }
        // Depth 5 between 4 and 6: 44,061 of 200,000; 3,602 of 20,000 and 122,668 of 4,000,000.
        let (depth, odd, even) = odd_ply(&figure);
        assert_eq!((depth, odd), (5, 22.0305));
        assert!((even - (18.01f64 * 3.0667).sqrt()).abs() < 1e-9, "{even}");
        let table = claims(&figure);
        let outcomes: Vec<&str> = table.texts().iter().map(|row| row[3]).collect();
        let no = "does not hold";
        assert_eq!(outcomes, ["holds", no, no, "holds", no, no]);
    }
}
