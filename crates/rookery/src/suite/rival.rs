//! Another program over the same positions, under the same rules: it is asked by UCI, starts every
//! position with an empty table, and its right move counts from when it was held to the end.

use super::record::Problem;
use super::solve::{Limit, Point, Solution};
use crate::arena::{Info, Process, Recall, Silence};
use board::Move;
use board::fen::quote;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a program may take to start or to empty its table.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How long after its time a program may take to answer.
const GRACE: Duration = Duration::from_secs(30);
/// How long a program may think where another limit than time ends its search: a year.
pub const ENDLESS: Duration = Duration::from_secs(365 * 86_400);

/// A program that runs.
pub struct Rival {
    process: Process,
    /// What it calls itself.
    pub name: String,
}

impl Rival {
    /// Starts a program, given with its arguments, and sets its table.
    pub fn start(command: &str, hash_mb: u64) -> Result<Rival, String> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("--engine: no command was given")?;
        let arguments: Vec<String> = words.map(str::to_owned).collect();
        let process = Process::start(Path::new(program), &arguments, None, &Recall::default())
            .map_err(|reason| format!("--engine: {reason}"))?;
        let mut rival = Rival { process, name: program.to_owned() };
        rival.greet(hash_mb)?;
        Ok(rival)
    }

    fn greet(&mut self, hash_mb: u64) -> Result<(), String> {
        self.send("uci");
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
            self.send(&format!("setoption name Hash value {hash_mb}"));
        }
        self.ready()
    }

    /// Sends a line. One that reads no more is noticed when it is listened to.
    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    /// The next line, waited for at most this long; an error after Ctrl-C, and when the time is over, even
    /// where lines without end would be left.
    pub fn receive(&mut self, timeout: Duration) -> Result<String, String> {
        let heard = self.process.hear(Instant::now() + timeout);
        heard.map(|heard| heard.text).map_err(|silence| match silence {
            Silence::CalledOff => "interrupted".to_owned(),
            Silence::Late => format!("{} does not answer", self.name),
            Silence::Ended => format!("{} has ended", self.name),
        })
    }

    /// Waits until it has done what it was told.
    pub fn ready(&mut self) -> Result<(), String> {
        self.send("isready");
        let asked = Instant::now();
        while self.receive(ANSWER_TIMEOUT.saturating_sub(asked.elapsed()))? != "readyok" {}
        Ok(())
    }

    /// Lets it search a position that it knows nothing about.
    pub fn solve(&mut self, problem: &Problem, limit: Limit) -> Result<Solution, String> {
        self.send("ucinewgame");
        self.ready()?;
        self.send(&format!("position fen {}", problem.position.fen()));
        let (go, timeout) = match limit {
            Limit::Time(time) => (format!("go movetime {}", time.as_millis()), time + GRACE),
            Limit::Depth(depth) => (format!("go depth {depth}"), ENDLESS),
            Limit::Nodes(nodes) => (format!("go nodes {nodes}"), ENDLESS),
        };
        let begun = Instant::now();
        self.send(&go);
        let mut end = Point { depth: 0, nodes: 0, seconds: 0.0 };
        let (mut held_from, mut score, mut pv) = (None, None, Vec::new());
        let best = loop {
            let line = self.receive(timeout.saturating_sub(begun.elapsed()))?;
            let seconds = begun.elapsed().as_secs_f64();
            if let Some(rest) = line.strip_prefix("bestmove") {
                end.seconds = seconds;
                break rest.split_whitespace().next().unwrap_or("").to_owned();
            }
            let Some(info) = line.strip_prefix("info ").map(Info::read) else { continue };
            if info.variation.is_empty() || info.rank.is_some_and(|rank| rank != 1) {
                continue;
            }
            let depth = info.report.depth.map_or(0, |depth| depth as i32);
            end = Point { depth: depth.max(end.depth), nodes: info.nodes.unwrap_or(0), seconds };
            let moves = moves(problem, &info.variation);
            let Some(&first) = moves.first() else { continue };
            // Only an upper bound: the move is about to be given up.
            if info.is_upper_bound {
                continue;
            }
            let value = info.report.score.map(|score| score.uci());
            match problem.is_solved(first, value.as_deref()) {
                true => held_from = held_from.or(Some(end)),
                false => held_from = None,
            }
            (score, pv) = (value, moves);
        };
        let best = problem.position.parse_uci(&best).map_err(|error| {
            format!("{} answers {} to {}: {error}", self.name, quote(&best), problem.position.fen())
        })?;
        if pv.first() != Some(&best) {
            pv = vec![best];
        }
        Ok(Solution::new(problem, Some(best), held_from, end, score, &pv))
    }
}

/// The moves of a line, as far as they are legal.
fn moves(problem: &Problem, texts: &[&str]) -> Vec<Move> {
    let mut position = problem.position;
    let moves = texts.iter().map_while(|text| {
        let mv = position.parse_uci(text).ok()?;
        position.play(mv);
        Some(mv)
    });
    moves.collect()
}

impl Drop for Rival {
    fn drop(&mut self) {
        // It may be gone already; if it does not quit when asked, it is killed.
        self.send("quit");
        self.process.last_words();
    }
}
