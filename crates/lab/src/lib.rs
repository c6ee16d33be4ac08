//! Experiments with the engine's parts. What stands here is run by people, through `cargo xtask`; no
//! product code depends on it.

pub mod collection;
pub mod texel;
