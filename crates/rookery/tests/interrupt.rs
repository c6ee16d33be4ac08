//! Ctrl-C: what has been found so far is shown, and the exit status is 130.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Only to turn a hang into a failure.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The program at work.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

fn listen(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

impl Running {
    fn start(arguments: &[&str]) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let lines = listen(child.stdout.take().expect("stdout is piped"));
        let errors = listen(child.stderr.take().expect("stderr is piped"));
        Running { child, input, lines, errors }
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("stdin is open");
        input.write_all(text.as_bytes()).expect("it reads");
    }

    /// Waits for a line with this text.
    fn wait_for(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).expect("the line comes");
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Sends Ctrl-C to the program alone: the exit status, and what was said after it.
    fn interrupt(self) -> (Option<i32>, Vec<String>, Vec<String>) {
        let process = self.child.id().to_string();
        self.interrupt_all(&process)
    }

    /// The same to a process or, with a minus before it, to all of its group, as a terminal does.
    fn interrupt_all(mut self, process: &str) -> (Option<i32>, Vec<String>, Vec<String>) {
        let sent = Command::new("kill").args(["-INT", "--", process]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let rest = |lines: Receiver<String>| {
            let mut rest = Vec::new();
            loop {
                match lines.recv_timeout(TIMEOUT) {
                    Ok(line) => rest.push(line),
                    Err(mpsc::RecvTimeoutError::Disconnected) => return rest,
                    Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs after {rest:?}"),
                }
            }
        };
        let (lines, errors) = (rest(self.lines), rest(self.errors));
        let status = self.child.wait().expect("it ends");
        drop(self.input);
        (status.code(), lines, errors)
    }
}

fn scratch(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("interrupt-{name}"));
    fs::write(&path, content).expect("the directory of temporary files is writable");
    path
}

#[test]
fn the_analysis_of_a_position_ends_with_what_was_found() {
    let running = Running::start(&["analyse", "startpos", "--depth", "200", "--hash", "16"]);
    running.wait_for("    3  ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    assert!(lines.iter().any(|line| line.starts_with("Best move:")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Nodes:")), "{lines:?}");
}

#[test]
fn games_are_answered_one_by_one_and_counted_after_ctrl_c() {
    let arguments = ["analyse", "-", "--nodes", "100", "--hash", "1", "--threads", "1"];
    let mut running = Running::start(&arguments);
    // The input stays open: what is there must be answered nevertheless.
    running.write("1. e4 e5 *\n\n1. d4 d5 *\n\n[Event \"not whole\"]\n");
    running.wait_for("1. e4 ");
    running.wait_for("1. d4 ");
    let (status, _, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    assert!(errors.iter().any(|line| line.starts_with("2 games, 6 positions, ")), "{errors:?}");
}

#[test]
fn an_output_that_was_begun_stays_for_the_next_run() {
    let output = scratch("begun.pgn", "");
    let name = output.to_str().expect("a path in text");
    let beside = |suffix: &str| PathBuf::from(format!("{name}{suffix}"));
    for file in [output.clone(), beside(".part"), beside(".journal")] {
        let _ = fs::remove_file(file);
    }
    let arguments = ["analyse", "-", "--nodes", "100", "--hash", "1", "--output", name];
    let mut running = Running::start(&arguments);
    running.write("1. e4 e5 *\n\n1. d4 d5 *\n\n");
    running.wait_for("2: ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let said = lines.iter().find(|line| line.starts_with("interrupted: 2 games are in "));
    assert!(said.is_some_and(|line| line.ends_with("; the same command goes on")), "{lines:?}");
    assert!(!output.exists() && beside(".part").exists());
    let mut running = Running::start(&arguments);
    running.write("1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 *\n");
    drop(running.input.take());
    running.wait_for("2 games are done already");
    running.wait_for("1 game, 2 positions");
    assert!(running.child.wait().expect("it ends").success() && output.exists());
}

#[test]
fn a_suite_ends_with_the_sum_of_what_was_solved() {
    let file = scratch(
        "suite.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"short\";\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"long\";\n",
    );
    let name = file.to_str().expect("a path in text");
    let running = Running::start(&["suite", name, "--depth", "100", "--hash", "16"]);
    running.wait_for("+ short: ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let last: Vec<&str> = lines.iter().rev().take(2).map(String::as_str).collect();
    assert_eq!(last, ["solved 1 of 1", "interrupted after 1 of 2 positions"]);
}

#[test]
fn a_rival_is_not_waited_for() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n";
    let short = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"short\";\n";
    let file = scratch("rival.epd", &format!("{short}{position}"));
    let name = file.to_str().expect("a path in text");
    let engine = env!("CARGO_BIN_EXE_rookery");
    for is_terminal in [false, true] {
        let running = Running::start(&["suite", name, "--depth", "100", "--engine", engine]);
        running.wait_for("+ short: ");
        let process = running.child.id();
        let (status, lines, errors) = match is_terminal {
            false => running.interrupt(),
            true => running.interrupt_all(&format!("-{process}")),
        };
        assert_eq!(status, Some(130), "{errors:?}");
        assert_eq!(lines.last().map(String::as_str), Some("solved 1 of 1"));
    }
}

#[test]
fn a_simulation_ends_with_the_rows_so_far() {
    let arguments = ["sim", "--processors", "2,4", "--depth", "2,30", "--first", "1"];
    let running = Running::start(&arguments);
    let row = running.wait_for("     2     2    1");
    assert!(!row.is_empty());
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("interrupted after 1 of 2 rows"), "{lines:?}");
}

#[test]
fn a_comparison_ends_with_the_rows_so_far() {
    let arguments = ["sim", "--compare", "--processors", "1", "--depth", "30", "--first", "1"];
    let running = Running::start(&arguments);
    running.wait_for("All strategies");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("interrupted after 0 of 5 rows"), "{lines:?}");
}

