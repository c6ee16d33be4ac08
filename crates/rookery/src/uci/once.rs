//! One command of the console, given as arguments: `rookery d FEN`, `rookery go depth 12`.
//!
//! Who types it can mend it: what the console would pass over is refused here. Commands that show a
//! position take it behind them.

use super::command::Command;
use super::{Console, go};
use crate::arguments::{self, position};
use crate::failure::Failure;
use crate::interrupt;
use crate::session::{CommandError, Event, Heard, Output, Since};
use board::fen::quote;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// How often Ctrl-C is looked for.
const REFRESH: Duration = Duration::from_millis(50);

/// Follows the one command that the arguments are; a search is waited for.
pub fn run(words: &[OsString], output: Output) -> Result<ExitCode, Failure> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    let first = words.first().copied().unwrap_or_default();
    let Some(command) = Command::from_word(first) else { arguments::unknown(first).exit() };
    let (mut console, events) = Console::new(output)?;
    if command == Command::Go {
        interrupt::listen();
    }
    let line = console.prepare(command, &words)?;
    let followed = console.line(&Heard::now(line), Since::default()).and_then(|_| match command {
        // Alone it would show nothing.
        Command::Flip => console.line(&Heard::now("d"), Since::default()),
        _ => Ok(super::Next::Go),
    });
    match followed {
        Ok(_) => (),
        Err(CommandError::Refused(reason)) => return Err(Failure::Work(reason)),
        Err(CommandError::Output(error)) => return Err(error.into()),
    }
    console.session.release();
    let mut told = false;
    while console.session.is_running() {
        match events.recv_timeout(REFRESH) {
            Ok(Event::Finished(number)) => drop(console.session.finished(number)),
            Ok(_) | Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if interrupt::requested() && !std::mem::replace(&mut told, true) {
            // The search shows the move it has.
            drop(console.line(&Heard::now("stop"), Since::default()));
        }
    }
    interrupt::status()
}

impl Console {
    /// Sets up the position that the words behind a command are, and checks the others; the line that is
    /// left for the console.
    fn prepare(&mut self, command: Command, words: &[&str]) -> Result<String, Failure> {
        let own = match (command, words) {
            (Command::Display | Command::Moves | Command::Flip, _) => 1,
            (Command::Divide, _) => 2,
            (Command::Go, [_, "perft", ..]) => 3,
            (Command::Go, _) => {
                go::check(words, &self.position).map_err(Failure::Usage)?;
                words.len()
            }
            (command, [name, extra, ..]) if command.stands_alone() => {
                let reason =
                    format!("{name}: nothing is expected behind it, found {}", quote(extra));
                return Err(Failure::Usage(reason));
            }
            _ => words.len(),
        };
        let (words, given) = words.split_at(own.min(words.len()));
        if !given.is_empty() {
            let fen = position::read(given.join(" "))?;
            (self.position, self.history, self.style) = (fen.position, fen.history, fen.style);
        }
        Ok(words.join(" "))
    }
}
