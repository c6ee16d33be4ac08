//! Why a command was not followed.

use std::io;

/// Why a command was not followed.
#[derive(Debug)]
pub enum Trouble {
    /// What is wrong with it.
    Refused(String),
    /// The answer cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Output(error)
    }
}

/// A refusal with its reason.
pub fn refuse<T>(reason: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Refused(reason.into()))
}
