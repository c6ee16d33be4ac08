//! Ctrl-C in every command that works for long: it shows what it has so far and ends with status 130,
//! whether the signal goes to the program alone or, as a terminal sends it, to its engines too.

use super::ground::Ground;
use super::process::{Running, typed};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// After this a command that was asked to end hangs.
const END_WITHIN: Duration = Duration::from_secs(60);
/// After this a command that has not asked for the signal never will.
const LISTENS_WITHIN: Duration = Duration::from_secs(20);
/// As shells have it: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

type Start = fn(&Ground, &Path) -> Command;

/// Commands that would work for many minutes.
const COMMANDS: [(&str, Start); 7] = [
    ("match", |ground, _| {
        let program = format!("cmd={}", ground.program().display());
        let mut command = ground.command(&["match", "--engine", &program, "name=one"]);
        command.args(["--engine", &program, "name=two", "--each", "nodes=2000"]);
        command.args(["--games", "10000"]);
        command
    }),
    ("suite", |ground, _| {
        let mut command = ground.command(&["suite"]);
        command.arg(ground.data("epd/wacnew.epd")).args(["--time", "5", "--threads", "1"]);
        command
    }),
    ("analyse", |ground, _| {
        let mut command = ground.command(&["analyse"]);
        command.arg(ground.data("pgn/twic1599.pgn")).args(["--nodes", "20000", "--hash", "1"]);
        command
    }),
    ("analyse --output", |ground, folder| {
        let mut command = ground.command(&["analyse"]);
        command.arg(ground.data("pgn/twic1599.pgn")).args(["--nodes", "20000", "--hash", "1"]);
        command.arg("--output").arg(folder.join("annotated.pgn"));
        command
    }),
    ("sim", |ground, _| ground.command(&["sim", "--processors", "64", "--depth", "8"])),
    ("speedup", |ground, _| {
        ground.command(&["speedup", "--threads", "2", "--depth", "16", "--hash", "16"])
    }),
    ("endgame build", |ground, folder| {
        let mut command = ground.command(&["endgame", "build", "--men", "5", "--dir"]);
        command.arg(folder);
        command
    }),
];

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let mut slowest = Duration::ZERO;
    for round in 0..ground.times(2, 6, 20) {
        for (name, start) in COMMANDS {
            ground.attempted(1);
            let folder = ground.fresh("work")?;
            let (what, took) = interrupt(ground, start(ground, &folder), round % 2 == 1)?;
            slowest = slowest.max(took);
            if let Some(what) = what {
                let way = if round % 2 == 1 { "kill -INT -GROUP" } else { "kill -INT" };
                let case = format!("{}; {way}", typed(&start(ground, &folder)));
                ground.found(format!("{name}: {what}"), case);
            }
        }
    }
    ground.note(format!("slowest end {} ms", slowest.as_millis()));
    Ok(())
}

/// Interrupts one at a random moment: what was wrong, and how long its end took.
fn interrupt(
    ground: &mut Ground,
    mut command: Command,
    whole_group: bool,
) -> Result<(Option<String>, Duration), String> {
    command.process_group(0);
    let mut running = Running::start(&mut command, b"")?;
    let listens = wait_until_it_listens(&mut running);
    thread::sleep(Duration::from_millis(ground.random.u64(1..1500)));
    if running.has_ended() {
        let ended = running.end(END_WITHIN);
        let told = format!("it ended by itself with {:?}: {}", ended.code(), ended.first_error());
        return Ok((Some(told), Duration::ZERO));
    }
    let id = i32::try_from(running.id()).ok().and_then(Pid::from_raw).ok_or("it has no number")?;
    let begun = Instant::now();
    let sent = match whole_group {
        true => kill_process_group(id, Signal::INT),
        false => kill_process(id, Signal::INT),
    };
    sent.map_err(|error| format!("kill: {error}"))?;
    let ended = running.end(END_WITHIN);
    let took = begun.elapsed();
    // Engines that a killed match has left behind.
    let _ = kill_process_group(id, Signal::KILL);
    let what = match (ended.fault(), ended.code()) {
        (Some(fault), _) if !listens => Some(format!("it does not ask for the signal; {fault}")),
        (Some(fault), _) => Some(fault),
        (None, Some(INTERRUPTED)) if ended.out.trim().is_empty() && ended.err.trim().is_empty() => {
            Some("it shows nothing of what it has done".to_owned())
        }
        (None, Some(INTERRUPTED)) => None,
        (None, status) => Some(format!("status {status:?}: {}", ended.first_error())),
    };
    Ok((what, took))
}

/// Waits until the program has asked to be told of Ctrl-C (Linux tells); whether it has.
fn wait_until_it_listens(running: &mut Running) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < LISTENS_WITHIN && !running.has_ended() {
        if catches_interrupts(running.id()) {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

fn catches_interrupts(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & 1 << (Signal::INT.as_raw() - 1) != 0)
}
