//! An engine as another process: lines go in, lines come out, and none of both can hang us.
//!
//! A thread reads what the engine writes, notes when it came, and puts it into a queue of bounded
//! length: an engine that writes without end is stopped by its full pipe, not by our memory.

use crate::lines::{self, Line};
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that may wait to be looked at.
const WAITING_LINES: usize = 4096;
/// How long a process that has closed its output may take to say how it ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A line and when it was read.
pub struct Heard {
    pub text: String,
    pub at: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time for it has passed.
    Late,
    /// The engine has closed its output: it has ended, most likely.
    Ended,
}

/// A running engine. Dropping it ends it.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Heard>,
}

impl Process {
    /// Starts a program. What it writes to its standard error goes nowhere.
    pub fn start(
        program: &Path,
        arguments: &[String],
        directory: Option<&Path>,
    ) -> Result<Process, String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        // An engine is no part of the job that plays the match.
        cluster::job_variables().for_each(|name| _ = command.env_remove(name));
        let refused = |error| format!("{} cannot be started: {error}", program.display());
        let mut child = command.spawn().map_err(refused)?;
        let input = child.stdin.take();
        let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            thread::Builder::new()
                .name(String::from("engine output"))
                .spawn(move || listen(output, &sender))
                .map_err(refused)?;
        }
        Ok(Process { child, input, lines })
    }

    /// Writes a line. An engine that has gone away is noticed when it is listened to.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let sent = input.write_all(format!("{line}\n").as_bytes());
            if sent.and_then(|()| input.flush()).is_err() {
                self.input = None;
            }
        }
    }

    /// Waits for the next line, at most until a point in time.
    pub fn hear(&mut self, deadline: Instant) -> Result<Heard, Silence> {
        let patience = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// How the process ended, after it has closed its output.
    pub fn last_words(&mut self) -> String {
        let deadline = Instant::now() + LAST_WORDS;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) => return String::from("its output is closed"),
                Err(error) => return error.to_string(),
            }
        }
    }

    /// Says good-bye and waits for the end of the process; what has not ended in time is killed.
    pub fn part(mut self, farewell: &str, patience: Duration) {
        self.send(farewell);
        self.input = None;
        let deadline = Instant::now() + patience;
        while self.hear(deadline).is_ok() {}
    }
}

impl Drop for Process {
    /// Nothing survives; a process that has ended already is not hurt.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on until the output ends or nobody wants them any more.
fn listen(output: ChildStdout, lines: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    let mut buffer = Vec::new();
    loop {
        match lines::read(&mut output, &mut buffer) {
            Err(_) | Ok(Line::End) => return,
            Ok(Line::TooLong) => {}
            Ok(Line::Whole) => {
                let at = Instant::now();
                let text = String::from_utf8_lossy(&buffer).trim().to_owned();
                if lines.send(Heard { text, at }).is_err() {
                    return;
                }
            }
        }
    }
}
