//! The rules for every text file: white space, and nothing that is true on one machine only.

use super::Finding;
use super::tree::{File, Tree};

/// The files in which white space is looked at.
const CLEAN: [&str; 3] = ["rs", "md", "toml"];

/// The first names of paths that exist on a developer's machine only. (Put together here so that
/// this file does not break its own rule.)
const MACHINE_PATHS: [&str; 3] =
    [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/")];

/// Where packages come from is each builder's own affair.
const REGISTRIES: [&str; 7] = [
    concat!("index.crates", ".io"),
    concat!("static.crates", ".io"),
    concat!("sparse", "+http"),
    concat!("registry", "+http"),
    concat!("replace", "-with ="),
    concat!("registry.npmjs", ".org"),
    concat!("files.pythonhosted", ".org"),
];

/// The one way in which a lock file names the public registry, on any mirror.
const LOCK_FILE_SOURCE: &str =
    concat!("source = \"registry", "+https://github.com/rust-lang/crates.io-index\"");

/// All rules for text files.
pub fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in &tree.files {
        if file.extension().is_some_and(|extension| CLEAN.contains(&extension)) {
            white_space(file, findings);
        }
        machine(file, findings);
    }
}

/// Whether a character may stand in a name.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn white_space(file: &File, findings: &mut Vec<Finding>) {
    for (number, line) in file.lines() {
        if line.ends_with(char::is_whitespace) {
            findings.push(Finding::new(&file.path, number, "white space at the end of the line"));
        }
        if line.contains('\t') {
            findings.push(Finding::new(&file.path, number, "a tab: use spaces"));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        let last = file.text.lines().count();
        findings.push(Finding::new(&file.path, last, "the last line does not end"));
    }
}

fn machine(file: &File, findings: &mut Vec<Finding>) {
    let lock_file = file.path == "Cargo.lock";
    for (number, line) in file.lines() {
        for path in MACHINE_PATHS {
            if line.match_indices(path).any(|(at, _)| begins_a_path(&line[..at])) {
                let message = format!("a path of one developer's machine ({path}…)");
                findings.push(Finding::new(&file.path, number, message));
            }
        }
        if lock_file && line == LOCK_FILE_SOURCE {
            continue;
        }
        for host in REGISTRIES {
            if line.contains(host) {
                let message = format!("names a package registry ({host})");
                findings.push(Finding::new(&file.path, number, message));
            }
        }
    }
}

/// Whether a path that begins with a slash may begin after this text: not in the middle of another
/// path or of an address.
fn begins_a_path(before: &str) -> bool {
    !before.ends_with(|c| is_word(c) || ['.', '-', '~'].contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::messages;

    fn findings(path: &str, text: &str) -> Vec<String> {
        messages(|found| check(&Tree::of(&[(path, text)]), found))
    }

    #[test]
    fn white_space_is_clean_in_sources_and_pages() {
        assert_eq!(findings("a.md", "a \nb\n"), ["a.md:1: white space at the end of the line"]);
        assert_eq!(findings("a.rs", "a\n\tb\n"), ["a.rs:2: a tab: use spaces"]);
        assert_eq!(findings("a.toml", "a\nb"), ["a.toml:2: the last line does not end"]);
        assert!(findings("a.pgn", "a \n\tb").is_empty());
    }

    #[test]
    fn paths_of_one_machine_are_found_in_any_file() {
        for path in MACHINE_PATHS {
            assert_eq!(findings("LICENSE", &format!("see {path}x\n")).len(), 1);
            assert!(findings("a.md", &format!("see https://example.org{path}x\n")).is_empty());
            assert!(findings("a.md", &format!("see ..{path}x\n")).is_empty());
        }
    }

    #[test]
    fn registries_are_named_nowhere_but_in_the_lock_file() {
        assert_eq!(findings(".cargo/config.toml", &format!("{}\n", REGISTRIES[2])).len(), 1);
        let line = format!("{LOCK_FILE_SOURCE}\n");
        assert!(findings("Cargo.lock", &line).is_empty());
        assert_eq!(findings("README.md", &line).len(), 1);
        let mirror = line.replace("github.com/rust-lang", "mirror.example.org");
        assert_eq!(findings("Cargo.lock", &mirror).len(), 1);
    }
}
