//! `rookery book`: building, showing, checking and merging opening books, and playing from them.
//!
//! The format and its rules are in [`board::polyglot`]; here are files, memory and people (M19, M33).

mod build;
mod check;
mod counts;
mod games;
mod merge;
mod output;
mod own;
mod runs;
mod show;

use crate::arguments::BookCommand;
use crate::failure::Failure;
use board::polyglot::Book;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub use own::{Choice, OwnBook};

/// Runs the command.
pub fn run(command: &BookCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        BookCommand::Build(arguments) => build::run(arguments, out),
        BookCommand::Show(arguments) => show::run(arguments, out),
        BookCommand::Check(arguments) => check::run(arguments, out),
        BookCommand::Merge(arguments) => merge::run(arguments, out),
    }
}

/// Opens a book; or a line that names it and says why not.
pub fn open(path: &Path) -> Result<Book<File>, String> {
    let wrong = |reason: String| format!("book {path:?} {reason}");
    let file = files::open(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    Book::open(file).map_err(|error| wrong(error.to_string()))
}
