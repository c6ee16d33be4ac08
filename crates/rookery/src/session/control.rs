//! What the console and a running search tell each other.

use super::launch::Answer;
use search::time::Budget;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The state of one search, seen from both sides. Flags are read on the way; a thread that waits sleeps.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
    /// Stopped, and its answer is not wanted.
    abandoned: AtomicBool,
    /// The opponent is to move: the clock does not count yet (M32).
    pondering: AtomicBool,
    /// The answer is wanted only after `stop`.
    endless: AtomicBool,
    /// The search and its clock stand still.
    paused: AtomicBool,
    /// The answer is being shown: its reader may send a command before `finished` is set.
    answering: AtomicBool,
    finished: AtomicBool,
    answer: Mutex<Option<Answer>>,
    /// The time it has after the predicted move, where that is known only then.
    revised: Mutex<Option<Budget>>,
    gate: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// For a search that ponders, or is to go on until it is stopped, or neither.
    pub fn new(pondering: bool, endless: bool) -> Control {
        Control {
            pondering: AtomicBool::new(pondering),
            endless: AtomicBool::new(endless),
            ..Control::default()
        }
    }

    /// Ends the search at once.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, SeqCst));
    }

    /// Ends the search at once and for good.
    pub fn abandon(&self) {
        self.abandoned.store(true, SeqCst);
        self.stop();
    }

    /// The predicted move was played: the search goes on as an ordinary one, with the time that was
    /// ordered or with this.
    pub fn ponder_hit(&self, budget: Option<Budget>) {
        *self.revised.lock().unwrap_or_else(PoisonError::into_inner) = budget;
        self.change(|| self.pondering.store(false, SeqCst));
    }

    /// The answer may be given as soon as the search ends by itself.
    pub fn release(&self) {
        self.change(|| {
            self.pondering.store(false, SeqCst);
            self.endless.store(false, SeqCst);
        });
    }

    /// Stands still, or goes on.
    pub fn pause(&self, on: bool) {
        self.change(|| self.paused.store(on, SeqCst));
    }

    /// The answer is shown from now on, and `finish` is a matter of moments.
    pub fn begin_answer(&self) {
        self.answering.store(true, SeqCst);
    }

    /// The answer has been given.
    pub fn finish(&self, answer: Answer) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.change(|| self.finished.store(true, SeqCst));
    }

    /// Whether to end at once.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(SeqCst)
    }

    /// Whether nothing may be said any more.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(SeqCst)
    }

    /// Whether the opponent is still to move.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(SeqCst)
    }

    /// Whether the search is to stand still.
    pub fn is_paused(&self) -> bool {
        self.paused.load(SeqCst)
    }

    /// Whether the answer is being shown, or has been.
    pub fn is_answering(&self) -> bool {
        self.answering.load(SeqCst)
    }

    /// Whether the answer waits for a command, however long the search takes.
    pub fn is_held(&self) -> bool {
        !self.is_stopped() && (self.is_pondering() || self.endless.load(SeqCst))
    }

    /// Waits for the end of an answer that is being given, and takes it, once.
    pub fn take_answer(&self) -> Option<Answer> {
        let guard = self.lock();
        drop(self.changed.wait_while(guard, |()| !self.finished.load(SeqCst)));
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The time that `ponder_hit` brought, once.
    pub fn take_revision(&self) -> Option<Budget> {
        self.revised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until the search may go on.
    pub fn await_resumption(&self) {
        let guard = self.lock();
        let held = || self.is_paused() && !self.is_stopped();
        drop(self.changed.wait_while(guard, |()| held()));
    }

    /// Waits until the answer may be given.
    pub fn await_release(&self) {
        let waits = || self.is_pondering() || self.endless.load(SeqCst) || self.is_paused();
        let guard = self.lock();
        drop(self.changed.wait_while(guard, |()| !self.is_stopped() && waits()));
    }

    /// Waits until the search is told to end, but no longer than this.
    pub fn await_stop(&self, limit: Duration) {
        let guard = self.lock();
        drop(self.changed.wait_timeout_while(guard, limit, |()| !self.is_stopped()));
    }

    /// Waits until the answer has been given, but no longer than this.
    pub fn await_finish(&self, limit: Duration) {
        let guard = self.lock();
        let running = || !self.finished.load(SeqCst);
        drop(self.changed.wait_timeout_while(guard, limit, |()| running()));
    }

    /// Under the lock, so that no thread goes to sleep between looking and the change.
    fn change(&self, change: impl FnOnce()) {
        let guard = self.lock();
        change();
        drop(guard);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
