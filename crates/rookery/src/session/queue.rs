//! Commands that wait until the running search has answered.
//!
//! A search needs the engine for itself. What would start another one, change the table or the rules,
//! comes after it, in the order in which it came, and so does everything behind it that is not urgent.
//! No search is stopped without `stop`, and the input is read on all the time.

use super::{CommandError, Heard, refuse};
use std::collections::VecDeque;

/// The bytes of waiting lines that are kept at most.
const MOST_BYTES: usize = 16 << 20;
/// What a line costs beside its bytes.
const LINE_COST: usize = 64;

/// Lines that wait.
#[derive(Default)]
pub struct Queue {
    lines: VecDeque<Waiting>,
    bytes: usize,
}

/// A line that waits.
pub struct Waiting {
    /// The line.
    pub line: Heard,
    /// What came after it.
    pub since: Since,
}

/// What has come after a line that waited, and holds for a search that it starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// `stop`: it ends at once.
    pub stopped: bool,
    /// `ponderhit`: the opponent has moved.
    pub ponder_hit: bool,
}

impl Queue {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many lines wait.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Adds a line at the end.
    pub fn push(&mut self, line: &Heard) -> Result<(), CommandError> {
        let bytes = self.bytes + line.text.len() + LINE_COST;
        if bytes > MOST_BYTES {
            return refuse("too many commands wait for the end of the search");
        }
        self.bytes = bytes;
        self.lines.push_back(Waiting { line: line.clone(), since: Since::default() });
        Ok(())
    }

    /// Takes the line that has waited longest.
    pub fn pop(&mut self) -> Option<Waiting> {
        let waiting = self.lines.pop_front()?;
        self.bytes -= waiting.line.text.len() + LINE_COST;
        Some(waiting)
    }

    /// Takes all lines out that are such, wherever they stand; how many there were.
    pub fn take_out(&mut self, is_such: impl Fn(&str) -> bool) -> usize {
        let before = self.lines.len();
        self.lines.retain(|waiting| !is_such(&waiting.line.text));
        self.bytes = self.lines.iter().map(|waiting| waiting.line.text.len() + LINE_COST).sum();
        before - self.lines.len()
    }

    /// `stop` holds for all that came before it.
    pub fn stop_all(&mut self) {
        self.lines.iter_mut().for_each(|waiting| waiting.since.stopped = true);
    }

    /// The same for `ponderhit`: interfaces send it behind a `go` that may still wait for the end of a
    /// search whose answer they have read already.
    pub fn ponder_hit_all(&mut self) {
        self.lines.iter_mut().for_each(|waiting| waiting.since.ponder_hit = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_as_they_went_in_and_stop_holds_for_those_before_it() {
        let mut queue = Queue::default();
        queue.push(&Heard::now("go depth 1")).expect("there is room");
        queue.stop_all();
        queue.push(&Heard::now("isready")).expect("there is room");
        queue.push(&Heard::now("go depth 2")).expect("there is room");
        assert_eq!(queue.take_out(|line| line == "isready"), 1);
        let first = queue.pop().expect("the first");
        assert_eq!((first.line.text.as_str(), first.since.stopped), ("go depth 1", true));
        assert!(queue.pop().is_some_and(|second| second.since == Since::default()));
        assert!(queue.is_empty() && queue.bytes == 0);
    }

    #[test]
    fn a_flood_is_refused() {
        let mut queue = Queue::default();
        let line = Heard::now("x".repeat(1 << 20));
        let taken = (0..100).take_while(|_| queue.push(&line).is_ok()).count();
        assert_eq!(taken, 15);
    }
}
