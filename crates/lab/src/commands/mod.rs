//! The commands of the laboratory, one file for each.

pub mod collection;
pub mod duel;
pub mod figure8;
pub mod spsa;
mod terms;
pub mod texel;
pub mod wdl;
