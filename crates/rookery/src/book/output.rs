//! A book that is being written: it takes its name when it is whole.

use crate::failure::Failure;
use crate::plain;
use board::polyglot::BookWriter;
use files::Replacement;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// The book, and the name that it will have. Dropped before it is finished, it leaves nothing.
pub struct Output {
    path: PathBuf,
    writer: BookWriter<BufWriter<Replacement>>,
}

impl Output {
    /// Begins a book. Only a plain file may have its name already.
    pub fn create(path: &Path) -> Result<Output, Failure> {
        let file = Replacement::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Output { path: path.to_owned(), writer: BookWriter::new(BufWriter::new(file)) })
    }

    /// Writes the moves of a position; see [`BookWriter::position`].
    pub fn position(&mut self, key: u64, moves: &[(u16, u64)]) -> Result<(), Failure> {
        self.writer.position(key, moves).map_err(|error| cannot_write(&self.path, &error))
    }

    /// Gives the book its name, unless it is empty; how many positions and entries it has.
    pub fn finish(self) -> Result<(u64, u64), Failure> {
        let counts = (self.writer.positions(), self.writer.entries());
        if counts.1 == 0 {
            return Ok(counts);
        }
        let finish = || -> io::Result<()> {
            let buffer = self.writer.finish()?;
            buffer.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
        };
        finish().map_err(|error| cannot_write(&self.path, &error))?;
        Ok(counts)
    }

    /// Gives the book up after Ctrl-C.
    pub fn abandon(self) -> Failure {
        let path = self.path.clone();
        drop(self);
        // Where stderr is closed the exit status still tells.
        plain::say(format_args!("interrupted; book {path:?} was not written"));
        Failure::Interrupted
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("book {path:?} cannot be written: {error}"))
}
