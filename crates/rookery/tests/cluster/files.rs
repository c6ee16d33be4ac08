//! Files that all processes work on: positions to be searched, endgame tables to be asked or built.

use super::support::{Folder, data, errors, good, rookery, text, well};
use super::{json, run};
use std::process::Output;

/// Several processes, or the program alone where there are none.
fn processes(count: u32, arguments: &[&str]) -> Output {
    if count == 0 { rookery(arguments) } else { run(count, arguments) }
}

#[test]
fn a_file_of_positions_is_solved_by_all_processes_as_by_one() {
    let file = data("epd/bk.epd");
    let arguments = ["analyse", &file, "--nodes", "3000", "--threads", "1", "--json"];
    assert_eq!(good(&run(4, &arguments)), well(&arguments));
    let arguments = ["suite", &file, "--nodes", "3000"];
    let solved = |output: &Output| {
        let lines = text(output);
        lines.lines().last().map(str::to_owned).unwrap_or_default()
    };
    let (alone, together) = (solved(&rookery(&arguments)), solved(&run(3, &arguments)));
    let count = |line: &str| line.split(',').next().map(str::to_owned);
    assert!(alone.starts_with("solved"), "{alone}");
    assert_eq!(count(&alone), count(&together));
}

#[test]
fn the_laboratory_measures_round_trips_between_processes() {
    let folder = Folder::new("pingpong");
    let out = folder.name();
    let told = good(&run(2, &["lab", "pingpong", "--quick", "--out", out]));
    assert_eq!(told, format!("pingpong: {out}/report.md\n"), "the first alone tells");
    let read = |name: &str| String::from_utf8(folder.read(name)).expect("it is text");
    let (report, rows) = (read("report.md"), read("processes.csv"));
    let mut seen = Vec::new();
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let numbers = cells[2..].iter().map(|cell| cell.parse().expect("a number"));
        let [_, rounds, least, median, most] = numbers.collect::<Vec<f64>>()[..] else {
            panic!("{row}");
        };
        assert!(rounds > 0.0 && 0.0 < least && least <= median && median <= most, "{row}");
        assert!(report.contains(&format!("| {} |", cells.join(" | "))), "{row}");
        seen.push((cells[0].to_owned(), cells[1].to_owned(), cells[2].to_owned()));
    }
    // Six sizes, through the library at least.
    let library = seen.iter().filter(|(way, ..)| way == "library").count();
    assert_eq!((library, seen.len() % 6), (6, 0), "{rows}");
    seen.dedup();
    assert_eq!(seen.len(), rows.lines().count() - 1, "{rows}");
    assert!(!report.contains("were not measured"), "{report}");
    assert!(read("pingpong.svg").contains(">processes through library, measured</text>"));
}

#[test]
fn regret_is_measured_by_all_processes_as_by_one() {
    let file = &data("regret/few.epd");
    let settings = ["--setting", "depth=4", "--setting", "nodes=2000", "--hash", "1", "--json"];
    let arguments = [&["regret", "measure", file], &settings[..]].concat();
    let measured = |output: &Output| {
        let json = json(output);
        let of = |index: usize| {
            let one = &json["settings"][index];
            (one["losses"].to_string(), one["nodes"].to_string())
        };
        (json["positions"].to_string(), of(0), of(1))
    };
    let alone = measured(&rookery(&arguments));
    for processes in [2, 4] {
        assert_eq!(measured(&run(processes, &arguments)), alone, "{processes}");
    }
    // Searches of several threads differ from run to run, but each finds a move in every position.
    for (processes, way) in [
        (2, &["--each", "threads=2"][..]),
        (2, &["--each", "threads=1", "--together"]),
        (4, &["--each", "threads=1", "--together"]),
    ] {
        let (positions, ..) = measured(&run(processes, &[&arguments, way].concat()));
        assert_eq!(positions, alone.0, "{way:?}");
    }
}

#[test]
fn endgame_tables_are_asked_by_all_processes_as_by_one() {
    let folder = Folder::new("asked");
    let tables = folder.name();
    well(&["endgame", "--dir", tables, "build", "KRK"]);
    let ending = |file: u32| format!("{file}k{}/8/8/8/8/8/8/KR6 w - -\n", 7 - file);
    let positions = &folder.write("endings.epd", (2..7).map(ending).collect::<String>());
    let limits = ["--nodes", "2000", "--threads", "1", "--json"];
    let arguments = [&["analyse", positions, "--tables", tables], &limits[..]].concat();
    let alone = well(&arguments);
    let untold = well(&[&["analyse", positions], &limits[..]].concat());
    assert_ne!(alone, untold, "nothing was asked");
    assert_eq!(good(&run(3, &arguments)), alone);
}

#[test]
fn a_table_of_four_men_is_built_by_four_processes_byte_for_byte() {
    let [alone, together] = ["alone", "together"].map(Folder::new);
    for (folder, count) in [(&alone, 0), (&together, 4)] {
        good(&processes(count, &["endgame", "--dir", folder.name(), "build", "KQKR"]));
    }
    let names = alone.names();
    for name in &names {
        assert!(alone.read(name) == together.read(name), "{name:?}");
    }
    assert!(names.len() >= 3, "{names:?}");
}

#[test]
fn all_processes_evaluate_by_the_network_of_the_first() {
    let (file, tiny) = (&data("epd/bk.epd"), &data("net/tiny.net"));
    let counts = |output: &Output| {
        let report = json(output);
        let solutions = report["results"].as_array().expect("a list").clone();
        solutions
            .iter()
            .map(|it| [it["end"]["nodes"].clone(), it["pv"].clone()])
            .collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for choice in [["--evaluation", "classical"], ["--evaluation", "net"], ["--net", tiny]] {
        let limits = ["suite", file, "--depth", "3", "--hash", "1", "--json"];
        let arguments = [&limits[..], &choice].concat();
        let alone = counts(&rookery(&arguments));
        assert_eq!(counts(&run(3, &arguments)), alone, "{choice:?}");
        assert!(!alone.is_empty() && !all.contains(&alone), "{choice:?}");
        all.push(alone);
    }
    // So do those who take part in one search; a file that is not there is told in one line.
    good(&run(2, &["bench", "3", "--evaluation", "net"]));
    let output = run(2, &["bench", "3", "--net", "/no/such.net"]);
    assert!(!output.status.success() && errors(&output).contains("/no/such.net"));
}

#[test]
fn games_to_train_on_are_played_by_all_processes_as_by_one() {
    let (folder, tiny) = (Folder::new("games"), &data("net/tiny.net"));
    let limits = ["--nodes", "20", "--hash", "1", "--threads", "2", "--net", tiny];
    let bytes = |count: u32, name: &str, parts: &[&str]| {
        for games in parts {
            let file = ["datagen", "-o", &folder.file(name), "--games", games];
            let said = good(&processes(count, &[&file, &limits[..]].concat()));
            assert!(said.contains(&format!(": {games} games")));
        }
        folder.read(name)
    };
    let alone = bytes(0, "alone.rkg", &["160"]);
    assert!(bytes(3, "together.rkg", &["160"]) == alone);
    // So are those with which a file goes on.
    assert!(bytes(2, "continued.rkg", &["48", "160"]) == alone);
}
