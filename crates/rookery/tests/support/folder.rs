//! Folders of the tests' own.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of this test's own, empty at first and removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder of a test with this name.
    pub fn new(name: &str) -> Folder {
        let name = format!("{}-{name}-{}", env!("CARGO_CRATE_NAME"), std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // What a killed run of the same number has left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder is made");
        Folder(path)
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_owned()
    }

    /// Writes a file; its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.file(name), content).expect("the file is written");
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
