//! `rookery lab` with the real program.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use support::{Folder, json, objects, refused, well};

#[test]
fn experiments_are_listed_and_unknown_ones_refused() {
    let list = well(&["lab", "list"]);
    for name in ["enhancements", "aspiration", "deep"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
    }
    for experiment in objects(&well(&["lab", "list", "--json"])) {
        assert!(experiment["name"].is_string() && experiment["source"].is_string());
    }
    // What means nothing to the list is refused, not ignored.
    for option in [&["--quick"][..], &["--first", "3"], &["--out", "x"], &["--seed", "1"]] {
        refused(&[&["lab", "list"], option].concat(), 2, option[0]);
    }
    refused(&["lab", "depe"], 2, "deep");
}

#[test]
fn a_report_is_whole_and_the_same_again() {
    let folder = Folder::new("whole");
    let run = |name: &str, threads: &str| {
        let options = ["--first", "2", "--threads", threads];
        let out = conduct(&folder, name, "enhancements", &options);
        let read = |file: &str| std::fs::read_to_string(out.join(file)).expect("it is written");
        let (csv, svg) = (read("figure8.csv"), read("figure8.svg"));
        (read("report.md"), csv, svg, read("claims.csv"), read("report.json"))
    };
    let first = run("one", "1");
    let again = run("two", "2");
    assert_eq!((&first.1, &first.2, &first.3), (&again.1, &again.2, &again.3));
    // Every row of the CSV stands in the report.
    for row in first.1.lines().skip(1) {
        let cells = row.replace(',', " | ");
        assert!(first.0.contains(&format!("| {cells} |")), "{row}");
    }
    assert!(
        first.0.contains("rookery lab enhancements --quick --first 2 --seed 1")
            && !first.2.contains("NaN")
    );
    serde_json::from_str::<serde_json::Value>(&first.4).expect("the report is an object");
    // The searches are there: the report is written again from them. What is damaged is searched again.
    let searches = std::fs::read_dir(folder.0.join("one/searches")).expect("they are kept");
    for (number, file) in searches.enumerate() {
        let path = file.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("it is text");
        match number % 4 {
            0 => std::fs::write(&path, &text[..text.len() / 2]),
            1 => std::fs::write(&path, text.replace("\"result\":\"", "\"result\":\"9999")),
            2 => std::fs::write(&path, b""),
            _ => Ok(()),
        }
        .expect("it can be written");
    }
    assert_eq!(run("one", "1").1, first.1);
}

/// Runs an experiment, small.
fn conduct(folder: &Folder, name: &str, experiment: &str, options: &[&str]) -> PathBuf {
    let out = folder.file(name);
    well(&[&["lab", experiment, "--quick", "--out", &out], options].concat());
    PathBuf::from(out)
}

/// The tables of a folder by their names.
fn tables(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).expect("it is a folder");
    let paths = files.map(|file| file.expect("it can be listed").path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .map(|path| {
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("it is text"))
        })
        .collect()
}

/// The cells of a line, quoted or not.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("there is one").push(character),
        }
    }
    cells
}

/// Numbers of a text, as they are written.
fn numbers(text: &str) -> Vec<&str> {
    let parts = text.split(|character: char| !character.is_ascii_digit() && character != '.');
    parts.map(|part| part.trim_matches('.')).filter(|part| !part.is_empty()).collect()
}

