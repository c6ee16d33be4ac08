//! D65, D67: won endings of four men are won against the tables' best defence.
//!
//! `rookery endgame play --men 4 --starts 1000` does it at length.

mod support;

use std::path::Path;
use support::{errors, rookery, text};

fn tables(name: &str, endings: &[&str]) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{name}"));
    let dir = dir.to_str().expect("a path in text").to_owned();
    let build = ["endgame", "build", "--metrics", "dtm", "--dir", &dir];
    let output = rookery(&[&build[..], endings].concat());
    assert!(output.status.success(), "{}", errors(&output));
    dir
}

#[test]
fn d67_bishop_and_knight_win_with_recognisers_only_and_optimally_with_tables() {
    let dir = tables("kbnk", &["KBNK", "KNNK"]);
    let play = ["endgame", "play", "--starts", "4", "--json", "--dir", &dir, "KBNK", "KNNK"];
    let alone = rookery(&[&play[..], &["--nodes", "4000", "--recognisers-only"]].concat());
    let answer = text(&alone);
    assert!(alone.status.success(), "{answer}{}", errors(&alone));
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
    let dir = tables("krk", &["KRK"]);
    let output = rookery(&["endgame", "play", "KQKR", "--dir", &dir]);
    assert!(
        !output.status.success() && errors(&output).contains("KQKR.dtm"),
        "{}",
        errors(&output)
    );
}

#[test]
fn positions_are_read_line_by_line_and_a_bad_line_is_named() {
    let dir = tables("lines", &["KRK"]);
    let call = ["endgame", "probe", "-", "--dir", &dir];
    let fens = b"8/8/8/8/8/2k5/1R6/K7 w - -\n8/8/8/8/8/1k6/1R6/7K b - -\n";
    assert_eq!(text(&support::session(&call, fens)), "win 31\ndraw\n");
    let bad = support::session(&call, b"8/8/8/8/8/2k5/1R6/K7 w - -\nrubbish\n");
    assert!(!bad.status.success() && errors(&bad).contains("line 2"), "{}", errors(&bad));
}
