//! The examples of the pages: they run, and what the pages show is what comes out. And the page of the
//! options: it lists what `uci` lists.
//!
//! An example is a block ```` ```sh ```` in which a line, or what stands behind a `|`, begins with
//! `cargo run --release -- ` or `rookery `. It is run by the shell, with the program of this build, in a folder
//! in which the repository's files lie too. It must end well, unless its output is shown. If the next block of the
//! page is ```` ```text ````, that is its standard output; a line `…` in it stands for any lines.
//!
//! What changes from run to run is not compared: numbers of seconds and of nodes per second, how full
//! the table is, and the width of columns. An example that must not be run, because it takes long or
//! needs other programs, has a line `<!-- not run: why -->` before it.
//!
//! `cargo xtask examples` writes the real output into the pages, and the options into theirs.
#![cfg(unix)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pages.
const PAGES: [&str; 4] = [
    "README.md",
    "docs/guide/analysis.md",
    "docs/guide/annotating.md",
    "docs/reference/command-line.md",
];
/// The page of the options: a row for each, in the order of `uci`.
const OPTIONS: &str = "docs/reference/options.md";
/// Set to write the outputs into the pages.
const UPDATE: &str = "ROOKERY_UPDATE_EXAMPLES";
/// How an example begins.
const BEGINNINGS: [&str; 2] = ["cargo run --release -- ", "rookery "];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A block between fences: what it is called, its lines, and whether it must not be run.
struct Block {
    kind: String,
    first: usize,
    last: usize,
    is_marked: bool,
}

/// The blocks of a page.
fn blocks(lines: &[&str]) -> Vec<Block> {
    let (mut blocks, mut open, mut is_marked) = (Vec::new(), None, false);
    for (number, line) in lines.iter().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(kind), None) => open = Some((kind.trim().to_owned(), number + 1)),
            (Some(_), Some((kind, first))) => {
                blocks.push(Block { kind, first, last: number, is_marked });
                is_marked = false;
            }
            (None, None) => {
                is_marked = line.starts_with("<!-- not run:") || is_marked && line.is_empty();
            }
            (None, still_open) => open = still_open,
        }
    }
    blocks
}

/// An example, and where its output stands.
struct Example {
    line: usize,
    script: String,
    shown: Option<(usize, usize)>,
}

fn examples(lines: &[&str]) -> Vec<Example> {
    let blocks = blocks(lines);
    let mut examples = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let script = lines[block.first..block.last].join("\n");
        let calls = script.lines().flat_map(|line| line.split('|')).map(str::trim_start);
        let is_example = calls
            .into_iter()
            .any(|call| BEGINNINGS.iter().any(|beginning| call.starts_with(beginning)));
        if block.kind != "sh" || block.is_marked || !is_example {
            continue;
        }
        let shown = blocks.get(index + 1).filter(|next| next.kind == "text");
        let shown = shown.map(|next| (next.first, next.last));
        examples.push(Example { line: block.first, script, shown });
    }
    examples
}

/// A folder in which the repository's files lie, but not its build.
fn folder(page: &str) -> PathBuf {
    let name = page.replace('/', "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("examples-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the directory of temporary files is writable");
    for entry in fs::read_dir(root()).expect("the root is there").flatten() {
        let name = entry.file_name();
        if name != "target" && !name.to_string_lossy().starts_with('.') {
            let target = fs::canonicalize(entry.path()).expect("it is there");
            std::os::unix::fs::symlink(target, folder.join(name)).expect("links can be made");
        }
    }
    folder
}

fn run(example: &Example, folder: &Path) -> Result<String, String> {
    let program = Path::new(support::ROOKERY);
    let mut path = program.parent().expect("it lies in a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let script = example.script.replace(BEGINNINGS[0].trim_end(), "rookery");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    match output.status.success() || example.shown.is_some() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("it failed: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// A line without what changes from run to run.
fn masked(line: &str) -> String {
    const BEFORE: [&str; 7] =
        ["nps ", "nps\":", "seconds\":", "per second: ", "hashfull ", "time ", "Time: "];
    const AFTER: [&str; 5] = ["s", "ms", "nodes per second", "% of the table", "% full"];
    let (mut text, mut rest) = (String::new(), line);
    while let Some(begin) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, number) = rest.split_at(begin);
        text += before;
        let end = number.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let (number, after) = number.split_at(end.unwrap_or(number.len()));
        let unit = after.trim_start();
        let has_unit = AFTER.iter().any(|name| {
            unit.strip_prefix(name).is_some_and(|more| !more.starts_with(char::is_alphanumeric))
        });
        // In the middle of a line this word belongs to the number behind it.
        let has_unit = has_unit || unit.trim_end() == "nps";
        let is_variable = has_unit || BEFORE.iter().any(|name| text.ends_with(name));
        text += if is_variable { "#" } else { number };
        rest = after;
    }
    text += rest;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether lines are those that are expected, `…` standing for any.
fn agree(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=found.len()).any(|skipped| agree(rest, &found[skipped..]))
        }
        Some((first, rest)) => found.first() == Some(first) && agree(rest, &found[1..]),
    }
}

