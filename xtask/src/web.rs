//! `cargo xtask web`: the page that `rookery serve` shows, built from `web/src` and tried in a browser.
//!
//! What is built is committed, so that building the program needs no Node; the test command checks
//! that it matches its source where Node is there, and tries it in a browser where Chromium is there or can be installed.

use crate::run::{Cargo, succeeds, target};
use crate::tools;
use std::path::Path;
use std::process::Command;

/// Why a part was left out, or the command that repeats what failed.
pub enum Problem {
    Skipped(String),
    Failed(String),
}

/// Builds the page and the program and tries them; screenshots go to a folder, if one is given, and damaged
/// requests are sent, if there are to be any.
pub fn run(root: &Path, shots: Option<&Path>, requests: Option<u64>) -> bool {
    let build = Cargo::new("build --package rookery --features web");
    let made = prepare(root).and_then(|()| {
        npm(root, &["run", "--silent", "check"])?;
        npm(root, &["run", "--silent", "build"])
    });
    let tried = made.and_then(|()| {
        println!("{build}");
        match build.run(root) {
            true => browse(root, shots)
                .and_then(|()| requests.map_or(Ok(()), |requests| fuzz(root, requests))),
            false => Err(Problem::Failed(build.to_string())),
        }
    });
    match tried {
        Ok(()) => true,
        Err(Problem::Skipped(reason) | Problem::Failed(reason)) => {
            eprintln!("xtask: {reason}");
            false
        }
    }
}

/// Whether the page matches its source, and works in a browser, with the build that the tests have left.
pub fn quick(root: &Path) -> Result<(), Problem> {
    prepare(root)?;
    npm(root, &["run", "--silent", "check"])?;
    npm(root, &["run", "--silent", "build", "--", "--check"])?;
    browse(root, None)
}

/// Installs what the page is built with, where that has not been done for this lock file.
fn prepare(root: &Path) -> Result<(), Problem> {
    if !tools::answers("node", "--version") {
        return Err(Problem::Skipped("Node is missing: the page was not checked".to_owned()));
    }
    let modified = |file: &str| root.join(file).metadata().and_then(|file| file.modified()).ok();
    let installed = modified("web/node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("web/package-lock.json") {
        return Ok(());
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress"];
    npm(root, &install).map_err(|_| {
        Problem::Skipped("`npm ci` in web/ does not succeed: the page was not checked".to_owned())
    })
}

/// The tests in a browser.
fn browse(root: &Path, shots: Option<&Path>) -> Result<(), Problem> {
    let browser = tools::browser()
        .map_err(|missing| Problem::Skipped(format!("{missing}: no test in a browser")))?;
    let mut command = script(root, "test/browser.mjs");
    command.env("CHROMIUM", browser);
    if let Some(folder) = shots {
        command.arg("--shots").arg(std::path::absolute(folder).unwrap_or(folder.to_owned()));
    }
    match succeeds(&mut command) {
        true => Ok(()),
        false => Err(Problem::Failed("cargo xtask web".to_owned())),
    }
}

/// Damaged requests, as many as are wanted.
fn fuzz(root: &Path, requests: u64) -> Result<(), Problem> {
    match succeeds(script(root, "test/attack.mjs").arg(requests.to_string())) {
        true => Ok(()),
        false => Err(Problem::Failed(format!("cargo xtask web --requests {requests}"))),
    }
}

/// A script of the page's tests, with the program as its first argument.
fn script(root: &Path, name: &str) -> Command {
    let program = format!("rookery{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new("node");
    command.arg(name).arg(target(root).join("debug").join(program)).current_dir(root.join("web"));
    command
}

fn npm(root: &Path, arguments: &[&str]) -> Result<(), Problem> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    match succeeds(Command::new(program).args(arguments).current_dir(root.join("web"))) {
        true => Ok(()),
        false => Err(Problem::Failed(format!("npm {}, in web/", arguments.join(" ")))),
    }
}
