//! `rookery perft` of the real program.

mod support;

use serde_json::Value;
use support::{Folder, data, json, refused, rookery, text, well};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn suite(file: &str, more: &[&str]) -> std::process::Output {
    rookery(&[&["perft", "--suite", file], more].concat())
}

#[test]
fn the_start_position_is_counted_the_same_in_every_way() {
    let hash = ["--hash", "1"];
    let ways: [&[&str]; 6] = [
        &[],
        &["--threads", "2"],
        &["--threads", "3"],
        &["--no-bulk"],
        &hash,
        &["--threads", "3", "--hash", "1", "--no-bulk", "--divide"],
    ];
    for way in ways {
        let output = rookery(&[&["perft", "5"], way].concat());
        let found = text(&output);
        assert!(found.contains("Nodes searched: 4865609\nTime: "), "{way:?}: {found}");
        assert!(output.status.success() && output.stderr.is_empty());
    }
}

#[test]
fn divide_lists_the_moves_as_generated_and_chess960_castling_as_taking_the_rook() {
    let divided = well(&["perft", "2", "--divide"]);
    assert_eq!(divided.lines().filter(|line| line.ends_with(": 20")).count(), 20);
    for (fen, castling) in
        [("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1: 1"), ("4k3/8/8/8/8/8/8/4K2R w H -", "e1h1: 1")]
    {
        let divided = well(&["perft", "1", "--divide", "--fen", fen]);
        assert!(divided.lines().any(|line| line == castling), "{divided}");
    }
    assert!(well(&["perft", "0", "--divide"]).contains("Nodes searched: 1\n"));
}

#[test]
fn json_says_the_same() {
    let output = well(&["perft", "3", "--divide", "--json"]);
    assert_eq!(output.lines().count(), 1);
    let value: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!((&value["nodes"], &value["depth"]), (&Value::from(8902), &Value::from(3)));
    assert_eq!((&value["fen"], &value["divide"]["e2e4"]), (&START.into(), &Value::from(600)));
    assert!(value["seconds"].is_f64() && value["nps"].is_u64());
    assert_eq!(json(&["perft", "3", "--json"]).get("divide"), None);
}

#[test]
fn wrong_usage_is_one_clear_message_and_status_2() {
    let cases: [(&[&str], &str); 10] = [
        (&["perft"], "<DEPTH>"),
        (&["perft", "x"], "'x'"),
        (&["perft", "256"], "0..=255"),
        (&["perft", "1", "--fen", "8/8 w"], "2 ranks instead of 8"),
        (&["perft", "1", "--threads", "0"], "1..=1024"),
        (&["perft", "1", "--hash", "99999999"], "99999999 MB"),
        (&["perft", "1", "--hash", "-3"], "'-3'"),
        (&["perft", "1", "--max-depth", "3"], "cannot be used with"),
        (&["perft", "--max-depth", "3"], "--suite"),
        (&["perft", "1", "--suite", "file"], "cannot be used with"),
    ];
    for (arguments, named) in cases {
        refused(arguments, 2, named);
        assert!(rookery(arguments).stdout.is_empty());
    }
}

#[test]
fn published_suites_are_exact() {
    for (name, depth, summary) in [
        ("perftsuite_terje.epd", "3", "127 positions, 381 counts, all exact"),
        ("ferdy_perft_double_checks.epd", "4", "184 positions, 184 counts, all exact"),
    ] {
        let arguments = ["--max-depth", depth, "--threads", "2", "--hash", "16"];
        let output = suite(&data(&format!("perft/{name}")), &arguments);
        assert_eq!(text(&output).lines().last(), Some(summary));
        assert!(output.status.success());
    }
}

#[test]
fn mismatches_and_broken_lines_are_named_and_the_run_goes_on() {
    let content = format!(
        "# comment\r\n\r\n{START} ;D1 20 ;D2 401 ;D3 8902\r\nno position ;D1 1\r\n\
         {START} ;D1 99999999999999999999999 ;D2 400\r\n"
    );
    let folder = Folder::new("planted");
    let path = folder.write("planted.epd", &content);
    let output = suite(&path, &[]);
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output);
    let mismatch = format!("line 3: mismatch: {START}, depth 2: expected 401, found 400");
    assert!(found.lines().any(|line| line == mismatch), "{found}");
    assert!(found.contains("line 4: error: FEN, piece placement: \"no\" is no board of 8 ranks"));
    assert!(found.contains("line 5: error: count \"99999999999999999999999\" is not a number"));
    assert_eq!(found.lines().last(), Some("2 positions, 4 counts, 1 mismatch, 2 errors"));

    let value: Value = serde_json::from_str(&text(&suite(&path, &["--json"]))).expect("JSON");
    assert_eq!((&value["counts"], &value["nodes"]), (&Value::from(4), &Value::from(9722)));
    let planted = &value["mismatches"][0];
    assert_eq!((&planted["line"], &planted["found"]), (&Value::from(3), &Value::from(400)));
    assert_eq!(value["errors"].as_array().map(Vec::len), Some(2));

    let shallow = suite(&path, &["--max-depth", "1"]);
    assert!(text(&shallow).ends_with("1 position, 1 count, all exact, 2 errors\n"));
}

#[test]
fn files_that_are_none_or_empty_are_one_line_and_status_1() {
    let folder = Folder::new("empty");
    for (path, named) in [
        ("there/is/none.epd", "cannot read there/is/none.epd"),
        (folder.name(), "cannot read"),
        (&folder.write("empty.epd", "# nothing\n"), "holds no positions"),
    ] {
        assert_eq!(refused(&["perft", "--suite", path], 1, named).lines().count(), 1);
    }
}

#[test]
fn a_file_of_noise_is_errors_not_a_crash() {
    let folder = Folder::new("noise");
    let noise: Vec<u8> =
        (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let path = folder.write("noise.epd", noise);
    refused(&["perft", "--suite", &path], 1, " does not look like a list of counts: ");
}
