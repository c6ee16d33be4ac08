//! A conversation with the real program: lines go in while answers come out.

use super::{HANGS, end, interrupt, program};
use board::{CastlingStyle, Move, Position};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The program and its ends. It is ended when the test is over.
pub struct Dialogue {
    pub child: Child,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What it says on the standard error, where that is a pipe.
    errors: Option<Receiver<String>>,
}

/// The lines of an output, as they come.
fn listen(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
    });
    lines
}

/// The lines up to the end of the output. All of them together have a deadline.
fn rest(lines: &Receiver<String>) -> Vec<String> {
    let (begun, mut rest) = (Instant::now(), Vec::new());
    while let Ok(line) = lines.recv_timeout(HANGS.saturating_sub(begun.elapsed())) {
        rest.push(line);
    }
    assert!(begun.elapsed() < HANGS, "it does not end: {rest:?}");
    rest
}

impl Dialogue {
    /// Starts the command loop.
    pub fn start() -> Dialogue {
        Dialogue::with(&[])
    }

    /// Starts the program with some arguments.
    pub fn with(arguments: &[&str]) -> Dialogue {
        Dialogue::of(program(arguments).stderr(Stdio::inherit()))
    }

    /// Starts a command with pipes to its input and output.
    pub fn of(command: &mut Command) -> Dialogue {
        let mut child = command.spawn().expect("the program starts");
        let input = child.stdin.take();
        let lines = listen(child.stdout.take().expect("stdout is piped"));
        let errors = child.stderr.take().map(listen);
        Dialogue { child, input, lines, errors }
    }

    /// Sends lines; the program may be gone.
    pub fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// Sends any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.input.as_mut().expect("the input is open").write_all(bytes);
    }

    /// The lines up to the first that begins so, with it. All of them together have a deadline: a search
    /// that never ends shows a line every second.
    pub fn until(&self, start: &str) -> Vec<String> {
        self.until_matching(start, |line| line.starts_with(start))
    }

    /// The lines up to the first that is wanted, with it.
    pub fn until_matching(&self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let (begun, mut seen) = (Instant::now(), Vec::new());
        loop {
            match self.lines.recv_timeout(HANGS.saturating_sub(begun.elapsed())) {
                Ok(line) => {
                    let is_last = wanted(&line);
                    seen.push(line);
                    if is_last {
                        return seen;
                    }
                }
                Err(error) => panic!("no line {what:?} ({error}): {seen:?}"),
            }
        }
    }

    /// The lines that come within a time.
    pub fn during(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => seen.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return seen,
            }
        }
    }

    /// Searches a position and gives all lines, the answer last.
    pub fn search(&mut self, position: &str, go: &str) -> Vec<String> {
        self.send(&format!("position {position}\n{go}"));
        self.until("bestmove ")
    }

    /// How long processors have worked for the program, all its threads together; nothing where the system
    /// does not tell.
    pub fn processor_time(&self) -> Duration {
        // Fields 14 and 15 in hundredths of a second, counted from behind the name in brackets.
        let file = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(file).unwrap_or_default();
        let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
        let ticks = numbers.take(2).filter_map(|number| number.parse::<u64>().ok()).sum::<u64>();
        Duration::from_millis(10 * ticks)
    }

    /// Megabytes of memory that the program has been given; nothing where the system does not tell.
    pub fn memory_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let kilobytes: u64 = field(&status, "VmRSS:")?.parse().ok()?;
        Some(kilobytes >> 10)
    }

    /// Waits for a line with this text.
    pub fn wait_for(&self, text: &str) {
        self.until_matching(text, |line| line.contains(text));
    }

    /// The next line of the standard error.
    pub fn complaint(&self) -> Option<String> {
        self.errors.as_ref()?.recv().ok()
    }

    /// Ends the input and gives what is still said, and how it ended.
    pub fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        (rest(&self.lines), end(&mut self.child))
    }

    /// Sends Ctrl-C to the program alone: the exit status, and what was said after it.
    pub fn interrupt(self) -> (Option<i32>, Vec<String>, Vec<String>) {
        let process = self.child.id().to_string();
        self.interrupt_all(&process)
    }

    /// The same to a process or, with a minus before it, to all of its group, as a terminal does.
    pub fn interrupt_all(mut self, process: &str) -> (Option<i32>, Vec<String>, Vec<String>) {
        interrupt(process);
        let errors = self.errors.as_ref().map_or(Vec::new(), rest);
        (end(&mut self.child).code(), rest(&self.lines), errors)
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word after a name in a line: `field("info depth 3 …", "depth")`.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|word| *word != name).nth(1)
}

/// The number after a name.
pub fn number(line: &str, name: &str) -> Option<i64> {
    field(line, name)?.parse().ok()
}

/// The moves of a line's `pv`, each checked to be legal.
pub fn variation(line: &str, position: &Position) -> Vec<Move> {
    let mut position = *position;
    let words = line.split_whitespace().skip_while(|word| *word != "pv").skip(1);
    let play = |word: &str| {
        let mv = position.parse_uci(word).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(mv.uci(CastlingStyle::Standard), word);
        position.play(mv);
        mv
    };
    words.map(play).collect()
}

/// How many lines begin so.
pub fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}
