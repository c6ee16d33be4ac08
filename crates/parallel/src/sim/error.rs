//! What can go wrong in a run.

use crate::Time;
use std::fmt;

/// Why a run came to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimError {
    /// There is no memory for the table.
    Table(String),
    /// All processors wait for each other.
    Stalled(Time),
    /// The time that was allowed has passed.
    Late(Time),
    /// The caller has ended it.
    Interrupted,
}

impl fmt::Display for SimError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: Time| time as f64 / 1e9;
        match self {
            SimError::Table(reason) => write!(out, "the table: {reason}"),
            SimError::Stalled(time) => {
                write!(out, "all processors wait for each other after {} s", seconds(*time))
            }
            SimError::Late(time) => write!(out, "no answer within {} s", seconds(*time)),
            SimError::Interrupted => out.write_str("interrupted"),
        }
    }
}

impl std::error::Error for SimError {}
