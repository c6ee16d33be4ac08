//! `bench`, `suite`, saved tables, and searches as arguments.

mod support;

use support::{Folder, ROOKERY, data, errors, good, json, refused, rookery, session, text, well};

#[test]
fn bench_is_a_signature() {
    let last = |arguments: &[&str]| well(arguments).lines().last().expect("a last line").to_owned();
    let line = last(&["bench", "4"]);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{line}") };
    assert!(nps.parse::<u64>().is_ok());
    assert!(last(&["bench", "4"]).starts_with(&format!("{nodes} nodes ")));
    assert!(text(&session(&[], b"bench 4\n")).contains(&format!("\n{nodes} nodes ")));
    assert!(!last(&["bench", "4", "--profile", "plain"]).starts_with(&format!("{nodes} nodes ")));
    let json = |more: &[&str]| json(&[&["bench", "4", "--json"], more].concat());
    let usual = json(&[]);
    assert_eq!(usual["nodes"].to_string(), nodes);
    assert!(usual["pawn_hit_rate"].is_null(), "a network keeps no pawns: {usual}");
    let json = json(&["--evaluation", "classical"]);
    for rate in ["first_move_cut_rate", "pawn_hit_rate", "king_hit_rate"] {
        assert!(json[rate].as_f64().is_some_and(|share| share > 0.0 && share < 1.0), "{json}");
    }
    refused(&["bench", "0"], 2, "");
    refused(&["bench", "3", "--profile", "quick"], 2, "");
}

/// The nodes of `bench 8 --evaluation classical`: another number is another tree. A change that is meant
/// to alter the search or the evaluation records the new one here.
const SIGNATURE: &str = "220571";

/// Those of `bench 8`, which evaluates by the embedded network: another number is another tree or network.
const NETWORK_SIGNATURE: &str = "214687";

#[test]
fn the_search_visits_the_nodes_that_are_recorded() {
    let classical = (&["--evaluation", "classical"][..], SIGNATURE);
    for (evaluation, signature) in [(&[][..], NETWORK_SIGNATURE), classical] {
        let shown = well(&[&["bench", "8"], evaluation].concat());
        let last = shown.lines().last().expect("a last line");
        assert_eq!(last.split_whitespace().next(), Some(signature), "{evaluation:?}: {last}");
    }
}

#[test]
fn a_suite_is_solved_and_summed_up_in_the_last_line() {
    let folder = Folder::new("suite");
    let file = folder.write(
        "suite.epd",
        b"# two mates, a record without a task, and nonsense\n\
          6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";\n\
          7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;\n\
          6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8#;\n\
          6k1/5ppp/8/8/8/8/8/K2R4 w - -;\n\
          nonsense\n",
    );
    let output = rookery(&["suite", &file, "--depth", "7", "--threads", "2"]);
    let shown = text(&output);
    assert_eq!(shown.lines().last(), Some("solved 2 of 3"), "{shown}");
    assert!(shown.contains("line 5: error: ") && shown.contains("line 6: error: "), "{shown}");
    assert!(shown.contains("+ back rank: bm Rd8#: Rd8#, depth 1, "), "{shown}");
    assert!(shown.contains("- line 4: am Rd8#: Rd8#, "), "{shown}");
    assert_eq!(output.status.code(), Some(1), "records were broken");
}

#[test]
fn mates_must_be_announced_and_points_are_summed_up() {
    let folder = Folder::new("mates");
    let file = folder.write(
        "mates.epd",
        b"6k1/5ppp/8/8/8/8/8/K2R4 w - - bm #1; pv nonsense;\n\
          7k/8/5K2/8/8/8/8/6R1 w - - dm 2; c0 \"a comment\"; c0 \"another\";\n\
          7k/8/5K2/8/8/8/8/6R1 w - - dm 1; id \"too much\";\n\
          6k1/5ppp/8/8/8/8/8/K2R4 w - - c0 \"Rd8#=10, Rd7=3\"; id \"STS\";\n\
          6k1/5ppp/8/8/8/8/8/K2R4 w - - c8 \"10 4\"; c9 \"a1b1 d1d8\"; x9 \"?\"; id \"other\";\n",
    );
    let arguments = ["suite", &file, "--depth", "6", "--hash", "1"];
    let shown = well(&arguments);
    assert!(shown.contains("+ line 1: mate in 1: Rd8#, "), "{shown}");
    assert!(shown.contains("+ line 2: mate in 2: Kf7, "), "{shown}");
    assert!(shown.contains("- too much: mate in 1: Kf7, "), "{shown}");
    assert!(shown.contains("+ STS: 10 points: Rd8# (10 points), "), "{shown}");
    assert!(shown.contains("- other: 10 points: Rd8# (4 points), "), "{shown}");
    assert!(shown.ends_with("14 of 20 points\nsolved 3 of 5\n"), "{shown}");
    let rival = well(&[&arguments[..], &["--engine", ROOKERY]].concat());
    assert!(rival.ends_with("14 of 20 points\nsolved 3 of 5\n"), "{rival}");
}

