//! A conversation with the real program: lines go in while answers come out.

use board::{CastlingStyle, Move, Position};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for anything on a busy machine: a guard against hanging, not a measurement.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The program and its two ends. It is ended when the test is over.
pub struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    /// Starts the command loop.
    pub fn start() -> Dialogue {
        Dialogue::with(&[])
    }

    /// Starts the program with some arguments.
    pub fn with(arguments: &[&str]) -> Dialogue {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Dialogue { child, input, lines }
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
            match self.lines.recv_timeout(TIMEOUT.saturating_sub(begun.elapsed())) {
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

    /// Ends the input and gives what is still said, and how it ended.
    pub fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let (begun, mut seen) = (Instant::now(), Vec::new());
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT.saturating_sub(begun.elapsed())) {
            seen.push(line);
        }
        assert!(begun.elapsed() < TIMEOUT, "it does not end: {seen:?}");
        (seen, self.child.wait().expect("it ends"))
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
