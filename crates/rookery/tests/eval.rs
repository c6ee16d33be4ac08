//! `rookery eval` of the real program.

mod support;

use support::{data, json, refused, session, text, well};

#[test]
fn the_table_names_the_terms_and_ends_with_the_evaluation() {
    let table = well(&["eval"]);
    for term in ["material", "mobility", "king danger", "winnable", "sum"] {
        assert!(table.lines().any(|line| line.starts_with(term)), "{term}: {table}");
    }
    assert!(table.lines().any(|line| line.starts_with("Evaluation: ")));
    // Then the embedded network, unless the terms alone are wanted or the profile has none.
    assert!(table.contains("\nNetwork, 256 wide, "), "{table}");
    assert!(table.lines().last().is_some_and(|line| line.starts_with("Network: ")));
    for alone in [["--evaluation", "classical"], ["--profile", "darksight"]] {
        let table = well(&["eval", alone[0], alone[1]]);
        assert!(table.lines().last().is_some_and(|line| line.starts_with("Evaluation: ")));
    }
}

#[test]
fn json_says_what_each_term_gives() {
    let fen = ["8/8/4k3/8/4P3/4KP2/8/8", "w", "-", "-", "0", "1"];
    for profile in ["modern", "darksight"] {
        let report = json(&[&["eval", "--json", "--profile", profile], &fen[..]].concat());
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
    let net = &data("net/tiny.net");
    let fen = "4k3/pppp3q/8/8/8/8/PPPP4/Q3K3 b - - 0 1";
    let shown = well(&["eval", "--net", net, fen]);
    assert!(shown.contains("\nNetwork, 32 wide, ") && shown.contains("Evaluation: "), "{shown}");
    let report = json(&["eval", "--json", "--net", net, fen]);
    let network = &report["network"];
    let white = network["white"].as_i64().expect("a number");
    assert!(shown.ends_with(&format!(
        "Network: {white} for White, {} for Black to move (centipawns)\n",
        -white
    )));
    assert_eq!(network["men"].as_object().map(serde_json::Map::len), Some(10));
    let queen = network["men"]["a1"].as_f64().expect("a number") / 100.0;
    assert!(shown.contains(&format!("Q{queen:+.2}")), "{shown}");
    assert_eq!(refused(&["eval", "--net", "/no/such.net"], 1, "").lines().count(), 1);
    let both = ["eval", "--net", net, "--evaluation", "classical"];
    assert_eq!(refused(&both, 2, "").lines().count(), 1);
}

#[test]
fn a_known_ending_says_so() {
    let table = well(&["eval", "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1"]);
    assert!(table.starts_with("A known ending"), "{table}");
    let report = json(&["eval", "--json", "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1"]);
    let keys: Vec<&str> =
        report.as_object().expect("an object").keys().map(String::as_str).collect();
    // Nothing about terms and phases that were not summed.
    assert_eq!(keys, ["fen", "known_ending", "profile", "score", "white"]);
    assert_eq!(report["known_ending"], true);
}

#[test]
fn a_bad_position_is_named_in_one_line() {
    assert_eq!(refused(&["eval", "8/8/8/8/8/8/8/8 w - -"], 2, "no king").lines().count(), 1);
}

#[test]
fn the_console_shows_the_same_table() {
    let answer = text(&session(&[], b"eval\nquit\n"));
    assert_eq!(answer, well(&["eval"]));
}
