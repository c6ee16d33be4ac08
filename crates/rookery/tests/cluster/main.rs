//! The program under `mpirun` (feature `mpi`; `cargo xtask test` builds it and runs this): the first
//! process alone speaks, searches can be interrupted at any moment, and all processes end by themselves.
//!
//! More processes than processors are started. `ROOKERY_MPI_SEARCHES` sets how many searches are
//! interrupted, `ROOKERY_MPIRUN` the launcher (default `mpirun`).

#![cfg(feature = "mpi")]

mod files;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// A guard against hanging, not a measurement.
const HANG_LIMIT: Duration = Duration::from_secs(120);

/// Several processes of the program.
fn mpirun(processes: u32, arguments: &[&str]) -> Command {
    let launcher = std::env::var("ROOKERY_MPIRUN").unwrap_or_else(|_| "mpirun".to_owned());
    let mut command = Command::new(&launcher);
    // Rules for tests in containers; MPICH's launcher needs and knows none of them.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    command.env("OMPI_MCA_mpi_yield_when_idle", "0");
    command.env("OMPI_MCA_hwloc_base_binding_policy", "none");
    command.args(["-n", &processes.to_string(), env!("CARGO_BIN_EXE_rookery")]);
    command.args(arguments);
    command
}

fn run(processes: u32, arguments: &[&str]) -> Output {
    let mut child = mpirun(processes, arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mpirun is there");
    end_within_limit(&mut child);
    child.wait_with_output().expect("it has ended")
}

fn end_within_limit(child: &mut Child) {
    let begun = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if begun.elapsed() > HANG_LIMIT {
            child.kill().expect("it can be killed");
            panic!("it hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A conversation.
struct Dialogue {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Dialogue {
    fn new(processes: u32) -> Dialogue {
        let mut child = mpirun(processes, &["uci"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("mpirun is there");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let input = child.stdin.take().expect("it is piped");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .take_while(|line| sender.send(line.clone()).is_ok())
                .count()
        });
        Dialogue { child, input, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
        self.input.flush().expect("it listens");
    }

    /// The lines up to the first with this beginning.
    fn until(&self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(HANG_LIMIT)
                .unwrap_or_else(|_| panic!("no {start}: {heard:?}"));
            heard.push(line);
            if heard.last().is_some_and(|line| line.starts_with(start)) {
                return heard;
            }
        }
    }

    /// Says `quit`: what was still said, and that all have ended well.
    fn quit(mut self) -> Vec<String> {
        self.say("quit");
        drop(self.input);
        end_within_limit(&mut self.child);
        assert!(self.child.wait().expect("it has ended").success());
        self.lines.iter().collect()
    }
}

#[test]
fn the_first_process_alone_speaks() {
    for processes in [1, 2, 3] {
        let mut dialogue = Dialogue::new(processes);
        dialogue.say("uci");
        let heard = dialogue.until("uciok");
        assert_eq!(heard.iter().filter(|line| line.starts_with("id name")).count(), 1);
        dialogue.say("setoption name Hash value 8\nsetoption name Threads value 2\nisready");
        dialogue.until("readyok");
        for strategy in ["ybw", "lazy", "abdada", "teams"] {
            dialogue.say(&format!("setoption name Parallel value {strategy}"));
            dialogue.say("ucinewgame\nposition startpos moves e2e4\ngo depth 8");
            let heard = dialogue.until("bestmove");
            assert!(heard.iter().any(|line| line.contains(" depth 8 ")), "{heard:?}");
            assert!(!heard.iter().any(|line| line.contains("error")), "{heard:?}");
        }
        let rest = dialogue.quit();
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
        let mut dialogue = Dialogue::new(2 + draw(3) as u32);
        let strategy = ["ybw", "lazy", "teams"][draw(3) as usize];
        dialogue.say(&format!("setoption name Parallel value {strategy}"));
        for _ in 0..1 + draw(12) {
            let ponder = draw(3) == 0;
            dialogue.say("position startpos moves d2d4 d7d5 c2c4");
            dialogue.say(if ponder { "go ponder movetime 20" } else { "go infinite" });
            thread::sleep(Duration::from_micros(draw(40_000)));
            dialogue.say(if ponder { "ponderhit" } else { "stop" });
            let heard = dialogue.until("bestmove");
            assert_eq!(heard.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
            if draw(6) == 0 {
                dialogue.say("ucinewgame\nsetoption name Hash value 4");
            }
            done += 1;
        }
        // In the middle of a search.
        dialogue.say("go infinite");
        thread::sleep(Duration::from_micros(draw(30_000)));
        let rest = dialogue.quit();
        let answers = rest.iter().filter(|line| line.starts_with("bestmove")).count();
        assert!(answers <= 1, "{rest:?}");
        done += 1;
    }
}

#[test]
fn the_bench_runs_on_all_processes() {
    let output = run(2, &["bench", "7", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", text(&output.stdout)));
    assert_eq!((&report["processes"], &report["threads"]), (&2.into(), &1.into()));
    let each = report["per_thread"].as_array().expect("a list");
    assert_eq!(each.len(), 2);
    assert!(each.iter().all(|one| one["nodes"].as_u64() > Some(0)), "{each:?}");
}

#[test]
fn processes_share_their_tables_in_the_way_that_is_asked_for() {
    for kind in ["shared", "replicated", "blocking", "asynchronous", "local"] {
        let output = run(2, &["bench", "6", "--table", kind, "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", text(&output.stdout)));
        assert_eq!(report["table"], kind);
        assert!(report["network_messages"].as_u64() > Some(0), "{report}");
        assert!(report["network_bytes"].as_u64() > Some(0), "{report}");
    }
    let mut dialogue = Dialogue::new(2);
    dialogue.say("setoption name Cluster Table value blocking\nposition startpos\ngo depth 9");
    let heard = dialogue.until("bestmove");
    assert!(!heard.iter().any(|line| line.contains("error")), "{heard:?}");
    dialogue.say("setoption name Cluster Table value nowhere\nisready");
    let heard = dialogue.until("readyok");
    let told = "Cluster Table is one of shared, replicated, blocking, asynchronous, local";
    assert!(heard.iter().any(|line| line.contains(told)), "{heard:?}");
    dialogue.quit();
    let mut alone = Command::new(env!("CARGO_BIN_EXE_rookery"));
    let refused = alone.args(["bench", "--table", "local"]).output().expect("it runs");
    assert!(text(&refused.stderr).contains("start more with mpirun"), "{refused:?}");
}

/// Processes of the program that have a table in common, by the file that they have mapped.
#[cfg(target_os = "linux")]
fn users_of_common_tables() -> Vec<(String, u32)> {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_rookery")).canonicalize();
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
    let mut dialogue = Dialogue::new(3);
    let changes = [
        "setoption name Hash value 8\nsetoption name Hash value 24",
        "setoption name Profile value darksight\nsetoption name Cluster Table value replicated",
        "setoption name Hash value 9\nsetoption name Cluster Table value shared",
        "setoption name Profile value modern\nucinewgame\nsetoption name Hash value 11",
    ];
    changes.iter().for_each(|change| dialogue.say(change));
    // A process that answers here has followed: a search waits for no other.
    let begun = Instant::now();
    let mut users = Vec::new();
    while begun.elapsed() < HANG_LIMIT {
        dialogue.say("position startpos\ngo depth 6");
        let heard = dialogue.until("bestmove");
        assert!(!heard.iter().any(|line| line.contains("error")), "{heard:?}");
        users = users_of_common_tables();
        let same = |file: &String| users.iter().filter(|(other, _)| other == file).count();
        if users.iter().any(|(file, _)| same(file) == 3) {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    assert!(begun.elapsed() < HANG_LIMIT, "{users:?}");
    dialogue.quit();
}

#[test]
fn threads_of_all_processes_search_and_some_processes_can_be_left_out() {
    // On a machine that has other work, a process may come too late for the small trees.
    let all_search = (7..=11).any(|depth| {
        let output = run(2, &["bench", &depth.to_string(), "--threads", "2", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        let each = report["per_thread"].as_array().expect("a list");
        assert_eq!(each.len(), 4);
        each.iter().all(|one| one["nodes"].as_u64() > Some(0))
    });
    assert!(all_search, "a thread never had work");
    let measure = ["speedup", "--threads", "1", "--strategies", "ybw", "--first", "2", "--depth"];
    let rest = ["8", "--hash", "4", "--repetitions", "1", "--json", "--processes"];
    let output = run(3, &[measure.as_slice(), &rest, &["1,2,3"]].concat());
    let written = text(&output.stdout);
    assert_eq!(written.lines().count(), 3, "{}", text(&output.stderr));
    for (line, count) in written.lines().zip(1..) {
        let report: serde_json::Value = serde_json::from_str(line).expect("an object");
        assert_eq!(report["processes"], count);
    }
    let refused = run(3, &[measure.as_slice(), &rest, &["4"]].concat());
    assert!(text(&refused.stderr).contains("--processes 4: there are 3"), "{refused:?}");
}

#[test]
fn the_games_of_a_match_are_played_by_all_processes() {
    let games = std::env::temp_dir().join(format!("rookery-match-{}.pgn", std::process::id()));
    let pgn = games.to_str().expect("a plain name");
    let output = run(
        3,
        &[
            ["match", "--engine", "cmd=self", "name=few", "nodes=50"].as_slice(),
            &["--engine", "cmd=self", "name=many", "nodes=100", "--max-moves", "15"],
            &["--games", "8", "--pgn", pgn, "--json"],
        ]
        .concat(),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let written = std::fs::read_to_string(&games).expect("it was written");
    std::fs::remove_file(&games).expect("it is ours");
    for (engine, colour) in [("few", "White"), ("few", "Black"), ("many", "White")] {
        let tag = format!("[{colour} \"{engine}\"]");
        assert_eq!(written.matches(&tag).count(), 4, "{written}");
    }
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", text(&output.stdout)));
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
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", text(&output.stdout)));
        assert_eq!(report["steps"].as_array().map(Vec::len), Some(2), "{report}");
        let step = |step: &serde_json::Value| {
            ["odds", "wins", "draws", "losses"].map(|name| step[name].to_string())
        };
        [0, 1].map(|number| step(&report["steps"][number]))
    };
    let alone = Command::new(env!("CARGO_BIN_EXE_rookery")).args(&arguments).output();
    let alone = found(alone.expect("it runs"));
    for processes in [2, 4] {
        assert_eq!(found(run(processes, &arguments)), alone, "{processes} processes");
    }
}

#[test]
fn one_process_gives_the_signature_of_the_sequential_search() {
    let alone = Command::new(env!("CARGO_BIN_EXE_rookery")).args(["bench", "6", "--json"]).output();
    let alone = alone.expect("it runs");
    let nodes = |bytes: &[u8]| -> Option<u64> {
        serde_json::from_slice::<serde_json::Value>(bytes).ok()?["nodes"].as_u64()
    };
    let under = run(1, &["bench", "6", "--json"]);
    assert!(nodes(&alone.stdout).is_some());
    assert_eq!(nodes(&under.stdout), nodes(&alone.stdout));
}

#[test]
fn doctor_and_pingpong_tell_of_every_process() {
    let output = run(3, &["cluster", "doctor", "--json"]);
    let findings: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    assert_eq!(findings["hosts"].as_array().map(Vec::len), Some(3));
    let output = run(3, &["cluster", "pingpong", "--rounds", "20", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // Two others, five sizes.
    let said = text(&output.stdout);
    let by = |way: &str| said.lines().filter(|line| line.contains(way)).count();
    let in_memory = if cfg!(target_os = "linux") { 10 } else { 0 };
    assert_eq!((by(r#""way":"library""#), by(r#""way":"memory""#)), (10, in_memory), "{said}");
}

#[test]
fn processes_that_disagree_are_refused_with_one_line() {
    // None at all, and one with two spaces, are the same arguments for both.
    for arguments in [&[][..], &["go", "depth  1"]] {
        let output = run(2, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    }
    let rookery = env!("CARGO_BIN_EXE_rookery");
    let mut command = mpirun(1, &["uci"]);
    command.args([":", "-n", "1", rookery, "bench", "5"]);
    let output = command.stdin(Stdio::null()).output().expect("mpirun is there");
    assert!(!output.status.success());
    let stderr = text(&output.stderr);
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("rookery:")).collect();
    assert_eq!(lines.len(), 1, "{stderr}");
    let told = "its command is rookery bench 5, here it is rookery uci";
    assert!(lines[0].contains("process 1") && lines[0].contains(told), "{stderr}");
}
