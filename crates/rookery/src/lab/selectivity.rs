//! `lab selectivity`: fail-high reductions, the null move, neither and both (Z13 to Z15, D18).

use super::figures::{line, powers_upwards};
use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use crate::interrupt::unwatched;
use crate::sim::BRATKO_KOPEC;
use board::{Epd, History, epd};
use search::switches::{NullMove, Reductions, Switches};
use search::{Limits, Profile, Worker};
use serde::{Deserialize, Serialize};
use table::AnyTable;

/// What a search cost, and whether it found the move.
#[derive(Serialize, Deserialize)]
struct Found {
    nodes: u64,
    solved: bool,
}

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let positions = epd::records(BRATKO_KOPEC).filter_map(|(_, record)| record.ok()).collect();
    let positions: Vec<Epd> = lab.pick(positions, 12, 24)?;
    let depths: Vec<i32> = lab.choose(4..=6, 5..=9).collect();
    let (reduced, null) = (Profile::Zugzwang.switches(), Profile::ZugzwangNull.switches());
    let ways = [
        ("neither", Switches { reductions: Reductions::Off, null_move: NullMove::Off, ..reduced }),
        ("fail-high reductions", reduced),
        ("null move", null),
        ("both", Switches { reductions: reduced.reductions, ..null }),
    ];
    let mut report = Report::new("Fail-high reductions against the null move");
    report.text(
        "Zugzwang's search on the Bratko-Kopec positions, one thread, an empty table of 16 MB: with fail-high reductions, with the null move, with neither and with both. \
         Solved: the best move of the last iteration is the suite's. The same depth by a reduced search sees less: nodes saved are worth what the deeper iteration that they pay for finds. \
         Games are not played here: `rookery match --each nodes=N` does that.",
    );
    let mut nodes_table = ReportTable::new("nodes", "Nodes by depth", &["search"]);
    let mut solved_table =
        ReportTable::new("solved", &format!("Solved of {} by depth", positions.len()), &["search"]);
    for depth in &depths {
        nodes_table.column(depth.to_string());
        solved_table.column(depth.to_string());
    }
    let mut lines = Vec::new();
    let each_depth = |way: usize| depths.iter().map(move |&depth| (way, depth));
    let each_place = |(way, depth)| positions.iter().map(move |epd| (way, depth, epd));
    let units: Vec<(usize, i32, &Epd)> =
        (0..ways.len()).flat_map(each_depth).flat_map(each_place).collect();
    let name = |&(way, depth, epd): &(usize, i32, &Epd)| {
        format!("selectivity, {}, depth {depth}, {}", ways[way].0, epd.position().fen())
    };
    let length = |&(_, depth, _): &(usize, i32, &Epd)| 4f64.powi(depth);
    let found =
        lab.each(&units, name, length, |&(way, depth, epd)| search(ways[way].1, epd, depth))?;
    let mut found = found.chunks(positions.len().max(1));
    for (number, (way, _)) in ways.into_iter().enumerate() {
        let (mut nodes, mut solved, mut points) =
            (vec![way.to_owned()], vec![way.to_owned()], Vec::new());
        for (&depth, found) in depths.iter().zip(&mut found) {
            let sum: u64 = found.iter().map(|one| one.nodes).sum();
            points.push((f64::from(depth), sum.max(1) as f64));
            nodes.push(sum.to_string());
            solved.push(found.iter().filter(|one| one.solved).count().to_string());
        }
        nodes_table.row(nodes);
        solved_table.row(solved);
        lines.push(line(number, way, points));
    }
    report.table(nodes_table);
    report.table(solved_table);
    report
        .figure("nodes", powers_upwards("Nodes by depth", ("search depth, plies", "nodes"), lines));
    Ok(report)
}

fn search(switches: Switches, epd: &Epd, depth: i32) -> Result<Found, String> {
    let table = AnyTable::new(Profile::Zugzwang.policy(), 16).map_err(|error| error.to_string())?;
    let mut worker = Worker::new(Profile::Zugzwang).with_switches(switches);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let outcome = worker.search(&table, epd.position(), &History::new(), &limits, &mut unwatched());
    let best = epd.moves("bm");
    Ok(Found { nodes: outcome.nodes, solved: outcome.best().is_some_and(|mv| best.contains(&mv)) })
}
