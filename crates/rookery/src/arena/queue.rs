//! The lines of an engine between the thread that reads them and the game that waits for them.
//!
//! The queue is bounded in bytes: an engine that writes without end is stopped by its full pipe, not by
//! our memory. Whether a line counts is decided by the moment at which it was read, not by when the game
//! gets round to it: so a busy machine costs no engine a move that came in time, and a deadline holds
//! however many lines are waiting.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that may wait to be looked at. A single line may be longer: it waits alone.
const MOST_WAITING_BYTES: usize = 1 << 20;
/// What a line costs beside its text.
const LINE_BYTES: usize = size_of::<Heard>();
/// How often a wait looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// A line and when it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heard {
    pub text: String,
    pub at: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time for it has passed.
    Late,
    /// The engine has closed its output: it has ended, most likely.
    Ended,
    /// The game is no longer wanted.
    CalledOff,
}

#[derive(Default)]
struct Content {
    lines: VecDeque<Heard>,
    bytes: usize,
    /// No more lines come.
    ended: bool,
    /// No more lines are wanted.
    closed: bool,
}

/// A queue with one thread at each end.
#[derive(Default)]
pub struct Queue {
    content: Mutex<Content>,
    changed: Condvar,
}

impl Queue {
    /// Appends a line, as soon as there is room for it; false if the queue is closed.
    pub fn push(&self, line: Heard) -> bool {
        let cost = line.text.len() + LINE_BYTES;
        let is_full = |content: &mut Content| {
            !content.closed && content.bytes > 0 && content.bytes + cost > MOST_WAITING_BYTES
        };
        let waited = self.changed.wait_while(self.lock(), is_full);
        let mut content = waited.unwrap_or_else(PoisonError::into_inner);
        if content.closed {
            return false;
        }
        content.bytes += cost;
        content.lines.push_back(line);
        self.changed.notify_all();
        true
    }

    /// No more lines come.
    pub fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// No more lines are wanted.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// The next line that was read before the deadline, waited for as long as it can come and is wanted.
    pub fn pop(&self, deadline: Instant, is_unwanted: impl Fn() -> bool) -> Result<Heard, Silence> {
        let mut content = self.lock();
        loop {
            if is_unwanted() {
                return Err(Silence::CalledOff);
            }
            match content.lines.front() {
                Some(line) if line.at > deadline => return Err(Silence::Late),
                Some(_) => {}
                None if content.ended => return Err(Silence::Ended),
                None => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(Silence::Late);
                    }
                    let waited = self.changed.wait_timeout(content, left.min(LOOK));
                    content = waited.unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                }
            }
            if let Some(line) = content.lines.pop_front() {
                content.bytes -= line.text.len() + LINE_BYTES;
                self.changed.notify_all();
                return Ok(line);
            }
        }
    }

    /// Drops all lines that are waiting.
    pub fn clear(&self) {
        let mut content = self.lock();
        content.lines.clear();
        content.bytes = 0;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::thread;

    fn line(text: &str, at: Instant) -> Heard {
        Heard { text: text.to_owned(), at }
    }

    #[test]
    fn a_line_counts_by_the_moment_at_which_it_was_read() {
        let (queue, deadline) = (Queue::default(), Instant::now());
        let second = Duration::from_secs(1);
        assert!(queue.push(line("in time", deadline - second)));
        assert!(queue.push(line("too late", deadline + second)));
        // The deadline has passed, whatever the time is now.
        assert_eq!(queue.pop(deadline, || false).map(|heard| heard.text), Ok("in time".into()));
        assert_eq!(queue.pop(deadline, || false), Err(Silence::Late));
        let later = deadline + 2 * second;
        assert_eq!(queue.pop(later, || false).map(|heard| heard.text), Ok("too late".into()));
        assert_eq!(queue.pop(deadline, || false), Err(Silence::Late));
        queue.end();
        assert_eq!(queue.pop(later, || false), Err(Silence::Ended));
    }

    #[test]
    fn a_flood_is_held_back_and_its_lines_do_not_outlast_the_deadline() {
        let (queue, pushed) = (Queue::default(), AtomicUsize::new(0));
        let text = "x".repeat(1000);
        thread::scope(|scope| {
            scope.spawn(|| {
                while queue.push(line(&text, Instant::now())) {
                    pushed.fetch_add(1, SeqCst);
                }
            });
            let full = MOST_WAITING_BYTES / (1000 + LINE_BYTES);
            while pushed.load(SeqCst) < full {
                thread::yield_now();
            }
            // Without a listener it stays at what fits.
            assert_eq!((pushed.load(SeqCst), queue.lock().lines.len()), (full, full));
            let deadline = Instant::now() + Duration::from_millis(20);
            while queue.pop(deadline, || false).is_ok() {}
            assert!(Instant::now() >= deadline);
            queue.close();
        });
    }

    #[test]
    fn a_wait_ends_when_the_game_is_called_off() {
        let queue = Queue::default();
        let deadline = Instant::now() + Duration::from_secs(600);
        assert_eq!(queue.pop(deadline, || true), Err(Silence::CalledOff));
        queue.push(line("another line of a flood", Instant::now()));
        assert_eq!(queue.pop(deadline, || true), Err(Silence::CalledOff));
    }

    #[test]
    fn a_line_longer_than_the_queue_waits_alone() {
        let queue = Queue::default();
        assert!(queue.push(line(&"x".repeat(2 * MOST_WAITING_BYTES), Instant::now())));
        queue.clear();
        assert!(queue.push(line(&"x".repeat(2 * MOST_WAITING_BYTES), Instant::now())));
    }
}
