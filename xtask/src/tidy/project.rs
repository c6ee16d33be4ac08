//! The rules for what hangs together: manifests, test data and the links between pages.

use super::Finding;
use super::text::is_word;
use super::tree::{File, Tree};
use std::collections::BTreeSet;

/// All rules for the project as a whole.
pub fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in &tree.files {
        if file.path.rsplit('/').next() == Some("Cargo.toml") {
            manifest(file, findings);
        }
    }
    sources_of_test_data(tree, findings);
    modules(tree, findings);
    for page in tree.with_extension("md") {
        links(tree, page, findings);
    }
}

/// Every crate takes the workspace's lints and names its licence.
fn manifest(file: &File, findings: &mut Vec<Finding>) {
    let mut section = "";
    let (mut package, mut lints, mut licence) = (None, false, false);
    for (number, line) in file.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        }
        let key = line.split('=').next().unwrap_or("").trim();
        match section {
            "[package]" => {
                package.get_or_insert(number);
                licence |= matches!(key, "license" | "license.workspace");
            }
            "[lints]" => lints |= line.replace(' ', "") == "workspace=true",
            _ => {}
        }
    }
    let Some(line) = package else { return };
    if !lints {
        let message = "the crate does not take the workspace's lints ([lints] workspace = true)";
        findings.push(Finding::new(&file.path, line, message));
    }
    if !licence {
        let message = "the crate does not name its licence (license.workspace = true)";
        findings.push(Finding::new(&file.path, line, message));
    }
}

/// Every file under `testdata` is named in its list of sources.
fn sources_of_test_data(tree: &Tree, findings: &mut Vec<Finding>) {
    const LIST: &str = "testdata/SOURCES.md";
    let list = tree.file(LIST).map_or("", |file| file.text.as_str());
    for file in &tree.files {
        let Some(path) = file.path.strip_prefix("testdata/") else { continue };
        if file.path != LIST && !mentions(list, path) {
            let message = format!("{LIST} does not say where it comes from");
            findings.push(Finding::new(&file.path, 1, message));
        }
    }
}

/// The architecture's list has a row for each crate, with all of its modules and no others.
fn modules(tree: &Tree, findings: &mut Vec<Finding>) {
    const PAGE: &str = "ARCHITECTURE.md";
    let Some(page) = tree.file(PAGE) else { return };
    let is_list = |(_, line): &(usize, &str)| *line != "## Every module";
    let rows: Vec<(usize, &str)> = page.lines().skip_while(is_list).collect();
    for file in tree.files.iter().filter(|file| file.path.starts_with("crates/")) {
        let Some(name) = file.path.strip_suffix("/src/lib.rs") else { continue };
        let begin = format!("| `{name}` | ");
        let row = rows.iter().find_map(|(line, row)| Some((*line, row.strip_prefix(&begin)?)));
        let (line, row) = row.unwrap_or((1, ""));
        let named: BTreeSet<&str> = row.split('`').skip(1).step_by(2).collect();
        let sources = tree.with_extension("rs").filter_map(|file| {
            file.path.strip_prefix(name)?.strip_prefix("/src/")?.split(['/', '.']).next()
        });
        let there: BTreeSet<&str> =
            sources.filter(|module| !["lib", "main"].contains(module)).collect();
        for module in named.symmetric_difference(&there) {
            let is = if there.contains(module) { "is not listed" } else { "is not there" };
            findings.push(Finding::new(PAGE, line, format!("{name}: module `{module}` {is}")));
        }
    }
}

/// Whether a list names a path or, without its folders, the file.
fn mentions(list: &str, path: &str) -> bool {
    let part_of_a_name = |c: char| is_word(c) || c == '-';
    let named = |name: &str| {
        list.match_indices(name).any(|(at, _)| {
            let (before, after) = (&list[..at], &list[at + name.len()..]);
            !before.ends_with(part_of_a_name) && !after.starts_with(part_of_a_name)
        })
    };
    named(path) || path.rsplit('/').next().is_some_and(named)
}

