//! A conversation with the program in its command loop: lines go in while answers come out.

use super::ground::Ground;
use super::process::{self, HANG};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The program and its two ends. It is killed when this is dropped.
pub struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    err: Option<JoinHandle<String>>,
    /// Everything that was said to it, to repeat it.
    pub said: Vec<u8>,
}

impl Dialogue {
    /// Starts it with arguments.
    pub fn start(ground: &Ground, arguments: &[&str]) -> Result<Dialogue, String> {
        let mut command = ground.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("rookery: {error}"))?;
        let input = child.stdin.take();
        let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else {
            return Err("the pipes are missing".to_owned());
        };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while let Ok(1..) = output.read_until(b'\n', &mut line) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if sender.send((Instant::now(), text)).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let err = Some(process::drain(errors));
        Ok(Dialogue { child, input, lines, err, said: Vec::new() })
    }

    /// Says lines; the program may be gone.
    pub fn say(&mut self, lines: &str) {
        self.say_bytes(format!("{lines}\n").as_bytes());
    }

    /// Says any bytes.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        self.said.extend_from_slice(bytes);
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// The next line, with the time at which it came.
    pub fn next(&self, within: Duration) -> Result<(Instant, String), String> {
        self.lines.recv_timeout(within).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("it says nothing for {} s", within.as_secs()),
            RecvTimeoutError::Disconnected => "it is gone".to_owned(),
        })
    }

    /// The lines up to the first that begins so, with it.
    pub fn until(&self, start: &str) -> Result<Vec<String>, String> {
        Ok(self.timed_until(start)?.0)
    }

    /// The same, and when the last one came.
    pub fn timed_until(&self, start: &str) -> Result<(Vec<String>, Instant), String> {
        self.timed_within(start, HANG)
    }

    /// The same with another deadline.
    pub fn timed_within(
        &self,
        start: &str,
        within: Duration,
    ) -> Result<(Vec<String>, Instant), String> {
        let (begun, mut seen) = (Instant::now(), Vec::new());
        loop {
            let left = within.saturating_sub(begun.elapsed());
            let (time, line) = self
                .next(left)
                .map_err(|reason| format!("no {start}: {reason}; heard {}", last(&seen)))?;
            let is_last = line.starts_with(start);
            seen.push(line);
            if is_last {
                return Ok((seen, time));
            }
        }
    }

    /// Ends the input and waits for the end: what was still said, and the fault of the end if it has one.
    pub fn close(mut self) -> Result<Vec<String>, String> {
        drop(self.input.take());
        let begun = Instant::now();
        let mut seen = Vec::new();
        while let Ok((_, line)) = self.next(HANG.saturating_sub(begun.elapsed())) {
            seen.push(line);
        }
        match self.ended(HANG.saturating_sub(begun.elapsed()).max(Duration::from_secs(1))) {
            None => Err("it does not end at the end of its input".to_owned()),
            Some(status) => {
                let err = self.err.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
                match process::crash(status, &err) {
                    Some(fault) => Err(fault),
                    None if !status.success() => Err(format!("it ended with {status}")),
                    None => Ok(seen),
                }
            }
        }
    }

    fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        while begun.elapsed() < within {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// What it wrote to standard error, after it has been ended.
    pub fn end_and_tell(mut self) -> String {
        drop(self.input.take());
        let _ = (self.child.kill(), self.child.wait());
        let err = self.err.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        err.lines().find(|line| line.contains("panicked at")).unwrap_or("").to_owned()
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = (self.child.kill(), self.child.wait());
    }
}

fn last(lines: &[String]) -> &str {
    lines.last().map_or("nothing", String::as_str)
}

/// The word after a name in a line: `field("info depth 3 …", "depth")`.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|word| *word != name).nth(1)
}
