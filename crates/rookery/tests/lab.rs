//! `rookery lab` with the real program.

#[path = "support/folder.rs"]
mod folder;
mod support;

use folder::Folder;
use support::{errors, rookery, text};

#[test]
fn experiments_are_listed_and_unknown_ones_refused() {
    let list = text(&rookery(&["lab", "list"]));
    for name in ["enhancements", "aspiration", "deep"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
    }
    let json = text(&rookery(&["lab", "list", "--json"]));
    for line in json.lines() {
        let experiment: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        assert!(experiment["name"].is_string() && experiment["source"].is_string(), "{line}");
    }
    let unknown = rookery(&["lab", "depe"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(errors(&unknown).contains("deep"), "{}", errors(&unknown));
}

#[test]
fn a_report_is_whole_and_the_same_again() {
    let folder = Folder::new("whole");
    let run = |name: &str, threads: &str| {
        let out = folder.file(name);
        let output = rookery(&[
            "lab",
            "enhancements",
            "--quick",
            "--first",
            "2",
            "--out",
            &out,
            "--threads",
            threads,
        ]);
        assert!(output.status.success(), "{}", errors(&output));
        let read =
            |file: &str| std::fs::read_to_string(format!("{out}/{file}")).expect("it is written");
        (
            read("report.md"),
            read("figure8.csv"),
            read("figure8.svg"),
            read("claims.csv"),
            read("report.json"),
        )
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

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("file");
    let file = folder.write("taken", "mine");
    let refused = rookery(&["lab", "deep", "--quick", "--out", &file]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(errors(&refused).starts_with("rookery: cannot make "), "{}", errors(&refused));
}