/// Runs the examples of a page: what is wrong, and the page as it should be.
fn check(page: &str) -> (Vec<String>, String) {
    let text = fs::read_to_string(root().join(page)).expect("the page is there");
    let lines: Vec<&str> = text.lines().collect();
    let folder = folder(page);
    let (mut faults, mut real, mut copied) = (Vec::new(), String::new(), 0);
    for example in examples(&lines) {
        let place = format!("{page}:{}", example.line + 1);
        let output = match run(&example, &folder) {
            Ok(output) => output,
            Err(reason) => {
                faults.push(format!("{place}: {reason}"));
                continue;
            }
        };
        let Some((first, last)) = example.shown else { continue };
        let masks = |lines: &mut dyn Iterator<Item = &str>| lines.map(masked).collect::<Vec<_>>();
        let expected = masks(&mut lines[first..last].iter().copied());
        if agree(&expected, &masks(&mut output.lines())) {
            continue;
        }
        faults.push(format!("{place}: the output is\n{output}"));
        lines[copied..first].iter().for_each(|line| real += &format!("{line}\n"));
        output.lines().for_each(|line| real += &format!("{}\n", line.trim_end()));
        copied = last;
    }
    lines[copied..].iter().for_each(|line| real += &format!("{line}\n"));
    (faults, real)
}

#[test]
fn the_examples_of_the_pages_are_real() {
    let mut all = Vec::new();
    for page in PAGES {
        let (faults, real) = check(page);
        if !faults.is_empty() && std::env::var_os(UPDATE).is_some() {
            fs::write(root().join(page), real).expect("the page can be written");
            println!("{page}: {} outputs were not real", faults.len());
            continue;
        }
        all.extend(faults);
    }
    let advice = "`cargo xtask examples` writes the real outputs into the pages";
    assert!(all.is_empty(), "{}\n{advice}", all.join("\n"));
}

/// The row of an option up to its meaning, from its line in the answer to `uci`.
fn row(line: &str) -> Option<String> {
    let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let (kind, rest) = kind.split_once(" default ").unwrap_or((kind, ""));
    let (default, values) = match kind {
        "spin" => rest.split_once(" min ")?,
        "combo" => rest.split_once(" var ")?,
        _ => (rest, ""),
    };
    let default = default.replace("<empty>", "");
    let values = values.replace(" max ", " to ").replace(" var ", ", ");
    let row = format!("| `{name}` | {kind} | {default} | {values} | ");
    Some(row.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn the_page_of_the_options_lists_what_uci_lists() {
    let uci = Example { line: 0, script: "echo uci | rookery uci".to_owned(), shown: None };
    let answer = run(&uci, &root()).expect("it answers");
    let real: Vec<String> = answer.lines().filter_map(row).collect();
    assert!(real.len() > 20, "{answer}");
    let text = fs::read_to_string(root().join(OPTIONS)).expect("the page is there");
    let is_row = |line: &&str| line.starts_with("| `");
    // The first table; those of other things come behind it.
    let before: Vec<&str> = text.lines().take_while(|line| !is_row(line)).collect();
    let rows: Vec<&str> = text.lines().skip(before.len()).take_while(is_row).collect();
    let name = |row: &str| row.split('`').nth(1).map(str::to_owned);
    // The program does not know what an option means: the page does.
    let whole = |row: &String| {
        let known = rows.iter().find(|known| name(known) == name(row));
        let meaning = known.and_then(|known| known.trim_end_matches([' ', '|']).rsplit('|').next());
        format!("{row} {} |", meaning.unwrap_or("").trim())
    };
    let wanted: Vec<String> = real.iter().map(whole).collect();
    assert!(wanted.iter().all(|row| !row.ends_with("|  |")), "a meaning is missing: {wanted:#?}");
    if rows == wanted {
        return;
    }
    if std::env::var_os(UPDATE).is_some() {
        let after: Vec<&str> = text.lines().skip(before.len() + rows.len()).collect();
        let page = [before.join("\n"), wanted.join("\n"), after.join("\n")].join("\n");
        fs::write(root().join(OPTIONS), page + "\n").expect("the page can be written");
        return;
    }
    panic!("`cargo xtask examples` writes {OPTIONS}, which should have\n{}", wanted.join("\n"));
}

#[test]
fn examples_are_found_with_their_outputs_and_marks() {
    let page = "```sh\nrookery a\n```\n\nshows\n\n```text\nx\n```\n<!-- not run: long -->\n\n\
                ```sh\nrookery b\n```\n```sh\ncargo xtask c\n```\n```sh\nx | rookery d\nrookery e\n```\n";
    let lines: Vec<&str> = page.lines().collect();
    let found = examples(&lines);
    let scripts: Vec<&str> = found.iter().map(|example| example.script.as_str()).collect();
    assert_eq!(scripts, ["rookery a", "x | rookery d\nrookery e"]);
    assert_eq!((found[0].shown, found[1].shown), (Some((7, 8)), None));
}

#[test]
fn only_what_changes_is_masked() {
    for (line, mask) in [
        ("Time: 0.028 s", "Time: # s"),
        ("Nodes per second: 171750831", "Nodes per second: #"),
        ("Nodes:  20 in  0.12 s, 165 nodes per second", "Nodes: 20 in # s, # nodes per second"),
        ("   12    +0.16    1.45 s      104962  1. d4", "12 +0.16 # s 104962 1. d4"),
        ("{\"nodes\":5,\"seconds\":0.25,\"nps\":7}", "{\"nodes\":5,\"seconds\":#,\"nps\":#}"),
        ("12 nodes 345 nps", "12 nodes # nps"),
        ("info nodes 9 nps 8 hashfull 7 time 6 pv", "info nodes 9 nps # hashfull # time # pv"),
        ("accuracy 91.5 %, 3 sides, 16 MB", "accuracy 91.5 %, 3 sides, 16 MB"),
    ] {
        assert_eq!(masked(line), mask);
    }
}

#[test]
fn an_ellipsis_stands_for_any_lines() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(agree(&lines("a … d"), &lines("a b c d")) && agree(&lines("a … d"), &lines("a d")));
    assert!(!agree(&lines("a … d"), &lines("a b c")) && !agree(&lines("a"), &lines("a b")));
}
