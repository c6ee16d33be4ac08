//! The search's surroundings in the console: the clock, the orders, the lines it shows.

use super::control::Control;
use super::info::Wording;
use super::output::Output;
use search::time::Budget;
use search::{Bound, Host, Iteration, Progress, Report};
use std::time::{Duration, Instant};

/// At least this often something is shown.
const SIGN_OF_LIFE: Duration = Duration::from_millis(900);
/// Bounds of failed windows are shown only in searches that last longer: short ones would be noisy.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// Watches over one search.
pub struct Watch<'a> {
    control: &'a Control,
    output: &'a Output,
    wording: &'a Wording,
    pace: Pace,
    /// Lines to show (fewer than are searched when playing below strength).
    shown: usize,
    last_sign: Instant,
}

/// The time that a search has.
#[derive(Clone, Copy)]
pub struct Pace {
    /// When it began; for pondering, when that began.
    pub start: Instant,
    /// Its limits, if it has any.
    pub budget: Option<Budget>,
    /// Nodes that count as a millisecond; 0: time is time.
    pub nodes_per_ms: u64,
    /// There is nothing to choose: one iteration is enough, if time is short at all.
    pub forced: bool,
    /// The last iteration ended beyond the soft limit.
    pub is_late: bool,
}

impl Pace {
    fn elapsed_ms(&self, nodes: u64) -> f64 {
        match self.nodes_per_ms {
            0 => self.start.elapsed().as_secs_f64() * 1e3,
            rate => nodes as f64 / rate as f64,
        }
    }

    /// Whether the time is over.
    fn is_over(&self, nodes: u64) -> bool {
        self.budget
            .is_some_and(|budget| self.is_late || self.elapsed_ms(nodes) >= budget.hard_ms() as f64)
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
        wording: &'a Wording,
        pace: Pace,
        shown: usize,
    ) -> Watch<'a> {
        Watch { control, output, wording, pace, shown, last_sign: Instant::now() }
    }

    /// Whoever no longer listens is noticed by the console, which ends everything: an error here
    /// needs no other treatment.
    fn show(&mut self, line: String) {
        self.last_sign = Instant::now();
        let _ = self.output.line(line);
    }
}

impl Host for Watch<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        if self.control.is_stopped() {
            return true;
        }
        if self.last_sign.elapsed() >= SIGN_OF_LIFE {
            let line = self.wording.progress(progress, self.pace.start.elapsed());
            self.show(line);
        }
        !self.control.is_pondering() && self.pace.is_over(progress.nodes)
    }

    fn report(&mut self, report: &Report<'_>) {
        let elapsed = self.pace.start.elapsed();
        let is_early = report.line.bound != Bound::Exact && elapsed < BOUNDS_AFTER;
        if report.rank <= self.shown && !is_early {
            let line = self.wording.report(report, elapsed);
            self.show(line);
        }
    }

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        self.pace.learn(iteration);
        // While the opponent thinks there is no reason to stop; at his move `is_over` decides (M32).
        self.control.is_pondering() || !(self.pace.is_late || self.control.is_stopped())
    }
}
