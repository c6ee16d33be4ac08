//! `rookery eval` of the real program.

mod support;

use serde_json::Value;
use support::{errors, rookery, session, text};

#[test]
fn the_table_names_the_terms_and_ends_with_the_evaluation() {
    let output = rookery(&["eval"]);
    let table = text(&output);
    assert!(output.status.success());
    for term in ["material", "mobility", "king danger", "winnable", "sum"] {
        assert!(table.lines().any(|line| line.starts_with(term)), "{term}: {table}");
    }
    assert!(table.lines().any(|line| line.starts_with("Evaluation: ")));
    // Then the embedded network, unless the terms alone are wanted or the profile has none.
    assert!(table.contains("\nNetwork, 256 wide, "), "{table}");
    assert!(table.lines().last().is_some_and(|line| line.starts_with("Network: ")));
    for alone in [["--evaluation", "classical"], ["--profile", "darksight"]] {
        let table = text(&rookery(&["eval", alone[0], alone[1]]));
        assert!(table.lines().last().is_some_and(|line| line.starts_with("Evaluation: ")));
    }
}

#[test]
fn json_says_what_each_term_gives() {
    let fen = ["8/8/4k3/8/4P3/4KP2/8/8", "w", "-", "-", "0", "1"];
    for profile in ["modern", "darksight"] {
        let arguments = [&["eval", "--json", "--profile", profile], &fen[..]].concat();
        let report: Value = serde_json::from_str(&text(&rookery(&arguments))).expect("JSON");
        assert_eq!(report["profile"], profile);
        let terms = report["terms"].as_array().expect("terms");
        let sum: i64 = terms
            .iter()
            .map(|term| {
                let of = |side: &str| term[side][1].as_i64().expect("a number");
                of("white") - of("black")
            })
            .sum();
        assert_eq!(Some(sum), report["endgame"].as_i64());
        assert_eq!(report["score"], report["white"]);
    }
}

#[test]
fn a_network_is_shown_beside_the_terms_with_what_each_man_contributes() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/net/tiny.net");
    let fen = "4k3/pppp3q/8/8/8/8/PPPP4/Q3K3 b - - 0 1";
    let shown = text(&rookery(&["eval", "--net", net, fen]));
    assert!(shown.contains("\nNetwork, 32 wide, ") && shown.contains("Evaluation: "), "{shown}");
    let report: Value =
        serde_json::from_str(&text(&rookery(&["eval", "--json", "--net", net, fen])))
            .expect("JSON");
    let network = &report["network"];
    let white = network["white"].as_i64().expect("a number");
    assert!(shown.ends_with(&format!(
        "Network: {white} for White, {} for Black to move (centipawns)\n",
        -white
    )));
    assert_eq!(network["men"].as_object().map(serde_json::Map::len), Some(10));
    let queen = network["men"]["a1"].as_f64().expect("a number") / 100.0;
    assert!(shown.contains(&format!("Q{queen:+.2}")), "{shown}");
    let output = rookery(&["eval", "--net", "/no/such.net"]);
    assert_eq!((output.status.code(), errors(&output).lines().count()), (Some(1), 1));
    let output = rookery(&["eval", "--net", net, "--evaluation", "classical"]);
    assert_eq!((output.status.code(), errors(&output).lines().count()), (Some(2), 1));
}

#[test]
fn a_known_ending_says_so() {
    let table = text(&rookery(&["eval", "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1"]));
    assert!(table.starts_with("A known ending"), "{table}");
    let json = text(&rookery(&["eval", "--json", "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1"]));
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let keys: Vec<&str> =
        report.as_object().expect("an object").keys().map(String::as_str).collect();
    // Nothing about terms and phases that were not summed.
    assert_eq!(keys, ["fen", "known_ending", "profile", "score", "white"]);
    assert_eq!(report["known_ending"], true);
}

#[test]
fn a_bad_position_is_named_in_one_line() {
    let output = rookery(&["eval", "8/8/8/8/8/8/8/8 w - -"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(errors(&output).lines().count(), 1);
    assert!(errors(&output).contains("no king"), "{}", errors(&output));
}

#[test]
fn the_console_shows_the_same_table() {
    let answer = text(&session(&[], b"eval\nquit\n"));
    assert_eq!(answer, text(&rookery(&["eval"])));
}
