//! The rules for Rust files that clippy does not know: length, module comment, marks of unfinished work,
//! attributes that hide something, and where `unsafe` may stand.

use super::Finding;
use super::text::is_word;
use super::tree::{File, Tree};
use proc_macro2::{TokenStream, TokenTree};

/// No Rust file is longer; blank lines and comments count.
const MOST_LINES: usize = 400;

/// Marks of unfinished work, looked for in comments.
const MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// The files that may allow `unsafe`, which the workspace denies.
const UNSAFE_FILES: [&str; 5] = [
    "crates/board/src/attacks/isa.rs",
    "crates/cluster/src/mpi.rs",
    "crates/eval/src/nnue/simd.rs",
    "crates/table/src/common.rs",
    "crates/table/src/memory.rs",
];

/// All rules for Rust files.
pub fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.with_extension("rs") {
        length(file, findings);
        module_comment(file, findings);
        marks(file, findings);
        attributes(file, findings);
    }
}

fn length(file: &File, findings: &mut Vec<Finding>) {
    let lines = file.text.lines().count();
    if lines > MOST_LINES {
        let message = format!("the file has {lines} lines; the limit is {MOST_LINES}");
        findings.push(Finding::new(&file.path, MOST_LINES + 1, message));
    }
}

fn module_comment(file: &File, findings: &mut Vec<Finding>) {
    if !file.text.starts_with("//!") {
        let message = "the file does not begin with a module comment (//!)";
        findings.push(Finding::new(&file.path, 1, message));
    }
}

fn marks(file: &File, findings: &mut Vec<Finding>) {
    for (number, line) in file.lines() {
        let comment = line.split_once("//").map_or("", |(_, comment)| comment);
        let mut words = comment.split(|c| !is_word(c));
        if let Some(mark) = words.find(|word| MARKS.contains(word)) {
            let message = format!("{mark}: finish the work or open an issue");
            findings.push(Finding::new(&file.path, number, message));
        }
    }
}

/// Attributes are looked for in the tokens, so that those inside macros are found and those in literals
/// are not.
fn attributes(file: &File, findings: &mut Vec<Finding>) {
    let tokens = match file.text.parse() {
        Ok(tokens) => tokens,
        Err(error) => return findings.push(Finding::new(&file.path, 1, format!("{error}"))),
    };
    let mut found = Vec::new();
    collect(tokens, &mut found);
    let fenced = UNSAFE_FILES.contains(&file.path.as_str());
    for (line, words) in &found {
        let has = |word: &str| words.iter().any(|one| one == word);
        let allows = matches!(words[0].as_str(), "allow" | "expect");
        let message = match () {
            () if words[0] == "ignore" => "`ignore` hides a test that never runs",
            () if allows && has("dead_code") && !has("reason") => {
                "`allow(dead_code)` without a reason keeps what is not used"
            }
            () if allows && has("unsafe_code") && !fenced => {
                "`unsafe` outside the files that are listed for it"
            }
            () => continue,
        };
        findings.push(Finding::new(&file.path, *line, message));
    }
    if fenced && !found.iter().any(|(_, words)| words.iter().any(|word| word == "unsafe_code")) {
        findings.push(Finding::new(&file.path, 1, "is listed for `unsafe` and has none"));
    }
}

/// The attributes among tokens: where each stands, and its words, of which there is at least one.
fn collect(tokens: TokenStream, found: &mut Vec<(usize, Vec<String>)>) {
    let mut after_hash = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => {
                let mut inside = Vec::new();
                words(group.stream(), &mut inside);
                if after_hash && !inside.is_empty() {
                    found.push((token.span().start().line, inside));
                }
                collect(group.stream(), found);
                after_hash = false;
            }
            // Between the two marks of `#![…]` nothing else can stand.
            TokenTree::Punct(mark) if after_hash && mark.as_char() == '!' => (),
            TokenTree::Punct(mark) => after_hash = mark.as_char() == '#',
            _ => after_hash = false,
        }
    }
}

fn words(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => found.push(word.to_string()),
            TokenTree::Group(group) => words(group.stream(), found),
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::messages;

    fn in_file(path: &str, text: &str) -> Vec<String> {
        messages(|found| check(&Tree::of(&[(path, &format!("//! A.\n{text}"))]), found))
    }

    fn findings(text: &str) -> Vec<String> {
        in_file("a.rs", text)
    }

    #[test]
    fn a_file_of_400_lines_passes_and_one_of_401_does_not() {
        assert!(findings(&"\n".repeat(399)).is_empty());
        let wanted = ["a.rs:401: the file has 401 lines; the limit is 400"];
        assert_eq!(findings(&"\n".repeat(400)), wanted);
    }

    #[test]
    fn a_file_begins_with_its_module_comment() {
        let wanted = ["a.rs:1: the file does not begin with a module comment (//!)"];
        for text in ["// A.\n", ""] {
            assert_eq!(messages(|found| check(&Tree::of(&[("a.rs", text)]), found)), wanted);
        }
    }

    #[test]
    fn marks_of_unfinished_work_are_found_in_comments_only() {
        let wanted = ["a.rs:2: TODO: finish the work or open an issue"];
        assert_eq!(findings(concat!("// TO", "DO later\n")), wanted);
        assert!(findings("const T: &str = \"TODO\"; // TODOS\n").is_empty());
    }

    #[test]
    fn attributes_that_hide_something_are_found_inside_macros_too() {
        let wanted = ["a.rs:3: `ignore` hides a test that never runs"];
        assert_eq!(findings("#[test]\n#[ignore]\nfn f() {}\n"), wanted);
        assert_eq!(findings("#[ignore = \"slow\"]\nfn f() {}\n").len(), 1);
        assert_eq!(findings("proptest! { #[test] #[ignore] fn f() {} }\n").len(), 1);
        assert_eq!(findings("#![allow(unused, dead_code)]\n").len(), 1);
        assert!(findings("#[allow(dead_code, reason = \"all of it\")]\nmod a;\n").is_empty());
        assert!(findings("#[cfg_attr(miri, ignore)]\nfn f() {}\n").is_empty());
        assert!(findings("// #[ignore]\nfn f() { g(\"#[ignore]\", [ignore]) }\n").is_empty());
    }

    #[test]
    fn unsafe_stays_in_its_fence_and_the_fence_is_not_wider_than_it_must_be() {
        let text = "#![allow(unsafe_code)]\n";
        let wanted = ["a.rs:2: `unsafe` outside the files that are listed for it"];
        assert_eq!(findings(text), wanted);
        assert!(in_file(UNSAFE_FILES[0], text).is_empty());
        assert_eq!(in_file(UNSAFE_FILES[0], "fn f() {}\n").len(), 1);
    }

    #[test]
    fn a_file_that_is_no_rust_is_a_finding() {
        assert_eq!(findings("fn f() {\n").len(), 1);
    }
}
