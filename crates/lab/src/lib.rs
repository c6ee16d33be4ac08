//! Training data, games that an engine plays against itself and the threads that do tasks, on which
//! `rookery data` and `rookery datagen` build; and experiments with the engine's parts (feature `experiments`),
//! which are run by people through `cargo xtask` and are not part of the product.

mod adjudication;
#[cfg(feature = "experiments")]
pub mod collection;
pub mod data;
#[cfg(feature = "experiments")]
pub mod duel;
pub mod figure8;
#[cfg(feature = "experiments")]
pub mod files;
pub mod selfplay;
#[cfg(feature = "experiments")]
pub mod spsa;
pub mod statistics;
#[cfg(feature = "experiments")]
pub mod texel;
#[cfg(feature = "experiments")]
pub mod train;
#[cfg(feature = "experiments")]
pub mod wdl;
pub mod workers;
