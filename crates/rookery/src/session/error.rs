//! Why a command was not followed.

use std::{fmt, io};

/// Why a command was not followed.
#[derive(Debug)]
pub enum CommandError {
    /// What is wrong with it.
    Refused(String),
    /// The answer cannot be written.
    Output(io::Error),
}

impl fmt::Display for CommandError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Refused(reason) => out.write_str(reason),
            CommandError::Output(error) => error.fmt(out),
        }
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        CommandError::Output(error)
    }
}

/// A refusal with its reason.
pub fn refuse<T>(reason: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::Refused(reason.into()))
}
