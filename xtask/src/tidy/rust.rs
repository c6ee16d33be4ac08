//! The rules for Rust files: length, module comment, forbidden words. (`functions` and `fence` hold
//! the two rules that need more than a look at each line.)

use super::exceptions::Exceptions;
use super::lexer::{Source, find_word};
use super::tree::{File, Tree};
use super::{Finding, fence, functions};

/// No Rust file is longer; blank lines and comments count.
pub const MOST_LINES: usize = 400;

/// Marks of unfinished work, looked for in comments.
const MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// What must not stay in committed code, and why.
const FORBIDDEN: [(&str, &str); 6] = [
    ("dbg!", "is for the developer's eyes"),
    ("todo!", "is unfinished work"),
    ("unimplemented!", "is unfinished work"),
    ("#[ignore]", "hides a test that nobody runs"),
    ("#[ignore =", "hides a test that nobody runs"),
    ("allow(dead_code)", "keeps what nobody uses"),
];

/// All rules for Rust files.
pub fn check(tree: &Tree, exceptions: &Exceptions, findings: &mut Vec<Finding>) {
    for file in tree.with_extension("rs") {
        let source = Source::new(&file.text);
        length(file, exceptions, findings);
        module_comment(file, findings);
        forbidden_words(file, &source, findings);
        functions::check(file, &source, exceptions, findings);
        fence::check(file, &source, exceptions, findings);
    }
    for exception in exceptions.long_files {
        let lines = tree.file(exception.path).map_or(0, |file| file.text.lines().count());
        if lines <= MOST_LINES {
            let message = "is in the list of long files and need not be";
            findings.push(Finding::new(exception.path, 1, message));
        }
    }
    functions::stale_exceptions(tree, exceptions, findings);
    fence::stale_exceptions(tree, exceptions, findings);
}

fn length(file: &File, exceptions: &Exceptions, findings: &mut Vec<Finding>) {
    let lines = file.text.lines().count();
    let exception = exceptions.long_files.iter().find(|long| long.path == file.path);
    let most = exception.map_or(MOST_LINES, |long| long.lines);
    if lines > most {
        let message = format!("the file has {lines} lines; the limit is {most}");
        findings.push(Finding::new(&file.path, most + 1, message));
    }
}

fn module_comment(file: &File, findings: &mut Vec<Finding>) {
    if !file.text.starts_with("//!") {
        let message = "the file does not begin with a module comment (//!)";
        findings.push(Finding::new(&file.path, 1, message));
    }
}

fn forbidden_words(file: &File, source: &Source, findings: &mut Vec<Finding>) {
    for (number, line) in (1..).zip(source.comments.lines()) {
        for mark in MARKS {
            if find_word(line, mark).next().is_some() {
                let message = format!("{mark}: finish the work or open an issue");
                findings.push(Finding::new(&file.path, number, message));
            }
        }
    }
    for (number, line) in (1..).zip(source.code.lines()) {
        for (word, why) in FORBIDDEN {
            if find_word(line, word).next().is_some() {
                findings.push(Finding::new(&file.path, number, format!("`{word}` {why}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::exceptions::LongFile;
    use crate::tidy::tests::{NONE, messages};

    fn findings(text: &str) -> Vec<String> {
        messages(|found| check(&Tree::of(&[("a.rs", text)]), &NONE, found))
    }

    #[test]
    fn a_file_of_400_lines_passes_and_one_of_401_does_not() {
        let of = |lines: usize| format!("//! A.\n{}", "\n".repeat(lines - 1));
        assert!(findings(&of(400)).is_empty());
        assert_eq!(findings(&of(401)), ["a.rs:401: the file has 401 lines; the limit is 400"]);
    }

    #[test]
    fn a_listed_file_may_be_longer_while_it_needs_to() {
        let long = [LongFile { path: "a.rs", lines: 500 }];
        let exceptions = Exceptions { long_files: &long, ..NONE };
        let of = |lines: usize| {
            let text = format!("//! A.\n{}", "\n".repeat(lines - 1));
            messages(|found| check(&Tree::of(&[("a.rs", &text)]), &exceptions, found))
        };
        assert!(of(500).is_empty());
        assert_eq!(of(501).len(), 1);
        assert_eq!(of(400), ["a.rs:1: is in the list of long files and need not be"]);
    }

    #[test]
    fn a_file_begins_with_its_module_comment() {
        let wanted = ["a.rs:1: the file does not begin with a module comment (//!)"];
        assert_eq!(findings("// A.\n"), wanted);
        assert_eq!(findings(""), wanted);
    }

    #[test]
    fn marks_of_unfinished_work_are_found_in_comments_only() {
        assert_eq!(
            findings("//! A.\n// TODO later\n"),
            ["a.rs:2: TODO: finish the work or open an issue"]
        );
        assert!(findings("//! A.\nconst T: &str = \"TODO\"; // TODOS\n").is_empty());
    }

    #[test]
    fn forbidden_words_are_found_in_code_only() {
        assert_eq!(findings("//! A.\nfn f() { dbg!(1); }\n").len(), 1);
        assert_eq!(findings("//! A.\n#[test]\n#[ignore]\nfn f() {}\n").len(), 1);
        assert_eq!(findings("//! A.\n#[ignore = \"slow\"]\nfn f() {}\n").len(), 1);
        assert!(findings("//! A.\n// never todo!() here\nfn f() { g(\"dbg!\") }\n").is_empty());
    }
}
