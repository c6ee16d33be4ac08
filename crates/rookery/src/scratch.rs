//! Files of the unit tests' own.

use std::fs;
use std::path::PathBuf;

/// A folder of a test's own, empty at first and removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// The folder of a test with this name.
    pub fn new(name: &str) -> Scratch {
        let name = format!("rookery-unit-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // What a killed run of the same number has left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Scratch(path)
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, and the folders that it lies in; its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.0)).expect("a folder can be made");
        fs::write(&path, content).expect("the file is written");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
