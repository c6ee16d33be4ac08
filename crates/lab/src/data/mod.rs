//! Training data: games with scores in few bytes, and the samples that a network is trained on.
//!
//! [`game`] packs a game, [`file`](mod@file) puts games into blocks with checksums, [`samples`] is the file of the
//! trainer, [`unpack`](mod@unpack) makes the one into the other, [`import`] reads PGN. The formats are described in
//! `docs/reference/networks.md`.

pub mod file;
pub mod game;
pub mod import;
pub mod samples;
pub mod unpack;

pub use file::{GamesReader, GamesWriter};
pub use game::{Game, Outcome, Ply};
pub use samples::Sample;
