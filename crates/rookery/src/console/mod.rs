//! The console: commands on the standard input, answers on the standard output.
//!
//! The commands are those of the UCI protocol as far as they need no search, and a few for people.
//! Whatever comes is answered or named in one line `info string error …`; nothing that is sent ends
//! the loop but `quit` and the end of the input, and a command that fails changes nothing.

mod answer;
mod command;
mod options;
mod setup;

use crate::arguments::Arguments;
use crate::evaluation;
use crate::failure::Failure;
use crate::lines::{self, Line};
use board::fen::quote;
use board::{CastlingStyle, Position};
use clap::CommandFactory;
use clap::error::ErrorKind;
use command::Command;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// What the commands work on.
struct Console {
    position: Position,
    /// How castling is written as far as the position tells.
    style: CastlingStyle,
    /// The option `UCI_Chess960`: castling is always written as the king taking its rook.
    chess960: bool,
}

/// What comes after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Go,
    Quit,
}

/// Why a command was not followed.
#[derive(Debug)]
enum Trouble {
    /// What is wrong with it.
    Refused(String),
    /// The answer cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Output(error)
    }
}

/// A refusal with its reason.
fn refuse<T>(reason: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Refused(reason.into()))
}

/// Answers commands until `quit` or the end of the input.
pub fn talk(input: &mut impl BufRead, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let (mut console, mut buffer) = (Console::new(), Vec::new());
    loop {
        let line = lines::read(input, &mut buffer)
            .map_err(|error| Failure::Work(format!("cannot read commands: {error}")))?;
        let outcome = match line {
            Line::End => return Ok(ExitCode::SUCCESS),
            Line::TooLong => {
                refuse(format!("a line longer than {} bytes was passed over", lines::LONGEST))
            }
            Line::Whole => console.line(&String::from_utf8_lossy(&buffer), out),
        };
        match outcome {
            Ok(Next::Go) => (),
            Ok(Next::Quit) => return Ok(ExitCode::SUCCESS),
            Err(Trouble::Refused(reason)) => complain(&reason, out)?,
            Err(Trouble::Output(error)) => return Err(error.into()),
        }
        out.flush()?;
    }
}

/// Follows the one command that the arguments are.
pub fn run_once(words: &[OsString], out: &mut impl Write) -> Result<ExitCode, Failure> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let first = words.first().map_or("", |word| word);
    if Command::from_word(first).is_none() {
        let reason = format!("{} is no command: `rookery help` tells more", quote(first));
        Arguments::command().error(ErrorKind::InvalidSubcommand, reason).exit();
    }
    match Console::new().line(&words.join(" "), out) {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(Trouble::Refused(reason)) => Err(Failure::Work(reason)),
        Err(Trouble::Output(error)) => Err(error.into()),
    }
}

fn complain(reason: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "info string error {reason}")
}

impl Console {
    fn new() -> Console {
        let style = CastlingStyle::Standard;
        Console { position: Position::startpos(), style, chess960: false }
    }

    /// Follows one line. Unknown words before a command are passed over, as UCI demands.
    fn line(&mut self, line: &str, out: &mut impl Write) -> Result<Next, Trouble> {
        let mut words = line.split_whitespace();
        let Some(first) = words.clone().next() else { return Ok(Next::Go) };
        match words.find_map(Command::from_word) {
            Some(command) => self.follow(command, &words.collect::<Vec<_>>(), out),
            None => refuse(format!("unknown command {}: help lists all", quote(first))),
        }
    }

    fn follow(
        &mut self,
        command: Command,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<Next, Trouble> {
        match command {
            Command::Uci => answer::identify(out)?,
            Command::IsReady => writeln!(out, "readyok")?,
            Command::NewGame => *self = Console { chess960: self.chess960, ..Console::new() },
            Command::SetOption => self.set_option(words)?,
            Command::Position => self.set_up(words)?,
            Command::Go => match words {
                ["perft", depth @ ..] => self.divide("go perft", depth, out)?,
                _ => return refuse("go: no search yet, only go perft DEPTH"),
            },
            Command::Perft => self.perft(words, out)?,
            Command::Divide => self.divide("divide", words, out)?,
            Command::Moves => self.moves(out)?,
            Command::Display => self.display(out)?,
            Command::Eval => {
                let breakdown = eval::explain(&self.position);
                evaluation::write_table(&self.position, &breakdown, out)?;
            }
            Command::Help => command::write_help(out)?,
            // Nothing is ever under way when the next line is read.
            Command::Stop => (),
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Go)
    }

    fn castling_style(&self) -> CastlingStyle {
        if self.chess960 { CastlingStyle::Chess960 } else { self.style }
    }
}

#[cfg(test)]
mod tests;
