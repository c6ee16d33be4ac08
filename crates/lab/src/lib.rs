//! Experiments with the engine's parts, and the statistics of games. The experiments are run by people,
//! through `cargo xtask`; of the product `rookery match` builds on this crate, for [`elo`], and `rookery
//! datagen` and `rookery data`, for [`selfplay`] and [`data`].

pub mod collection;
pub mod data;
pub mod duel;
pub mod elo;
pub mod figure8;
pub mod files;
pub mod random;
pub mod selfplay;
pub mod spsa;
pub mod texel;
pub mod wdl;