#[test]
fn a_measurement_ends_with_what_was_measured() {
    let file = scratch(
        "speedup.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - -\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n",
    );
    let name = file.to_str().expect("a path in text");
    let arguments = ["speedup", "--positions", name, "--depth", "2,100", "--hash", "1"];
    let running = Running::start(&arguments);
    running.wait_for("profile modern, ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    assert!(lines.iter().any(|line| line.starts_with("interrupted after ")), "{lines:?}");
}

#[test]
fn regret_ends_with_the_positions_so_far() {
    let endless =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 scores \"e2e4 30 a2a3 0\";\n";
    let file = scratch("regret.epd", endless);
    let name = file.to_str().expect("a path in text");
    // A simulated search cannot be stopped in the middle.
    for setting in [&["depth=100"][..], &["simulated=4", "depth=100"]] {
        let running =
            Running::start(&[&["regret", "measure", name, "--setting"], setting].concat());
        running.wait_for("1 position to be searched in 1 setting");
        let (status, lines, errors) = running.interrupt();
        assert_eq!(status, Some(130), "{errors:?}");
        assert!(lines.iter().any(|line| line == "interrupted after 0 positions"), "{lines:?}");
    }
}

#[test]
fn a_suite_whose_program_has_yet_to_start_ends_with_130_too() {
    use std::os::unix::fs::PermissionsExt;
    let file = scratch("early.epd", "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;\n");
    let started = scratch("early.started", "");
    fs::remove_file(&started).expect("it was just written");
    let script = format!("#!/bin/sh\ntouch '{}'\nexec sleep 600\n", started.display());
    let engine = scratch("early.sh", &script);
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("it is ours");
    for is_terminal in [false, true] {
        let _ = fs::remove_file(&started);
        let words = [&file, &engine].map(|path| path.to_str().expect("a path in text"));
        let running = Running::start(&["suite", words[0], "--engine", words[1]]);
        let begun = std::time::Instant::now();
        while !started.exists() {
            assert!(begun.elapsed() < TIMEOUT, "the engine is not started");
            std::thread::sleep(Duration::from_millis(5));
        }
        let process = running.child.id();
        let (status, lines, errors) = match is_terminal {
            false => running.interrupt(),
            true => running.interrupt_all(&format!("-{process}")),
        };
        assert_eq!(status, Some(130), "{errors:?}");
        let told = "interrupted after 0 of 1 position";
        assert!(lines.iter().any(|line| line == told), "{lines:?}");
    }
}

/// Waits until the program has a handler for Ctrl-C.
#[cfg(target_os = "linux")]
fn wait_for_handler(running: &Running) {
    let status = format!("/proc/{}/status", running.child.id());
    let begun = std::time::Instant::now();
    loop {
        let text = fs::read_to_string(&status).expect("it runs");
        assert!(!text.contains("State:\tZ"), "it has ended: {:?}", running.errors.recv());
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // SIGINT is number 2.
        if caught.is_some_and(|mask| mask & 2 != 0) {
            return;
        }
        assert!(begun.elapsed() < TIMEOUT, "no handler: {text}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn benchmarks_and_counts_end_with_what_is_known() {
    for (arguments, last) in [
        (&["bench", "100"][..], "interrupted after 0 of 50 positions"),
        (&["perft", "30"], "interrupted: 0 of 20 moves are counted to the end"),
        (&["perft", "30", "--hash", "1"], "interrupted: 0 of 20 moves are counted to the end"),
    ] {
        let running = Running::start(arguments);
        wait_for_handler(&running);
        let (status, lines, errors) = running.interrupt();
        assert_eq!((status, errors), (Some(130), Vec::new()), "{arguments:?}");
        assert_eq!(lines.last().map(String::as_str), Some(last), "{arguments:?}");
    }
    let running = Running::start(&["perft", "30", "--divide", "--json"]);
    wait_for_handler(&running);
    let (status, lines, _) = running.interrupt();
    assert_eq!((status, lines.len()), (Some(130), 1));
    assert!(lines[0].ends_with(",\"divide\":{},\"interrupted\":true}"), "{lines:?}");
}

#[test]
fn a_list_of_counts_ends_with_those_that_were_made() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // The mismatch shows that the first count is made.
    let file = scratch("counts.epd", &format!("{start} ;D1 21 ;D30 1\n"));
    let running = Running::start(&["perft", "--suite", file.to_str().expect("a path in text")]);
    running.wait_for("mismatch");
    let (status, lines, errors) = running.interrupt();
    assert_eq!((status, errors), (Some(130), Vec::new()));
    let last: Vec<&str> = lines.iter().rev().take(2).rev().map(String::as_str).collect();
    let counted = "1 position, 1 count, 1 mismatch";
    assert_eq!(last, [counted, "interrupted: 1 of 2 counts were made"]);
}

#[test]
fn datagen_keeps_its_games_and_goes_on() {
    let folder = std::env::temp_dir().join(format!("rookery-datagen-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder is made");
    let name = |name: &str| folder.join(name).to_str().expect("a plain name").to_owned();
    let (stopped, whole) = (name("stopped.rkg"), name("whole.rkg"));
    let words = |file: &str, games: &str| -> Vec<String> {
        let words = ["datagen", "-o", file, "--games", games, "--nodes", "20", "--hash", "1"];
        [&words[..], &["--threads", "2"]].concat().into_iter().map(str::to_owned).collect()
    };
    let orders = words(&stopped, "1000000000");
    let mut running = Running::start(&orders.iter().map(String::as_str).collect::<Vec<_>>());
    // Some blocks of some kilobytes.
    while fs::metadata(&stopped).map_or(0, |file| file.len()) < 20_000 {
        let ended = running.child.try_wait().expect("it can be asked");
        assert!(ended.is_none(), "it has ended: {:?}", running.errors.recv());
        std::thread::sleep(Duration::from_millis(10));
    }
    let (status, lines, errors) = running.interrupt();
    assert_eq!((status, errors), (Some(130), Vec::new()));
    let games = lines[0].split(' ').nth(1).expect("it tells how many").to_owned();
    let kept = fs::read(&stopped).expect("the file is there");
    let finish = |file: &str| {
        let ended = Command::new(env!("CARGO_BIN_EXE_rookery")).args(words(file, &games)).output();
        assert!(ended.is_ok_and(|ended| ended.status.success()));
        fs::read(file).expect("the file is there")
    };
    assert_eq!(finish(&whole), kept, "{lines:?}");
    assert_eq!(finish(&stopped), kept);
    fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn an_experiment_says_what_is_kept_and_how_to_go_on() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interrupt-lab");
    let _ = fs::remove_dir_all(&folder);
    let name = folder.to_str().expect("a path in text");
    let running =
        Running::start(&["lab", "deep", "--out", name, "--threads", "1", "--first", "300"]);
    let searches = folder.join("searches");
    let is_search = |file: fs::DirEntry| file.file_name().to_string_lossy().starts_with("search-");
    let kept = || fs::read_dir(&searches).into_iter().flatten().flatten();
    let begun = std::time::Instant::now();
    while !kept().any(is_search) {
        assert!(begun.elapsed() < TIMEOUT, "no search is kept");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{lines:?} {errors:?}");
    assert!(errors.iter().any(|line| line.contains("searches are kept in")), "{errors:?}");
    let command = errors.iter().find(|line| line.starts_with("To go on with the rest: "));
    assert!(command.is_some_and(|line| line.ends_with("--threads 1 --first 300")), "{errors:?}");
    assert!(!folder.join("report.md").exists(), "no report is half done");
    let _ = fs::remove_dir_all(&folder);
}
