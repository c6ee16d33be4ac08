//! `lab ordering`: how often the first move cuts, and how often the caches of the evaluation hit (D33, M20).

use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use crate::interrupt::unwatched;
use crate::sim;
use board::{History, Position};
use search::{Limits, Profile, Statistics, Worker};
use serde::{Deserialize, Serialize};
use table::AnyTable;

/// What one search counted.
#[derive(Serialize, Deserialize)]
struct Shares {
    nodes: u64,
    at_cut_nodes: f64,
    main: f64,
    pawns: f64,
    kings: Option<f64>,
    branching: Option<f64>,
}

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let positions = lab.pick(sim::positions(None)?, 12, 24)?;
    let depth = lab.choose(6, 9);
    let mut report = Report::new("Order of moves, and caches of the evaluation");
    report.text(format!(
        "The Bratko-Kopec positions to depth {depth}, one thread, an empty table of 16 MB, by every profile. A good order finds the move that cuts at once: \
         good programs do so in nine of ten cases. Shares are means over the positions, each weighted alike. The branching factor is the nodes of the last iteration over those of the one before.",
    ));
    let columns = [
        "profile",
        "nodes",
        "first move cuts, % at CUT nodes",
        "wherever the main search was cut, %",
        "pawn cache hits, %",
        "king cache hits, %",
        "branching factor",
    ];
    let mut table = ReportTable::new("ordering", "By profile", &columns);
    let each_place = |profile| positions.iter().map(move |position| (profile, position));
    let units: Vec<(Profile, &Position)> = Profile::ALL.into_iter().flat_map(each_place).collect();
    let name = |(profile, position): &(Profile, &Position)| {
        format!("ordering, {profile}, depth {depth}, {}", position.fen())
    };
    let found =
        lab.each(&units, name, |_| 1.0, |(profile, position)| search(*profile, position, depth))?;
    for (profile, found) in Profile::ALL.into_iter().zip(found.chunks(positions.len().max(1))) {
        let mean = |value: &dyn Fn(&Shares) -> Option<f64>| {
            let values: Vec<f64> = found.iter().filter_map(value).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let percent = |value: &dyn Fn(&Shares) -> Option<f64>| {
            mean(value).map_or(String::new(), |share| format!("{:.1}", 100.0 * share))
        };
        table.row(vec![
            profile.to_string(),
            found.iter().map(|one| one.nodes).sum::<u64>().to_string(),
            percent(&|one| Some(one.at_cut_nodes)),
            percent(&|one| Some(one.main)),
            percent(&|one| Some(one.pawns)),
            percent(&|one| one.kings),
            mean(&|one| one.branching).map_or(String::new(), |factor| format!("{factor:.2}")),
        ]);
    }
    report.table(table);
    Ok(report)
}

fn search(profile: Profile, position: &Position, depth: i32) -> Result<Shares, String> {
    let table = AnyTable::new(profile.policy(), 16).map_err(|error| error.to_string())?;
    let mut worker = Worker::new(profile);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    worker.search(&table, position, &History::new(), &limits, &mut unwatched());
    let counted: &Statistics = worker.statistics();
    Ok(Shares {
        nodes: counted.nodes,
        at_cut_nodes: counted.expected_first_share(),
        main: counted.main_first_move_share(),
        pawns: counted.pawn_hit_share(),
        kings: counted.king_hit_share(),
        branching: counted.branching_factor(),
    })
}
