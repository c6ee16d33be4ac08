//! The rule for the page that says where the papers' parts live: every part has a row, and every test
//! that a row names exists.

use super::Finding;
use super::text::is_word;
use super::tree::Tree;
use std::collections::BTreeMap;

/// The parts: section, id, name.
const LIST: &str = "testdata/inventory/essential.txt";
/// The page: rows of id, part, place and tests.
const PAGE: &str = "docs/design/inventory.md";
/// How a row without a test begins, before the reason.
const NOT_YET: &str = "not yet: ";

/// Holds the page against the list and the sources.
pub fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    let Some(list) = tree.file(LIST) else { return };
    let page = tree.file(PAGE).map_or("", |file| file.text.as_str());
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, line) in (1..).zip(page.lines()) {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [id, _, _, tests] = cells[..] else { continue };
        if id == "id" || id.starts_with('-') {
            continue;
        }
        if rows.insert(id, number).is_some() {
            findings.push(Finding::new(PAGE, number, format!("{id} has two rows")));
        }
        for reason in wrong_tests(tree, tests) {
            findings.push(Finding::new(PAGE, number, format!("{id}: {reason}")));
        }
    }
    let ids = list.lines().filter(|(_, line)| !line.starts_with('#'));
    for (number, id) in ids.filter_map(|(number, line)| Some((number, line.split(' ').nth(1)?))) {
        if !rows.contains_key(id) {
            findings.push(Finding::new(LIST, number, format!("{PAGE} has no row for {id}")));
        }
    }
}

/// What is wrong with the tests of a row.
fn wrong_tests(tree: &Tree, cell: &str) -> Vec<String> {
    if cell.strip_prefix(NOT_YET).is_some_and(|reason| !reason.is_empty()) {
        return Vec::new();
    }
    let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        return vec![format!("no test is named, nor a reason after \"{NOT_YET}\"")];
    }
    let wrong = |name: &&str| match name.rsplit_once("::") {
        Some((path, test)) => match tree.file(path) {
            Some(file) if is_test(&file.text, test) => None,
            Some(_) => Some(format!("{path} has no test {test}")),
            None => Some(format!("there is no file {path}")),
        },
        None => Some(format!("{name} is not of the form path::test")),
    };
    names.iter().filter_map(wrong).collect()
}

/// Whether a text has a function of a name that is marked as a test, within the lines before it.
fn is_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let declares = |line: &str| {
        let after = line.trim_start().strip_prefix("fn ").and_then(|rest| rest.strip_prefix(name));
        after.is_some_and(|after| !after.starts_with(is_word))
    };
    (0..lines.len()).any(|place| {
        declares(lines[place])
            && lines[..place].iter().rev().take(3).any(|line| line.trim() == "#[test]")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::messages;

    const TEST: &str = "#[test]\nfn z9_holds() {}\n";

    fn findings(row: &str) -> Vec<String> {
        let page = format!("| id | part | where | test |\n| --- | --- | --- | --- |\n{row}\n");
        let files = [(LIST, "# notes\n3 Z9 alpha-beta\n"), (PAGE, page.as_str()), ("a.rs", TEST)];
        messages(|found| check(&Tree::of(&files), found))
    }

    #[test]
    fn a_row_names_a_test_that_exists_or_says_why_not() {
        assert!(findings("| Z9 | alpha-beta | a | `a.rs::z9_holds` |").is_empty());
        assert!(findings("| Z9 | alpha-beta | | not yet: with the book |").is_empty());
        for (row, reason) in [
            ("| Z9 | alpha-beta | a | `a.rs::z9` |", "a.rs has no test z9"),
            ("| Z9 | alpha-beta | a | `b.rs::z9_holds` |", "there is no file b.rs"),
            ("| Z9 | alpha-beta | a | `z9_holds` |", "is not of the form path::test"),
            ("| Z9 | alpha-beta | a | |", "no test is named"),
            ("| Z8 | alpha-beta | a | `a.rs::z9_holds` |", "has no row for Z9"),
        ] {
            let found = findings(row);
            assert!(found.len() == 1 && found[0].contains(reason), "{row}: {found:?}");
        }
    }
}
