//! Rows of `rookery sim`, run by the laboratory: the same command line, the same numbers.

use super::work::Lab;
use crate::arguments::{Arguments, Command};
use crate::failure::Failure;
use crate::sim;
use clap::Parser;
use serde::Deserialize;

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
}

/// The rows of one call with each of the seeds, which begin with the laboratory's.
pub fn simulate(lab: &Lab, words: &str, seeds: u64) -> Result<Vec<Vec<SimRow>>, Failure> {
    (lab.seed..lab.seed + seeds).map(|seed| simulate_once(lab, words, seed)).collect()
}

fn simulate_once(lab: &Lab, words: &str, seed: u64) -> Result<Vec<SimRow>, Failure> {
    let keep = lab.searches().to_string_lossy().into_owned();
    let first = lab.first().map_or(String::new(), |first| format!(" --first {first}"));
    let rest = format!("--json --quiet --seed {seed} --threads {}{first}", lab.threads());
    let words = ["rookery", "sim"].into_iter().chain(words.split(' ')).chain(rest.split(' '));
    let words = words.chain(["--keep", &keep]);
    let parsed =
        Arguments::try_parse_from(words).map_err(|error| Failure::Work(error.to_string()))?;
    let Some(Command::Sim(arguments)) = parsed.command else {
        return Err(Failure::Work("the laboratory simulates nothing else".to_owned()));
    };
    let mut output = Vec::new();
    sim::run(&arguments, &mut output)?;
    let text = String::from_utf8_lossy(&output);
    let row = |line| {
        serde_json::from_str(line)
            .map_err(|error| Failure::Work(format!("a row of the simulator: {error}")))
    };
    text.lines().filter(|line| line.starts_with('{')).map(row).collect()
}

/// The mean of a number over the seeds and, for more than one, its standard deviation.
pub fn mean(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}

/// `3.09 ± 0.12`, in units of `unit`.
pub fn spread(values: &[f64], unit: f64, digits: usize) -> String {
    match mean(values) {
        (mean, Some(spread)) => format!("{:.digits$} ± {:.digits$}", mean / unit, spread / unit),
        (mean, None) => format!("{:.digits$}", mean / unit),
    }
}

/// A number of all seeds' rows at one place.
pub fn column(runs: &[Vec<SimRow>], place: usize, value: fn(&SimRow) -> f64) -> Vec<f64> {
    runs.iter().filter_map(|rows| rows.get(place)).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_a_spread_where_there_are_several() {
        assert_eq!(mean(&[2.0]), (2.0, None));
        assert_eq!(mean(&[1.0, 3.0]), (2.0, Some(2f64.sqrt())));
        assert_eq!(spread(&[0.1, 0.3], 0.01, 1), "20.0 ± 14.1");
        assert_eq!(spread(&[0.5], 1.0, 2), "0.50");
    }
}
