//! `cargo xtask endgame`: endgame tables against those of others, and builds that are killed.

use crate::clients;
use crate::run::{self, Cargo};
use clap::Subcommand;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = "xtask/endgame/oracles.py";

/// What is tried.
#[derive(Subcommand)]
pub enum Endgame {
    /// Compare random positions with Syzygy and Gaviota tables, and en passant with the rules.
    ///
    /// All tables of up to `--men` men are built under target/ where they are not there. Outcomes are compared
    /// with Syzygy tables, distances to mate with Gaviota's (by python-chess), and distances of
    /// positions with rights to capture en passant with what follows from the moves that python-chess
    /// finds. Without folders the small tables of testdata/ are used; what is missing is named.
    Oracles {
        /// Positions for each oracle.
        #[arg(long, default_value_t = 100_000)]
        positions: u64,
        /// Men of the tables.
        #[arg(long, default_value_t = 4)]
        men: u8,
        /// The folder of Syzygy tables.
        #[arg(long, default_value = "testdata/syzygy")]
        syzygy: PathBuf,
        /// The folder of Gaviota tables (cp4).
        #[arg(long, default_value = "testdata/gaviota")]
        gaviota: PathBuf,
        /// Where the random numbers begin.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Kill a build at random moments, resume it, and compare the files with an undisturbed build's.
    Kills {
        /// How often.
        #[arg(long, default_value_t = 20)]
        kills: u64,
        /// The ending.
        #[arg(long, default_value = "KRKP")]
        ending: String,
        /// Where the random numbers begin.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// Does it; whether all was well.
pub fn run(root: &Path, what: &Endgame) -> bool {
    match what {
        Endgame::Oracles { positions, men, syzygy, gaviota, seed } => {
            oracles(root, *positions, *men, [syzygy, gaviota], *seed)
        }
        Endgame::Kills { kills, ending, seed } => {
            let test = "test --release --package rookery --test endgame_kills -- --nocapture";
            let test = Cargo::new(test)
                .variable("ROOKERY_KILLS", kills.to_string())
                .variable("ROOKERY_KILLED_ENDING", ending.clone())
                .variable("ROOKERY_KILL_SEED", seed.to_string());
            println!("{test}");
            test.run(root)
        }
    }
}

/// A few seconds of the comparison with the build that the tests use; three men.
pub fn quick(root: &Path, python: &Path) -> bool {
    let target = run::target(root);
    let program = target.join("debug").join(format!("rookery{}", std::env::consts::EXE_SUFFIX));
    let tables = target.join("endgame-oracles-quick");
    let mut build = Command::new(&program);
    build.args(["endgame", "build", "--men", "3", "--metrics", "dtm", "--dir"]).arg(&tables);
    let mut script = Command::new(python);
    script.arg(root.join(SCRIPT)).arg(&program).arg(&tables).current_dir(root);
    script.arg("--gaviota").arg(root.join("testdata/gaviota")).args(["--positions", "2000"]);
    started(&mut build) && started(&mut script)
}

fn oracles(
    root: &Path,
    positions: u64,
    men: u8,
    [syzygy, gaviota]: [&PathBuf; 2],
    seed: u64,
) -> bool {
    let Some(python) = clients::prepare_release(root) else { return false };
    let target = run::target(root);
    let program = target.join("release").join(format!("rookery{}", std::env::consts::EXE_SUFFIX));
    let tables = target.join("endgame-oracles");
    let rookery = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.arg("endgame").args(arguments).arg("--dir").arg(&tables).current_dir(root);
        started(&mut command)
    };
    let (men, seed) = (men.to_string(), seed.to_string());
    // Some endings have no Syzygy table in a small folder: the others have positions enough.
    let each = (positions / 5).max(1).to_string();
    let syzygy = syzygy.to_string_lossy();
    let mut script = Command::new(&python);
    script.arg(root.join(SCRIPT)).arg(&program).arg(&tables).current_dir(root);
    script.arg("--gaviota").arg(root.join(gaviota)).args(["--seed", &seed]);
    script.args(["--positions", &positions.to_string()]);
    rookery(&["build", "--men", &men, "--metrics", "dtm"])
        && rookery(&["check", "--syzygy", &syzygy, "--positions", &each, "--seed", &seed])
        && started(&mut script)
}

fn started(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("xtask: {} cannot be started: {error}", command.get_program().display());
            false
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_script_is_where_it_is_looked_for() {
        assert!(crate::root().join(super::SCRIPT).is_file());
    }
}
