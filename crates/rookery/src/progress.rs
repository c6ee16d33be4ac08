//! A bar with the time left, for work that takes longer than two seconds and has a terminal.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The bar appears after this time: shorter work needs none.
const HIDDEN_FOR: Duration = Duration::from_secs(2);

/// Work in progress; any thread may tell how far it is.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    hidden: AtomicBool,
    terminal: bool,
}

impl Progress {
    /// Begins work of `total` units.
    pub fn new(total: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let template = "{bar:40} {percent:>3} %  {elapsed} passed{left}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("left", time_left));
        }
        let terminal = std::io::stderr().is_terminal();
        Progress { bar, begun: Instant::now(), hidden: AtomicBool::new(true), terminal }
    }

    /// Begins work of unknown size: the units that are done are shown.
    pub fn counting(unit: &str) -> Progress {
        let progress = Progress::new(0);
        let template = format!("{{spinner}} {{pos}} {unit} done, {{elapsed}} passed");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            progress.bar.set_style(style);
        }
        progress
    }

    /// Begins work of `total` units in parts that have names.
    pub fn in_parts(total: u64) -> Progress {
        let progress = Progress::new(total);
        let template = "{bar:30} {percent:>3} %  {msg}, {elapsed} passed, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            progress.bar.set_style(style);
        }
        progress
    }

    /// Whether there is a terminal to show it.
    pub fn is_visible(&self) -> bool {
        self.terminal
    }

    /// What is being done.
    pub fn name(&self, part: String) {
        self.bar.set_message(part);
    }

    /// Tells that `done` units of `total` are done.
    pub fn set(&self, done: u64, total: u64) {
        if !self.terminal {
            return;
        }
        let late = self.hidden.load(Relaxed) && self.begun.elapsed() > HIDDEN_FOR;
        if late && self.hidden.swap(false, Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    /// Writes a line above the bar's place, which it then takes again.
    pub fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

/// The time left; nothing before the first unit is done, when it is not known.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    if state.pos() > 0 {
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
