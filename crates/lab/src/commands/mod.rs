//! The commands of the laboratory, one file for each.

pub mod collection;
pub mod duel;
pub mod figure8;
mod games;
pub mod spsa;
pub mod texel;
pub mod train;
pub mod wdl;
