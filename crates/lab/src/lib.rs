//! Experiments with the engine's parts, run by people through `cargo xtask`. The product does not contain them.

pub mod collection;
pub mod duel;
pub mod figure8;
pub mod files;
pub mod spsa;
pub mod texel;
pub mod wdl;
