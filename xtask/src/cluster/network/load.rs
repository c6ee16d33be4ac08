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
    /// That of this process.
    own: u64,
    /// That of the processes it has started, which have ended.
    started: u64,
}

/// Processors in use, on average.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Load {
    /// By this process: the relay.
    pub own: f64,
    /// By what has nothing to do with the measurement, the machine's other guests included.
    pub others: f64,
}

impl Clocks {
    /// What they show now; nothing if the system does not tell.
    pub fn now() -> Option<Clocks> {
        let all = all(&fs::read_to_string("/proc/stat").ok()?)?;
        let (own, started) = own(&fs::read_to_string("/proc/self/stat").ok()?)?;
        Some(Clocks { at: Instant::now(), all, own, started })
    }

    /// The load from then to now. What was started meanwhile must have ended.
    pub fn load_until(self, now: Clocks) -> Load {
        let seconds = (now.at - self.at).as_secs_f64().max(1.0 / TICKS);
        let processors = |ticks: u64| ticks as f64 / TICKS / seconds;
        let own = now.own - self.own;
        let ours = own + (now.started - self.started);
        let others = (now.all - self.all).saturating_sub(ours);
        Load { own: processors(own), others: processors(others) }
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
fn own(stat: &str) -> Option<(u64, u64)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut numbers = rest.split_whitespace().skip(11).map_while(|word| word.parse::<u64>().ok());
    let mut pair = || Some(numbers.next()? + numbers.next()?);
    Some((pair()?, pair()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn clocks_are_read() {
        assert_eq!(all("cpu  100 20 30 4000 500 6 7 8 90 1\ncpu0 1 2\n"), Some(171));
        let stat = "42 (a) b) S 1 2 3 0 -1 4 5 6 7 8 110 20 300 4 20 0 1 0 99";
        assert_eq!(own(stat), Some((130, 304)));
        for broken in ["", "cpu", "cpu 1 2", "cpu a b c d e f g h", "1 (x) S 1 2"] {
            assert_eq!((all(broken), own(broken)), (None, None), "{broken}");
        }
    }

    #[test]
    fn what_neither_we_nor_our_children_did_was_others() {
        let at = Instant::now();
        let before = Clocks { at, all: 1000, own: 10, started: 100 };
        let after = Clocks { at: at + Duration::from_secs(10), all: 2900, own: 1010, started: 500 };
        assert_eq!(before.load_until(after), Load { own: 1.0, others: 0.5 });
    }
}
