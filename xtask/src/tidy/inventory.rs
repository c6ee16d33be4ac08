//! The rule for the pages that say where the papers' parts live: every part has a row, every row a state,
//! and every test that a row names exists. The last also holds for the page on testing.

use super::Finding;
use super::text::is_word;
use super::tree::Tree;
use std::collections::BTreeMap;

/// The parts: section, id, name.
const LIST: &str = "testdata/inventory/ids.txt";
/// The page that counts the rows.
const PAGE: &str = "docs/design/inventory.md";
/// How the names of the pages begin that hold the rows: id, part, place and tests.
const PAGES: &str = "docs/design/inventory";

/// Another page that names tests, beside other things.
const TESTING: &str = "docs/design/testing.md";

/// The states of a part, and how the last cell of its row begins, before the reason. A row that begins
/// otherwise names its tests.
const STATES: [(&str, &str); 6] = [
    ("checked by tests", ""),
    ("measured", "measured: "),
    ("context", "context: "),
    ("settled", "settled: "),
    ("impossible", "cannot be built: "),
    ("open", "open: "),
];

/// Holds the pages against the list and the sources.
pub fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for (number, line) in tree.file(TESTING).into_iter().flat_map(|page| page.lines()) {
        let names = line.split('`').skip(1).step_by(2).filter(|name| name.contains(".rs::"));
        let wrong = names.filter_map(|name| wrong_test(tree, name));
        findings.extend(wrong.map(|reason| Finding::new(TESTING, number, reason)));
    }
    let Some(list) = tree.file(LIST) else { return };
    let ids = list.lines().filter(|(_, line)| !line.starts_with('#'));
    let ids: BTreeMap<&str, usize> =
        ids.filter_map(|(number, line)| Some((line.split(' ').nth(1)?, number))).collect();
    let pages = tree.with_extension("md").filter(|file| file.path.starts_with(PAGES));
    let lines = pages.flat_map(|file| file.lines().map(move |line| (&file.path, line)));
    let (mut rows, mut counts) = (BTreeMap::new(), [0; STATES.len()]);
    for (path, (number, line)) in lines {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [id, _, place, last] = cells[..] else { continue };
        if id == "id" || id.starts_with('-') {
            continue;
        }
        let mut find = |what| findings.push(Finding::new(path, number, format!("{id}{what}")));
        if !ids.contains_key(id) {
            find(format!(" is not in {LIST}"));
        }
        if rows.insert(id, number).is_some() {
            find(" has two rows".to_owned());
        }
        let (state, wrong) = state(tree, place, last);
        counts[state] += 1;
        wrong.into_iter().for_each(|reason| find(format!(": {reason}")));
    }
    for (id, &number) in ids.iter().filter(|(id, _)| !rows.contains_key(*id)) {
        findings.push(Finding::new(LIST, number, format!("{PAGES}*.md has no row for {id}")));
    }
    let counts: Vec<String> =
        STATES.iter().zip(counts).map(|((state, _), count)| format!("{count} {state}")).collect();
    let summary = format!("{} rows: {}.", rows.len(), counts.join(", "));
    if !tree.file(PAGE).is_some_and(|page| page.text.contains(&summary)) {
        findings.push(Finding::new(PAGE, 1, format!("it must say \"{summary}\"")));
    }
}

/// The state of a part by its row, and what is wrong with the row.
fn state(tree: &Tree, place: &str, last: &str) -> (usize, Vec<String>) {
    let reasoned = (1..STATES.len()).find(|&state| last.starts_with(STATES[state].1));
    let state = reasoned.unwrap_or(0);
    let mut wrong = if reasoned.is_some() { Vec::new() } else { wrong_tests(tree, last) };
    if state < 2 && !place.contains("](") {
        wrong.push("no place is linked".to_owned());
    }
    (state, wrong)
}

