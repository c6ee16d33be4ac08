//! `lab memory`: the size of the transposition table against depth, and schemes of replacement (M21, D25).

use super::figures::{line, powers};
use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use crate::interrupt::unwatched;
use crate::sim;
use board::{History, Position};
use search::{Limits, Profile, Worker};
use table::{AnyTable, PolicyKind, Table};

/// Entries of the tables, as powers of two.
const SIZES: [u32; 5] = [10, 12, 14, 16, 18];

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let positions = lab.pick(sim::positions(None)?, 8, 24)?;
    let depths: Vec<i32> = lab.choose(5..=7, 6..=9).collect();
    let mut report = Report::new("The size of the transposition table");
    report.text(
        "The Bratko-Kopec positions by the profile `negascout`, one thread, an empty table. Nodes in per cent of those with the largest table of the \
         same scheme: where a number is above 100, the table is too small for the depth. Schemes: buckets of a cache line with aging; the thesis's two-deep \
         (the deeper entry is kept, the newer beside it); the survey's direct table with one place for a position.",
    );
    let schemes = [
        ("bucketed", PolicyKind::Bucketed),
        ("two-deep", PolicyKind::TwoDeep),
        ("direct", PolicyKind::Direct),
    ];
    let nodes = measure(lab, &schemes.map(|(_, policy)| policy), &depths, &positions)?;
    let mut nodes = nodes.chunks(SIZES.len() * positions.len().max(1));
    for (file, policy) in schemes {
        let mut table = ReportTable::new(
            file,
            &format!(
                "Scheme {}: nodes, % of those with 2^{} entries",
                policy.name(),
                SIZES[SIZES.len() - 1]
            ),
            &["depth"],
        );
        SIZES.iter().for_each(|size| table.column(format!("2^{size}")));
        let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
        for (depth, nodes) in depths.iter().zip(&mut nodes) {
            let sums: Vec<u64> =
                nodes.chunks(positions.len().max(1)).map(|chunk| chunk.iter().sum()).collect();
            let most = sums.last().copied().unwrap_or(1).max(1) as f64;
            let percents: Vec<f64> = sums.iter().map(|&sum| 100.0 * sum as f64 / most).collect();
            table.row(
                [depth.to_string()]
                    .into_iter()
                    .chain(percents.iter().map(|percent| format!("{percent:.1}")))
                    .collect(),
            );
            lines.push(SIZES.iter().map(|&size| 2f64.powi(size as i32)).zip(percents).collect());
        }
        if policy == PolicyKind::Direct {
            let series = lines.into_iter().zip(&depths).enumerate();
            let series = series
                .map(|(number, (points, depth))| line(number, &format!("depth {depth}"), points))
                .collect();
            report.figure(
                "direct",
                powers(
                    "Nodes by the size of a direct table",
                    ("entries", "nodes, % of the largest table's"),
                    series,
                ),
            );
        }
        report.table(table);
    }
    Ok(report)
}

/// Nodes by scheme, depth, size and position.
fn measure(
    lab: &Lab,
    schemes: &[PolicyKind],
    depths: &[i32],
    positions: &[Position],
) -> Result<Vec<u64>, Failure> {
    type Unit<'a> = (PolicyKind, i32, u32, &'a Position);
    let mut units: Vec<Unit<'_>> = Vec::new();
    for &policy in schemes {
        for &depth in depths {
            for size in SIZES {
                units.extend(positions.iter().map(|position| (policy, depth, size, position)));
            }
        }
    }
    let name = |(policy, depth, size, position): &Unit<'_>| {
        format!("memory, {}, 2^{size}, depth {depth}, {}", policy.name(), position.fen())
    };
    let length = |&(_, depth, ..): &Unit<'_>| 4f64.powi(depth);
    lab.each(&units, name, length, |&(policy, depth, size, position)| {
        search(policy, size, position, depth)
    })
}

fn search(policy: PolicyKind, size: u32, position: &Position, depth: i32) -> Result<u64, String> {
    let entries = 1usize << size;
    let table = match policy {
        PolicyKind::Bucketed => Table::with_entries(entries).map(AnyTable::Bucketed),
        PolicyKind::TwoDeep => Table::with_entries(entries).map(AnyTable::TwoDeep),
        PolicyKind::Direct => Table::with_entries(entries).map(AnyTable::Direct),
    };
    let table = table.map_err(|error| error.to_string())?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut worker = Worker::new(Profile::Negascout);
    Ok(worker.search(&table, position, &History::new(), &limits, &mut unwatched()).nodes)
}
