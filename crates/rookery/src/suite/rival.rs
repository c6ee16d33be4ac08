//! Another program over the same positions, under the same rules: it is asked by UCI, starts every
//! position with an empty table, and its right move counts from when it was held to the end.

use super::record::Problem;
use super::solve::{Limit, Point, Solution};
use crate::lines::{self, Line};
use crate::{children, interrupt};
use board::Move;
use board::fen::quote;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a program may take to start or to empty its table.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How long after its time a program may take to answer.
const GRACE: Duration = Duration::from_secs(30);
/// How long a program may take to leave.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often Ctrl-C is looked for while the program thinks.
const REFRESH: Duration = Duration::from_millis(50);

/// Lines that wait to be read; then the program waits.
const MOST_LINES: usize = 256;

/// A program that runs.
pub struct Rival {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// What it calls itself.
    pub name: String,
}

/// What an `info` line says about the best line.
#[derive(Debug, PartialEq)]
struct Info {
    depth: i32,
    nodes: u64,
    score: Option<String>,
    /// The value is only an upper bound: the move is about to be given up.
    falls: bool,
    pv: Vec<String>,
}

impl Rival {
    /// Starts a program, given with its arguments, and sets its table.
    pub fn start(command: &str, hash_mb: u64) -> Result<Rival, String> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("--engine: no command was given")?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        children::set_apart(&mut command);
        let mut child = command
            .spawn()
            .map_err(|error| format!("--engine: {program} cannot be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("--engine: {program} has no input or output"));
        };
        let (sender, received) = mpsc::sync_channel(MOST_LINES);
        std::thread::spawn(move || {
            let (mut output, mut line) = (BufReader::new(output), Vec::new());
            while let Ok(kind @ (Line::Whole | Line::TooLong)) = lines::read(&mut output, &mut line)
            {
                let text = String::from_utf8_lossy(&line);
                if kind == Line::Whole && sender.send(text.trim().to_owned()).is_err() {
                    return;
                }
            }
        });
        let mut rival = Rival { child, input, lines: received, name: program.to_owned() };
        rival.greet(hash_mb)?;
        Ok(rival)
    }

    fn greet(&mut self, hash_mb: u64) -> Result<(), String> {
        self.send("uci")?;
        let (mut has_hash, asked) = (false, Instant::now());
        loop {
            let line = self.receive(ANSWER_TIMEOUT.saturating_sub(asked.elapsed()))?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.to_owned();
            }
            has_hash |= line.starts_with("option name Hash ");
            if line == "uciok" {
                break;
            }
        }
        if has_hash {
            self.send(&format!("setoption name Hash value {hash_mb}"))?;
        }
        self.ready()
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|error| format!("{} reads no more: {error}", self.name))
    }

    /// The next line, waited for at most this long; an error after Ctrl-C, and when the time is over, even
    /// where lines without end would be left.
    pub fn receive(&mut self, timeout: Duration) -> Result<String, String> {
        let asked = Instant::now();
        loop {
            if interrupt::requested() {
                return Err("interrupted".to_owned());
            }
            let left = timeout.saturating_sub(asked.elapsed());
            match self.lines.recv_timeout(left.min(REFRESH)) {
                Ok(line) if !timeout.is_zero() => return Ok(line),
                Ok(_) => return Err(format!("{} does not answer", self.name)),
                Err(RecvTimeoutError::Timeout) if left > REFRESH => (),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("{} does not answer", self.name));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("{} has ended", self.name));
                }
            }
        }
    }

    /// Waits until it has done what it was told.
    pub fn ready(&mut self) -> Result<(), String> {
        self.send("isready")?;
        let asked = Instant::now();
        while self.receive(ANSWER_TIMEOUT.saturating_sub(asked.elapsed()))? != "readyok" {}
        Ok(())
    }

    /// Lets it search a position that it knows nothing about.
    pub fn solve(&mut self, problem: &Problem, limit: Limit) -> Result<Solution, String> {
        self.send("ucinewgame")?;
        self.ready()?;
        self.send(&format!("position fen {}", problem.position.fen()))?;
        let (go, timeout) = match limit {
            Limit::Time(time) => (format!("go movetime {}", time.as_millis()), time + GRACE),
            Limit::Depth(depth) => (format!("go depth {depth}"), Duration::MAX),
            Limit::Nodes(nodes) => (format!("go nodes {nodes}"), Duration::MAX),
        };
        let begun = Instant::now();
        self.send(&go)?;
        let mut end = Point { depth: 0, nodes: 0, seconds: 0.0 };
        let (mut held_from, mut score, mut pv) = (None, None, Vec::new());
        let best = loop {
            let line = self.receive(timeout.saturating_sub(begun.elapsed()))?;
            let seconds = begun.elapsed().as_secs_f64();
            if let Some(rest) = line.strip_prefix("bestmove") {
                end.seconds = seconds;
                break rest.split_whitespace().next().unwrap_or("").to_owned();
            }
            let Some(info) = read_info(&line) else { continue };
            end = Point { depth: info.depth.max(end.depth), nodes: info.nodes, seconds };
            let moves = self.moves(problem, &info.pv);
            let Some(&first) = moves.first() else { continue };
            if info.falls {
                continue;
            }
            match problem.is_solved(first, info.score.as_deref()) {
                true => held_from = held_from.or(Some(end)),
                false => held_from = None,
            }
            (score, pv) = (info.score, moves);
        };
        let best = problem.position.parse_uci(&best).map_err(|error| {
            format!("{} answers {} to {}: {error}", self.name, quote(&best), problem.position.fen())
        })?;
        if pv.first() != Some(&best) {
            pv = vec![best];
        }
        Ok(Solution::new(problem, Some(best), held_from, end, score, &pv))
    }

    /// The moves of a line, as far as they are legal.
    fn moves(&self, problem: &Problem, texts: &[String]) -> Vec<Move> {
        let mut position = problem.position;
        let moves = texts.iter().map_while(|text| {
            let mv = position.parse_uci(text).ok()?;
            position.play(mv);
            Some(mv)
        });
        moves.collect()
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // It may be gone already; if it does not quit when asked, it is killed.
        let _ = self.send("quit");
        let asked = Instant::now();
        while asked.elapsed() < FAREWELL {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        children::end(&mut self.child);
    }
}

/// Reads an `info` line with a first line of play.
fn read_info(line: &str) -> Option<Info> {
    let mut words = line.strip_prefix("info ")?.split_whitespace();
    let mut info = Info { depth: 0, nodes: 0, score: None, falls: false, pv: Vec::new() };
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next()?.parse().ok()?,
            "nodes" => info.nodes = words.next()?.parse().ok()?,
            "multipv" if words.next()? != "1" => return None,
            "score" => info.score = Some(format!("{} {}", words.next()?, words.next()?)),
            "upperbound" => info.falls = true,
            "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
            "string" => return None,
            _ => (),
        }
    }
    (!info.pv.is_empty()).then_some(info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_as_far_as_they_matter() {
        let line =
            "info depth 9 seldepth 12 multipv 1 score cp 31 upperbound nodes 812 pv e2e4 e7e5";
        let info = read_info(line).expect("a line of play");
        assert_eq!((info.depth, info.nodes, info.falls), (9, 812, true));
        assert_eq!(info.score.as_deref(), Some("cp 31"));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
        assert_eq!(read_info("info depth 3 currmove e2e4 currmovenumber 1"), None);
        assert_eq!(read_info("info multipv 2 depth 3 pv e2e4"), None);
        assert_eq!(read_info("info string pv e2e4"), None);
        assert_eq!(read_info("info depth many pv e2e4"), None);
    }
}
