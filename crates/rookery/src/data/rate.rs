//! How far long work is and how fast: a bar on a terminal, a line now and then elsewhere.

use crate::plain;
use crate::progress::Progress;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const BETWEEN: Duration = Duration::from_secs(15);

/// Work of which the rate is worth knowing.
pub struct Rate {
    progress: Progress,
    /// What is counted.
    unit: &'static str,
    first: u64,
    total: u64,
    begun: Instant,
    told: Instant,
}

impl Rate {
    /// Begins work of `total` units, of which `first` are there already.
    pub fn new(unit: &'static str, first: u64, total: u64) -> Rate {
        let now = Instant::now();
        Rate { progress: Progress::new(), unit, first, total, begun: now, told: now }
    }

    /// Shows that `done` units are complete; `other` is a second count, such as half-moves, and its unit.
    pub fn tell(&mut self, done: u64, other: (u64, &str)) {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let speed = (done - self.first) as f64 / seconds;
        let unit = self.unit;
        let rates = format!("{speed:.1} {unit}/s, {:.0} {}/s", other.0 as f64 / seconds, other.1);
        if self.progress.is_visible() {
            self.progress.name(rates);
            self.progress.set(done, self.total);
        } else if self.told.elapsed() >= BETWEEN {
            self.told = Instant::now();
            let left = self.total.saturating_sub(done) as f64 / speed.max(1e-9);
            let total = self.total;
            // Where stderr is closed the work still goes on.
            plain::say(format_args!("{done} of {total} {unit}, {rates}, {left:.0} s left"));
        }
    }

    /// Seconds since the beginning.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}
