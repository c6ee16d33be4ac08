//! `cargo xtask games` and `cargo xtask fuzz`: tests of the board that run as long as one likes.
//!
//! Both are tests of `crates/board/tests` with their size set from outside; `cargo xtask test` runs the
//! same code with small sizes.

use crate::run::Cargo;
use std::path::Path;

/// Random games against another library; whether all agreed.
pub fn games(root: &Path, games: u64) -> bool {
    let test = "test --release --package board --test random_games -- --nocapture";
    call(root, Cargo::new(test).variable("ROOKERY_RANDOM_GAMES", games.to_string()))
}

/// Damaged inputs in a build with every check; whether all ended in a value or an error.
pub fn fuzz(root: &Path, inputs: u64, seed: u64) -> bool {
    let test = Cargo::new("test --package board --test mutations -- --nocapture")
        .variable("ROOKERY_FUZZ_INPUTS", inputs.to_string())
        .variable("ROOKERY_FUZZ_SEED", seed.to_string());
    call(root, test)
}

fn call(root: &Path, command: Cargo) -> bool {
    println!("{command}");
    command.run(root)
}