/// What is wrong with the tests of a row.
fn wrong_tests(tree: &Tree, cell: &str) -> Vec<String> {
    let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        let starts: Vec<&str> = STATES[1..].iter().map(|(_, start)| start.trim()).collect();
        return vec![format!("no test is named, nor a reason after {}", starts.join(" "))];
    }
    names.into_iter().filter_map(|name| wrong_test(tree, name)).collect()
}

/// What is wrong with the name of a test.
fn wrong_test(tree: &Tree, name: &str) -> Option<String> {
    match name.rsplit_once("::") {
        Some((path, test)) => match tree.file(path) {
            Some(file) if is_test(&file.text, test) => None,
            Some(_) => Some(format!("{path} has no test {test}")),
            None => Some(format!("there is no file {path}")),
        },
        None => Some(format!("{name} is not of the form path::test")),
    }
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

    /// What is found in a page of these rows, of which the first number are checked by tests and the others
    /// open.
    fn findings(rows: &str, tested: usize, open: usize) -> Vec<String> {
        let head = "| id | part | where | test |\n| --- | --- | --- | --- |";
        let (all, rest) = (tested + open, "0 measured, 0 context, 0 settled, 0 impossible");
        let sum = format!("{all} rows: {tested} checked by tests, {rest}, {open} open.");
        let page = format!("{sum}\n{head}\n{rows}\n");
        let files = [(LIST, "# notes\n3 Z9 alpha-beta\n"), (PAGE, page.as_str()), ("a.rs", TEST)];
        messages(|found| check(&Tree::of(&files), found))
    }

    #[test]
    fn a_row_names_a_test_that_exists_or_says_why_not() {
        assert!(findings("| Z9 | alpha-beta | [a](a) | `a.rs::z9_holds` |", 1, 0).is_empty());
        assert!(findings("| Z9 | alpha-beta | | open: with the book |", 0, 1).is_empty());
        for (row, reason) in [
            ("| Z9 | alpha-beta | [a](a) | `a.rs::z9` |", "a.rs has no test z9"),
            ("| Z9 | alpha-beta | [a](a) | `b.rs::z9_holds` |", "there is no file b.rs"),
            ("| Z9 | alpha-beta | [a](a) | `z9_holds` |", "is not of the form path::test"),
            ("| Z9 | alpha-beta | [a](a) | |", "no test is named"),
            ("| Z9 | alpha-beta | [a](a) | not yet |", "no test is named"),
            ("| Z9 | alpha-beta | a | `a.rs::z9_holds` |", "no place is linked"),
        ] {
            let found = findings(row, 1, 0);
            assert!(found.len() == 1 && found[0].contains(reason), "{row}: {found:?}");
        }
        let found = findings("| Z9 | alpha-beta | [a](a) | open: |", 1, 0);
        assert!(found.len() == 1 && found[0].contains("no test is named"), "{found:?}");
    }

    #[test]
    fn the_page_on_testing_names_tests_that_exist() {
        let page = "`cargo test`, `a.rs`\n| fault | `a.rs::z9_holds`<br>`a.rs::z9` |\n`b.rs::x`\n";
        let found = messages(|found| check(&Tree::of(&[(TESTING, page), ("a.rs", TEST)]), found));
        assert!(found.len() == 2 && found[0].contains("a.rs has no test z9"), "{found:?}");
        assert!(found[1].contains("there is no file b.rs"), "{found:?}");
    }

    #[test]
    fn every_id_has_one_row_and_the_page_counts_them() {
        let row = "| Z9 | alpha-beta | | open: with the book |";
        let found = findings("", 0, 0);
        assert!(found.len() == 1 && found[0].contains("has no row for Z9"), "{found:?}");
        let found = findings(&format!("{row}\n{row}"), 0, 1);
        assert!(found.iter().any(|found| found.contains("Z9 has two rows")), "{found:?}");
        let found = findings(&row.replace("Z9", "Z8"), 0, 1);
        assert!(found.iter().any(|found| found.contains("Z8 is not in")), "{found:?}");
        let found = findings(row, 1, 0);
        assert!(found.len() == 1 && found[0].contains("0 impossible, 1 open."), "{found:?}");
    }
}
