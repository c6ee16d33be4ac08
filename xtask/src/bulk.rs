//! `cargo xtask bulk`: an analysis of a large collection, and the memory it takes.

use crate::run::Cargo;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// How often the system is asked.
const INTERVAL: Duration = Duration::from_millis(200);

/// Makes a collection and analyses it; whether that ended well.
pub fn run(root: &Path, megabytes: u64, words: u64) -> bool {
    let folder = root.join("target");
    let (games, annotated) = (folder.join("bulk.pgn"), folder.join("bulk-annotated.pgn"));
    let make = Cargo::new("run --release --package rookery-lab -- make-pgn --megabytes")
        .argument(megabytes.to_string())
        .argument("--words")
        .argument(words.to_string())
        .argument("--out")
        .argument(games.display().to_string());
    println!("{make}");
    let build = Cargo::new("build --release --package rookery");
    let good = make.run(root) && build.run(root) && analyse(&folder, &games, &annotated);
    // What is not there needs no removal.
    for file in [games, annotated] {
        let _ = fs::remove_file(file);
    }
    good
}

fn analyse(folder: &Path, games: &Path, annotated: &Path) -> bool {
    let begun = Instant::now();
    let child = Command::new(folder.join("release/rookery"))
        .arg("analyse")
        .arg(games)
        .args(["--nodes", "1", "--hash", "1", "--overwrite", "--output"])
        .arg(annotated)
        .stdout(std::process::Stdio::null())
        .spawn();
    let child = match child {
        Ok(child) => child,
        Err(error) => {
            eprintln!("xtask: rookery cannot be started: {error}");
            return false;
        }
    };
    let (good, peak) = watch(child);
    let seconds = begun.elapsed().as_secs();
    let size = fs::metadata(annotated).map_or(0, |metadata| metadata.len() >> 20);
    match peak {
        Some(kilobytes) => {
            println!("peak memory {} MB, {seconds} s, {size} MB written", kilobytes >> 10)
        }
        None => println!("the system does not tell the memory; {seconds} s, {size} MB written"),
    }
    good
}

/// Waits for the program: whether it ended well, and the most memory it had, in kilobytes.
fn watch(mut child: Child) -> (bool, Option<u64>) {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return (status.success(), peak);
        }
        let now = fs::read_to_string(&status).ok();
        peak = now.as_deref().and_then(high_water_mark).max(peak);
        thread::sleep(INTERVAL);
    }
}

/// The line `VmHWM:     1234 kB`: the most that was resident at any time.
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_memory_is_read_from_the_status() {
        assert_eq!(high_water_mark("Name: x\nVmHWM:\t   1234 kB\nVmRSS: 5 kB\n"), Some(1234));
        assert_eq!(high_water_mark(""), None);
    }
}