/// Every relative link of a page leads to a file or folder of the repository.
fn links(tree: &Tree, page: &File, findings: &mut Vec<Finding>) {
    let mut fenced = false;
    for (number, line) in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for target in targets(line) {
            let path = target.split('#').next().unwrap_or("");
            let elsewhere = target.contains(':') || path.is_empty();
            if elsewhere || resolve(&page.path, path).is_some_and(|path| tree.contains(&path)) {
                continue;
            }
            let message = format!("the link to `{target}` leads nowhere");
            findings.push(Finding::new(&page.path, number, message));
        }
    }
}

/// The targets of the links in one line: `[text](target "title")` and `[name]: target`.
fn targets(line: &str) -> Vec<String> {
    // What stands between backquotes is no link.
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let inline = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or(""));
    let definition = prose.split_once("]: ").filter(|(name, _)| {
        name.starts_with('[') && !name.starts_with("[^") && !name[1..].contains(['[', ']'])
    });
    inline
        .chain(definition.map(|(_, target)| target))
        .filter_map(|target| target.split_whitespace().next())
        .map(|target| target.trim_matches(['<', '>']).to_owned())
        .collect()
}

/// The path that a link on a page means; none where it leaves the repository.
fn resolve(page: &str, link: &str) -> Option<String> {
    let mut names: Vec<&str> = page.split('/').collect();
    names.pop();
    if link.starts_with('/') {
        names.clear();
    }
    for name in link.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::messages;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        messages(|found| check(&Tree::of(files), found))
    }

    #[test]
    fn a_crate_takes_the_lints_and_names_its_licence() {
        let good = "[package]\nlicense.workspace = true\n\n[lints]\nworkspace = true\n";
        assert!(findings(&[("a/Cargo.toml", good)]).is_empty());
        let bare = "[package]\nname = \"a\"\n[dependencies]\nboard.workspace = true\n";
        assert_eq!(findings(&[("a/Cargo.toml", bare)]).len(), 2);
        assert!(findings(&[("Cargo.toml", "[workspace]\nresolver = \"3\"\n")]).is_empty());
    }

    #[test]
    fn test_data_names_its_source() {
        let data = ("testdata/perft/a.epd", "");
        let wanted = "testdata/perft/a.epd:1: testdata/SOURCES.md does not say where it comes from";
        assert_eq!(findings(&[data]), [wanted]);
        assert_eq!(
            findings(&[data, ("testdata/SOURCES.md", "- `perft/aa.epd`: mine\n")]),
            [wanted]
        );
        assert!(findings(&[data, ("testdata/SOURCES.md", "- `perft/a.epd`: mine\n")]).is_empty());
        assert!(findings(&[data, ("testdata/SOURCES.md", "perft: a.epd, b.epd\n")]).is_empty());
    }

    #[test]
    fn the_architecture_lists_the_modules_that_are_there() {
        let page = |row: &str| {
            let page = format!("`crates/a`\n## Every module\n| `crates/a` | {row} |\n");
            let sources = ["a/src/lib.rs", "a/src/b.rs", "a/src/c/mod.rs", "a/src/c/d.rs"];
            let sources = sources.map(|path| format!("crates/{path}"));
            let mut files: Vec<(&str, &str)> = sources.iter().map(|path| (&path[..], "")).collect();
            files.push(("ARCHITECTURE.md", &page));
            messages(|found| modules(&Tree::of(&files), found))
        };
        assert!(page("`b`, `c`").is_empty());
        let listed = |module, is| format!("ARCHITECTURE.md:3: crates/a: module `{module}` {is}");
        assert_eq!(page("`b`, `e`"), [listed("c", "is not listed"), listed("e", "is not there")]);
    }

    #[test]
    fn links_lead_somewhere() {
        let page = |text| findings(&[("docs/a.md", text), ("docs/b.md", ""), ("LICENSE", "")]);
        assert!(
            page("[b](b.md), [l](../LICENSE), [d](../docs/), ![i](b.md \"title\")\n").is_empty()
        );
        assert!(
            page("[b]: b.md\n[h](#here) [b](b.md#there) [w](https://example.org/x)\n").is_empty()
        );
        assert!(page("`[x](y.md)`\n```\n[x](y.md)\n```\n").is_empty());
        assert_eq!(page("\n[x](y.md)\n"), ["docs/a.md:2: the link to `y.md` leads nowhere"]);
        assert_eq!(page("[x]: y.md\n").len(), 1);
        assert_eq!(page("[x](../../LICENSE)\n").len(), 1);
    }
}
