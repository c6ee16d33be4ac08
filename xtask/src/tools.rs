//! The tools that the tests need: found, or installed, or named.

use crate::run::Cargo;
use std::path::Path;
use std::process::Command;

/// Makes sure that a component of the toolchain (rustfmt, clippy) is there; the error says what to do.
pub fn component(root: &Path, component: &str, subcommand: &str) -> Result<(), String> {
    let present = || Cargo::new(subcommand).argument("--version").probe(root);
    if present() {
        return Ok(());
    }
    let by_hand = format!("rustup component add {component}");
    eprintln!("xtask: {component} is missing; trying `{by_hand}`");
    let added = Command::new("rustup").args(["component", "add", component]).status();
    if added.is_ok_and(|status| status.success()) && present() {
        return Ok(());
    }
    Err(format!("{component} is missing and could not be installed: run `{by_hand}`"))
}

/// Whether nextest is there, after an attempt to install it.
pub fn nextest(root: &Path) -> bool {
    let present = || Cargo::new("nextest --version").probe(root);
    if present() {
        return true;
    }
    let install = Cargo::new("install --locked cargo-nextest");
    eprintln!("xtask: cargo-nextest is missing; trying `{install}` (some minutes)");
    install.run(root) && present()
}
