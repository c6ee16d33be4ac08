//! One searcher that looks at positions, one after the other, within its limits.

use crate::engine::{Engine, ThreadRecord};
use board::{Color, History, Move, Position};
use search::{Bound, Iteration, Limits, Observer, Outcome, Progress, Report};
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
            write!(f, "{comma}{nodes} nodes")?;
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

/// A searcher. Whoever sets the flag makes it stop soon.
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
        let mut host = Watch { begun: Instant::now(), time, stop: self.stop, listener };
        self.engine.search(position, history, &limits, &mut host)
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
    fn lines_are_numbered_whoever_begins() {
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
