//! What else the processors do while something is measured: on a machine that others use as well, a speedup
//! says little without it.

use std::fs;
use std::time::Instant;

/// Units of the system's clocks in a second.
const TICKS: f64 = 100.0;

/// The system's clocks at one moment.
#[derive(Clone, Copy)]
pub struct Clocks {
    at: Instant,
    /// Work of all processors.
    all: u64,
    /// That of this process and of those that it has started, which have ended.
    ours: u64,
}

impl Clocks {
    /// What they show now; nothing if the system does not tell.
    pub fn now() -> Option<Clocks> {
        let all = all(&fs::read_to_string("/proc/stat").ok()?)?;
        let ours = ours(&fs::read_to_string("/proc/self/stat").ok()?)?;
        Some(Clocks { at: Instant::now(), all, ours })
    }

    /// Processors that something else than the measurement used from then to now, other virtual machines of
    /// the same computer included. What was started meanwhile must have ended.
    pub fn others_until(self, now: Clocks) -> f64 {
        let seconds = (now.at - self.at).as_secs_f64().max(1.0 / TICKS);
        let ours = now.ours - self.ours;
        (now.all - self.all).saturating_sub(ours) as f64 / TICKS / seconds
    }
}

/// The ticks of work in the first line of `/proc/stat`: all but the fourth and fifth number, idle and
/// waiting, and the last two, which the first ones contain.
fn all(stat: &str) -> Option<u64> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let numbers: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    let numbers = numbers?;
    Some(numbers.get(..3)?.iter().chain(numbers.get(5..8)?).sum())
}

/// The ticks of a process and of its children in `/proc/PID/stat`. Its name may contain anything.
fn ours(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let numbers = rest.split_whitespace().skip(11).map_while(|word| word.parse::<u64>().ok());
    let numbers: Vec<u64> = numbers.take(4).collect();
    (numbers.len() == 4).then(|| numbers.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn clocks_are_read() {
        assert_eq!(all("cpu  100 20 30 4000 500 6 7 8 90 1\ncpu0 1 2\n"), Some(171));
        let stat = "42 (a) b) S 1 2 3 0 -1 4 5 6 7 8 110 20 300 4 20 0 1 0 99";
        assert_eq!(ours(stat), Some(434));
        for broken in ["", "cpu", "cpu 1 2", "cpu a b c d e f g h", "1 (x) S 1 2"] {
            assert_eq!((all(broken), ours(broken)), (None, None), "{broken}");
        }
    }

    #[test]
    fn what_neither_we_nor_our_children_did_was_others() {
        let at = Instant::now();
        let before = Clocks { at, all: 1000, ours: 110 };
        let after = Clocks { at: at + Duration::from_secs(10), all: 2900, ours: 1510 };
        assert_eq!(before.others_until(after), 0.5);
    }
}
