//! `rookery regret`: references are made, continued and measured against.

mod support;

use support::{Folder, ROOKERY, data, errors, good, json, refused, rookery, text, well};

fn read(file: &str) -> String {
    std::fs::read_to_string(file).expect("the file is there")
}

fn measure(arguments: &[&str]) -> serde_json::Value {
    json(&[&["regret", "measure"], arguments, &["--hash", "1", "--json"]].concat())
}

#[test]
fn the_scorer_loses_nothing_against_itself_and_more_nodes_lose_less() {
    let (folder, games) = (Folder::new("scored"), data("pgn/famous_games_25.pgn"));
    let file = folder.file("scored.epd");
    let nodes = ["--nodes", "40000", "--lines", "256", "--hash", "1", "--positions", "12"];
    well(&[&["regret", "make", &games, "--output", &file], &nodes[..]].concat());
    let content = read(&file);
    let head = content.lines().next().expect("a first line");
    assert!(head.starts_with("# rookery regret 1: Rookery ") && head.contains(", 40000 nodes, "));
    let settings = ["--setting", "depth=1", "--setting", "nodes=40000", "--each", "threads=1"];
    let found = measure(&[&[file.as_str()], &settings[..]].concat());
    assert_eq!(found["positions"], 12);
    let (weak, strong) = (&found["settings"][0], &found["settings"][1]);
    let mean = |value: &serde_json::Value| value["mean"].as_f64().expect("a number");
    assert!(mean(&strong["regret"]) < mean(&weak["regret"]), "{weak} {strong}");
    let difference = mean(&strong["regret"]) - mean(&weak["regret"]);
    assert!((mean(&strong["difference"]) - difference).abs() < 1e-9);
    assert_eq!(weak["unlisted"], 0.0, "all moves have a score");
    assert_eq!((&weak["limit"]["depth"], &strong["limit"]["nodes"]), (&1.into(), &40000.into()));
    assert_eq!(weak["losses"].as_array().map(Vec::len), Some(12));
}

#[test]
fn a_reference_goes_on_where_it_ends_and_is_the_same_byte_for_byte() {
    let folder = Folder::new("continued");
    let (whole, cut) = (&folder.file("whole.epd"), &folder.file("cut.epd"));
    let games = data("pgn/famous_games_25.pgn");
    let make = |file: &str, positions: &str| {
        let limits = ["--nodes", "1000", "--lines", "4", "--hash", "1", "--positions", positions];
        let concurrency = ["--concurrency", if file == whole { "1" } else { "3" }];
        let make = ["regret", "make", &games, "--output", file];
        rookery(&[&make[..], &limits, &concurrency].concat())
    };
    good(&make(whole, "6"));
    let content = read(whole);
    // As a kill leaves it: in the middle of a line.
    folder.write("cut.epd", &content[..content.len() / 2]);
    good(&make(cut, "6"));
    assert_eq!(read(cut), content);
    let again = text(&make(cut, "6"));
    assert!(again.contains(": 6 positions, 0 of them new; "), "{again}");
    assert_eq!(read(cut), content);
    // More than there are is said, and what there is stays.
    let most = make(cut, "1000");
    assert_eq!(most.status.code(), Some(1), "{}", text(&most));
    let body = content.strip_suffix("# end: 6 positions\n").expect("a finished file says so");
    assert!(read(cut).starts_with(body), "it grows at its end");
    assert!(errors(&most).contains("there are no more than "), "{}", errors(&most));
}

