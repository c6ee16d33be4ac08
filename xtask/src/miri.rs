//! The parts that threads share, under Miri: an interpreter that knows the memory model and stops at
//! undefined behaviour and at data races. It belongs to the nightly toolchain, which nothing else needs.

use std::path::Path;
use std::process::Command;

/// What runs: small tests, because a step takes a thousand times as long as usual.
const TESTS: [&str; 3] = [
    "--package rookery-table --lib -- line_tests",
    "--package rookery-table --test races",
    "--package rookery-parallel --test races",
];

/// Runs them with a number of seeds: each is another order of events.
pub fn run(root: &Path, seeds: u32) -> bool {
    if !miri(root, "--version") {
        eprintln!(
            "xtask: Miri is missing: run `rustup component add --toolchain nightly miri rust-src`"
        );
        return false;
    }
    // Files of earlier failures may be read, and clocks; with seeds the runs are repeatable all the same.
    let flags = format!("-Zmiri-disable-isolation -Zmiri-many-seeds=0..{seeds}");
    TESTS.iter().all(|test| {
        let arguments = format!("test {test}");
        eprintln!("MIRIFLAGS='{flags}' cargo +nightly miri {arguments}");
        let status = command(root, &arguments).env("MIRIFLAGS", &flags).status();
        status.is_ok_and(|status| status.success())
    })
}

fn miri(root: &Path, arguments: &str) -> bool {
    command(root, arguments).output().is_ok_and(|output| output.status.success())
}

/// Cargo of the nightly toolchain; its builds are kept apart from the others.
fn command(root: &Path, arguments: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "miri"]).args(arguments.split_whitespace());
    command.current_dir(root).env("CARGO_TARGET_DIR", root.join("target/miri"));
    command
}
