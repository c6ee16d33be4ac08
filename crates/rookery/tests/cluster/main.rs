//! The program under `mpirun` (feature `mpi`; `cargo xtask test` builds it and runs this): the first
//! process alone speaks, searches can be interrupted at any moment, and all processes end by themselves.
//!
//! More processes than processors are started. `ROOKERY_MPI_SEARCHES` sets how many searches are
//! interrupted, `ROOKERY_MPIRUN` the launcher (default `mpirun`).

#![cfg(feature = "mpi")]

mod files;
#[path = "../support/mod.rs"]
mod support;

use serde_json::Value;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use support::{Dialogue, Folder, HANGS, ROOKERY, count, errors, finish, good, objects};
use support::{rookery, text};

/// Several processes of the program.
fn mpirun(processes: u32, arguments: &[&str]) -> Command {
    let launcher = std::env::var("ROOKERY_MPIRUN").unwrap_or_else(|_| "mpirun".to_owned());
    let mut command = Command::new(&launcher);
    // Rules for tests in containers; MPICH's launcher needs and knows none of them.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    command.env("OMPI_MCA_mpi_yield_when_idle", "0");
    command.env("OMPI_MCA_hwloc_base_binding_policy", "none");
    command.args(["-n", &processes.to_string(), ROOKERY]);
    command.args(arguments);
    command
}

fn run(processes: u32, arguments: &[&str]) -> Output {
    let mut command = mpirun(processes, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command.spawn().expect("mpirun is there"))
}

/// The one JSON object that several processes say.
fn json(output: &Output) -> Value {
    serde_json::from_str(&good(output)).expect("one JSON object")
}

/// A conversation.
fn converse(processes: u32) -> Dialogue {
    let mut command = mpirun(processes, &["uci"]);
    Dialogue::of(command.stdin(Stdio::piped()).stdout(Stdio::piped()))
}

/// Says `quit`: what was still said, and that all have ended well.
fn quit(mut dialogue: Dialogue) -> Vec<String> {
    dialogue.send("quit");
    let (rest, status) = dialogue.close();
    assert!(status.success(), "{rest:?}");
    rest
}

#[test]
fn the_first_process_alone_speaks() {
    for processes in [1, 2, 3] {
        let mut dialogue = converse(processes);
        dialogue.send("uci");
        let heard = dialogue.until("uciok");
        assert_eq!(count(&heard, "id name"), 1);
        dialogue.send("setoption name Hash value 8\nsetoption name Threads value 2\nisready");
        dialogue.until("readyok");
        for strategy in ["ybw", "lazy", "abdada", "teams"] {
            dialogue.send(&format!("setoption name Parallel value {strategy}"));
            dialogue.send("ucinewgame\nposition startpos moves e2e4\ngo depth 8");
            let heard = dialogue.until("bestmove");
            assert!(heard.iter().any(|line| line.contains(" depth 8 ")), "{heard:?}");
            assert!(!heard.iter().any(|line| line.contains("error")), "{heard:?}");
        }
        let rest = quit(dialogue);
        assert!(rest.is_empty(), "{rest:?}");
    }
}

#[test]
fn searches_that_are_interrupted_at_any_moment_answer_once_and_all_processes_end() {
    let searches = std::env::var("ROOKERY_MPI_SEARCHES").ok().and_then(|text| text.parse().ok());
    let searches: u32 = searches.unwrap_or(60);
    let mut chance: u64 = 0x0052_6f6f_6b65_7279;
    let mut draw = |below: u64| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        chance % below
    };
    let mut done = 0;
    while done < searches {
        let mut dialogue = converse(2 + draw(3) as u32);
        let strategy = ["ybw", "lazy", "teams"][draw(3) as usize];
        dialogue.send(&format!("setoption name Parallel value {strategy}"));
        for _ in 0..1 + draw(12) {
            let ponder = draw(3) == 0;
            dialogue.send("position startpos moves d2d4 d7d5 c2c4");
            dialogue.send(if ponder { "go ponder movetime 20" } else { "go infinite" });
            thread::sleep(Duration::from_micros(draw(40_000)));
            dialogue.send(if ponder { "ponderhit" } else { "stop" });
            let heard = dialogue.until("bestmove");
            assert_eq!(count(&heard, "bestmove"), 1);
            if draw(6) == 0 {
                dialogue.send("ucinewgame\nsetoption name Hash value 4");
            }
            done += 1;
        }
        // In the middle of a search.
        dialogue.send("go infinite");
        thread::sleep(Duration::from_micros(draw(30_000)));
        let rest = quit(dialogue);
        assert!(count(&rest, "bestmove") <= 1, "{rest:?}");
        done += 1;
    }
}

