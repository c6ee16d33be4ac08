//! Tests that run as long as one likes, and tests that write: `cargo xtask games`, `network`, `fuzz`,
//! `resume`, `examples`.
//!
//! All are tests of crates with their size or purpose set from outside; `cargo xtask test` runs the same
//! code with small sizes.

use crate::run::Cargo;
use std::path::Path;

/// Random games against another library; whether all agreed.
pub fn games(root: &Path, games: u64) -> bool {
    let test = "test --release --package rookery-board --test random_games -- --nocapture";
    call(root, Cargo::new(test).variable("ROOKERY_RANDOM_GAMES", games.to_string()))
}

/// Random games followed by the network on every path; whether all gave the integers of a new beginning.
pub fn network(root: &Path, games: u64) -> bool {
    let test = "test --release --package rookery-eval --test nnue following -- --nocapture";
    call(root, Cargo::new(test).variable("ROOKERY_NET_GAMES", games.to_string()))
}

/// Damaged inputs in a build with every check; whether all ended in a value or an error.
pub fn fuzz(root: &Path, inputs: u64, seed: u64) -> bool {
    let test = Cargo::new("test --package rookery-board --test mutations -- --nocapture")
        .variable("ROOKERY_FUZZ_INPUTS", inputs.to_string())
        .variable("ROOKERY_FUZZ_SEED", seed.to_string());
    call(root, test)
}

/// An analysis killed three times and resumed; whether its output is that of one left alone.
pub fn resume(root: &Path, games: u64) -> bool {
    let test = "test --release --package rookery --test analyse_resume -- --nocapture";
    call(root, Cargo::new(test).variable("ROOKERY_RESUMED_GAMES", games.to_string()))
}

/// The examples of the pages, with their real outputs; whether all could be run.
pub fn examples(root: &Path) -> bool {
    let test = Cargo::new("test --package rookery --test examples -- --nocapture");
    call(root, test.variable("ROOKERY_UPDATE_EXAMPLES", "1".to_owned()))
}

fn call(root: &Path, command: Cargo) -> bool {
    println!("{command}");
    command.run(root)
}
