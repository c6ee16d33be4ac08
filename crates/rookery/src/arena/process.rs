//! An engine as another process: lines go in, lines come out, and none of both can hang us.
//!
//! A thread reads what the engine writes, notes when it came, and puts it into a [`Queue`] of bounded
//! size.

use super::arrival::Timed;
use super::queue::{Heard, Queue, Silence};
use crate::lines::{self, Line};
use crate::{children, interrupt};
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process that has closed its output may take to say how it ended.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long an engine may leave its input unread when the pipe is full, and how often it is tried.
const UNREAD: Duration = Duration::from_secs(10);
const TRY_AGAIN: Duration = Duration::from_millis(1);
/// How long an engine may take to leave when the user waits for it.
const HASTY_FAREWELL: Duration = Duration::from_secs(2);

/// The flag that calls games off: waits for an engine end, and so does the game.
#[derive(Clone, Default)]
pub struct Recall(Arc<AtomicBool>);

impl Recall {
    /// Calls the games off.
    pub fn call_off(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether they are called off, by us or by Ctrl-C.
    pub fn is_called_off(&self) -> bool {
        self.0.load(Relaxed) || interrupt::requested()
    }
}

/// A running engine. Dropping it ends it.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    /// How long its input may be unread.
    unread: Duration,
    lines: Arc<Queue>,
    recall: Recall,
}

impl Process {
    /// Starts a program. What it writes to its standard error goes nowhere.
    pub fn start(
        program: &Path,
        arguments: &[String],
        directory: Option<&Path>,
        recall: &Recall,
    ) -> Result<Process, String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        children::set_apart(&mut command);
        // An engine is no part of the job that plays the match.
        cluster::job_variables().for_each(|name| _ = command.env_remove(name));
        let refused = |error| format!("{} cannot be started: {error}", program.display());
        let mut child = command.spawn().map_err(refused)?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let lines = Arc::<Queue>::default();
        // From here on the process ends with this value, whatever fails.
        let (queue, recall) = (lines.clone(), recall.clone());
        let process = Process { child, input, unread: UNREAD, lines: queue, recall };
        #[cfg(unix)]
        if let Some(input) = &process.input {
            files::never_wait(input).map_err(refused)?;
        }
        thread::Builder::new()
            .name(String::from("engine output"))
            .spawn(move || listen(output, &lines))
            .map_err(refused)?;
        Ok(process)
    }

    /// Writes a line. An engine that has gone away, or does not read what it is told, is noticed when it
    /// is listened to.
    pub fn send(&mut self, line: &str) {
        let Some(input) = &mut self.input else { return };
        if write_line(input, line, self.unread, &self.recall).is_err() {
            self.input = None;
        }
    }

    /// The next line that came before a point in time, waited for until then.
    pub fn hear(&mut self, deadline: Instant) -> Result<Heard, Silence> {
        self.lines.pop(deadline, || self.recall.is_called_off())
    }

    /// Drops everything that has come and has not been asked for.
    pub fn drain(&mut self) {
        self.lines.clear();
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
    pub fn part(mut self, farewell: &str, timeout: Duration) {
        self.send(farewell);
        self.input = None;
        let now = Instant::now();
        let (deadline, hasty) = (now + timeout, now + HASTY_FAREWELL);
        let recall = &self.recall;
        let is_enough = || recall.is_called_off() && Instant::now() >= hasty;
        let silence = loop {
            if let Err(silence) = self.lines.pop(deadline, is_enough) {
                break silence;
            }
        };
        if silence == Silence::Ended {
            // It may have something to put away after its last word.
            self.last_words();
        }
    }
}

impl Drop for Process {
    /// Nothing survives, not even what the engine has started itself.
    fn drop(&mut self) {
        self.lines.close();
        children::end(&mut self.child);
    }
}

/// Writes a line to a pipe that may be full, though not for ever.
fn write_line(
    input: &mut ChildStdin,
    line: &str,
    unread: Duration,
    recall: &Recall,
) -> io::Result<()> {
    let text = format!("{line}\n");
    let mut rest = text.as_bytes();
    let mut deadline = None;
    while !rest.is_empty() {
        match input.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => rest = &rest[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let deadline = *deadline.get_or_insert_with(|| Instant::now() + unread);
                if Instant::now() >= deadline || recall.is_called_off() {
                    return Err(error);
                }
                thread::sleep(TRY_AGAIN);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Passes lines on until the output ends or the queue is closed.
fn listen(output: Option<ChildStdout>, lines: &Queue) {
    if let Some(output) = output {
        let mut output = BufReader::new(Timed::new(output));
        let mut buffer = Vec::new();
        while let Ok(line @ (Line::Whole | Line::TooLong)) = lines::read(&mut output, &mut buffer) {
            // Of a line that is too long nothing is known but that it is no answer.
            if line == Line::Whole {
                let at = output.get_ref().at();
                let text = String::from_utf8_lossy(&buffer).trim().to_owned();
                if !lines.push(Heard { text, at }) {
                    break;
                }
            }
        }
    }
    lines.end();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(command: &str) -> Process {
        let arguments = ["-c", command].map(str::to_owned);
        let shell = Path::new("/bin/sh");
        let process = Process::start(shell, &arguments, None, &Recall::default());
        let mut process = process.expect("a shell");
        process.unread = Duration::from_secs(100);
        process
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(100)
    }

    #[test]
    fn an_engine_that_does_not_read_is_not_waited_for() {
        let mut process = shell("echo here; exec sleep 600");
        assert_eq!(process.hear(soon()).map(|heard| heard.text), Ok("here".into()));
        // Far more than a pipe holds.
        process.unread = Duration::from_millis(50);
        process.send(&"x".repeat(1 << 20));
        assert!(process.input.is_none());
        process.send("this goes nowhere");
    }

    #[test]
    fn what_is_read_slowly_arrives_whole() {
        let mut process = shell("sleep 0.1; wc -c");
        process.send(&"x".repeat(200_000));
        process.input = None;
        assert_eq!(process.hear(soon()).map(|heard| heard.text), Ok("200001".into()));
        assert_eq!(process.hear(soon()), Err(Silence::Ended));
    }

    #[test]
    fn a_wait_that_is_called_off_ends() {
        let mut process = shell("exec sleep 600");
        let recall = process.recall.clone();
        let caller = thread::spawn(move || recall.call_off());
        assert_eq!(process.hear(soon()), Err(Silence::CalledOff));
        caller.join().expect("calling off does not panic");
    }
}
