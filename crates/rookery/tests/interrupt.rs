//! Ctrl-C: what has been found so far is shown, and the exit status is 130.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use support::{Dialogue, Folder, ROOKERY, program, wait_until, well};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Starts the program, in a group of its own.
fn start(arguments: &[&str]) -> Dialogue {
    Dialogue::of(program(arguments).process_group(0))
}

/// Sends Ctrl-C as a terminal does, or to the program alone.
fn interrupt(running: Dialogue, is_terminal: bool) -> (Option<i32>, Vec<String>, Vec<String>) {
    let process = format!("-{}", running.child.id());
    if is_terminal { running.interrupt_all(&process) } else { running.interrupt() }
}

#[test]
fn the_analysis_of_a_position_ends_with_what_was_found() {
    let running = start(&["analyse", "startpos", "--depth", "200", "--hash", "16"]);
    running.wait_for("    3  ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    assert!(lines.iter().any(|line| line.starts_with("Best move:")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Nodes:")), "{lines:?}");
}

#[test]
fn a_request_to_terminate_is_followed_as_ctrl_c_is() {
    let running = start(&["analyse", "startpos", "--depth", "200", "--hash", "16"]);
    running.wait_for("    3  ");
    let process = running.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &process]).status().expect("kill").success());
    let (lines, status) = running.close();
    assert_eq!(status.code(), Some(130));
    assert!(lines.iter().any(|line| line.starts_with("Best move:")), "{lines:?}");
}

