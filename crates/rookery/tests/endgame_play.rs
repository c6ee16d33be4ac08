//! D65, D67: won endings of four men are won against the tables' best defence.
//!
//! `rookery endgame play --men 4 --starts 1000` does it at length.

mod support;

use support::{Folder, data, errors, json, objects, refused, rookery, session, text, well};

fn tables(name: &str, endings: &[&str]) -> Folder {
    let folder = Folder::new(name);
    let build = ["endgame", "build", "--metrics", "dtm", "--dir", folder.name()];
    well(&[&build[..], endings].concat());
    folder
}

#[test]
fn d67_bishop_and_knight_win_with_recognisers_only_and_optimally_with_tables() {
    let tables = tables("kbnk", &["KBNK", "KNNK"]);
    let dir = tables.name();
    let play = ["endgame", "play", "--starts", "4", "--json", "--dir", dir, "KBNK", "KNNK"];
    let answer = well(&[&play[..], &["--nodes", "4000", "--recognisers-only"]].concat());
    assert_eq!(answer.matches("\"starts\":4,\"won\":4,").count(), 2, "{answer}");
    let with = rookery(&[&play[..], &["--nodes", "300", "--tables"]].concat());
    let answer = text(&with);
    assert_eq!(answer.matches("\"won\":4,\"optimal\":4,").count(), 2, "{answer}");
    // The threads change nothing, another seed does.
    let again = rookery(&[&play[..], &["--nodes", "300", "--tables", "--threads", "1"]].concat());
    assert_eq!(text(&again), answer);
}

#[test]
fn a_missing_table_is_named() {
    let tables = tables("krk", &["KRK"]);
    refused(&["endgame", "play", "KQKR", "--dir", tables.name()], 1, "KQKR.dtm");
}

#[test]
fn positions_are_read_line_by_line_and_bad_lines_are_named() {
    let tables = tables("lines", &["KRK"]);
    let call = ["endgame", "probe", "-", "--dir", tables.name()];
    let fens = b"8/8/8/8/8/2k5/1R6/K7 w - -\n8/8/8/8/8/1k6/1R6/7K b - -\n";
    assert_eq!(text(&session(&call, fens)), "win 31\ndraw\n");
    let records = b"\xef\xbb\xbf8/8/8/8/8/2k5/1R6/K7 w - - bm Rb8; id \"rook\";\n\
        8/8/8/8/8/1k6/1R6/7K b - - 0 1; id \"taken\";\n";
    assert_eq!(text(&session(&call, records)), "win 31\ndraw\n");
    let lines = b"8/8/8/8/8/2k5/1R6/K7 w - -\nrubbish\n\n8/8/8/8/3p4/2k5/1R6/K5q1 w - -\n\xff\n\
        8/8/8/8/8/1k6/1R6/7K b - -\n";
    let bad = session(&call, lines);
    assert_eq!(text(&bad), "win 31\ninvalid\nunknown\ninvalid\ndraw\n");
    assert_eq!(bad.status.code(), Some(1));
    let named: Vec<String> = errors(&bad).lines().map(str::to_owned).collect();
    assert_eq!(named.len(), 3, "{named:?}");
    for (line, number) in named.iter().zip([2, 4, 5]) {
        assert!(line.starts_with(&format!("rookery: line {number}: ")), "{line}");
    }
    let json = session(&[&call[..], &["--json"]].concat(), lines);
    let values = objects(&text(&json));
    assert_eq!(json.status.code(), Some(1));
    let numbers: Vec<u64> = values.iter().filter_map(|value| value["line"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 4, 5, 6]);
    assert_eq!((&values[0]["value"], &values[0]["plies_to_mate"]), (&"win".into(), &31.into()));
    assert!(values[1]["error"].is_string() && values[4]["value"] == "draw", "{values:?}");
}

#[test]
fn syzygy_tables_and_recognisers_are_asked_too() {
    let (syzygy, nothing) = (data("syzygy"), Folder::new("nothing"));
    let dir = &nothing.file("at-all");
    let probe = |fen: &str, more: &[&str]| {
        json(&[&["endgame", "probe", fen, "--dir", dir, "--json"], more].concat())
    };
    // Queen against rook: the shortest way to a capture, and every move with its value.
    let fen = "8/8/2k5/1r6/8/8/8/2KQ4 w - -";
    let known = probe(fen, &["--syzygy", &syzygy]);
    assert_eq!((&known["value"], &known["source"]), (&"win".into(), &"syzygy".into()));
    assert!(known["syzygy"]["distance"].as_i64().is_some_and(|plies| plies > 0), "{known}");
    assert_eq!(known["moves"][0]["value"], "win");
    // The recognisers know it without any table.
    let alone = probe(fen, &[]);
    let told = errors(&rookery(&["endgame", "probe", fen, "--dir", dir]));
    assert!(told.starts_with(&format!("rookery: no tables in {dir}: ")), "{told}");
    let usual = rookery(&["endgame", "probe", fen]);
    assert_eq!((usual.status.success(), errors(&usual).as_str()), (true, ""));
    assert_eq!((&alone["value"], &alone["source"]), (&"win".into(), &"recognisers".into()));
    assert!(alone.get("syzygy").is_none() && alone["recogniser"] == "win", "{alone}");
    let empty = ["endgame", "probe", fen, "--dir", dir, "--syzygy", nothing.name()];
    assert!(errors(&rookery(&empty)).contains("there are no Syzygy tables in "));
}

#[test]
fn where_there_are_no_tables_it_is_said_what_to_do() {
    let folder = Folder::new("no-tables");
    for dir in [folder.file("not-made").as_str(), folder.name()] {
        for command in [&["probe", "8/8/8/8/3p4/2k5/1R6/K5q1 w - -"][..], &["stats"], &["info"]] {
            let expected = format!("rookery: no tables in {dir}: build them with ");
            refused(&[&["endgame"], command, &["--dir", dir]].concat(), 1, &expected);
        }
    }
}