/// Every number in a table of the report stands in the row of its file with the same place.
fn assert_traced(folder: &Path) {
    let report = std::fs::read_to_string(folder.join("report.md")).expect("it is written");
    let files = tables(folder);
    let (mut rows, mut checked): (Vec<&str>, usize) = (Vec::new(), 0);
    for line in report.lines() {
        if line.starts_with('|') {
            rows.push(line);
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            let file = files.get(name).unwrap_or_else(|| panic!("{name} is written"));
            // Names and the rule stand above the rows.
            let lines: Vec<&str> = file.lines().skip(1).collect();
            assert_eq!(lines.len(), rows.len() - 2, "{name}");
            for (row, line) in rows.drain(..).skip(2).zip(lines) {
                let cells = cells(line);
                let known: Vec<&str> = cells.iter().flat_map(|cell| numbers(cell)).collect();
                for number in numbers(row) {
                    assert!(known.contains(&number), "{name}: {number} of {row} is not in {line}");
                    checked += 1;
                }
            }
        }
    }
    assert!(rows.is_empty() && checked > 0, "every table names its file");
    for (name, text) in &files {
        assert!(report.contains(&format!("({name})")), "{name} is linked");
        assert!(!text.contains(" ± "), "{name}: two numbers in one cell");
    }
}

#[test]
fn a_simulated_experiment_repeated_with_its_seed_gives_the_same_bytes() {
    let folder = Folder::new("bytes");
    let run = |name: &str, options: &[&str]| {
        let out = conduct(&folder, name, "hypercube", &[&["--first", "1"], options].concat());
        assert_traced(&out);
        tables(&out)
    };
    let first = run("one", &["--threads", "1", "--seed", "5", "--seeds", "1"]);
    let again = run("two", &["--threads", "3", "--seed", "5", "--seeds", "1"]);
    assert_eq!(first, again);
    let other = run("three", &["--threads", "3", "--seed", "6", "--seeds", "1"]);
    assert_ne!(first, other, "another seed, another run");
}

#[test]
fn numbers_of_reports_stand_in_their_files() {
    let folder = Folder::new("traced");
    for (experiment, options) in [
        ("deep", &["--first", "3"][..]),
        ("aspiration", &["--first", "2"]),
        ("ordering", &["--first", "1"]),
        ("endgames", &["--first", "2"]),
        ("pingpong", &[]),
    ] {
        let out = conduct(&folder, experiment, experiment, options);
        assert_traced(&out);
    }
    // What was measured by the clock is kept: the same report again has the same numbers.
    let before = tables(&folder.0.join("pingpong"));
    assert_eq!(before, tables(&conduct(&folder, "pingpong", "pingpong", &[])));
    let endgames = &tables(&folder.0.join("endgames"))["table2.csv"];
    assert!(endgames.contains("KQK,10,10,10,both\nKRK,16,16,16,both\n"), "{endgames}");
}

#[test]
fn a_report_can_be_asked_for_as_json() {
    let folder = Folder::new("json");
    let out = folder.file("o");
    let report = json(&["lab", "ordering", "--quick", "--first", "1", "--json", "--out", &out]);
    assert_eq!(report["tables"][0]["name"], "ordering");
    assert_eq!(report["provenance"]["seed"], 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("file");
    let file = folder.write("taken", "mine");
    let elsewhere = folder.file("searches");
    for keep in [&[][..], &["--keep", &elsewhere]] {
        let words = ["lab", "deep", "--quick", "--out", &file];
        refused(&[&words[..], keep].concat(), 1, "rookery: cannot make ");
    }
}

#[test]
fn an_experiment_without_positions_is_refused() {
    let folder = Folder::new("none");
    for name in ["deep", "aspiration", "enhancements", "selectivity", "ordering", "memory"]
        .into_iter()
        .chain(["endgames", "hypercube"])
    {
        let out = folder.file(name);
        let words = ["lab", name, "--quick", "--every", "60000", "--out", &out];
        refused(&words, 2, "rookery: --every 60000 leaves none of the positions\n");
        assert!(!Path::new(&out).join("report.md").exists(), "{name}");
    }
}

#[test]
fn a_folder_is_made_where_searches_are_kept_elsewhere() {
    let folder = Folder::new("elsewhere");
    let options = ["--first", "1", "--keep", &folder.file("searches")];
    assert!(conduct(&folder, "new/report", "ordering", &options).join("report.md").is_file());
}