#[test]
fn games_are_answered_one_by_one_and_counted_after_ctrl_c() {
    let arguments = ["analyse", "-", "--nodes", "100", "--hash", "1", "--threads", "1"];
    let mut running = start(&arguments);
    // The input stays open: what is there must be answered nevertheless.
    running.send_bytes(b"1. e4 e5 *\n\n1. d4 d5 *\n\n[Event \"not whole\"]\n");
    running.wait_for("1. e4 ");
    running.wait_for("1. d4 ");
    let (status, _, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    assert!(errors.iter().any(|line| line.starts_with("2 games, 6 positions, ")), "{errors:?}");
}

#[test]
fn an_output_that_was_begun_stays_for_the_next_run() {
    let folder = Folder::new("begun");
    let name = folder.file("begun.pgn");
    let arguments = ["analyse", "-", "--nodes", "100", "--hash", "1", "--output", &name];
    let mut running = start(&arguments);
    running.send_bytes(b"1. e4 e5 *\n\n1. d4 d5 *\n\n");
    running.wait_for("2: ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let said = lines.iter().find(|line| line.starts_with("interrupted: 2 games are in "));
    assert!(said.is_some_and(|line| line.ends_with("; the same command goes on")), "{lines:?}");
    let names = folder.names();
    assert!(
        !names.contains(&"begun.pgn".to_owned()) && names.contains(&"begun.pgn.part".to_owned())
    );
    let mut running = start(&arguments);
    running.send_bytes(b"1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 *\n");
    drop(running.input.take());
    running.wait_for("2 games are done already");
    running.wait_for("1 game, 2 positions");
    assert!(running.close().1.success() && folder.names().contains(&"begun.pgn".to_owned()));
}

#[test]
fn a_suite_ends_with_the_sum_of_what_was_solved() {
    let folder = Folder::new("suite");
    let name = folder.write(
        "suite.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"short\";\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"long\";\n",
    );
    let running = start(&["suite", &name, "--depth", "100", "--hash", "16"]);
    running.wait_for("+ short: ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let last: Vec<&str> = lines.iter().rev().take(2).map(String::as_str).collect();
    assert_eq!(last, ["solved 1 of 1", "interrupted after 1 of 2 positions"]);
}

#[test]
fn a_rival_is_not_waited_for() {
    let short = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"short\";\n";
    let folder = Folder::new("rival");
    let name = folder.write("rival.epd", format!("{short}{START} w KQkq - bm e4;\n"));
    for is_terminal in [false, true] {
        let running = start(&["suite", &name, "--depth", "100", "--engine", ROOKERY]);
        running.wait_for("+ short: ");
        let (status, lines, errors) = interrupt(running, is_terminal);
        assert_eq!(status, Some(130), "{errors:?}");
        assert_eq!(lines.last().map(String::as_str), Some("solved 1 of 1"));
    }
}

#[test]
fn a_simulation_ends_with_the_rows_so_far() {
    let arguments = ["sim", "--processors", "2,4", "--depth", "2,30", "--first", "1"];
    let running = start(&arguments);
    running.wait_for("     2     2    1");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("interrupted after 1 of 2 rows"), "{lines:?}");
}

#[test]
fn a_comparison_ends_with_the_rows_so_far() {
    let arguments = ["sim", "--compare", "--processors", "1", "--depth", "30", "--first", "1"];
    let running = start(&arguments);
    running.wait_for("All strategies");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("interrupted after 0 of 5 rows"), "{lines:?}");
}

#[test]
fn a_measurement_ends_with_what_was_measured() {
    let folder = Folder::new("speedup");
    let positions = format!("6k1/5ppp/8/8/8/8/8/K2R4 w - -\n{START} w KQkq -\n");
    let name = folder.write("speedup.epd", positions);
    let arguments = ["speedup", "--positions", &name, "--depth", "2,100", "--hash", "1"];
    let running = start(&arguments);
    running.wait_for("profile modern, ");
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{errors:?}");
    assert!(lines.iter().any(|line| line.starts_with("interrupted after ")), "{lines:?}");
}

#[test]
fn regret_ends_with_the_positions_so_far() {
    let folder = Folder::new("regret");
    let endless = format!("{START} w KQkq - 0 1 scores \"e2e4 30 a2a3 0\";\n");
    let name = folder.write("regret.epd", endless);
    // A simulated search cannot be stopped in the middle.
    for setting in [&["depth=100"][..], &["simulated=4", "depth=100"]] {
        let running = start(&[&["regret", "measure", &name, "--setting"], setting].concat());
        running.wait_for("1 position to be searched in 1 setting");
        let (status, lines, errors) = running.interrupt();
        assert_eq!(status, Some(130), "{errors:?}");
        assert!(lines.iter().any(|line| line == "interrupted after 0 positions"), "{lines:?}");
    }
}

#[test]
fn a_suite_whose_program_has_yet_to_start_ends_with_130_too() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("early");
    let file = folder.write("early.epd", "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;\n");
    let started = folder.file("started");
    let script = format!("#!/bin/sh\ntouch '{started}'\nexec sleep 600\n");
    let engine = folder.write("early.sh", script);
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("it is ours");
    for is_terminal in [false, true] {
        let _ = fs::remove_file(&started);
        let running = start(&["suite", &file, "--engine", &engine]);
        wait_until("the engine", || Path::new(&started).exists());
        let (status, lines, errors) = interrupt(running, is_terminal);
        assert_eq!(status, Some(130), "{errors:?}");
        let told = "interrupted after 0 of 1 position";
        assert!(lines.iter().any(|line| line == told), "{lines:?}");
    }
}

/// Waits until the program has a handler for Ctrl-C.
#[cfg(target_os = "linux")]
fn wait_for_handler(running: &Dialogue) {
    let status = format!("/proc/{}/status", running.child.id());
    wait_until("a handler", || {
        let text = fs::read_to_string(&status).expect("it runs");
        assert!(!text.contains("State:\tZ"), "it has ended: {:?}", running.complaint());
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // SIGINT is number 2.
        caught.is_some_and(|mask| mask & 2 != 0)
    });
}

