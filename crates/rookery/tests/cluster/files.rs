//! Files that all processes work on: positions to be searched, endgame tables to be asked or built.

use super::{run, text};
use std::process::{Command, Output};

#[test]
fn a_file_of_positions_is_solved_by_all_processes_as_by_one() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/epd/bk.epd");
    let arguments = ["analyse", file, "--nodes", "3000", "--threads", "1", "--json"];
    let alone = Command::new(env!("CARGO_BIN_EXE_rookery")).args(arguments).output();
    let alone = alone.expect("it runs");
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let together = run(4, &arguments);
    assert!(together.status.success(), "{}", text(&together.stderr));
    assert_eq!(text(&together.stdout), text(&alone.stdout));
    let arguments = ["suite", file, "--nodes", "3000"];
    let solved = |output: &Output| {
        let lines = text(&output.stdout);
        lines.lines().last().map(str::to_owned).unwrap_or_default()
    };
    let alone = Command::new(env!("CARGO_BIN_EXE_rookery")).args(arguments).output();
    let together = run(3, &arguments);
    let (alone, together) = (solved(&alone.expect("it runs")), solved(&together));
    let count = |line: &str| line.split(',').next().map(str::to_owned);
    assert!(alone.starts_with("solved"), "{alone}");
    assert_eq!(count(&alone), count(&together));
}

#[test]
fn the_laboratory_measures_round_trips_between_processes() {
    let folder = std::env::temp_dir().join(format!("rookery-pingpong-{}", std::process::id()));
    let out = folder.to_str().expect("a plain name");
    let output = run(2, &["lab", "pingpong", "--quick", "--out", out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        format!("pingpong: {out}/report.md\n"),
        "the first alone tells"
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is written");
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
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn regret_is_measured_by_all_processes_as_by_one() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/regret/few.epd");
    let settings = ["--setting", "depth=4", "--setting", "nodes=2000", "--hash", "1", "--json"];
    let arguments = [&["regret", "measure", file], &settings[..]].concat();
    let measured = |output: &Output| {
        assert!(output.status.success(), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let of = |index: usize| {
            let one = &json["settings"][index];
            (one["losses"].to_string(), one["nodes"].to_string())
        };
        (json["positions"].to_string(), of(0), of(1))
    };
    let alone = Command::new(env!("CARGO_BIN_EXE_rookery")).args(&arguments).output();
    let alone = measured(&alone.expect("it runs"));
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
    let folder = std::env::temp_dir().join(format!("rookery-asked-{}", std::process::id()));
    let file = folder.join("endings.epd");
    let names = [&folder, &file].map(|path| path.to_str().expect("a plain name").to_owned());
    let [tables, positions] = names.each_ref().map(String::as_str);
    let rookery = env!("CARGO_BIN_EXE_rookery");
    let built = Command::new(rookery).args(["endgame", "--dir", tables, "build", "KRK"]).output();
    assert!(built.expect("it runs").status.success());
    let ending = |file: u32| format!("{file}k{}/8/8/8/8/8/8/KR6 w - -\n", 7 - file);
    std::fs::write(&file, (2..7).map(ending).collect::<String>()).expect("there is room");
    let limits = ["--nodes", "2000", "--threads", "1", "--json"];
    let arguments = [&["analyse", positions, "--tables", tables], &limits[..]].concat();
    let alone = Command::new(rookery).args(&arguments).output().expect("it runs");
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let untold = Command::new(rookery).args(["analyse", positions]).args(limits).output();
    assert_ne!(text(&alone.stdout), text(&untold.expect("it runs").stdout), "nothing was asked");
    let together = run(3, &arguments);
    assert!(together.status.success(), "{}", text(&together.stderr));
    assert_eq!(text(&together.stdout), text(&alone.stdout));
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_table_of_four_men_is_built_by_four_processes_byte_for_byte() {
    let folder = std::env::temp_dir().join(format!("rookery-cluster-{}", std::process::id()));
    let (alone, together) = (folder.join("alone"), folder.join("together"));
    for (dir, processes) in [(&alone, 0), (&together, 4)] {
        let dir = dir.to_str().expect("a plain name");
        let arguments = ["endgame", "--dir", dir, "build", "KQKR"];
        let output = match processes {
            0 => Command::new(env!("CARGO_BIN_EXE_rookery"))
                .args(arguments)
                .output()
                .expect("it runs"),
            many => run(many, &arguments),
        };
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let mut files = 0;
    for entry in std::fs::read_dir(&alone).expect("it was made") {
        let name = entry.expect("it can be read").file_name();
        let bytes = |dir: &std::path::Path| std::fs::read(dir.join(&name)).expect("it is there");
        assert!(bytes(&alone) == bytes(&together), "{name:?}");
        files += 1;
    }
    assert!(files >= 3, "{files}");
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn all_processes_evaluate_by_the_network_of_the_first() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/epd/bk.epd");
    let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/net/tiny.net");
    let counts = |output: &Output| {
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one JSON object");
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
        let alone = Command::new(env!("CARGO_BIN_EXE_rookery")).args(&arguments).output();
        let alone = counts(&alone.expect("it runs"));
        assert_eq!(counts(&run(3, &arguments)), alone, "{choice:?}");
        assert!(!alone.is_empty() && !all.contains(&alone), "{choice:?}");
        all.push(alone);
    }
    // So do those who take part in one search; a file that is not there is told in one line.
    let output = run(2, &["bench", "3", "--evaluation", "net"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = run(2, &["bench", "3", "--net", "/no/such.net"]);
    assert!(!output.status.success() && text(&output.stderr).contains("/no/such.net"));
}

#[test]
fn games_to_train_on_are_played_by_all_processes_as_by_one() {
    let folder = std::env::temp_dir().join(format!("rookery-games-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room");
    let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/net/tiny.net");
    let limits = ["--nodes", "20", "--hash", "1", "--threads", "2", "--net", tiny];
    let bytes = |processes: u32, name: &str, parts: &[&str]| {
        let file = folder.join(name);
        let path = file.to_str().expect("a plain name");
        for games in parts {
            let arguments = [&["datagen", "-o", path, "--games", games], &limits[..]].concat();
            let output = match processes {
                0 => Command::new(env!("CARGO_BIN_EXE_rookery")).args(&arguments).output(),
                many => Ok(run(many, &arguments)),
            };
            let output = output.expect("it runs");
            assert!(output.status.success(), "{}", text(&output.stderr));
            assert!(text(&output.stdout).contains(&format!(": {games} games")));
        }
        std::fs::read(&file).expect("it was written")
    };
    let alone = bytes(0, "alone.rkg", &["160"]);
    assert!(bytes(3, "together.rkg", &["160"]) == alone);
    // So are those with which a file goes on.
    assert!(bytes(2, "continued.rkg", &["48", "160"]) == alone);
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
