//! The outcome of a suite.

use super::record::{Broken, Problem};
use super::solve::Solution;
use crate::counted::counted;
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
    /// Those that were searched; after Ctrl-C not all.
    positions: usize,
    /// All of the file.
    #[serde(skip)]
    all: usize,
    /// What the moves are worth, and the best ones, where moves have points.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most_points: Option<u64>,
    /// Whether Ctrl-C ended it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
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
        let held = results.iter().filter_map(|solution| solution.held_from);
        let sum = |of: fn(&Solution) -> Option<u32>| {
            let mut points = results.iter().filter_map(of).map(u64::from).peekable();
            points.peek().is_some().then(|| points.sum())
        };
        Report {
            file,
            profile,
            solved: results.iter().filter(|solution| solution.solved).count(),
            positions: results.len(),
            all: problems.len(),
            points: sum(|solution| solution.points),
            most_points: sum(|solution| solution.most_points),
            interrupted: results.len() < problems.len(),
            nodes: results.iter().map(|solution| solution.end.nodes).sum(),
            seconds: time.as_secs_f64(),
            // From 0: the sum of no numbers is -0 in floating point.
            seconds_to_solution: held.fold(0.0, |sum, point| sum + point.seconds),
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
            writeln!(out, "{}", counted(self.errors.len(), "broken record"))?;
        }
        if self.interrupted {
            let (searched, all) = (self.positions, counted(self.all, "position"));
            writeln!(out, "interrupted after {searched} of {all}")?;
        }
        if let (Some(points), Some(most)) = (self.points, self.most_points) {
            writeln!(out, "{points} of {}", counted(most, "point"))?;
        }
        writeln!(out, "solved {} of {}", self.solved, self.positions)
    }
}
