//! The five endings of three men, whole.

use endgame::build::{self, Options};
use endgame::{Ending, Metric, Tables};
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("rookery-endgame-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[test]
fn probe() {
    let dir = folder("probe");
    let options = Options { dir: &dir, metrics: &Metric::ALL, threads: 2, memory: 1 << 30, checkpoint: None, progress: &|_| () };
    build::build(&Ending::all(3), &options, &mut |_, _, _| (), &mut |built| println!("{} {:?} {:?} {:?}", built.header.ending, built.header.metric, built.header.sides.each_ref().map(|s| s.summary), built.time)).unwrap();
    let _ = Tables::open(&dir);
}
