//! Forsyth-Edwards notation, read strictly and written back.

mod read;
mod write;

pub use read::FenError;
pub(crate) use read::quote;
