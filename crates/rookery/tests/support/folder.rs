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

    /// Its own path.
    pub fn name(&self) -> &str {
        self.0.to_str().expect("a plain name")
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

    /// Makes a pipe; its path.
    pub fn pipe(&self, name: &str) -> String {
        let made = std::process::Command::new("mkfifo").arg(self.file(name)).status();
        assert!(made.expect("mkfifo is there").success());
        self.file(name)
    }

    /// The bytes of a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).expect("the file is there")
    }

    /// The names of its files, in order.
    pub fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).expect("the folder is there").flatten();
        let mut names: Vec<String> =
            files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
