//! The search: one node in phases, its heuristics, profiles and drivers.

mod host;
pub mod time;

pub use host::{
    Bound, Host, Iteration, Limits, Line, Outcome, POLL_INTERVAL, Progress, Quiet, Report,
};
