//! No function needs scrolling: the rule for the length of functions.

use super::Finding;
use super::exceptions::Exceptions;
use super::lexer::{Source, find_word, is_word};
use super::tree::{File, Tree};

/// No function is longer, from the line of its `fn` to its closing brace.
pub const MOST_LINES: usize = 70;

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    line: usize,
    lines: usize,
}

/// Reports functions above the limit, and listed ones above their own.
pub fn check(file: &File, source: &Source, exceptions: &Exceptions, findings: &mut Vec<Finding>) {
    for function in functions(&source.code) {
        let exception = exceptions
            .long_functions
            .iter()
            .find(|long| long.path == file.path && long.name == function.name);
        let most = exception.map_or(MOST_LINES, |long| long.lines);
        if function.lines > most {
            let (name, lines) = (function.name, function.lines);
            let message = format!("the function `{name}` has {lines} lines; the limit is {most}");
            findings.push(Finding::new(&file.path, function.line, message));
        }
    }
}

/// A listed function that has become shorter lowers its ratchet; one that is gone leaves the list.
pub fn stale_exceptions(tree: &Tree, exceptions: &Exceptions, findings: &mut Vec<Finding>) {
    for long in exceptions.long_functions {
        let code = tree.file(long.path).map(|file| Source::new(&file.text).code);
        let longest = functions(code.as_deref().unwrap_or_default())
            .filter(|function| function.name == long.name)
            .map(|function| function.lines)
            .max()
            .unwrap_or(0);
        if longest <= MOST_LINES {
            let message = format!("`{}` need not be in the list of long functions", long.name);
            findings.push(Finding::new(long.path, 1, message));
        } else if longest < long.lines {
            let message = format!("`{}` has only {longest} lines now: lower its limit", long.name);
            findings.push(Finding::new(long.path, 1, message));
        }
        if long.reason.is_empty() {
            let message = format!("`{}` is a long function without a reason", long.name);
            findings.push(Finding::new(long.path, 1, message));
        }
    }
}

/// The functions that have a body, in the order of their beginnings.
fn functions(code: &str) -> impl Iterator<Item = Function<'_>> {
    find_word(code, "fn").filter_map(move |at| {
        let rest = code[at + 2..].trim_start();
        let name = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let end = body_end(&code[at..])?;
        // Without a name it is the type of a function pointer.
        (!name.is_empty()).then(|| Function {
            name,
            line: 1 + code[..at].matches('\n').count(),
            lines: 1 + code[at..at + end].matches('\n').count(),
        })
    })
}

/// Where the body of the function at the beginning of `code` ends; none for a declaration.
fn body_end(code: &str) -> Option<usize> {
    let (mut braces, mut brackets) = (0usize, 0usize);
    for (at, c) in code.char_indices() {
        match c {
            '{' => braces += 1,
            '(' | '[' if braces == 0 => brackets += 1,
            ')' | ']' if braces == 0 => brackets = brackets.checked_sub(1)?,
            '}' => {
                braces = braces.checked_sub(1)?;
                if braces == 0 && brackets == 0 {
                    return Some(at);
                }
            }
            ';' if braces == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::exceptions::LongFunction;
    use crate::tidy::tests::{NONE, messages};

    fn of(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    work();\n".repeat(lines - 2))
    }

    fn findings(text: &str, exceptions: &Exceptions) -> Vec<String> {
        let tree = Tree::of(&[("a.rs", text)]);
        let source = Source::new(text);
        messages(|found| {
            check(&tree.files[0], &source, exceptions, found);
            stale_exceptions(&tree, exceptions, found);
        })
    }

    #[test]
    fn a_function_of_70_lines_passes_and_one_of_71_does_not() {
        assert!(findings(&of(70), &NONE).is_empty());
        let text = format!("\n{}", of(71));
        let wanted = "a.rs:2: the function `long` has 71 lines; the limit is 70";
        assert_eq!(findings(&text, &NONE), [wanted]);
    }

    #[test]
    fn braces_in_literals_and_comments_do_not_count() {
        let text = "fn a() {\n '{'; \"{\"; // {\n}\nfn b() {}\n";
        let code = Source::new(text).code;
        let found: Vec<_> = functions(&code).map(|f| (f.name, f.line, f.lines)).collect();
        assert_eq!(found, [("a", 1, 3), ("b", 4, 1)]);
    }

    #[test]
    fn declarations_and_types_are_no_functions() {
        let text =
            "fn a(x: [u8; 2]);\ntype F = fn(u8) -> u8;\nfn b(f: fn([u8; 2])) -> [u8; 3] {\n}";
        let found: Vec<_> = functions(text).map(|f| (f.name, f.lines)).collect();
        assert_eq!(found, [("b", 2)]);
    }

    #[test]
    fn a_listed_function_may_be_as_long_as_the_list_says_and_no_longer_than_it_is() {
        let with = |lines, reason| {
            let long = [LongFunction { path: "a.rs", name: "long", lines: 80, reason }];
            findings(&of(lines), &Exceptions { long_functions: &long, ..NONE })
        };
        assert!(with(80, "a table").is_empty());
        assert_eq!(with(81, "a table").len(), 1);
        assert_eq!(with(75, "a table"), ["a.rs:1: `long` has only 75 lines now: lower its limit"]);
        let gone = ["a.rs:1: `long` need not be in the list of long functions"];
        assert_eq!(with(60, "a table"), gone);
        assert_eq!(with(80, ""), ["a.rs:1: `long` is a long function without a reason"]);
    }
}
