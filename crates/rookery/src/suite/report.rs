//! The outcome of a suite.

use super::record::{Broken, Problem};
use super::solve::Solution;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Everything that a run found.
#[derive(Serialize)]
pub struct Report {
    file: String,
    /// The rules of search, or the name of another program.
    profile: String,
    solved: usize,
    positions: usize,
    nodes: u64,
    seconds: f64,
    /// The sum of the times to solution of what was solved.
    seconds_to_solution: f64,
    results: Vec<Solution>,
    errors: Vec<Broken>,
}

impl Report {
    /// Sums up.
    pub fn new(
        file: String,
        profile: String,
        problems: &[Problem],
        results: Vec<Solution>,
        errors: Vec<Broken>,
        time: Duration,
    ) -> Report {
        let points = results.iter().filter_map(|solution| solution.held_from);
        Report {
            file,
            profile,
            solved: results.iter().filter(|solution| solution.solved).count(),
            positions: problems.len(),
            nodes: results.iter().map(|solution| solution.end.nodes).sum(),
            seconds: time.as_secs_f64(),
            seconds_to_solution: points.map(|point| point.seconds).sum(),
            results,
            errors,
        }
    }

    /// Whether every record could be used.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// The last lines.
    pub fn write_summary(&self, out: &mut impl Write) -> io::Result<()> {
        let Report { nodes, seconds, seconds_to_solution, .. } = self;
        writeln!(
            out,
            "{nodes} nodes, {seconds:.1} s; to the solutions {seconds_to_solution:.2} s"
        )?;
        if !self.errors.is_empty() {
            writeln!(out, "{} records were broken", self.errors.len())?;
        }
        writeln!(out, "solved {} of {}", self.solved, self.positions)
    }
}
