//! The search's surroundings in the console: the clock, what it is told meanwhile, the lines it shows.

use super::control::Control;
use super::{Formatter, Output};
use search::time::Budget;
use search::{Bound, Iteration, Line, Observer, Outcome, POLL_INTERVAL, Pacer, Progress, Report};
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// At least this often something is shown.
const SIGN_OF_LIFE: Duration = Duration::from_millis(900);
/// Bounds of failed windows are shown only in searches that last longer: short ones would be noisy.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// Watches over one search.
pub struct Watch<'a> {
    control: &'a Control,
    output: &'a Output,
    formatter: &'a dyn Formatter,
    clock_check: ClockCheck,
    /// Lines to show (fewer than are searched when playing below strength).
    shown: usize,
    last_sign: Instant,
    /// Whether the opponent was to move when it was last looked at.
    pondered: bool,
    /// How soon the clock is to be looked at again.
    pacer: Pacer,
    /// The lines that were shown last, by rank, and their depths.
    told: Vec<(Line, i32)>,
    /// The iteration that was last heard of.
    depth: i32,
    /// How full the table was then, and what tables of endings had answered.
    hashfull: u32,
    tbhits: u64,
}

/// The time that a search has.
#[derive(Clone, Copy)]
pub struct ClockCheck {
    /// When it was asked for; for pondering, when that was.
    pub start: Instant,
    /// Its limits, if it has any.
    pub budget: Option<Budget>,
    /// Nodes that count as a second; 0: time is time.
    pub nodes_per_second: u64,
    /// There is nothing to choose: one iteration is enough, if time is short at all.
    pub forced: bool,
    /// The last iteration ended beyond the soft limit.
    pub is_late: bool,
}

impl ClockCheck {
    fn elapsed_ms(&self, nodes: u64) -> f64 {
        self.counted_ms(self.start.elapsed(), nodes)
    }

    /// The time that counts, after this time and these nodes.
    fn counted_ms(&self, elapsed: Duration, nodes: u64) -> f64 {
        match self.nodes_per_second {
            0 => elapsed.as_secs_f64() * 1e3,
            rate => nodes as f64 * 1e3 / rate as f64,
        }
    }

    /// Whether the time is over, after this time and these nodes.
    fn is_over(&self, elapsed: Duration, nodes: u64) -> bool {
        self.budget.is_some_and(|budget| {
            self.is_late || self.counted_ms(elapsed, nodes) >= budget.hard_ms() as f64
        })
    }

    /// What is left until the search must stop, if it must.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let end = Duration::from_millis(self.budget?.hard_ms());
        Some(end.saturating_sub(elapsed))
    }

    /// Another budget counts from now on.
    fn revise(&mut self, budget: Budget, nodes: u64) {
        self.budget = Some(budget);
        self.is_late = self.elapsed_ms(nodes) >= budget.soft_ms();
    }

    /// An iteration is done: the soft limit moves.
    fn learn(&mut self, iteration: &Iteration) {
        if let Some(mut budget) = self.budget {
            budget.learn(iteration);
            self.is_late = self.forced || self.elapsed_ms(iteration.nodes) >= budget.soft_ms();
            self.budget = Some(budget);
        }
    }
}

impl<'a> Watch<'a> {
    /// Watches a search that begins now.
    pub fn new(
        control: &'a Control,
        output: &'a Output,
        formatter: &'a dyn Formatter,
        clock_check: ClockCheck,
        shown: usize,
    ) -> Watch<'a> {
        let pondered = control.is_pondering();
        Watch {
            control,
            output,
            formatter,
            clock_check,
            shown,
            last_sign: Instant::now(),
            pondered,
            pacer: Pacer::default(),
            told: Vec::new(),
            depth: 0,
            hashfull: 0,
            tbhits: 0,
        }
    }

    /// The search is over, and this line is played: shows what has changed since the last lines, so that
    /// what was heard last is what is played. An iteration that was not finished leaves lines of the one
    /// before behind its own: all behind the first are shown in the order of their values.
    pub fn conclude(&mut self, outcome: &Outcome, played: Option<&Line>) {
        let mut lines: Vec<&Line> = match self.shown {
            1 => played.into_iter().collect(),
            shown => outcome.lines.iter().take(shown).collect(),
        };
        if let Some(others) = lines.get_mut(1..) {
            others.sort_by_key(|line| Reverse(line.score));
        }
        for (line, rank) in lines.into_iter().zip(1..) {
            let told = self.told.get(rank - 1);
            if told.is_some_and(|(told, _)| told == line) {
                continue;
            }
            // Where the value is the one that was told, only moves have been added.
            let same = |told: &Line| told.score == line.score && told.bound == line.bound;
            let depth = match told {
                Some((told, depth)) if same(told) => *depth,
                // No iteration was finished: the value is the static evaluation.
                _ if outcome.depth == 0 => 0,
                _ => self.depth.max(outcome.depth),
            };
            self.tell(&Report {
                depth,
                selective_depth: outcome.selective_depth,
                rank,
                line,
                nodes: outcome.nodes,
                hashfull: self.hashfull,
                tbhits: self.tbhits,
            });
        }
    }

    fn tell(&mut self, report: &Report<'_>) {
        let told = (report.line.clone(), report.depth);
        match self.told.get_mut(report.rank - 1) {
            Some(place) => *place = told,
            None => self.told.push(told),
        }
        let line = self.formatter.report(report, self.clock_check.start.elapsed());
        self.show(line);
    }

    /// Where the output is closed, the answer is not waited for.
    fn show(&mut self, line: Option<String>) {
        self.last_sign = Instant::now();
        if let Some(line) = line
            && self.output.line_unless(line, || self.control.is_abandoned()).is_err()
        {
            self.control.stop();
        }
    }

    /// Stands still while the search is paused, and takes over the time that a predicted move brings.
    fn follow_control(&mut self, nodes: u64) {
        if self.control.is_paused() {
            let begun = Instant::now();
            self.control.await_resumption();
            self.clock_check.start += begun.elapsed();
        }
        if self.pondered && !self.control.is_pondering() {
            self.pondered = false;
            if let Some(budget) = self.control.take_revision() {
                self.clock_check.revise(budget, nodes);
            }
        }
    }
}

