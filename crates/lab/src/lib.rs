//! Experiments with the engine's parts, and the statistics of games. The experiments are run by people,
//! through `cargo xtask`; of the product only `rookery match` builds on this crate, for [`elo`].

pub mod collection;
pub mod duel;
pub mod elo;
pub mod figure8;
pub mod files;
pub mod spsa;
pub mod texel;
pub mod wdl;
