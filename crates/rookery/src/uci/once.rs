//! One command of the console, given as arguments: `rookery d FEN`, `rookery go depth 12`.
//!
//! Who types it can mend it: what the console would pass over is refused here. Commands that show a
//! position take it behind them, these and `go` behind `--fen`.

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
    let words: Vec<&str> = words.iter().map(|word| word.as_ref()).collect();
    let (words, fen) = take_fen(&words)?;
    let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    let first = words.first().copied().unwrap_or_default();
    let Some(command) = Command::from_word(first) else { arguments::unknown(first).exit() };
    let (mut console, events) = Console::new(output)?;
    if command == Command::Go {
        interrupt::listen();
    }
    let line = console.prepare(command, &words, fen)?;
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

/// Takes `--fen FEN` out of the words, where it is; the FEN may stand in one word or in all that follow.
fn take_fen<'a>(words: &[&'a str]) -> Result<(Vec<&'a str>, Option<String>), Failure> {
    let Some(place) = words.iter().position(|word| *word == "--fen" || word.starts_with("--fen="))
    else {
        return Ok((words.to_vec(), None));
    };
    let (before, option) = words.split_at(place);
    let (fen, behind) = match option {
        [option, behind @ ..] if *option != "--fen" => (&option["--fen=".len()..], behind),
        [_, fen, behind @ ..] => (*fen, behind),
        _ => return Err(Failure::Usage("--fen: the position is missing".to_owned())),
    };
    match position::is_whole(fen) {
        true => Ok(([before, behind].concat(), Some(fen.to_owned()))),
        false => Ok((before.to_vec(), Some([&[fen], behind].concat().join(" ")))),
    }
}

impl Console {
    /// Sets up the position that was given, behind `--fen` or as the words behind a command, and checks the
    /// others; the line that is left for the console.
    fn prepare(
        &mut self,
        command: Command,
        words: &[&str],
        fen: Option<String>,
    ) -> Result<String, Failure> {
        use Command::{Display, Divide, Flip, Go, Moves};
        let takes_position = matches!(command, Display | Moves | Flip | Divide | Go);
        if let Some(fen) = fen.clone().filter(|_| takes_position) {
            self.start_from(fen)?;
        } else if fen.is_some() {
            let name = words.first().copied().unwrap_or_default();
            return Err(Failure::Usage(format!("{name}: no position is expected behind it")));
        }
        let own = match (command, words) {
            (Display | Moves | Flip, _) => 1,
            (Divide, _) => 2,
            (Go, [_, "perft", ..]) => 3,
            (Go, _) => {
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
        match (given, fen) {
            ([], _) => (),
            ([extra, ..], Some(_)) => {
                let reason = format!("--fen gives the position already, found {}", quote(extra));
                return Err(Failure::Usage(reason));
            }
            _ => self.start_from(given.join(" "))?,
        }
        Ok(words.join(" "))
    }

    fn start_from(&mut self, text: String) -> Result<(), Failure> {
        let fen = position::read(text)?;
        (self.position, self.history, self.style) = (fen.position, fen.history, fen.style);
        Ok(())
    }
}
