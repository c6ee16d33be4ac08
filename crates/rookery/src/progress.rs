//! A bar with the time left, for work that takes longer than two seconds and has a terminal; without one,
//! work that takes long may ask for a line now and then.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The bar appears after this time: shorter work needs none.
const HIDDEN_FOR: Duration = Duration::from_secs(2);

/// The bar is not drawn again within this time.
const STILL_FOR: Duration = Duration::from_millis(100);

/// Without a terminal a line is written this often.
const LINE_EVERY: Duration = Duration::from_secs(20);

/// Columns of the bar itself, at most; where there is no room for the least, it is left out.
const WIDTH: usize = 30;
const LEAST_WIDTH: usize = 8;

/// Puts the cursor to the beginning of an empty line.
const CLEAR: &str = "\r\x1b[2K";

/// Work in progress; any thread may tell how far it is.
pub struct Progress {
    begun: Instant,
    terminal: bool,
    /// Whether lines are written where there is no terminal.
    lines: bool,
    /// What is counted where the size of the work is not known.
    unit: Option<String>,
    shown: Mutex<Shown>,
}

struct Shown {
    /// The part that is being done, if it has a name.
    name: String,
    /// What stands on the terminal.
    line: String,
    /// When it may be drawn again.
    next: Duration,
}

impl Progress {
    /// Begins work whose size is told by [`Progress::set`].
    pub fn new() -> Progress {
        let shown = Shown { name: String::new(), line: String::new(), next: HIDDEN_FOR };
        let terminal = std::io::stderr().is_terminal();
        Progress {
            begun: Instant::now(),
            terminal,
            lines: false,
            unit: None,
            shown: Mutex::new(shown),
        }
    }

    /// The same with a line now and then where there is no terminal, as in a log.
    pub fn with_lines(mut self) -> Progress {
        self.lines = true;
        self
    }

    /// Begins work of unknown size: the units that are done are shown.
    pub fn counting(unit: &str) -> Progress {
        let mut progress = Progress::new();
        progress.unit = Some(unit.to_owned());
        progress
    }

    /// Whether there is a terminal to show it.
    pub fn is_visible(&self) -> bool {
        self.terminal
    }

    /// What is being done.
    pub fn name(&self, part: String) {
        self.lock().name = part;
    }

    /// Tells that `done` units of `total` are done.
    pub fn set(&self, done: u64, total: u64) {
        if !self.terminal && !self.lines {
            return;
        }
        let (elapsed, mut shown) = (self.begun.elapsed(), self.lock());
        if elapsed < shown.next {
            return;
        }
        if !self.terminal {
            shown.next = elapsed + LINE_EVERY;
            show(&[&share(done, total, elapsed, &shown.name), "\n"]);
            return;
        }
        let line = match &self.unit {
            Some(unit) => format!("{done} {unit} done, {} passed", time(elapsed)),
            None => bar(done, total, elapsed, &shown.name, columns()),
        };
        shown.line = line.chars().take(columns()).collect();
        shown.next = elapsed + STILL_FOR;
        show(&[CLEAR, &shown.line]);
    }

    /// Writes a line above the bar's place, which it then takes again.
    pub fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        let shown = self.lock();
        if shown.line.is_empty() {
            return write();
        }
        show(&[CLEAR]);
        let written = write();
        show(&[&shown.line]);
        written
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if !self.lock().line.is_empty() {
            show(&[CLEAR]);
        }
    }
}

/// Writes in one piece. A terminal that is gone shows nothing.
fn show(parts: &[&str]) {
    let mut terminal = std::io::stderr().lock();
    let _ = terminal.write_all(parts.concat().as_bytes()).and_then(|()| terminal.flush());
}

/// A line with a bar. Where room is short the bar gives way, then the end of the name: never the time left.
fn bar(done: u64, total: u64, elapsed: Duration, name: &str, columns: usize) -> String {
    let around = share(done, total, elapsed, "").chars().count() + ", ".len();
    let name: String = name.chars().take(columns.saturating_sub(around)).collect();
    let text = share(done, total, elapsed, &name);
    let width = WIDTH.min(columns.saturating_sub(text.chars().count() + 1));
    if width < LEAST_WIDTH {
        return text;
    }
    let filled = part(width as u64, done, total) as usize;
    format!("{}{} {text}", "█".repeat(filled), "░".repeat(width - filled))
}

fn part(whole: u64, done: u64, total: u64) -> u64 {
    whole.saturating_mul(done.min(total.max(1))) / total.max(1)
}

/// How much is done. The time left is not known before the first unit is.
fn share(done: u64, total: u64, elapsed: Duration, name: &str) -> String {
    let name = if name.is_empty() { String::new() } else { format!("{name}, ") };
    let (total, done) = (total.max(1), done.min(total.max(1)));
    let left = match done {
        0 => String::new(),
        _ => {
            let left = elapsed.as_secs_f64() * (total - done) as f64 / done as f64;
            format!(", {} left", time(Duration::try_from_secs_f64(left).unwrap_or_default()))
        }
    };
    format!("{:>3} %  {name}{} passed{left}", part(100, done, total), time(elapsed))
}

/// `42 s`, `3 min 20 s`, `2 h 5 min`.
fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Columns that a line may take without being broken.
fn columns() -> usize {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(std::io::stderr())
        && size.ws_col > 0
    {
        return usize::from(size.ws_col - 1);
    }
    79
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_the_share_and_the_time_left() {
        let seconds = Duration::from_secs;
        let empty = format!("{}   0 %  1 min 5 s passed", "░".repeat(30));
        assert_eq!(bar(0, 4, seconds(65), "", 79), empty);
        let quarter = "█".repeat(7) + &"░".repeat(23);
        let line = format!("{quarter}  25 %  KQK, 10 s passed, 30 s left");
        assert_eq!(bar(1, 4, seconds(10), "KQK", 79), line);
        let full = format!("{} 100 %  2 h 5 min passed, 0 s left", "█".repeat(30));
        assert_eq!(bar(9, 4, seconds(7530), "", 79), full, "more is done than there was to do");
        assert_eq!(share(1, 4, seconds(10), "deep"), " 25 %  deep, 10 s passed, 30 s left");
        assert!(bar(1, u64::MAX, Duration::MAX, "", 79).contains("   0 %"), "nothing overflows");
        assert!(bar(0, 0, seconds(3), "", 79).contains("   0 %"), "of nothing, nothing is done");
    }

    #[test]
    fn where_room_is_short_the_time_left_stays() {
        let name = "KQKR.dtc, table 12 of 40: level 1, 3,250 positions";
        for columns in 40..140 {
            let line = bar(1, 4, Duration::from_secs(10), name, columns);
            assert!(line.chars().count() <= columns, "{line}");
            assert!(
                line.contains(" 25 %  KQ") && line.ends_with("10 s passed, 30 s left"),
                "{line}"
            );
        }
    }
}
