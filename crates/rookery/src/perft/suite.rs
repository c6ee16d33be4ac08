//! All counts of a file.

use super::Speed;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input;
use crate::interrupt;
use crate::json;
use crate::lines::{self, Line};
use crate::progress::Progress;
use board::perft::Counting;
use board::perft::suite::{Entry, Expected, Suite, SuiteReader};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// What is to be run.
pub struct Run<'a> {
    /// The file with the expected counts.
    pub file: &'a Path,
    /// Counts of greater depths are left out.
    pub deepest: u32,
    /// How to count.
    pub counting: Counting<'a>,
    /// Whether to say it all in one JSON object at the end.
    pub json: bool,
}

/// A count that is not the expected one.
#[derive(Serialize)]
struct Mismatch {
    line: usize,
    fen: String,
    depth: u32,
    expected: u64,
    /// None where 64 bits do not hold it.
    found: Option<u64>,
}

#[derive(Serialize)]
struct BrokenLine {
    line: usize,
    reason: String,
}

#[derive(Serialize)]
struct Report {
    file: String,
    positions: usize,
    counts: usize,
    /// The counts that Ctrl-C left undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
    #[serde(flatten)]
    speed: Speed,
    mismatches: Vec<Mismatch>,
    errors: Vec<BrokenLine>,
}

impl Run<'_> {
    /// Runs every count; says what is wrong as soon as it is known.
    pub fn run(&self, out: &mut impl Write) -> Result<ExitCode, Failure> {
        let name = input::name(self.file);
        let suite =
            read(self.file).map_err(|error| Failure::Work(input::unreadable(&name, &error)))?;
        if suite.entries.is_empty() && suite.errors.is_empty() {
            return Err(Failure::Work(format!("{name} holds no positions")));
        }
        if let ([], [first, ..]) = (&suite.entries[..], &suite.errors[..]) {
            let first = format!("line {}: {}", first.line, first.reason);
            let reason = input::wrong_kind(&name, "a list of counts", &first);
            return Err(Failure::Work(reason));
        }
        for Entry { line, repairs, .. } in &suite.entries {
            input::tell_repairs(&format!("{name}, line {line}"), repairs);
        }
        if !self.json {
            for error in &suite.errors {
                writeln!(out, "line {}: error: {}", error.line, error.reason)?;
            }
        }
        let report = self.count(suite, out)?;
        if self.json {
            json::write(&report, out)?;
        } else {
            report.speed.write(out)?;
            writeln!(out, "{}", report.summary())?;
            if let Some(left) = report.left {
                let (done, all) = (report.counts, counted(report.counts + left, "count"));
                writeln!(out, "interrupted: {done} of {all} were made")?;
            }
        }
        if report.left.is_some() {
            return Err(Failure::Interrupted);
        }
        let clean = report.mismatches.is_empty() && report.errors.is_empty();
        Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn count(&self, suite: Suite, out: &mut impl Write) -> Result<Report, Failure> {
        let wanted = |expected: &&Expected| expected.depth <= self.deepest;
        let all = suite.entries.iter().flat_map(|entry| entry.counts.iter().filter(wanted));
        let total = all.clone().fold(0u64, |sum, expected| sum.saturating_add(expected.nodes));
        let all = all.count();
        let begun = Instant::now();
        let bar = Progress::new();
        let (mut positions, mut counts, mut nodes, mut passed) = (0, 0, 0u64, 0u64);
        let mut mismatches = Vec::new();
        'entries: for entry in &suite.entries {
            positions += usize::from(entry.counts.iter().any(|expected| wanted(&expected)));
            for expected in entry.counts.iter().filter(wanted) {
                let progress = |done: usize, jobs: usize| {
                    let part = expected.nodes as f64 * done as f64 / jobs as f64;
                    bar.set(passed.saturating_add(part as u64), total);
                };
                let counting = Counting { progress: &progress, ..self.counting };
                let found = counting.count(&entry.position, expected.depth);
                if found.is_none() && interrupt::requested() {
                    break 'entries;
                }
                counts += 1;
                nodes = nodes.saturating_add(found.unwrap_or(0));
                passed = passed.saturating_add(expected.nodes);
                bar.set(passed, total);
                if let Some(mismatch) = Mismatch::of(entry, expected, found) {
                    if !self.json {
                        bar.pause(|| writeln!(out, "{mismatch}"))?;
                    }
                    mismatches.push(mismatch);
                }
            }
        }
        let errors = suite.errors.into_iter();
        Ok(Report {
            file: self.file.display().to_string(),
            positions,
            counts,
            left: Some(all - counts).filter(|&left| left > 0),
            speed: Speed::new(nodes, begun.elapsed()),
            mismatches,
            errors: errors.map(|one| BrokenLine { line: one.line, reason: one.reason }).collect(),
        })
    }
}

impl Mismatch {
    fn of(entry: &Entry, expected: &Expected, found: Option<u64>) -> Option<Mismatch> {
        let Expected { line, depth, nodes } = *expected;
        let differs = found != Some(nodes);
        differs.then(|| Mismatch { line, fen: entry.fen.clone(), depth, expected: nodes, found })
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Mismatch { line, fen, depth, expected, found } = self;
        write!(f, "line {line}: mismatch: {fen}, depth {depth}: expected {expected}, found ")?;
        match found {
            Some(found) => write!(f, "{found}"),
            None => f.write_str("more than 64 bits hold"),
        }
    }
}

impl Report {
    /// `127 positions, 762 counts, all exact`
    fn summary(&self) -> String {
        let mut text = counted(self.positions, "position");
        text += &format!(", {}", counted(self.counts, "count"));
        match (self.counts, self.mismatches.len()) {
            (0, _) => (),
            (_, 0) => text += ", all exact",
            (_, count) => text += &format!(", {}", counted(count, "mismatch")),
        }
        match self.errors.len() {
            0 => (),
            count => text += &format!(", {}", counted(count, "error")),
        }
        text
    }
}

fn read(file: &Path) -> io::Result<Suite> {
    let mut input = input::lines(file)?;
    let (mut reader, mut buffer) = (SuiteReader::default(), Vec::new());
    loop {
        match lines::read(&mut input, &mut buffer)? {
            Line::Whole => reader.line(&buffer),
            Line::TooLong => {
                reader.skipped(format!("longer than {} bytes, passed over", lines::LONGEST));
            }
            Line::End => return Ok(reader.finish()),
        }
    }
}