#[test]
fn a_suite_of_which_nothing_is_solved_took_no_time_to_its_solutions() {
    let folder = Folder::new("wrong");
    let file = folder.write("wrong.epd", b"6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8#;\n");
    let shown = well(&["suite", &file, "--depth", "2", "--hash", "1"]);
    assert!(shown.contains("; to the solutions 0.00 s\nsolved 0 of 1\n"), "{shown}");
}

#[test]
fn a_suite_for_a_program() {
    let json = json(&["suite", &data("epd/bk.epd"), "--nodes", "2000", "--json"]);
    assert_eq!((&json["positions"], &json["errors"]), (&24.into(), &serde_json::json!([])));
    let results = json["results"].as_array().expect("a list");
    let solved = results.iter().filter(|one| one["solved"] == true).count();
    assert_eq!(json["solved"], solved);
    for result in results {
        assert_eq!(result["solved"] == true, result["held_from"]["depth"].is_number());
        assert!(result["end"]["nodes"].as_u64().is_some_and(|nodes| nodes <= 2000), "{result}");
    }
}

#[test]
fn another_program_solves_a_suite_under_the_same_rules() {
    let suite = |more: &[&str]| {
        let file = data("epd/bk.epd");
        let words = ["suite", &file, "--depth", "3", "--threads", "2", "--json"];
        json(&[&words[..], more].concat())
    };
    // The rival is ourselves: it must solve the same positions with the same moves.
    let (own, rival) = (suite(&[]), suite(&["--engine", ROOKERY]));
    assert_eq!(own["solved"], rival["solved"]);
    assert!(rival["profile"].as_str().is_some_and(|name| name.starts_with("Rookery")), "{rival}");
    let moves = |json: &serde_json::Value| -> Vec<String> {
        let results = json["results"].as_array().expect("a list");
        results.iter().map(|one| one["move"].to_string()).collect()
    };
    assert_eq!(moves(&own), moves(&rival));
    let missing = ["suite", &data("epd/bk.epd"), "--engine", "no-such-engine"];
    refused(&missing, 2, "no-such-engine cannot be started");
}

#[test]
fn a_suite_that_cannot_be_read_is_named() {
    refused(&["suite", "no such file.epd"], 1, "rookery: cannot read no such file.epd: ");
    let file = data("epd/bk.epd");
    for wrong in [["--time", "0"], ["--depth", "0"], ["--nodes", "0"], ["--threads", "0"]] {
        refused(&["suite", &file, wrong[0], wrong[1]], 2, "");
    }
    refused(&["suite", &file, "--time", "1", "--depth", "1"], 2, "");
}

