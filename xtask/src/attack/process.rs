//! A program that is run to its end, or to a deadline: what it said and how it ended.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is kept of an output; the rest is read and dropped.
const KEPT: usize = 16 << 20;

/// After this nothing that was asked for here can still be at work.
pub const HANG: Duration = Duration::from_secs(120);

/// The end of a program.
pub struct Ended {
    /// How it ended by itself; `None` if it had to be killed.
    pub status: Option<ExitStatus>,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// A crash or a hang, in words.
    pub fn fault(&self) -> Option<String> {
        let Some(status) = self.status else { return Some("it hangs".to_owned()) };
        crash(status, &self.err)
    }

    /// The exit status, if it ended by itself.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    /// The first line of its messages, for reports.
    pub fn first_error(&self) -> &str {
        self.err.lines().next().unwrap_or("")
    }
}

/// Whether a program has crashed, by its status and its messages.
pub fn crash(status: ExitStatus, err: &str) -> Option<String> {
    let panic = err.lines().find(|line| line.contains("panicked at"));
    match (status.signal(), panic) {
        (_, Some(line)) => Some(line.to_owned()),
        (Some(signal), _) => Some(format!("it was ended by signal {signal}")),
        _ => None,
    }
}

/// Reads to the end; keeps the beginning.
pub fn drain(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let (mut kept, mut buffer) = (Vec::new(), [0; 1 << 16]);
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let room = KEPT.saturating_sub(kept.len()).min(count);
            kept.extend_from_slice(&buffer[..room]);
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}

/// A program at work, with its outputs read.
pub struct Running {
    child: Child,
    out: JoinHandle<String>,
    err: JoinHandle<String>,
}

impl Running {
    /// Starts it; the input is written and closed.
    pub fn start(command: &mut Command, input: &[u8]) -> Result<Running, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            format!("{} cannot be started: {error}", command.get_program().display())
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("the pipes are missing".to_owned());
        };
        let (mut stdin, input) = (stdin, input.to_vec());
        // It may leave before it has read everything.
        thread::spawn(move || drop(stdin.write_all(&input)));
        Ok(Running { child, out: drain(stdout), err: drain(stderr) })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether it ends by itself within this time; not waited for longer.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while !self.has_ended() {
            let left = time.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return false;
            }
            thread::sleep(left.min(Duration::from_millis(5)));
        }
        true
    }

    /// Kills it; whether it was still at work.
    pub fn kill(mut self) -> bool {
        let was_at_work = !self.has_ended();
        let _ = (self.child.kill(), self.child.wait());
        was_at_work
    }

    /// Waits for its end, calls `watch` meanwhile, and kills it after the deadline.
    pub fn end_watched(mut self, within: Duration, mut watch: impl FnMut(u32)) -> Ended {
        let begun = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if begun.elapsed() < within => {
                    watch(self.child.id());
                    thread::sleep(Duration::from_millis(2));
                }
                _ => {
                    let _ = (self.child.kill(), self.child.wait());
                    break None;
                }
            }
        };
        let text = |thread: JoinHandle<String>| thread.join().unwrap_or_default();
        Ended { status, out: text(self.out), err: text(self.err) }
    }

    /// Waits for its end.
    pub fn end(self, within: Duration) -> Ended {
        self.end_watched(within, |_| ())
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command, input: &[u8], within: Duration) -> Result<Ended, String> {
    Ok(Running::start(command, input)?.end(within))
}

/// The most memory that a process has had, in megabytes; 0 where the system does not tell.
pub fn peak_megabytes(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.map_or(0, |kilobytes: u64| kilobytes >> 10)
}

/// A command as it would be typed.
pub fn typed(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| crate::run::quoted(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn an_end_a_crash_and_a_hang_are_told_apart() {
        let end = run(&mut shell("cat; echo no >&2; exit 3"), b"said", HANG).expect("it starts");
        assert_eq!((end.code(), end.fault(), end.out.as_str()), (Some(3), None, "said"));
        assert_eq!(end.first_error(), "no");
        let end = run(&mut shell("kill -ABRT $$"), b"", HANG).expect("it starts");
        assert_eq!(end.fault().as_deref(), Some("it was ended by signal 6"));
        let end = run(&mut shell("echo thread main panicked at x >&2; exit 1"), b"", HANG);
        assert!(end.expect("it starts").fault().is_some_and(|what| what.contains("panicked")));
        let brief = Duration::from_millis(50);
        let end = run(&mut shell("exec sleep 60"), b"", brief).expect("it starts");
        assert_eq!(end.fault().as_deref(), Some("it hangs"));
    }
}