#[test]
fn a_broken_game_that_was_passed_over_is_named_and_told_by_the_status() {
    let folder = Folder::new("broken");
    let games = read(&data("pgn/famous_games_25.pgn")) + "\n[Event \"x\"]\n\n1. e4 e9 *\n";
    let (games, file) = (folder.write("games.pgn", games), folder.file("made.epd"));
    let limits = ["--nodes", "50", "--lines", "2", "--hash", "1", "--positions", "1"];
    let output = rookery(&[&["regret", "make", &games, "-o", &file], &limits[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(text(&output).contains("1 broken input\n"), "{}", text(&output));
    let named = format!("rookery: {games}, game 26, ");
    assert!(errors(&output).starts_with(&named), "{}", errors(&output));
}

#[test]
fn a_file_of_another_kind_is_never_touched() {
    let folder = Folder::new("other");
    let file = &folder.file("other.txt");
    for content in ["my notes\n", "# rookery regret 1: another scorer\n"] {
        folder.write("other.txt", content);
        let games = data("pgn/famous_games_25.pgn");
        refused(&["regret", "make", &games, "--output", file], 1, "name another file");
        assert_eq!(read(file), content);
    }
    refused(&["regret", "make", file, "--output", file], 2, "");
}

#[test]
fn another_program_scores_moves_by_its_lines() {
    let (folder, list) = (Folder::new("rival"), data("epd/bk.epd"));
    let file = folder.file("rival.epd");
    let make = ["regret", "make", &list, "--output", &file, "--nodes", "4000", "--hash", "1"];
    let rival = ["--engine", ROOKERY, "--positions", "3", "--lines", "3"];
    well(&[&make[..], &rival[..]].concat());
    let content = read(&file);
    let record = content.lines().find(|line| !line.starts_with('#')).expect("a record");
    let scores = record.split('"').nth(1).expect("scores");
    assert_eq!(scores.split(' ').count(), 6, "{record}");
}

/// Each table alone would have room.
#[cfg(target_os = "linux")]
#[test]
fn tables_that_together_have_no_room_are_refused_before_the_first_is_made() {
    let system = std::fs::read_to_string("/proc/meminfo").expect("the system tells");
    let available = system.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = available.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    let hash = kilobytes.expect("a number") / 1024 * 2 / 3;
    let (folder, hash_text) = (Folder::new("room"), hash.to_string());
    let (few, games) = (data("regret/few.epd"), data("pgn/famous_games_25.pgn"));
    let make = ["make", &games, "--output", &folder.file("room.epd")];
    for command in [&make[..], &["measure", &few]] {
        let tables = ["--concurrency", "2", "--hash", &hash_text];
        let output = rookery(&[&["regret"], command, &tables].concat());
        assert!(!output.status.success(), "{}", text(&output));
        let reason = format!("{} MB are asked for, but only ", 2 * hash);
        assert!(errors(&output).contains(&reason), "{}", errors(&output));
    }
    assert!(folder.names().is_empty(), "no file is made where nothing can be scored");
}

#[test]
fn settings_and_files_that_cannot_be_followed_are_named() {
    let few = data("regret/few.epd");
    for (arguments, status, reason) in [
        (&[few.as_str(), "--setting", "threads=0"][..], 2, "--setting: threads"),
        (&[&few, "--each", "colour=red"], 2, "--each: there is no \"colour\""),
        (&[&few, "--each", "simulated=2", "nodes=9"], 2, "a time or a depth"),
        (&[&few, "--together"], 2, "--together: there is one process"),
        (&[&few, "--scale", "0"], 2, "expected centipawns"),
        (&[&data("epd/bk.epd")], 1, "does not look like a reference file"),
        (&["/dev/zero"], 1, "it is a device"),
    ] {
        refused(&[&["regret", "measure"], arguments].concat(), status, reason);
    }
}

#[test]
fn a_reference_that_was_cut_is_not_taken_for_a_whole_one() {
    let folder = Folder::new("cut-off");
    let content = read(&data("regret/few.epd"));
    let last = content.rfind("# end: 20 positions").expect("an end mark");
    let number = content[..last].rfind(|letter: char| letter.is_ascii_digit()).expect("a score");
    let line = content[..last].rfind("\n").expect("lines") + 1;
    for (cut, status, words) in [
        (content.clone(), 0, ""),
        (content[..last].to_owned(), 0, "no end mark"),
        (content[..line].to_owned(), 0, "no end mark"),
        (content[..number].to_owned(), 1, "line 21: it is cut off"),
        (content.replacen("scores", "points", 1), 1, "line 2: it has no scores"),
        (content.lines().skip(2).map(|line| format!("{line}\n")).collect(), 1, "there are 19"),
    ] {
        let file = folder.write("cut-off.epd", cut);
        let measure = ["regret", "measure", &file, "--each", "depth=1", "--hash", "1"];
        let output = rookery(&measure);
        assert_eq!(output.status.code(), Some(status), "{words}: {}", errors(&output));
        assert!(errors(&output).contains(words), "{words}: {}", errors(&output));
        assert!(text(&output).contains(" to be searched in 1 setting\n"), "{}", text(&output));
        assert_eq!(words.is_empty(), errors(&output).is_empty(), "{}", errors(&output));
    }
}

#[test]
fn a_simulated_machine_chooses_moves_in_virtual_time() {
    let few = data("regret/few.epd");
    let settings = ["--setting", "simulated=1", "--setting", "simulated=8", "--first", "4"];
    let found = measure(&[&[few.as_str()], &settings[..], &["--each", "time=0.004"]].concat());
    let of = |index: usize, name: &str| found["settings"][index][name].as_f64().expect(name);
    assert_eq!(found["settings"][1]["simulated"], 8);
    assert!(of(1, "nodes") > 2.0 * of(0, "nodes") && of(0, "depth") >= 1.0, "{found}");
    // Each ends with the turn in which the time is over, or with its first iteration.
    assert!(of(0, "seconds") < 0.005 && of(1, "seconds") < 0.005, "{found}");
    let again = measure(&[&[few.as_str()], &settings[..], &["--each", "time=0.004"]].concat());
    assert_eq!(again["settings"], found["settings"], "virtual time is the same every time");
}

#[test]
fn the_table_has_a_row_for_every_setting() {
    let few = data("regret/few.epd");
    let settings = ["--setting", "name=one", "--setting", "name=two", "--each", "depth=2"];
    let words = ["--repetitions", "2", "--concurrency", "2", "--first", "5", "--hash", "1"];
    let shown = well(&[&["regret", "measure", &few], &settings[..], &words].concat());
    assert!(shown.contains("5 positions, 2 times each, scale "), "{shown}");
    let rows: Vec<&str> = shown.lines().filter(|line| line.contains(" % ")).collect();
    assert!(rows.len() == 2 && rows[0].ends_with("  one") && rows[1].ends_with("  two"), "{shown}");
    assert!(rows[1].contains(" 0.00 ± 0.00 "), "the same search chooses the same moves: {shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_simulated_machine_for_which_there_is_no_memory_is_refused() {
    let folder = Folder::new("machine");
    let (games, file) = (data("pgn/famous_games_25.pgn"), folder.file("two.epd"));
    let made = ["--nodes", "40000", "--lines", "256", "--hash", "1", "--positions", "2"];
    well(&[&["regret", "make", &games, "--output", &file], &made[..]].concat());
    let measure = |processors: &str| {
        let setting = format!("simulated={processors}");
        let arguments = ["regret", "measure", &file, "--hash", "1", "--setting", &setting];
        let arguments = [&arguments[..], &["--each", "depth=1", "--concurrency", "1"]].concat();
        support::limited("-v 1500000", &arguments).output().expect("the shell starts")
    };
    let refused = measure("1024");
    assert_eq!(refused.status.code(), Some(2), "{}", errors(&refused));
    assert!(errors(&refused).contains(" MB are asked for, but only "), "{}", errors(&refused));
    good(&measure("16"));
}