impl Observer for Watch<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        if self.control.is_stopped() {
            return true;
        }
        self.follow_control(progress.nodes);
        let elapsed = self.clock_check.start.elapsed();
        self.depth = self.depth.max(progress.depth);
        self.pacer.looked(progress.nodes, elapsed, self.clock_check.left(elapsed));
        self.formatter.observe(progress, elapsed);
        if (self.clock_check.start + elapsed).saturating_duration_since(self.last_sign)
            >= SIGN_OF_LIFE
        {
            let line = self.formatter.progress(progress, elapsed);
            self.show(line);
        }
        !self.control.is_pondering() && self.clock_check.is_over(elapsed, progress.nodes)
    }

    /// Where time is counted in nodes, games must be the same at any speed.
    fn nodes_until_asked(&self) -> u64 {
        match self.clock_check.nodes_per_second {
            0 => self.pacer.interval(),
            _ => POLL_INTERVAL,
        }
    }

    fn report(&mut self, report: &Report<'_>) {
        (self.hashfull, self.tbhits) = (report.hashfull, report.tbhits);
        let is_early =
            report.line.bound != Bound::Exact && self.clock_check.start.elapsed() < BOUNDS_AFTER;
        if report.rank <= self.shown && !is_early {
            self.tell(report);
        }
    }

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        self.follow_control(iteration.nodes);
        self.clock_check.learn(iteration);
        // While the opponent thinks there is no reason to stop; at his move `is_over` decides (M32).
        self.control.is_pondering() || !(self.clock_check.is_late || self.control.is_stopped())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::Memory;
    use board::{CastlingStyle, Move, Position};

    /// Shows lines by rank, value and first move.
    struct Short;

    impl Formatter for Short {
        fn report(&self, report: &Report<'_>, _: Duration) -> Option<String> {
            let Report { rank, line, .. } = report;
            let mv = line.moves[0].uci(CastlingStyle::Standard);
            Some(format!("{rank} {} {mv}", line.score))
        }

        fn progress(&self, _: &Progress, _: Duration) -> Option<String> {
            None
        }

        fn no_move(&self, _: bool) -> Option<String> {
            None
        }

        fn failure(&self, reason: &str) -> String {
            reason.to_owned()
        }

        fn book_move(&self, _: Move, _: f64) -> Option<String> {
            None
        }

        fn answer(&self, _: Option<Move>, _: Option<Move>) -> Option<String> {
            None
        }
    }

    #[test]
    fn an_iteration_that_was_not_finished_leaves_lines_in_order() {
        let position = Position::startpos();
        let line = |mv: &str, score| Line {
            score,
            bound: Bound::Exact,
            moves: vec![position.parse_uci(mv).expect("a legal move")],
        };
        let at = |depth, rank, line| Report {
            depth,
            selective_depth: depth,
            rank,
            line,
            nodes: 0,
            hashfull: 0,
            tbhits: 0,
        };
        let memory = Memory::default();
        let (control, output) = (Control::new(false, false), Output::new(memory.clone()));
        let clock_check = ClockCheck {
            start: Instant::now(),
            budget: None,
            nodes_per_second: 0,
            forced: false,
            is_late: false,
        };
        let mut watch = Watch::new(&control, &output, &Short, clock_check, 4);
        let before = [line("e2e4", 40), line("d2d4", 30), line("c2c4", 20), line("g1f3", 10)];
        for (line, rank) in before.iter().zip(1..) {
            watch.report(&at(7, rank, line));
        }
        let best = line("b1c3", 25);
        watch.report(&at(8, 1, &best));
        memory.take();
        let [e4, d4, c4, _] = before;
        let lines = vec![best, c4, e4, d4];
        watch.conclude(&Outcome { lines, depth: 7, selective_depth: 8, nodes: 0 }, None);
        assert_eq!(memory.take(), "2 40 e2e4\n3 30 d2d4\n4 20 c2c4\n");
    }
}
