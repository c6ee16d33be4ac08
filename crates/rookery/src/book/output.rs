//! A book that is being written: under a temporary name until it is whole.

use crate::failure::Failure;
use board::polyglot::BookWriter;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// The file, and the name that it will have.
pub struct Output {
    path: PathBuf,
    temporary: PathBuf,
    writer: Option<BookWriter<BufWriter<File>>>,
}

impl Output {
    /// Begins a book.
    pub fn create(path: &Path) -> Result<Output, Failure> {
        let temporary = beside(path, "tmp").ok_or_else(|| {
            Failure::Usage(format!("--output: {path:?} is not the name of a file"))
        })?;
        let file = File::create(&temporary).map_err(|error| cannot_write(path, &error))?;
        let writer = Some(BookWriter::new(BufWriter::new(file)));
        Ok(Output { path: path.to_owned(), temporary, writer })
    }

    /// Writes the moves of a position; see [`BookWriter::position`].
    pub fn position(&mut self, key: u64, moves: &[(u16, u64)]) -> Result<(), Failure> {
        match &mut self.writer {
            Some(writer) => {
                writer.position(key, moves).map_err(|error| cannot_write(&self.path, &error))
            }
            None => Ok(()),
        }
    }

    /// Gives the book its name; how many positions and entries it has.
    pub fn finish(mut self) -> Result<(u64, u64), Failure> {
        let Some(writer) = self.writer.take() else { return Ok((0, 0)) };
        let counts = (writer.positions(), writer.entries());
        if counts.1 == 0 {
            return Ok(counts);
        }
        let finish = || -> io::Result<()> {
            let file = writer.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            fs::rename(&self.temporary, &self.path)
        };
        finish().map_err(|error| cannot_write(&self.path, &error))?;
        Ok(counts)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // After the rename there is nothing of this name.
        let _ = fs::remove_file(&self.temporary);
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("book {path:?} cannot be written: {error}"))
}

/// A hidden name of this process beside a file.
pub fn beside(path: &Path, kind: &str) -> Option<PathBuf> {
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(path.file_name()?);
    hidden.push(format!(".{}.{kind}", std::process::id()));
    Some(path.with_file_name(hidden))
}
