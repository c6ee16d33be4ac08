//! The end of the console.

use super::Console;
use super::command::Command;
use crate::failure::Failure;
use crate::session::Event;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a mate is looked for after the end of the input: most are found in a moment, and that there is
/// none may never be known.
pub const MATE_TIME: Duration = Duration::from_secs(10);

impl Console {
    /// What happens next. The console holds a sender itself: there is always another event.
    pub(super) fn next_event(&mut self, events: &Receiver<Event>) -> Option<Event> {
        let Some(deadline) = self.mate_deadline else { return events.recv().ok() };
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) => {
                self.mate_deadline = None;
                if !self.session.ends_by_itself() {
                    self.session.stop();
                }
                events.recv().ok()
            }
            event => event.ok(),
        }
    }

    /// After the end of the input: ends a search that waits for a word that will not come, and limits the
    /// time of one that looks for a mate.
    pub(super) fn end_held(&mut self) {
        self.mate_deadline = None;
        if self.is_last && self.session.is_held() {
            self.session.stop();
        } else if self.is_last && self.session.is_running() && !self.session.ends_by_itself() {
            self.mate_deadline = Instant::now().checked_add(self.mate_time);
        }
    }

    /// At the end: what was to be saved after the search is saved, other commands that wait are dropped,
    /// which is told.
    pub(super) fn save_tables(&mut self) -> Result<(), Failure> {
        let mut dropped = 0;
        while let Some(waiting) = self.queue.pop() {
            let mut words = waiting.line.text.split_whitespace();
            match words.find_map(Command::from_word) {
                // All that was said before it is done.
                Some(Command::IsReady) if dropped == 0 => self.session.output.line("readyok")?,
                Some(Command::SaveTable) => {
                    let outcome = self.line(&waiting.line, waiting.since);
                    self.settle(outcome)?;
                }
                _ => dropped += 1,
            }
        }
        if dropped > 0 {
            let told = "commands that waited for the end of the search were dropped by quit:";
            self.session.output.line(format_args!("info string {told} {dropped}"))?;
        }
        Ok(())
    }
}
