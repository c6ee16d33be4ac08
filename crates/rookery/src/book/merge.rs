//! `rookery book merge`: one book of several.
//!
//! All books are read from the beginning to the end at once, so that none has to fit into memory.

use super::output::Output;
use crate::arguments::MergeArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input;
use crate::interrupt;
use crate::json;
use board::polyglot::{Entries, Entry};
use serde::Serialize;
use std::fs::File;
use std::io::{self, Write};
use std::iter::Peekable;
use std::process::ExitCode;

/// What came of it.
#[derive(Serialize)]
struct Report {
    book: String,
    books: usize,
    positions: u64,
    moves: u64,
}

/// Runs the command.
pub fn run(arguments: &MergeArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    input::refuse_output("--output", &arguments.output, &arguments.books)?;
    let mut books = Vec::new();
    for path in &arguments.books {
        let mut book = super::open(path).map_err(Failure::Work)?;
        // In a book out of order the merge would lose positions.
        let checked = book.check(|_| ());
        checked.map_err(|error| Failure::Work(format!("book {path:?} {error}")))?;
        books.push(book);
    }
    let cannot = |error: io::Error| Failure::Work(format!("a book cannot be read: {error}"));
    let sources: io::Result<Vec<_>> =
        books.iter_mut().map(|book| Ok(book.entries()?.peekable())).collect();
    let mut sources = sources.map_err(cannot)?;
    interrupt::listen();
    let mut output = Output::create(&arguments.output)?;
    while let Some((key, moves)) = next_position(&mut sources).map_err(cannot)? {
        if interrupt::requested() {
            return Err(output.abandon());
        }
        output.position(key, &moves)?;
    }
    let (positions, moves) = output.finish()?;
    if moves == 0 {
        return Err(Failure::Work("no book: all entries have weight 0".to_owned()));
    }
    let book = arguments.output.display().to_string();
    let report = Report { book, books: books.len(), positions, moves };
    match arguments.json {
        true => json::write(&report, out)?,
        false => writeln!(
            out,
            "{}: {}, {} of {}",
            report.book,
            counted(positions, "position"),
            counted(moves, "move"),
            counted(report.books, "book")
        )?,
    }
    Ok(ExitCode::SUCCESS)
}

type Source<'a> = Peekable<Entries<&'a mut File>>;
/// A key, and moves with the sums of their weights.
type Moves = (u64, Vec<(u16, u64)>);

/// The least key of all sources, and the sums of its moves' weights.
fn next_position(sources: &mut [Source<'_>]) -> io::Result<Option<Moves>> {
    let key = |source: &mut Source<'_>| source.peek()?.as_ref().ok().map(|entry| entry.key);
    let least = sources.iter_mut().filter_map(key).min();
    let mut moves: Vec<(u16, u64)> = Vec::new();
    for source in sources {
        // An error stops the source here and is told.
        let belongs = |entry: &io::Result<Entry>| {
            entry.as_ref().map_or(true, |entry| Some(entry.key) == least)
        };
        while let Some(entry) = source.next_if(belongs) {
            let entry = entry?;
            let weight = u64::from(entry.weight);
            match moves.iter_mut().find(|(bits, _)| *bits == entry.bits) {
                Some((_, sum)) => *sum += weight,
                None => moves.push((entry.bits, weight)),
            }
        }
    }
    Ok(least.map(|key| (key, moves)))
}
