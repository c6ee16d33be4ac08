//! Experiments with the engine's parts. What stands here is run by people, through `cargo xtask`; no
//! product code depends on it.

pub mod duel;
pub mod figure8;
pub mod files;
pub mod random;
pub mod spsa;
pub mod texel;
