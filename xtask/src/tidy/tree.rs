//! The files that the rules look at: what git tracks or would add, read into memory.

use std::path::Path;
use std::process::Command;

/// A file of the repository.
pub struct File {
    /// The path from the root, with `/` between the names.
    pub path: String,
    /// The contents; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// The repository, or a made-up one in the tests of the rules.
pub struct Tree {
    /// The files, by path.
    pub files: Vec<File>,
}

impl Tree {
    /// Reads what git tracks and what it would add. Outside a clone (an unpacked archive), everything
    /// but build outputs.
    pub fn read(root: &Path) -> Result<Tree, String> {
        let mut paths = match git_files(root) {
            Some(paths) => paths,
            None => {
                let mut paths = Vec::new();
                walk(root, "", &mut paths)?;
                paths
            }
        };
        paths.sort();
        paths.dedup();
        let mut files = Vec::new();
        for path in paths {
            let full = root.join(&path);
            // A file that was deleted but not yet committed, or a link to somewhere else.
            if !full.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            let bytes = std::fs::read(&full).map_err(|error| format!("{path}: {error}"))?;
            files.push(File { path, text: String::from_utf8_lossy(&bytes).into_owned() });
        }
        Ok(Tree { files })
    }

    /// The files whose names end in `.extension`.
    pub fn with_extension<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.extension() == Some(extension))
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether a file, or a folder with files in it, is at a path.
    pub fn contains(&self, path: &str) -> bool {
        path.is_empty()
            || self.files.iter().any(|file| {
                file.path
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    }
}

impl File {
    /// What stands after the last dot of the name.
    pub fn extension(&self) -> Option<&str> {
        Path::new(&self.path).extension()?.to_str()
    }

    /// The lines with their numbers, beginning with 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}

fn git_files(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let paths = || text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned);
    output.status.success().then(|| paths().collect())
}

fn walk(root: &Path, folder: &str, paths: &mut Vec<String>) -> Result<(), String> {
    let complaint = |error: std::io::Error| format!("{}: {error}", root.join(folder).display());
    for entry in std::fs::read_dir(root.join(folder)).map_err(complaint)? {
        let entry = entry.map_err(complaint)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if entry.file_type().map_err(complaint)?.is_dir() {
            if !["target", ".git", "node_modules"].contains(&name.as_str()) {
                walk(root, &path, paths)?;
            }
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
impl Tree {
    /// A repository for a test.
    pub fn of(files: &[(&str, &str)]) -> Tree {
        let file = |&(path, text): &(&str, &str)| File { path: path.into(), text: text.into() };
        Tree { files: files.iter().map(file).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_count_as_contained_but_prefixes_of_names_do_not() {
        let tree = Tree::of(&[("docs/board.md", "")]);
        assert!(tree.contains("docs/board.md") && tree.contains("docs"));
        assert!(!tree.contains("docs/board") && !tree.contains("doc"));
    }

    #[test]
    fn an_unpacked_archive_is_walked() {
        let mut paths = Vec::new();
        walk(&crate::root(), "xtask", &mut paths).expect("the folder of this crate");
        assert!(paths.contains(&"xtask/src/tidy/tree.rs".to_owned()));
    }
}
