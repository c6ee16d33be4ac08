//! Forsyth-Edwards notation, read strictly and written back.

mod read;
mod write;

pub use read::{FenError, quote};
