//! A folder for the tables of one test, and the usual way to build them.

use endgame::build::{self, Completion, Machine, Options};
use endgame::{Ending, Metric, Tables};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder that goes away with its test.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new, empty folder.
    pub fn new(name: &str) -> Folder {
        let name = format!("rookery-endgame-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the folder of temporary files can be written");
        Folder(path)
    }

    /// Builds endings in it.
    pub fn build(&self, names: &[&str], metrics: &[Metric], threads: usize) -> Tables {
        build(&self.0, names, metrics, threads, None).expect("the tables are built");
        let tables = Tables::open(&self.0).expect("the folder is there");
        assert!(tables.faults().is_empty(), "{:?}", tables.faults());
        tables
    }

    /// The files with their bytes, by name.
    pub fn contents(&self) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(&self.0).expect("the folder is there");
        let mut files: Vec<_> = entries
            .flatten()
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, std::fs::read(entry.path()).expect("the file can be read"))
            })
            .collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Builds endings; with an interval the state is saved after every level that comes later.
pub fn build(
    dir: &Path,
    names: &[&str],
    metrics: &[Metric],
    threads: usize,
    checkpoint: Option<Duration>,
) -> Result<Completion, String> {
    let options = Options { threads, checkpoint, ..options(dir, metrics) };
    build::build(&endings(names), &options, &mut |_, _, _| (), &mut |_| ())
}

/// The usual way to build: on two threads.
pub fn options<'a>(dir: &'a Path, metrics: &'a [Metric]) -> Options<'a> {
    Options {
        dir,
        metrics,
        threads: 2,
        machine: Machine::Shared,
        memory: 1 << 30,
        checkpoint: None,
        progress: &|_| (),
        stop: &|| false,
    }
}

/// The endings with these names.
pub fn endings(names: &[&str]) -> Vec<Ending> {
    names.iter().map(|name| Ending::parse(name).expect("an ending")).collect()
}

/// A folder of the repository's test data.
pub fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}