#[test]
fn the_bench_runs_on_all_processes() {
    let report = json(&run(2, &["bench", "7", "--json"]));
    assert_eq!((&report["processes"], &report["threads"]), (&2.into(), &1.into()));
    let each = report["per_thread"].as_array().expect("a list");
    assert_eq!(each.len(), 2);
    assert!(each.iter().all(|one| one["nodes"].as_u64() > Some(0)), "{each:?}");
}

#[test]
fn processes_share_their_tables_in_the_way_that_is_asked_for() {
    for kind in ["shared", "replicated", "blocking", "asynchronous", "local"] {
        let report = json(&run(2, &["bench", "6", "--table", kind, "--json"]));
        assert_eq!(report["table"], kind);
        assert!(report["network_messages"].as_u64() > Some(0), "{report}");
        assert!(report["network_bytes"].as_u64() > Some(0), "{report}");
    }
    let mut dialogue = converse(2);
    dialogue.send("setoption name Cluster Table value blocking\nposition startpos\ngo depth 9");
    let heard = dialogue.until("bestmove");
    assert!(!heard.iter().any(|line| line.contains("error")), "{heard:?}");
    dialogue.send("setoption name Cluster Table value nowhere\nisready");
    let heard = dialogue.until("readyok");
    let told = "Cluster Table is one of shared, replicated, blocking, asynchronous, local";
    assert!(heard.iter().any(|line| line.contains(told)), "{heard:?}");
    quit(dialogue);
    let alone = rookery(&["bench", "--table", "local"]);
    assert!(errors(&alone).contains("start more with mpirun"), "{alone:?}");
}

/// Processes of the program that have a table in common, by the file that they have mapped.
#[cfg(target_os = "linux")]
fn users_of_common_tables() -> Vec<(String, u32)> {
    let program = std::path::Path::new(ROOKERY).canonicalize();
    let program = program.expect("it is built");
    let processes = std::fs::read_dir("/proc").expect("Linux tells").filter_map(|entry| {
        let folder = entry.ok()?.path();
        let process: u32 = folder.file_name()?.to_str()?.parse().ok()?;
        let ours = std::fs::read_link(folder.join("exe")).ok()? == program;
        let maps = std::fs::read_to_string(folder.join("maps")).ok().filter(|_| ours)?;
        let line = maps.lines().find(|line| line.contains("/memfd:rookery-table-"))?;
        // The fields of a line: addresses, rights, offset, device, number of the file, name.
        let inode = line.split_whitespace().nth(4)?;
        Some((inode.to_owned(), process))
    });
    processes.collect()
}

