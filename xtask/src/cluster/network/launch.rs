//! The program on two hosts that are namespaces: mpirun on the first, with a script in place of a login to
//! the second.

use super::hosts::{ADDRESSES, Hosts, NETWORK};
use rustix::process::WaitOptions;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

/// A run that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(1800);
/// How long mpirun may take to end its processes before it is ended itself.
const GRACE: Duration = Duration::from_secs(5);

/// What can stand in the way, as one line.
pub fn check() -> Result<(), String> {
    let said = Command::new("mpirun").arg("--version").output();
    let said = said.map_err(|error| format!("mpirun cannot be started: {error}"))?;
    match String::from_utf8_lossy(&said.stdout).contains("Open MPI") {
        true => Ok(()),
        false => Err("mpirun is not that of Open MPI, whose options are used here".to_owned()),
    }
}

/// Starts programs on both hosts.
pub struct Launcher<'a> {
    hosts: &'a Hosts,
    agent: PathBuf,
}

impl Launcher<'_> {
    /// Gets ready.
    pub fn new(hosts: &Hosts) -> Result<Launcher<'_>, String> {
        let agent = hosts.folder().join("agent");
        let write = || {
            fs::write(&agent, script(hosts.names()[1]))?;
            fs::set_permissions(&agent, fs::Permissions::from_mode(0o755))
        };
        write().map_err(|error| format!("{}: {error}", agent.display()))?;
        Ok(Launcher { hosts, agent })
    }

    /// Runs a program with one process on each host; what the first says.
    pub fn run(&self, program: &Path, arguments: &[String]) -> Result<String, String> {
        let call = format!("{} {}", program.display(), arguments.join(" "));
        let mut child = self
            .command(program, arguments)
            .spawn()
            .map_err(|error| format!("`{call}` cannot be started: {error}"))?;
        let output = child.stdout.take();
        let reader = thread::spawn(move || {
            let mut said = String::new();
            // The reader notices what is cut off.
            let _ = output.map(|mut output| output.read_to_string(&mut said));
            said
        });
        let good = wait(&mut child);
        await_orphans(GRACE);
        let good = good?;
        let said = reader.join().unwrap_or_default();
        if good { Ok(said) } else { Err(format!("`{call}` failed on two hosts")) }
    }

    fn command(&self, program: &Path, arguments: &[String]) -> Command {
        let mut command = Command::new("ip");
        command
            .args(["netns", "exec", self.hosts.names()[0], "mpirun", "-n", "2"])
            .args(["--host", &ADDRESSES.join(","), "--bind-to", "none"])
            .args(["--mca", "btl", "tcp,self"])
            .args(["--mca", "btl_tcp_if_include", NETWORK])
            .args(["--mca", "oob_tcp_if_include", NETWORK])
            .args(["--mca", "plm_rsh_agent"])
            .arg(&self.agent)
            .arg(program)
            .args(arguments)
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_mpi_yield_when_idle", "0")
            // Ctrl-C is for us: we tell mpirun.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }
}

/// From now on processes whose parents have ended before them, as those of mpirun do on other hosts, are
/// ours: what they have done is counted, and they are waited for.
pub fn adopt_orphans() {
    // Where it is refused, what they did counts as that of others.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Waits until no child of this process is left, adopted ones included, but not longer than this. No other
/// thread may wait for a child meanwhile.
fn await_orphans(longest: Duration) {
    let begun = Instant::now();
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(None) if begun.elapsed() < longest => thread::sleep(Duration::from_millis(5)),
            // One has ended: there may be more.
            Ok(Some(_)) => (),
            _ => return,
        }
    }
}

/// Called with an address and what is to be run there, as a shell would be over the network.
fn script(second: &str) -> String {
    format!("#!/bin/sh\nshift\nexec ip netns exec {second} sh -c \"$*\"\n")
}

/// Waits for the end, and says whether it was a good one; after Ctrl-C, or after too long, ends the child.
fn wait(child: &mut Child) -> Result<bool, String> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| format!("mpirun: {error}"))? {
            return Ok(status.success());
        }
        let reason = match (super::INTERRUPTED.load(Relaxed), begun.elapsed() > TIME_LIMIT) {
            (true, _) => "interrupted".to_owned(),
            (_, true) => format!("mpirun takes more than {} s", TIME_LIMIT.as_secs()),
            _ => {
                thread::sleep(Duration::from_millis(20));
                continue;
            }
        };
        end(child);
        return Err(reason);
    }
}

/// Asks mpirun to end with all its processes, and insists.
fn end(child: &mut Child) {
    let asked = Instant::now();
    // One that has just ended need not be asked.
    let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    while asked.elapsed() < GRACE {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_program_is_waited_for() {
        let run = |program: &str| wait(&mut Command::new(program).spawn().unwrap());
        assert_eq!((run("true"), run("false")), (Ok(true), Ok(false)));
    }

    #[test]
    fn one_that_goes_on_is_ended() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        end(&mut child);
        assert!(child.try_wait().is_ok_and(|status| status.is_some()));
    }

    #[test]
    fn the_script_ignores_the_address() {
        let lines = script("rookery-7-2");
        assert!(lines.contains("\nshift\nexec ip netns exec rookery-7-2 sh -c \"$*\"\n"));
    }
}
