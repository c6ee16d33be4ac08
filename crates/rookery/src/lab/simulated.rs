//! Rows of `rookery sim`, run by the laboratory: the same command line, the same numbers.

use super::commands;
use super::statistics::bootstrap;
use super::work::Lab;
use crate::arguments::{Command, SimArguments};
use crate::failure::Failure;
use crate::memory;
use crate::sim::plan::Plan;
use crate::sim::rows::Unit;
use crate::sim::spread::mean_and_spread;
use crate::sim::{self, keep::Keep};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a row of `rookery sim --json` holds.
#[derive(Clone, Debug, Deserialize)]
pub struct SimRow {
    pub processors: u32,
    pub depth: i32,
    #[serde(default)]
    pub grain: Option<i32>,
    /// Virtual seconds of the parallel search, of all positions together.
    pub time: f64,
    /// Those of the sequential search.
    pub sequential_time: f64,
    pub speedup: f64,
    pub search_overhead: f64,
    pub load: f64,
    pub performance: f64,
    pub synchronisation: f64,
    pub communication: f64,
    pub imbalance: f64,
    /// Of the parallel search, and of the sequential one.
    pub nodes: f64,
    pub sequential_nodes: f64,
    /// The times of each search, and those of the sequential ones.
    #[serde(default)]
    pub times: Vec<f64>,
    #[serde(default)]
    pub sequential_times: Vec<f64>,
}

/// The rows of several calls by call and seed; the seeds begin with the laboratory's. All searches of all calls
/// are one list of work.
pub fn simulate(lab: &Lab, calls: &[String], seeds: u64) -> Result<Vec<Vec<Vec<SimRow>>>, Failure> {
    let seeds = || (lab.seed..).take(seeds as usize);
    let each_seed = |words: &String| {
        seeds().map(|seed| parse(lab, words, seed)).collect::<Result<Vec<_>, Failure>>()
    };
    let parsed: Vec<Vec<Box<SimArguments>>> =
        calls.iter().map(each_seed).collect::<Result<_, _>>()?;
    let plans = parsed.iter().flatten();
    let plans: Vec<Plan<'_>> =
        plans.map(|arguments| Plan::new(arguments, lab.keep())).collect::<Result<_, _>>()?;
    search(lab, &plans)?;
    parsed.iter().map(|seeds| seeds.iter().map(|one| rows(one)).collect()).collect()
}

fn parse(lab: &Lab, words: &str, seed: u64) -> Result<Box<SimArguments>, Failure> {
    let keep = lab.searches().to_string_lossy().into_owned();
    let rest = format!("--json --quiet --seed {seed} --threads {}", lab.threads());
    let words = ["rookery", "sim"].into_iter().chain(words.split_whitespace());
    let words = words.chain(rest.split(' ')).chain(["--keep", &keep]);
    match commands::read(words)? {
        Some(Command::Sim(arguments)) => Ok(arguments),
        _ => Err(Failure::Work("the laboratory simulates nothing else".to_owned())),
    }
}

/// Makes all searches of these plans that are not kept yet.
fn search(lab: &Lab, plans: &[Plan<'_>]) -> Result<(), Failure> {
    let keep: &Keep = lab.keep();
    let mut sizes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut units: Vec<(usize, Unit)> = Vec::new();
    // Of the sequential searches that calls share, only the deepest.
    let mut deepest: BTreeMap<(String, i32), (i32, usize, Unit)> = BTreeMap::new();
    for (number, plan) in plans.iter().enumerate() {
        for &unit in &plan.units {
            let (name, position) = plan.shallow(unit);
            sizes.entry(name).or_insert((number, position));
            match plan.sequential(unit) {
                None => units.push((number, unit)),
                Some((name, step, depth)) => {
                    let known = deepest.entry((name, step)).or_insert((depth, number, unit));
                    if known.0 < depth {
                        *known = (depth, number, unit);
                    }
                }
            }
        }
    }
    units.extend(deepest.into_values().map(|(_, number, unit)| (number, unit)));
    let needs = units.iter().map(|&(plan, unit)| plans[plan].megabytes(unit, keep));
    memory::check_free_at_once(lab.threads(), needs)
        .map_err(|reason| Failure::Usage(format!("--threads: {reason}")))?;
    let (names, places): (Vec<String>, Vec<(usize, usize)>) = sizes.into_iter().unzip();
    let looked = lab.spread(
        ", sizes of the trees",
        &places,
        |_| 1.0,
        |&(plan, position)| plans[plan].look(position, keep),
    )?;
    let nodes: BTreeMap<String, Vec<u64>> = names.into_iter().zip(looked).collect();
    let length = |&(plan, unit): &(usize, Unit)| {
        let plan = &plans[plan];
        let known = nodes.get(&plan.shallow(unit).0).map_or(&[][..], |nodes| nodes);
        plan.length(unit, known)
    };
    lab.spread("", &units, length, |&(plan, unit)| plans[plan].search(unit, keep)).map(drop)
}

/// The rows of a call, all of whose searches are kept.
fn rows(arguments: &SimArguments) -> Result<Vec<SimRow>, Failure> {
    let mut output = Vec::new();
    sim::run(arguments, &mut output)?;
    commands::parse(&String::from_utf8_lossy(&output))
}

/// The mean of a number over the seeds.
pub fn mean(values: &[f64]) -> f64 {
    mean_and_spread(values).0
}

/// A number of all seeds' rows at one place.
pub fn column(runs: &[Vec<SimRow>], place: usize, value: fn(&SimRow) -> f64) -> Vec<f64> {
    runs.iter().filter_map(|rows| rows.get(place)).map(value).collect()
}

/// The interval of 95 % of the speedup if other positions of the same kind had been drawn: of the times of one
/// position, parallel and sequential, over all seeds.
pub fn over_positions(lab: &Lab, times: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = times.len();
    let speedup = |draw: &mut dyn FnMut() -> usize| {
        let add = |sum: (f64, f64), one: (f64, f64)| (sum.0 + one.0, sum.1 + one.1);
        let (time, sequential) = (0..count).map(|_| times[draw()]).fold((0.0, 0.0), add);
        (time > 0.0).then(|| sequential / time)
    };
    (count > 1).then(|| bootstrap(count, 2000, lab.seed, speedup)).flatten()
}

/// The times of each position, parallel and sequential, summed over rows.
pub fn times<'a>(rows: impl IntoIterator<Item = &'a SimRow>) -> Vec<(f64, f64)> {
    let mut sums: Vec<(f64, f64)> = Vec::new();
    for row in rows {
        sums.resize(sums.len().max(row.times.len()), (0.0, 0.0));
        for (sum, (time, sequential)) in
            sums.iter_mut().zip(row.times.iter().zip(&row.sequential_times))
        {
            *sum = (sum.0 + time, sum.1 + sequential);
        }
    }
    sums
}
