//! Tidiness as a test: the rules that neither the compiler nor clippy knows.
//!
//! Each rule looks at the files in memory ([`tree::Tree`]) and adds [`Finding`]s, so that the tests
//! of the rules need no files.

mod inventory;
mod project;
mod rust;
mod text;
mod tree;

use std::fmt;
use std::path::Path;

/// Something that is wrong somewhere.
pub struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Checks the repository and prints what is wrong; whether everything is in order.
pub fn run(root: &Path) -> bool {
    let tree = match tree::Tree::read(root) {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("tidy: {error}");
            return false;
        }
    };
    let findings = check(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => println!("tidy: {} files, all in order", tree.files.len()),
        count => println!("tidy: {count} findings in {} files", tree.files.len()),
    }
    findings.is_empty()
}

fn check(tree: &tree::Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    rust::check(tree, &mut findings);
    text::check(tree, &mut findings);
    project::check(tree, &mut findings);
    inventory::check(tree, &mut findings);
    findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a rule finds, as lines.
    pub fn messages(rule: impl FnOnce(&mut Vec<Finding>)) -> Vec<String> {
        let mut findings = Vec::new();
        rule(&mut findings);
        findings.iter().map(Finding::to_string).collect()
    }

    #[test]
    fn findings_come_in_the_order_of_the_files() {
        let long = "a ".to_owned() + "\n";
        let tree = tree::Tree::of(&[("b.md", &long), ("a.md", &long)]);
        let paths: Vec<String> = check(&tree)
            .into_iter()
            .map(|found| found.path)
            .filter(|path| path.ends_with("md"))
            .collect();
        assert_eq!(paths, ["a.md", "b.md"]);
    }
}
