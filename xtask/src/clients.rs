//! `cargo xtask clients`: the program with another one's interface, over UCI and over xboard.
//!
//! The other one is python-chess. It is used where Python has it, and else installed from the usual
//! place into a virtual environment of its own under `target`, so that nothing outside changes.

use crate::run::{Cargo, succeeds, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPT: &str = "xtask/clients/clients.py";
/// What pip is asked for.
const PACKAGE: &str = "chess>=1.10,<2";

/// The whole of it with a release build; whether all checks passed.
pub fn run(root: &Path, games: u64) -> bool {
    let Some(python) = prepare_release(root) else { return false };
    checks(root, &python, "release", &["--games", &games.to_string()])
}

/// A Python with python-chess, beside a release build of the program; what is missing is told.
pub fn prepare_release(root: &Path) -> Option<PathBuf> {
    let python = python(root).map_err(|missing| eprintln!("xtask: {missing}")).ok()?;
    let build = Cargo::new("build --release --package rookery");
    println!("{build}");
    build.run(root).then_some(python)
}

/// A few seconds of it with the build that the tests have left.
pub fn quick(root: &Path, python: &Path) -> bool {
    checks(root, python, "debug", &["--quick"])
}

fn checks(root: &Path, python: &Path, build: &str, arguments: &[&str]) -> bool {
    let program = target(root).join(build).join(format!("rookery{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(python);
    command.arg(root.join(SCRIPT)).arg(program).args(arguments).current_dir(root);
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("xtask: {} cannot be started: {error}", python.display());
            false
        }
    }
}

/// A Python that has python-chess, after an attempt to give it one; the error says what is missing.
pub fn python(root: &Path) -> Result<PathBuf, String> {
    let own = target(root).join("clients");
    let own_python = match cfg!(windows) {
        true => own.join("Scripts").join("python.exe"),
        false => own.join("bin").join("python"),
    };
    let mut candidates = vec![own_python.clone()];
    candidates.extend(["python3", "python"].map(PathBuf::from));
    if let Some(python) = candidates.iter().find(|python| has_chess(python)) {
        return Ok(python.clone());
    }
    let found = candidates[1..].iter().find(|python| probe(python, &["--version"]));
    let Some(system) = found else {
        return Err("Python 3 is missing: install it to play with other clients".to_owned());
    };
    eprintln!("xtask: python-chess is missing; trying to install it under {}", own.display());
    let made = succeeds(Command::new(system).args(["-m", "venv"]).arg(&own));
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
    if made && succeeds(Command::new(&own_python).args(install)) && has_chess(&own_python) {
        return Ok(own_python);
    }
    Err(format!(
        "python-chess is missing and could not be installed: run `pip install '{PACKAGE}'`"
    ))
}

fn has_chess(python: &Path) -> bool {
    probe(python, &["-c", "import chess.engine"])
}

fn probe(program: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    succeeds(command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_no_python() {
        assert!(!has_chess(Path::new("no-such-python")));
    }

    #[test]
    fn the_script_is_where_it_is_looked_for() {
        assert!(crate::root().join(SCRIPT).is_file());
    }
}
