//! The end of the console.

use super::Console;
use super::command::Command;
use crate::failure::Failure;

impl Console {
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
