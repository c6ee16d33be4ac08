//! `cargo xtask cluster`: the program under mpirun, interrupted and robbed of processes.

#[cfg(target_os = "linux")]
mod network;

use crate::run::{Cargo, target};
use crate::{test, tools};
use clap::Subcommand;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Trials of the cluster.
#[derive(Subcommand)]
pub enum Cluster {
    /// Interrupt searches at random moments, and end the program in the middle of others.
    ///
    /// Each must answer exactly once, and all processes must end by themselves. The tests interrupt a few
    /// dozen.
    Storm {
        /// How many searches.
        #[arg(long, default_value_t = 1000)]
        searches: u32,
    },
    /// Kill or stop a random process at a random time (Open MPI with --enable-recovery).
    ///
    /// The others must go on and every value must be that of minimax.
    Faults {
        /// How often.
        #[arg(long, default_value_t = 200)]
        trials: u32,
        /// Processes in each.
        #[arg(long, default_value_t = 4)]
        processes: u32,
    },
    /// Search on two hosts with a long way between them, and say what that costs (Linux, root).
    ///
    /// The hosts are network namespaces. The kernel (netem) delays what goes between them; where it cannot,
    /// only the way without delay is measured. For each delay: the round trip, the grain that follows from
    /// it, and the speedup over one process. Everything is removed at the end; what one that was killed has
    /// left behind, by the next.
    #[cfg(target_os = "linux")]
    Network(network::Arguments),
}

/// A trial that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(180);
/// A process is lost within this time after all are connected, in milliseconds.
const KILLED_WITHIN_MS: u64 = 700;

/// Runs one; whether it ended well.
pub fn run(root: &Path, what: &Cluster) -> bool {
    if let Err(missing) = tools::mpi() {
        eprintln!("xtask: {missing}");
        return false;
    }
    match what {
        Cluster::Storm { searches } => {
            let dialogues = test::dialogues_over_mpi().argument("searches_that");
            dialogues.variable("ROOKERY_MPI_SEARCHES", searches.to_string()).run(root)
        }
        Cluster::Faults { trials, processes } => {
            call(root, &laws_build()).is_ok() && faults(root, *trials, *processes)
        }
        #[cfg(target_os = "linux")]
        Cluster::Network(arguments) => {
            let result = network::run(root, arguments);
            if let Err(error) = &result {
                eprintln!("xtask: {error}");
            }
            result.is_ok()
        }
    }
}

/// The tests that are part of every run: laws with several numbers of processes, and dialogues.
pub fn quick(root: &Path, dialogues: &Cargo) -> Result<(), String> {
    call(root, &laws_build())?;
    let runs: [(u32, &[&str]); 4] = [(2, &["1"]), (3, &["1"]), (3, &["1", "--near"]), (4, &["1"])];
    for (processes, arguments) in runs {
        let mut command = laws(root, processes, arguments);
        println!("{command:?}");
        let mut child = command.spawn().map_err(|error| format!("mpirun: {error}"))?;
        if ends_well(&mut child) != Some(true) {
            return Err(format!("mpirun -n {processes} target/debug/examples/laws"));
        }
    }
    call(root, dialogues)
}

fn call(root: &Path, command: &Cargo) -> Result<(), String> {
    println!("{command}");
    if command.run(root) { Ok(()) } else { Err(command.to_string()) }
}

/// Builds the laws, from the crates that the tests are built from.
fn laws_build() -> Cargo {
    Cargo::new("build --workspace --features rookery/manual,rookery/mpi,rookery/web --example laws")
}

/// Several processes of the laws. More of them than processors are allowed, and to be root.
fn laws(root: &Path, processes: u32, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command
        .current_dir(root)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("OMPI_MCA_mpi_yield_when_idle", "0")
        .env("OMPI_MCA_hwloc_base_binding_policy", "none")
        .stdin(Stdio::null());
    if arguments.contains(&"--lose") {
        command.arg("--enable-recovery");
    }
    command.args(["-n", &processes.to_string()]).arg(target(root).join("debug/examples/laws"));
    command.args(arguments);
    command
}

/// Waits for the end; whether it was a good one, or nothing if it does not come.
fn ends_well(child: &mut Child) -> Option<bool> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if begun.elapsed() < TIME_LIMIT => thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                return None;
            }
        }
    }
}

fn faults(root: &Path, trials: u32, processes: u32) -> bool {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut good, mut hit) = (0, 0);
    for trial in 1..=trials {
        let (after, victim) = (random.u64(..KILLED_WITHIN_MS), random.u32(1..processes.max(2)));
        let signal = ["-KILL", "-STOP"][random.usize(..2)];
        // Every strategy has its turn, and every other time with memory in common.
        let ways: [&[&str]; 2] = [&["--lose"], &["--lose", "--near"]];
        let number = (trial / 2).to_string();
        let arguments = [&[number.as_str()], ways[trial as usize % 2]].concat();
        let mut command = laws(root, processes, &arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            eprintln!("xtask: mpirun cannot be started");
            return false;
        };
        let Some(output) = child.stdout.take() else { return false };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.take_while(|line| sender.send(line.clone()).is_ok()).count()
        });
        // All are connected when the first says so: before, the library itself would wait for the lost one.
        let begun = lines.recv_timeout(TIME_LIMIT).is_ok();
        thread::sleep(Duration::from_millis(after));
        let target = process_of(child.id(), victim).filter(|_| begun);
        if let Some(target) = target {
            hit += 1;
            send(signal, target);
        }
        // The launcher writes of the lost one in between.
        let mut heard = std::iter::from_fn(|| lines.recv_timeout(TIME_LIMIT).ok());
        let said = heard.find(|line| line.starts_with("law")).unwrap_or_default();
        if let Some(target) = target {
            // The launcher waits for one that is only stopped.
            send("-KILL", target);
        }
        let holds = !said.is_empty() && ends_well(&mut child).is_some();
        good += u32::from(holds);
        let note = if target.is_some() { "" } else { " (it had ended)" };
        println!(
            "trial {trial}: process {victim}{note} {signal} after {after} ms: {holds}: {said}"
        );
    }
    println!("{good} of {trials} trials ended with the right values; {hit} hit a running process");
    good == trials
}

/// The process with a number among the children of a launcher.
fn process_of(launcher: u32, number: u32) -> Option<u32> {
    let wanted = format!("OMPI_COMM_WORLD_RANK={number}");
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    let mut numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.find(|process| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        parent.is_some_and(|parent| parent.trim() == launcher.to_string())
            && environment.split(|&byte| byte == 0).any(|word| word == wanted.as_bytes())
    })
}

fn send(signal: &str, process: u32) {
    // One that is gone already is as lost as it should be.
    let _ =
        Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
}