#[cfg(target_os = "linux")]
#[test]
fn benchmarks_and_counts_end_with_what_is_known() {
    for (arguments, last) in [
        (&["bench", "100"][..], "interrupted after 0 of 50 positions"),
        (&["perft", "30"], "interrupted: 0 of 20 moves are counted to the end"),
        (&["perft", "30", "--hash", "1"], "interrupted: 0 of 20 moves are counted to the end"),
    ] {
        let running = start(arguments);
        wait_for_handler(&running);
        let (status, lines, errors) = running.interrupt();
        assert_eq!((status, errors), (Some(130), Vec::new()), "{arguments:?}");
        assert_eq!(lines.last().map(String::as_str), Some(last), "{arguments:?}");
    }
    let running = start(&["perft", "30", "--divide", "--json"]);
    wait_for_handler(&running);
    let (status, lines, _) = running.interrupt();
    assert_eq!((status, lines.len()), (Some(130), 1));
    assert!(lines[0].ends_with(",\"divide\":{},\"interrupted\":true}"), "{lines:?}");
}

#[test]
fn a_list_of_counts_ends_with_those_that_were_made() {
    let folder = Folder::new("counts");
    // The mismatch shows that the first count is made.
    let file = folder.write("counts.epd", format!("{START} w KQkq - 0 1 ;D1 21 ;D30 1\n"));
    let running = start(&["perft", "--suite", &file]);
    running.wait_for("mismatch");
    let (status, lines, errors) = running.interrupt();
    assert_eq!((status, errors), (Some(130), Vec::new()));
    let last: Vec<&str> = lines.iter().rev().take(2).rev().map(String::as_str).collect();
    let counted = "1 position, 1 count, 1 mismatch";
    assert_eq!(last, [counted, "interrupted: 1 of 2 counts were made"]);
}

#[test]
fn datagen_keeps_its_games_and_goes_on() {
    let folder = Folder::new("datagen");
    let (stopped, whole) = (folder.file("stopped.rkg"), folder.file("whole.rkg"));
    let limits = ["--nodes", "20", "--hash", "1", "--threads", "2"];
    let words = |file, games| [&["datagen", "-o", file, "--games", games], &limits[..]].concat();
    let mut running = start(&words(&stopped, "1000000000"));
    wait_until("some blocks of some kilobytes", || {
        let ended = running.child.try_wait().expect("it can be asked");
        assert!(ended.is_none(), "it has ended: {:?}", running.complaint());
        fs::metadata(&stopped).is_ok_and(|file| file.len() >= 20_000)
    });
    let (status, lines, errors) = running.interrupt();
    // On a busy machine it may have told how far it is.
    let is_told = |line: &String| line.starts_with("rookery: ") && line.contains(" games/s, ");
    assert!(status == Some(130) && errors.iter().all(is_told), "{status:?} {errors:?}");
    let games = lines[0].split(' ').nth(1).expect("it tells how many").to_owned();
    let kept = folder.read("stopped.rkg");
    for file in [&whole, &stopped] {
        well(&words(file, &games));
        assert_eq!(fs::read(file).expect("the file is there"), kept, "{lines:?}");
    }
}

#[test]
fn an_experiment_says_what_is_kept_and_how_to_go_on() {
    let folder = Folder::new("lab");
    let words = ["lab", "deep", "--out", folder.name(), "--threads", "1", "--first", "300"];
    let running = start(&words);
    let searches = folder.0.join("searches");
    let is_search = |file: fs::DirEntry| file.file_name().to_string_lossy().starts_with("search-");
    let kept = || fs::read_dir(&searches).into_iter().flatten().flatten();
    wait_until("a search that is kept", || kept().any(is_search));
    let (status, lines, errors) = running.interrupt();
    assert_eq!(status, Some(130), "{lines:?} {errors:?}");
    assert!(errors.iter().any(|line| line.contains("searches are kept in")), "{errors:?}");
    let command = errors.iter().find(|line| line.starts_with("To go on with the rest: "));
    assert!(command.is_some_and(|line| line.ends_with("--threads 1 --first 300")), "{errors:?}");
    assert!(!folder.0.join("report.md").exists(), "no report is half done");
}
