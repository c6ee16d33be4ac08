//! How many nodes to search between two looks at a clock.
//!
//! A node takes half a microsecond, or ten milliseconds where memory or a table on a disk must be waited for:
//! a fixed number of nodes is no measure of time. The number follows the rate that was measured last, falls
//! at once and grows slowly, so that a search begins carefully and one slow stretch is remembered for a
//! while. Pure arithmetic: the caller has the clock and passes the time in.

use crate::observer::POLL_INTERVAL;
use std::time::Duration;

/// Time between two looks at the clock, about.
const TARGET: Duration = Duration::from_micros(250);
/// The shortest time between two looks, close to the end: more looks would cost too much.
const SHORTEST: Duration = Duration::from_micros(20);
/// Nodes before the first look: the first ones may be slow.
const FIRST: u64 = 16;

/// Says after how many nodes the clock is to be looked at again.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    interval: u64,
    /// Nodes and time at the last look.
    last: (u64, Duration),
}

impl Default for Pacer {
    fn default() -> Pacer {
        Pacer { interval: FIRST, last: (0, Duration::ZERO) }
    }
}

impl Pacer {
    /// Nodes until the next look, at least 1 and at most [`POLL_INTERVAL`].
    pub fn interval(&self) -> u64 {
        self.interval
    }

    /// The clock was looked at: nodes and time since the search began, and what is left of its time, if
    /// that is limited.
    pub fn looked(&mut self, nodes: u64, now: Duration, left: Option<Duration>) {
        let searched = nodes.saturating_sub(self.last.0);
        let taken = now.saturating_sub(self.last.1);
        self.last = (nodes, now);
        self.measured(searched, taken, left);
    }

    /// The same for a number of nodes and the time they took.
    pub fn measured(&mut self, searched: u64, taken: Duration, left: Option<Duration>) {
        if searched == 0 {
            // Nothing is known of the next nodes.
            return;
        }
        // Half of what is left, so that a rate that halves does no harm.
        let target = left.map_or(TARGET, |left| (left / 2).clamp(SHORTEST, TARGET));
        let wanted = u128::from(searched) * target.as_nanos() / taken.as_nanos().max(1);
        let most = self.interval.saturating_mul(2).min(POLL_INTERVAL);
        self.interval = u64::try_from(wanted).unwrap_or(u64::MAX).clamp(1, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches for a time with nodes of a length each, from where the pacer stands; the longest time
    /// between two looks.
    fn longest_gap(
        pacer: &mut Pacer,
        at: &mut (u64, Duration),
        node: Duration,
        looks: u32,
    ) -> Duration {
        let mut longest = Duration::ZERO;
        for _ in 0..looks {
            let gap = node * pacer.interval() as u32;
            *at = (at.0 + pacer.interval(), at.1 + gap);
            pacer.looked(at.0, at.1, None);
            longest = longest.max(gap);
        }
        longest
    }

    #[test]
    fn slow_nodes_are_followed_by_a_look_at_the_clock() {
        for micros in [1, 10, 100, 1_000, 10_000] {
            let node = Duration::from_micros(micros);
            let (mut pacer, mut at) = (Pacer::default(), (0, Duration::ZERO));
            // The first look comes early, whatever the nodes are like.
            assert!(longest_gap(&mut pacer, &mut at, node, 1) <= 16 * node);
            let longest = longest_gap(&mut pacer, &mut at, node, 1000);
            assert!(longest <= TARGET.max(node), "{micros} µs a node: {longest:?}");
        }
    }

    #[test]
    fn fast_nodes_are_rarely_interrupted() {
        let (mut pacer, mut at) = (Pacer::default(), (0, Duration::ZERO));
        longest_gap(&mut pacer, &mut at, Duration::from_nanos(100), 20);
        assert_eq!(pacer.interval(), POLL_INTERVAL);
        longest_gap(&mut pacer, &mut at, Duration::from_nanos(500), 20);
        assert_eq!(pacer.interval(), 500);
    }

    #[test]
    fn one_slow_stretch_is_noticed_at_once_and_forgotten_slowly() {
        let (mut pacer, mut at) = (Pacer::default(), (0, Duration::ZERO));
        longest_gap(&mut pacer, &mut at, Duration::from_nanos(500), 20);
        longest_gap(&mut pacer, &mut at, Duration::from_millis(1), 1);
        assert_eq!(pacer.interval(), 1);
        longest_gap(&mut pacer, &mut at, Duration::from_nanos(500), 3);
        assert_eq!(pacer.interval(), 8);
    }

    #[test]
    fn looks_come_closer_together_towards_the_end() {
        let mut pacer = Pacer { interval: 512, last: (0, Duration::ZERO) };
        pacer.looked(500, Duration::from_micros(250), Some(Duration::from_micros(100)));
        assert_eq!(pacer.interval(), 100);
        pacer.looked(600, Duration::from_micros(300), Some(Duration::ZERO));
        assert_eq!(pacer.interval(), 40);
    }

    #[test]
    fn a_clock_that_stands_still_or_runs_back_does_no_harm() {
        let mut pacer = Pacer::default();
        pacer.looked(1000, Duration::from_millis(1), None);
        pacer.looked(1000, Duration::from_millis(1), None);
        pacer.looked(10, Duration::ZERO, Some(Duration::MAX));
        assert!((1..=POLL_INTERVAL).contains(&pacer.interval()));
    }
}
