//! Forsyth-Edwards notation, read strictly or with repairs, and written back.

mod read;
mod repair;
mod write;

pub use read::{FenError, quote};
pub use repair::Repair;
