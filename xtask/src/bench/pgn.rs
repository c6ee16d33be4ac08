//! The PGN reader's speed: runs the board's example `pgn_speed` in a release build.

use crate::run::Cargo;
use std::path::{Path, PathBuf};

/// The arguments of `cargo xtask bench pgn`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The collection to read.
    #[arg(default_value = "testdata/pgn/twic1599.pgn")]
    file: PathBuf,
}

/// Builds and runs the example.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), String> {
    let measure = Cargo::new("run --quiet --release --package rookery-board --example pgn_speed")
        .argument("--")
        .argument(arguments.file.to_string_lossy().into_owned());
    eprintln!("{measure}");
    if measure.run(root) { Ok(()) } else { Err(format!("the benchmark failed: `{measure}`")) }
}
