//! The rows of a simulation, and what is said beside them.

use super::Found;
use super::chart::{self, Point};
use super::csv;
use super::keep::Keep;
use super::pictures::Pictures;
use super::report::{Report, Results, Swept};
use super::rows::{Row, Unit};
use crate::arguments::SimArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::plain;
use crate::{json, picture};
use parallel::sim::Model;
use std::io::Write;

/// The rows that are found, written as they become complete.
pub struct RowWriter<'a> {
    arguments: &'a SimArguments,
    model: &'a Model,
    rows: &'a [Row],
    results: Results,
    written: usize,
    /// The rows of a sweep over grains.
    sweep: Vec<Swept>,
    /// The points of Figure 6.
    curves: Vec<Point>,
    pictures: Pictures,
    /// What could not be written: told at the end, after the rows.
    failure: Option<Failure>,
    notes: Vec<String>,
}

impl<'a> RowWriter<'a> {
    /// No rows yet.
    pub fn new(
        arguments: &'a SimArguments,
        model: &'a Model,
        rows: &'a [Row],
        positions: usize,
        pictures: Pictures,
    ) -> RowWriter<'a> {
        let results = Results::new(positions, rows);
        let (written, sweep, curves) = (0, Vec::new(), Vec::new());
        let (failure, notes) = (None, Vec::new());
        RowWriter {
            arguments,
            model,
            rows,
            results,
            written,
            sweep,
            curves,
            pictures,
            failure,
            notes,
        }
    }

    /// Takes what a piece of work came to.
    pub fn take(&mut self, unit: Unit, found: Found) {
        match (unit, found) {
            (Unit::Simulated { row, case, seed }, Found::Simulated(run, timeline)) => {
                self.results.simulated(row, case, seed, *run);
                if let Some(timeline) = timeline
                    && let Err(failure) = self.pictures.write(&timeline)
                {
                    self.failure = Some(failure);
                }
            }
            (Unit::Sequential { position, .. }, Found::Sequential(search)) => {
                self.results.sequential(position, search);
            }
            _ => (),
        }
    }

    /// Writes the rows that are complete now.
    pub fn write_complete(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        while let Some(row) =
            self.rows.get(self.written).filter(|row| self.results.is_complete(self.written, row))
        {
            let number = self.written;
            let report = Report::new(self.arguments, self.model, row, &self.results, number);
            match (self.arguments.json, self.arguments.csv) {
                (true, _) => json::write(&report, out)?,
                (_, true) => csv::write(&report, &report.between_clusters(), number == 0, out)?,
                _ => report.write(self.arguments, out)?,
            }
            out.flush()?;
            self.curves.extend(report.seconds.map(|seconds| Point {
                curve: format!("{seconds} s, {}", report.table_label),
                processors: report.processors,
                speedup: report.speedup,
                ideal: None,
            }));
            self.notes.extend(report.too_small());
            self.sweep.extend(report.of_sweep());
            self.written += 1;
        }
        Ok(())
    }

    /// After Ctrl-C: the rows that were begun, over the positions that are done.
    pub fn write_rest(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        // A file that was to be written is not there: nothing of it stays.
        self.pictures = Pictures::default();
        for (number, row) in self.rows.iter().enumerate().skip(self.written) {
            let report = Report::new(self.arguments, self.model, row, &self.results, number);
            if report.has_positions() && !self.arguments.is_for_programs() {
                report.write(self.arguments, out)?;
            }
        }
        let quietly = self.arguments.is_for_programs();
        say_interrupted(self.written, self.rows.len(), quietly, out)
    }

    /// What is to be said below the rows, and what went wrong.
    pub fn finish(self, keep: &Keep, out: &mut impl Write) -> Result<(), Failure> {
        let quietly = self.arguments.is_for_programs();
        if !self.arguments.quiet {
            say(&best_grains(&self.sweep), quietly, out)?;
            say(&self.notes, quietly, out)?;
        }
        if !self.curves.is_empty() {
            let title = "Speedup over processors, by the time of a search on 256 of them";
            picture::draw(self.pictures.plot, || chart::draw(title, &self.curves))?;
        }
        keep.failure()
            .map_or(self.failure, |reason| Some(Failure::Work(reason)))
            .map_or(Ok(()), Err)
    }
}

/// The grain with the largest speedup for each number of processors, in the order of the rows (D109).
fn best_grains(sweep: &[Swept]) -> Vec<String> {
    let same = |a: &Swept, b: &Swept| (a.processors, a.depth) == (b.processors, b.depth);
    let best = |rows: &[Swept]| rows.iter().copied().max_by(|a, b| a.speedup.total_cmp(&b.speedup));
    let line = |Swept { processors, depth, grain, speedup }| {
        format!(
            "best grain of {} at depth {depth}: {grain}, speedup {speedup:.2}",
            counted(processors, "processor")
        )
    };
    sweep.chunk_by(same).filter_map(best).map(line).collect()
}

/// Says something beside the rows; on the standard error where a program reads them.
pub fn say(notes: &[String], json: bool, out: &mut impl Write) -> Result<(), Failure> {
    match json {
        // For the user at the terminal: it does not matter where stderr is closed.
        true => notes.iter().for_each(plain::say),
        false => notes.iter().try_for_each(|note| writeln!(out, "{note}"))?,
    }
    Ok(())
}

/// Says how far it is after Ctrl-C.
pub fn say_interrupted(
    rows: usize,
    all: usize,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let line = format!("interrupted after {rows} of {}", counted(all, "row"));
    say(&[line], json, out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d109_the_best_grain_is_named_for_each_number_of_processors() {
        let row = |(processors, grain, speedup)| Swept { processors, depth: 8, grain, speedup };
        let sweep = [(2, 2, 1.2), (2, 3, 1.33), (2, 4, 1.1), (32, 2, 5.67), (32, 3, 4.0)].map(row);
        assert_eq!(
            best_grains(&sweep),
            [
                "best grain of 2 processors at depth 8: 3, speedup 1.33",
                "best grain of 32 processors at depth 8: 2, speedup 5.67"
            ]
        );
        assert!(best_grains(&[]).is_empty());
    }
}