#[test]
fn a_search_as_arguments_is_waited_for() {
    let shown = text(&rookery(&["go", "depth", "4"]));
    assert!(shown.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{shown}");
    let output = rookery(&["go", "depth", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(errors(&output), "rookery: go: depth \"x\" is not a number\n");
    assert!(text(&session(&["uci"], b"isready\n")).contains("readyok"));
}

#[test]
fn a_table_is_saved_and_loaded_and_a_damaged_one_is_refused() {
    let folder = Folder::new("table");
    let name = folder.file("table");
    let session_of = |lines: &str| text(&session(&[], lines.as_bytes()));
    let option = format!("setoption name Hash value 1\nsetoption name TableFile value {name}\n");
    let saved = session_of(&format!("{option}setoption name Save Table\n"));
    assert!(saved.starts_with("info string table of 1 MB saved to "), "{saved}");
    let loaded = session_of(&format!("loadtable {name}\n"));
    assert!(loaded.starts_with("info string table of 1 MB loaded from "), "{loaded}");
    let foreign = session_of(&format!("setoption name Profile value plain\nloadtable {name}\n"));
    assert!(foreign.starts_with("info string error loadtable: "), "{foreign}");
    let bytes = folder.read("table");
    folder.write("table", &bytes[..bytes.len() / 2]);
    let refused = session_of(&format!("{option}setoption name Load Table\nisready\n"));
    assert!(refused.starts_with("info string error loadtable: ") && refused.ends_with("readyok\n"));
    assert_eq!(refused.lines().count(), 2, "{refused}");
    // More than there is memory for: seen before anything is read or taken.
    let large = std::fs::File::options().write(true).open(&name).and_then(|f| f.set_len(1 << 42));
    if large.is_ok() {
        let refused = session_of(&format!("loadtable {name}\n"));
        assert!(refused.contains("MB are asked for, but only"), "{refused}");
    }
}

#[test]
fn a_position_is_given_to_every_command_in_the_same_way() {
    let book = data("polyglot/lasker-trap.bin");
    let fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 1";
    let words: Vec<&str> = fen.split(' ').collect();
    for command in [
        &["perft", "1"][..],
        &["eval"],
        &["book", "show", &book],
        &["endgame", "probe", "--dir", "no tables"],
    ] {
        let answer = |position: &[&str]| json(&[command, &["--json"], position].concat());
        for position in [&[fen][..], &words, &["--fen", fen]] {
            assert_eq!(answer(position)["fen"], fen, "{command:?} {position:?}");
        }
        refused(&[command, &["8/8", "w"]].concat(), 2, "2 ranks instead of 8");
        refused(&[command, &["--fen", fen, fen]].concat(), 2, "");
    }
    refused(&["endgame", "probe"], 2, "");
}

#[test]
fn threads_refuse_an_unknown_way_of_searching() {
    for arguments in [["bench", "--parallel", "dts"], ["speedup", "--strategies", "dts"]] {
        refused(&arguments, 2, "ybw, abdada, lazy, teams, tds");
    }
}

#[test]
fn the_doctor_looks_at_every_part_and_names_what_cannot_be_used() {
    let answer: serde_json::Value =
        serde_json::from_slice(&rookery(&["doctor", "--json"]).stdout).expect("one JSON object");
    let findings = answer["findings"].as_array().expect("findings");
    for part in ["build", "CPU", "processors", "memory", "huge pages", "network", "tables", "MPI"] {
        let found = findings.iter().find(|finding| finding["part"] == part).expect(part);
        assert!(["good", "better"].contains(&found["state"].as_str().expect("a state")), "{found}");
        assert_eq!(found["state"] == "better", found["advice"].is_string(), "{found}");
    }
    for bad in [["--net", "no-such.net"], ["--tables", "no-such-folder"], ["--syzygy", "no-such"]] {
        let output = rookery(&["doctor", bad[0], bad[1]]);
        assert_eq!(output.status.code(), Some(1), "{bad:?}");
        assert!(text(&output).lines().any(|line| line.starts_with("broken ")), "{}", text(&output));
    }
}

#[test]
fn the_doctor_names_every_table_that_cannot_be_used() {
    let folder = Folder::new("damaged-tables");
    let tables = ["--tables", folder.name()];
    well(&["endgame", "build", "KQK", "--metrics", "dtm,wdl", "--dir", folder.name()]);
    let sound = rookery(&[&["doctor"], &tables[..]].concat());
    assert!(good(&sound).contains("own tables of up to 3 men\n"), "{}", text(&sound));
    for (name, rest) in [("KQK.dtm", "own tables of up to 3 men; not used: "), ("KQK.wdl", "")] {
        folder.write(name, &folder.read(name)[..40]);
        let output = rookery(&[&["doctor"], &tables[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        let said = text(&output);
        let line = said.lines().find(|line| line.starts_with("broken  tables "));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert!(line.contains(rest) && line.contains(name), "{line}");
        assert!(said.contains("\n1 part cannot be used.\n"), "{said}");
    }
}
