//! What can go wrong: a size, the memory, a file. Each error is one line.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a table could not be made, resized, saved or loaded.
#[derive(Debug)]
pub enum TableError {
    /// A size that no table can have.
    Size {
        /// The size asked for.
        megabytes: u64,
    },
    /// The system does not give that much memory.
    Memory {
        /// The size asked for.
        bytes: u64,
    },
    /// Memory that cannot be had in common with another process.
    Common {
        /// What stands in the way.
        reason: String,
    },
    /// A file that cannot be written or read, or that does not hold what it should.
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl TableError {
    pub(crate) fn file(path: &Path, reason: impl Into<String>) -> TableError {
        TableError::File { path: path.to_owned(), reason: reason.into() }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Size { megabytes: 0 } => {
                out.write_str("a table of 0 MB is not possible: the least is 1 MB")
            }
            TableError::Size { megabytes } => {
                write!(out, "a table of {megabytes} MB is more than this machine can address")
            }
            TableError::Memory { bytes } => {
                write!(out, "no memory for a table of {} MB", bytes >> 20)
            }
            TableError::Common { reason } => {
                write!(out, "no table in common with another process: {reason}")
            }
            // Quoted and escaped, so that a strange name does not break the line.
            TableError::File { path, reason } => write!(out, "table file {path:?}: {reason}"),
        }
    }
}

impl std::error::Error for TableError {}
