//! Solving one problem, and noting from when on the right move was held.

use super::record::Problem;
use crate::counted::counted;
use crate::engine::Engine;
use crate::interrupt;
use crate::uci::score_text;
use board::{History, Move, Position};
use search::{Bound, Iteration, Limits, Observer, Progress, Report};
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// After this time.
    Time(Duration),
    /// After this iteration.
    Depth(i32),
    /// After this number of nodes.
    Nodes(u64),
}

/// A point in a search.
#[derive(Clone, Copy, Serialize, Debug, PartialEq)]
pub struct Point {
    /// The iteration.
    pub depth: i32,
    /// Nodes so far.
    pub nodes: u64,
    /// Seconds so far.
    pub seconds: f64,
}

/// What became of a problem.
#[derive(Serialize)]
pub struct Solution {
    line: usize,
    id: String,
    fen: String,
    task: String,
    /// Whether the move is right.
    pub solved: bool,
    /// The move that would be played, if there is one.
    #[serde(rename = "move")]
    played: Option<String>,
    /// From when on the right move was held to the end.
    pub held_from: Option<Point>,
    /// What the move is worth, and the best one, where moves have points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_points: Option<u32>,
    /// Where the search ended.
    pub end: Point,
    score: Option<String>,
    pv: Vec<String>,
}

/// Watches a search for the right move.
struct Watch<'a> {
    problem: &'a Problem,
    deadline: Option<Duration>,
    begun: Instant,
    held_from: Option<Point>,
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        interrupt::requested()
            || self.deadline.is_some_and(|deadline| self.begun.elapsed() >= deadline)
    }

    fn see(&mut self, best: Move, score: &str, depth: i32, nodes: u64) {
        if !self.problem.is_solved(best, Some(score)) {
            self.held_from = None;
        } else if self.held_from.is_none() {
            let seconds = self.begun.elapsed().as_secs_f64();
            self.held_from = Some(Point { depth, nodes, seconds });
        }
    }
}

impl Observer for Watch<'_> {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.is_over()
    }

    fn report(&mut self, report: &Report<'_>) {
        // A move that fails low is not held: what else there is will be seen.
        if let (1, Some(&best)) = (report.rank, report.line.moves.first())
            && report.line.bound != Bound::Upper
        {
            self.see(best, &score_text(report.line.score), report.depth, report.nodes);
        }
    }

    fn go_on(&mut self, _: &Iteration) -> bool {
        !self.is_over()
    }
}

/// Searches with an empty table. Nothing after Ctrl-C: a search that was cut off says nothing.
pub fn solve(
    engine: &mut Engine,
    problem: &Problem,
    limit: Limit,
) -> Result<Option<Solution>, String> {
    engine.new_game();
    let mut limits = Limits { lines: 1, ..Limits::default() };
    let mut deadline = None;
    match limit {
        Limit::Time(time) => deadline = Some(time),
        Limit::Depth(depth) => limits.depth = Some(depth),
        Limit::Nodes(nodes) => limits.nodes = Some(nodes),
    }
    let mut watch = Watch { problem, deadline, begun: Instant::now(), held_from: None };
    let outcome = engine.search(&problem.position, &History::new(), &limits, &mut watch)?;
    if interrupt::requested() {
        return Ok(None);
    }
    let seconds = watch.begun.elapsed().as_secs_f64();
    let end = Point { depth: outcome.depth, nodes: outcome.nodes, seconds };
    let (line, best) = (outcome.lines.first(), outcome.best());
    let score = line.map(|line| score_text(line.score));
    let pv = line.map_or(&[][..], |line| &line.moves);
    Ok(Some(Solution::new(problem, best, watch.held_from, end, score, pv)))
}

fn sans(mut position: Position, moves: &[Move]) -> Vec<String> {
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(position.san(mv));
        position.play(mv);
    }
    texts
}

impl Solution {
    /// What became of a problem whose search ended with this move.
    pub fn new(
        problem: &Problem,
        best: Option<Move>,
        held_from: Option<Point>,
        end: Point,
        score: Option<String>,
        pv: &[Move],
    ) -> Solution {
        let solved = best.is_some_and(|mv| problem.is_solved(mv, score.as_deref()));
        Solution {
            line: problem.line,
            id: problem.name.clone(),
            fen: problem.position.fen(),
            task: problem.task(),
            solved,
            played: best.map(|mv| problem.position.san(mv)),
            held_from: solved.then_some(held_from.unwrap_or(end)),
            points: best.and_then(|mv| problem.points_of(mv)),
            most_points: problem.most_points(),
            end,
            score,
            pv: sans(problem.position, pv),
        }
    }

    /// `+ BK.01  bm Qd1+  Qd1+  depth 5, 12345 nodes, 0.03 s  mate 3  Qd1+ Kxd1 …`
    pub fn write(&self, problem: &Problem, out: &mut impl Write) -> io::Result<()> {
        let (mark, point) = match self.held_from {
            Some(point) => ('+', point),
            None => ('-', self.end),
        };
        let Point { depth, nodes, seconds } = point;
        let played = self.played.as_deref().unwrap_or("none");
        let score = self.score.as_deref().unwrap_or("none");
        let points =
            self.points.map_or(String::new(), |points| format!(" ({})", counted(points, "point")));
        writeln!(
            out,
            "{mark} {}: {}: {played}{points}, depth {depth}, {nodes} nodes, {seconds:.2} s, {score}: {}",
            problem.name,
            self.task,
            self.pv.join(" ")
        )
    }
}
