//! Felten and Otto's protocol (F18, F17): every position to two successive depths, chosen so that all searches
//! take about the same time on 256 processors; one curve of speedups for each time.
//!
//! The time on 256 processors is that of the sequential search over the speedup that the paper reports there:
//! to choose by the simulated time would need the runs that are to be chosen.

use super::outcome::Sequential;
use super::rows::{Case, chosen};
use crate::arguments::SimArguments;
use crate::failure::Failure;
use parallel::sim::Model;

/// The paper's speedup on 256 processors.
const SPEEDUP_AT_256: f64 = 101.0;

/// No search of the protocol is deeper.
const DEEPEST: i32 = 40;

/// Nodes of a sequential search that takes `seconds` on 256 processors.
fn target(model: &Model, seconds: f64) -> f64 {
    seconds * SPEEDUP_AT_256 * 1e9 / model.node as f64
}

/// The geometric mean of the nodes of two successive depths, of which `depth` is the second.
fn mean(nodes: &[u64], depth: usize) -> f64 {
    let at = |depth: usize| nodes.get(depth.wrapping_sub(1)).copied().unwrap_or(0) as f64;
    (at(depth - 1) * at(depth)).sqrt()
}

/// The second of the two successive depths whose trees are nearest in size to a number of nodes; `nodes` are
/// those of the iterations from depth 1 on.
fn second_depth(nodes: &[u64], target: f64) -> i32 {
    let off = |&depth: &usize| (mean(nodes, depth) / target).ln().abs();
    let depths = 2..=nodes.len().max(2);
    depths.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(2) as i32
}

/// The positions that are searched: the even-numbered ones, if no others were asked for.
pub fn positions(arguments: &SimArguments, count: usize) -> Result<Vec<usize>, Failure> {
    chosen(arguments, count, arguments.every.map_or(2, usize::from))
}

/// Searches sequentially until the depths for all times can be chosen.
pub fn explore(
    arguments: &SimArguments,
    model: &Model,
    search: impl Fn(i32) -> Result<Sequential, String>,
) -> Result<Sequential, String> {
    let most = arguments.figure6.iter().copied().fold(0.0, f64::max);
    let target = target(model, most);
    let mut depth = 2;
    loop {
        let found = search(depth)?;
        let is_enough = mean(&found.nodes, depth as usize) >= target;
        // Where a mate is found no iteration follows.
        let ends = (found.nodes.len() as i32) < depth || depth == DEEPEST;
        if is_enough || ends {
            return Ok(found);
        }
        depth += 1;
    }
}

/// Processors, greatest depth, cases and time of every row: the times one after the other.
pub fn wanted(
    arguments: &SimArguments,
    model: &Model,
    found: &[Option<Sequential>],
) -> Vec<(u32, i32, Vec<Case>, Option<f64>)> {
    let mut wanted = Vec::new();
    for &seconds in &arguments.figure6 {
        let target = target(model, seconds);
        let both = |(position, search): (usize, &Option<Sequential>)| {
            let depth = second_depth(&search.as_ref()?.nodes, target);
            Some([depth - 1, depth].map(|depth| Case { position, depth }))
        };
        let cases: Vec<Case> = found.iter().enumerate().filter_map(both).flatten().collect();
        let deepest = cases.iter().map(|case| case.depth).max().unwrap_or(1);
        for &peers in &arguments.processors {
            wanted.push((peers, deepest, cases.clone(), Some(seconds)));
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f18_the_two_depths_lie_around_the_time() {
        let nodes = [10, 100, 1000, 10_000, 100_000];
        assert_eq!(second_depth(&nodes, 300.0), 3, "100 and 1000");
        assert_eq!(second_depth(&nodes, 3000.0), 4, "1000 and 10000");
        assert_eq!(second_depth(&nodes, 1e9), 5, "no more are known");
        assert_eq!(second_depth(&nodes, 1.0), 2);
        assert_eq!(second_depth(&[7], 100.0), 2, "a mate was found at once");
    }

    #[test]
    fn f18_tournament_speed_on_the_hypercube_is_some_millions_of_nodes() {
        let model = Model::named("ncube").expect("it is built in");
        let nodes = target(&model, 180.0);
        assert!((1e6..1e7).contains(&nodes), "{nodes}");
    }
}