#[test]
#[cfg(target_os = "linux")]
fn processes_of_one_host_have_one_table_whatever_is_asked_for_in_which_order() {
    let mut dialogue = converse(3);
    let changes = [
        "setoption name Hash value 8\nsetoption name Hash value 24",
        "setoption name Profile value darksight\nsetoption name Cluster Table value replicated",
        "setoption name Hash value 9\nsetoption name Cluster Table value shared",
        "setoption name Profile value modern\nucinewgame\nsetoption name Hash value 11",
    ];
    changes.iter().for_each(|change| dialogue.send(change));
    // A process that answers here has followed: a search waits for no other.
    let begun = Instant::now();
    let mut users = Vec::new();
    while begun.elapsed() < HANGS {
        dialogue.send("position startpos\ngo depth 6");
        let heard = dialogue.until("bestmove");
        assert!(!heard.iter().any(|line| line.contains("error")), "{heard:?}");
        users = users_of_common_tables();
        let same = |file: &String| users.iter().filter(|(other, _)| other == file).count();
        if users.iter().any(|(file, _)| same(file) == 3) {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    assert!(begun.elapsed() < HANGS, "{users:?}");
    quit(dialogue);
}

#[test]
fn threads_of_all_processes_search_and_some_processes_can_be_left_out() {
    // On a machine that has other work, a process may come too late for the small trees.
    let all_search = (7..=11).any(|depth| {
        let report = json(&run(2, &["bench", &depth.to_string(), "--threads", "2", "--json"]));
        let each = report["per_thread"].as_array().expect("a list");
        assert_eq!(each.len(), 4);
        each.iter().all(|one| one["nodes"].as_u64() > Some(0))
    });
    assert!(all_search, "a thread never had work");
    let measure = ["speedup", "--threads", "1", "--strategies", "ybw", "--first", "2", "--depth"];
    let rest = ["8", "--hash", "4", "--repetitions", "1", "--json", "--processes"];
    let output = run(3, &[measure.as_slice(), &rest, &["1,2,3"]].concat());
    let reports = objects(&text(&output));
    assert_eq!(reports.len(), 3, "{}", errors(&output));
    for (report, count) in reports.iter().zip(1..) {
        assert_eq!(report["processes"], count);
    }
    let refused = run(3, &[measure.as_slice(), &rest, &["4"]].concat());
    assert!(errors(&refused).contains("--processes 4: there are 3"), "{refused:?}");
}

#[test]
fn the_games_of_a_match_are_played_by_all_processes() {
    let folder = Folder::new("match");
    let pgn = folder.file("games.pgn");
    let arguments = [
        ["match", "--engine", "cmd=self", "name=few", "nodes=50"].as_slice(),
        &["--engine", "cmd=self", "name=many", "nodes=100", "--max-moves", "15"],
        &["--games", "8", "--pgn", &pgn, "--json"],
    ];
    let summary = json(&run(3, &arguments.concat()));
    let written = std::fs::read_to_string(&pgn).expect("it was written");
    for (engine, colour) in [("few", "White"), ("few", "Black"), ("many", "White")] {
        let tag = format!("[{colour} \"{engine}\"]");
        assert_eq!(written.matches(&tag).count(), 4, "{written}");
    }
    assert!(!summary.to_string().contains("not-started"), "{summary}");
}

#[test]
fn the_equal_strength_time_is_that_of_one_process() {
    let arguments = [
        ["match", "--engine", "cmd=self", "name=many", "nodes=300"].as_slice(),
        &["--engine", "cmd=self", "name=few", "nodes=60", "--each", "option.Hash=1"],
        &["--max-moves", "30", "--resign", "count=2", "score=300", "--games", "4"],
        &["--odds", "to=16", "steps=2", "--json"],
    ]
    .concat();
    let found = |output: Output| {
        let report = json(&output);
        assert_eq!(report["steps"].as_array().map(Vec::len), Some(2), "{report}");
        let step =
            |step: &Value| ["odds", "wins", "draws", "losses"].map(|name| step[name].to_string());
        [0, 1].map(|number| step(&report["steps"][number]))
    };
    let alone = found(rookery(&arguments));
    for processes in [2, 4] {
        assert_eq!(found(run(processes, &arguments)), alone, "{processes} processes");
    }
}

#[test]
fn one_process_gives_the_signature_of_the_sequential_search() {
    let words = ["bench", "6", "--json"];
    let [alone, under] = [rookery(&words), run(1, &words)].map(|output| json(&output));
    assert!(alone["nodes"].is_u64());
    assert_eq!(under["nodes"], alone["nodes"]);
}

#[test]
fn doctor_and_pingpong_tell_of_every_process() {
    let output = run(3, &["cluster", "doctor", "--json"]);
    let findings = &objects(&text(&output))[0];
    assert_eq!(findings["hosts"].as_array().map(Vec::len), Some(3));
    // Two others, five sizes.
    let said = good(&run(3, &["cluster", "pingpong", "--rounds", "20", "--json"]));
    let by = |way: &str| said.lines().filter(|line| line.contains(way)).count();
    let in_memory = if cfg!(target_os = "linux") { 10 } else { 0 };
    assert_eq!((by(r#""way":"library""#), by(r#""way":"memory""#)), (10, in_memory), "{said}");
}

#[test]
fn processes_that_disagree_are_refused_with_one_line() {
    // None at all, and one with two spaces, are the same arguments for both.
    for arguments in [&[][..], &["go", "depth  1"]] {
        good(&run(2, arguments));
    }
    let mut command = mpirun(1, &["uci"]);
    command.args([":", "-n", "1", ROOKERY, "bench", "5"]);
    let output = command.stdin(Stdio::null()).output().expect("mpirun is there");
    assert!(!output.status.success());
    let stderr = errors(&output);
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("rookery:")).collect();
    assert_eq!(lines.len(), 1, "{stderr}");
    let told = "its command is rookery bench 5, here it is rookery uci";
    assert!(lines[0].contains("process 1") && lines[0].contains(told), "{stderr}");
}
