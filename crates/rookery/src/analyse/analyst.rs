//! One searcher that looks at positions, one after the other, within its limits.

use crate::counted::counted;
use crate::engine::{Engine, ThreadRecord};
use board::{Color, History, Move, Position};
use search::{Bound, Iteration, Limits, Line, Observer, Outcome, Progress, Report};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What ends the search of a position: whichever comes first.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The last iteration.
    pub depth: Option<i32>,
    /// The last node.
    pub nodes: Option<u64>,
    /// The time.
    pub time: Option<Duration>,
    /// Best lines that are wanted.
    pub lines: usize,
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut comma = "";
        if let Some(depth) = self.depth {
            write!(f, "depth {depth}")?;
            comma = ", ";
        }
        if let Some(nodes) = self.nodes {
            write!(f, "{comma}{}", counted(nodes, "node"))?;
            comma = ", ";
        }
        if let Some(time) = self.time {
            write!(f, "{comma}{} s", time.as_secs_f64())?;
        }
        if self.lines > 1 {
            write!(f, ", {} lines", self.lines)?;
        }
        Ok(())
    }
}

/// A searcher. Setting its flag makes it stop soon.
pub struct Analyst<'a> {
    engine: Engine,
    effort: Effort,
    stop: &'a AtomicBool,
}

/// Watches over one search and passes on what it finds.
struct Watch<'a, F> {
    begun: Instant,
    time: Option<Duration>,
    stop: &'a AtomicBool,
    listener: F,
    /// The lines of the last two iterations, with their depths: the later one may not be whole. They are told
    /// apart by the reports alone, which also come from searches in other processes.
    iterations: [(i32, Vec<Line>); 2],
}

impl<F> Watch<'_, F> {
    fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }
}

impl<F: FnMut(&Report<'_>)> Observer for Watch<'_, F> {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.is_over()
    }

    fn report(&mut self, report: &Report<'_>) {
        if report.line.bound == Bound::Exact {
            let [before, last] = &mut self.iterations;
            if last.0 != report.depth {
                *before = std::mem::replace(last, (report.depth, Vec::new()));
            }
            last.1.truncate(report.rank - 1);
            last.1.push(report.line.clone());
            (self.listener)(report);
        }
    }

    fn go_on(&mut self, _: &Iteration) -> bool {
        !self.is_over()
    }
}

impl<'a> Analyst<'a> {
    /// A searcher with this engine.
    pub fn new(engine: Engine, effort: Effort, stop: &'a AtomicBool) -> Analyst<'a> {
        Analyst { engine, effort, stop }
    }

    /// Forgets everything, so that what comes does not depend on what was before.
    pub fn begin(&mut self) {
        self.engine.new_game();
    }

    /// What each thread did in the last search.
    pub fn thread_records(&self) -> Vec<ThreadRecord> {
        self.engine.thread_records()
    }

    /// Looks at a position. No lines are found where there is no legal move.
    pub fn look(&mut self, position: &Position, history: &History) -> Result<Outcome, String> {
        self.watch(position, history, |_| ())
    }

    /// The same, and tells of every line that is found on the way.
    pub fn watch(
        &mut self,
        position: &Position,
        history: &History,
        listener: impl FnMut(&Report<'_>),
    ) -> Result<Outcome, String> {
        let Effort { depth, nodes, time, lines } = self.effort;
        let mut limits = Limits { depth, nodes, lines, ..Limits::default() };
        // As in a game: of the moves that keep a known result only those that make progress.
        if let Some(oracle) = self.engine.oracle().filter(|_| lines <= 1) {
            limits.root_moves = oracle.root_moves(position).unwrap_or_default();
        }
        let begun = Instant::now();
        let iterations = <[(i32, Vec<Line>); 2]>::default();
        let mut watch = Watch { begun, time, stop: self.stop, listener, iterations };
        let mut outcome = self.engine.search(position, history, &limits, &mut watch)?;
        settle_lines(&mut outcome, watch.iterations);
        Ok(outcome)
    }
}

/// Where a search was ended within an iteration, its first lines are of that and the others of the one
/// before, and may seem better; and the value of the first may be a mere bound. All of the one before are
/// exact, in order, and of the depth that is told.
fn settle_lines(outcome: &mut Outcome, iterations: [(i32, Vec<Line>); 2]) {
    let is_better = |pair: &[Line]| matches!(pair, [one, two] if two.score > one.score);
    let is_mixed = outcome.lines.windows(2).any(is_better)
        || outcome.lines.iter().any(|line| line.bound != Bound::Exact);
    let mut iterations = iterations.into_iter();
    let is_whole = |(depth, lines): &(i32, Vec<Line>)| {
        (*depth, lines.len()) == (outcome.depth, outcome.lines.len())
    };
    if let Some((_, lines)) = iterations.find(is_whole).filter(|_| is_mixed) {
        outcome.lines = lines;
    }
}

/// A line in SAN with move numbers: `1. e4 e5 2. Nf3`. With a limit the rest is `…`.
pub fn numbered(mut position: Position, moves: &[Move], longest: usize) -> String {
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        if index == longest {
            words.push("…".to_owned());
            break;
        }
        match (position.side_to_move(), index) {
            (Color::White, _) => words.push(format!("{}.", position.fullmove_number())),
            (Color::Black, 0) => words.push(format!("{}...", position.fullmove_number())),
            (Color::Black, _) => (),
        }
        words.push(position.san(mv));
        position.play(mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_two_iterations_give_way_to_those_of_the_whole_one() {
        // Beyond 1000 the values of the test are lower bounds, less 1000.
        let line = |score: i32| {
            let bound = if score > 1000 { Bound::Lower } else { Bound::Exact };
            Line { score: score % 1000, bound, moves: Vec::new() }
        };
        let lines = |scores: &[i32]| scores.iter().map(|&score| line(score)).collect::<Vec<_>>();
        let outcome = |scores: &[i32]| {
            let lines = lines(scores);
            Outcome { lines, depth: 7, selective_depth: 9, nodes: 100 }
        };
        for (found, whole, expected) in [
            ([30, 50, 20], (7, lines(&[60, 50, 20])), [60, 50, 20]),
            ([30, 20, 10], (7, lines(&[60, 50, 20])), [30, 20, 10]),
            ([30, 50, 20], (6, lines(&[60, 50, 20])), [30, 50, 20]),
            ([1090, 50, 20], (7, lines(&[60, 50, 20])), [60, 50, 20]),
        ] {
            let mut outcome = outcome(&found);
            settle_lines(&mut outcome, [whole, (8, lines(&[70]))]);
            assert_eq!(outcome.lines, lines(&expected));
        }
    }

    #[test]
    fn lines_are_numbered_from_white_and_from_black() {
        let mut position = Position::startpos();
        let moves: Vec<Move> = ["e2e4", "e7e5", "g1f3"]
            .iter()
            .scan(position, |position, text| {
                let mv = position.parse_uci(text).expect("a legal move");
                position.play(mv);
                Some(mv)
            })
            .collect();
        assert_eq!(numbered(position, &moves, 9), "1. e4 e5 2. Nf3");
        assert_eq!(numbered(position, &moves, 2), "1. e4 e5 …");
        position.play(moves[0]);
        assert_eq!(numbered(position, &moves[1..], 2), "1... e5 2. Nf3");
    }
}
