//! `rookery book check`: whether a book is sound, and what is in it.

use crate::arguments::CheckArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use board::Position;
use board::polyglot::{self, Book, BookError};
use serde::Serialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

/// What was found.
#[derive(Serialize, Default)]
struct Report {
    book: String,
    entries: u64,
    positions: u64,
    /// Entries that are known, but not to be played.
    weightless: u64,
    /// Entries that repeat a move of their position.
    repeated: u64,
    /// Positions that the book's own moves lead to from the start.
    reached_positions: u64,
    /// Entries of those positions.
    reached_entries: u64,
    /// Those of them that are not legal there.
    illegal: u64,
}

/// Runs the command.
pub fn run(arguments: &CheckArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let name = &arguments.book;
    let wrong = |error: BookError| Failure::Work(format!("book {name:?} {error}"));
    let mut book = super::open(name).map_err(Failure::Work)?;
    let total = book.len();
    let progress = Progress::new();
    book.check(|done| progress.set(done, 2 * total)).map_err(wrong)?;
    let mut report =
        Report { book: name.display().to_string(), entries: total, ..Report::default() };
    report.count(&mut book).map_err(|error| wrong(error.into()))?;
    report.walk(&mut book, &progress).map_err(|error| wrong(error.into()))?;
    match arguments.json {
        true => json::write(&report, out)?,
        false => report.write(out)?,
    }
    Ok(if report.illegal == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Report {
    fn count(&mut self, book: &mut Book<File>) -> io::Result<()> {
        let (mut key, mut moves) = (None, Vec::new());
        for entry in book.entries()? {
            let entry = entry?;
            if key != Some(entry.key) {
                key = Some(entry.key);
                self.positions += 1;
                moves.clear();
            }
            self.weightless += u64::from(entry.weight == 0);
            self.repeated += u64::from(moves.contains(&entry.bits));
            // A damaged book may have one key only: the list must not grow with it.
            if moves.len() < board::MAX_MOVES {
                moves.push(entry.bits);
            }
        }
        Ok(())
    }

    /// Follows the book's moves from the start. Where it has none (it may be for one side only), all
    /// legal moves are followed, if the book knows what comes of them.
    fn walk(&mut self, book: &mut Book<File>, progress: &Progress) -> io::Result<()> {
        let start = Position::startpos();
        let mut seen = HashSet::from([polyglot::key(&start)]);
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            let entries = book.entries_of(polyglot::key(&position))?;
            let mut next: Vec<Position> = entries
                .iter()
                .filter_map(|entry| entry.legal_move(&position))
                .map(|mv| position.make(mv))
                .collect();
            self.reached_positions += u64::from(!entries.is_empty());
            self.reached_entries += entries.len() as u64;
            progress.set(self.entries + self.reached_entries, 2 * self.entries);
            self.illegal += (entries.len() - next.len()) as u64;
            if entries.is_empty() {
                for mv in &position.legal_moves() {
                    let reply = position.make(mv);
                    if !book.entries_of(polyglot::key(&reply))?.is_empty() {
                        next.push(reply);
                    }
                }
            }
            open.extend(next.into_iter().filter(|one| seen.insert(polyglot::key(one))));
        }
        Ok(())
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Report { book, entries, positions, .. } = self;
        let (entries, positions) = (counted(entries, "entry"), counted(positions, "position"));
        writeln!(out, "{book}: {entries} in order, {positions}")?;
        writeln!(out, "{} of weight 0, {} repeated", self.weightless, self.repeated)?;
        writeln!(
            out,
            "from the start: {}, {}, {} illegal",
            counted(self.reached_positions, "position"),
            counted(self.reached_entries, "entry"),
            self.illegal
        )
    }
}
