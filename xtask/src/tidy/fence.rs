//! Unsafe code stays in the files that are listed for it, and every block says why it is sound.

use super::Finding;
use super::exceptions::Exceptions;
use super::lexer::{Source, find_word};
use super::tree::{File, Tree};

/// Reports `unsafe` outside the fence and blocks without their reason.
pub fn check(file: &File, source: &Source, exceptions: &Exceptions, findings: &mut Vec<Finding>) {
    let fenced = exceptions.unsafe_files.contains(&file.path.as_str());
    let code: Vec<&str> = source.code.lines().collect();
    let comments: Vec<&str> = source.comments.lines().collect();
    for (index, line) in code.iter().enumerate() {
        for at in find_word(line, "unsafe") {
            if !fenced {
                let message = "`unsafe` outside the files that are listed for it";
                findings.push(Finding::new(&file.path, index + 1, message));
            }
            let rest = line[at + "unsafe".len()..].trim_start();
            let next = || code.get(index + 1).map_or("", |line| line.trim_start());
            let what = if rest.is_empty() { next() } else { rest };
            let needs_reason = what.starts_with('{') || find_word(what, "impl").next() == Some(0);
            if needs_reason && !has_reason(&code, &comments, index) {
                let message = "an unsafe block without its SAFETY comment";
                findings.push(Finding::new(&file.path, index + 1, message));
            }
        }
    }
}

/// Whether the line, or the comment above the statement it belongs to, says SAFETY.
fn has_reason(code: &[&str], comments: &[&str], line: usize) -> bool {
    let says = |index: usize| comments[index].contains("SAFETY:");
    if says(line) {
        return true;
    }
    for index in (0..line).rev() {
        if says(index) {
            return true;
        }
        let (code, comment) = (code[index].trim_end(), comments[index].trim());
        let attribute = code.trim_start().starts_with("#[");
        let ends_a_statement = code.ends_with([';', '{', '}', ',']);
        let blank = code.is_empty() && comment.is_empty();
        if blank || (ends_a_statement && !attribute) {
            return false;
        }
    }
    false
}

/// A listed file without `unsafe` leaves the list.
pub fn stale_exceptions(tree: &Tree, exceptions: &Exceptions, findings: &mut Vec<Finding>) {
    for path in exceptions.unsafe_files {
        let code = tree.file(path).map(|file| Source::new(&file.text).code).unwrap_or_default();
        if find_word(&code, "unsafe").next().is_none() {
            let message = "is listed for `unsafe` and has none";
            findings.push(Finding::new(path, 1, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::{NONE, messages};

    const FENCED: Exceptions = Exceptions { unsafe_files: &["a.rs"], ..NONE };

    fn findings(text: &str, exceptions: &Exceptions) -> Vec<String> {
        let tree = Tree::of(&[("a.rs", text)]);
        let source = Source::new(text);
        messages(|found| {
            check(&tree.files[0], &source, exceptions, found);
            stale_exceptions(&tree, exceptions, found);
        })
    }

    #[test]
    fn unsafe_stays_in_its_fence() {
        let text = "// SAFETY: it is.\nunsafe { f() }\n";
        assert_eq!(
            findings(text, &NONE),
            ["a.rs:2: `unsafe` outside the files that are listed for it"]
        );
        assert!(findings(text, &FENCED).is_empty());
        assert!(findings("#![allow(unsafe_code)] // unsafe\n", &NONE).is_empty());
    }

    #[test]
    fn every_block_says_why_it_is_sound() {
        let wanted = ["a.rs:2: an unsafe block without its SAFETY comment"];
        assert_eq!(findings("// Trust me.\nunsafe { f() }\n", &FENCED), wanted);
        assert_eq!(
            findings("// SAFETY: yes.\nunsafe { f() };\nunsafe { g() }\n", &FENCED).len(),
            1
        );
        assert_eq!(findings("\nunsafe impl Send for A {}\n", &FENCED), wanted);
    }

    #[test]
    fn the_reason_may_stand_above_the_statement() {
        assert!(
            findings("// SAFETY: a\n// long one.\nlet x =\n    unsafe { f() };\n", &FENCED)
                .is_empty()
        );
        assert!(
            findings("// SAFETY: yes.\n#[rustfmt::skip]\nunsafe { f() }\n", &FENCED).is_empty()
        );
        assert!(findings("unsafe { f() } // SAFETY: yes.\n", &FENCED).is_empty());
    }

    #[test]
    fn the_list_of_fenced_files_is_not_longer_than_it_must_be() {
        assert_eq!(
            findings("fn f() {}\n", &FENCED),
            ["a.rs:1: is listed for `unsafe` and has none"]
        );
    }
}
