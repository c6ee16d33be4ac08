//! The console: commands on the standard input, answers on the standard output.
//!
//! The commands are those of the UCI protocol and a few for people. Whatever comes is answered or
//! named in one line `info string error …`; nothing that is sent ends the loop but `quit` and the end
//! of the input, and a command that fails changes nothing.
//!
//! Three threads share the work (D69): one reads lines, one searches while there is a search, and the
//! one that called [`talk`] follows the commands and never waits for the other two. So `stop`,
//! `isready` and `quit` are answered at once. The clock and the user stay on this side (F4): the search
//! knows neither.

mod answer;
mod command;
mod go;
mod info;
mod options;
mod setup;

use crate::arguments::{self, Arguments};
use crate::bench;
use crate::evaluation;
use crate::failure::Failure;
use crate::lines;
use crate::session::{self, Event, Next, Output, Queue, Session, Since, Trouble, refuse};
use crate::xboard;
use board::fen::quote;
use board::{CastlingStyle, History, Position};
use clap::CommandFactory;
use clap::error::ErrorKind;
use cluster::Link;
use command::Command;
use info::Wording;
use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

pub use info::{per_second, score_text};
pub use options::{Kind, OPTIONS, Options, Setting, Value};

/// What the commands work on.
struct Console {
    session: Session,
    position: Position,
    /// The keys of the game before the position.
    history: History,
    /// How castling is written as far as the position tells.
    style: CastlingStyle,
    queue: Queue,
}

/// Answers commands until `quit` or the end of the input, or in the other protocol after `xboard`.
pub fn talk(
    input: impl BufRead + Send + 'static,
    output: Output,
    link: Option<&Arc<Link>>,
) -> Result<ExitCode, Failure> {
    let (mut console, events) = Console::new(output)?;
    link.map_or(Ok(()), |link| console.session.connect(link))?;
    session::start_reading(input, console.session.events())?;
    let outcome = console.attend(&events);
    if let Ok(Next::Xboard) = outcome {
        return xboard::go_on(console.session, &events);
    }
    console.session.end();
    outcome.map(|_| ExitCode::SUCCESS)
}

/// Follows the one command that the arguments are; a search is waited for.
pub fn run_once(words: &[OsString], output: Output) -> Result<ExitCode, Failure> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let first = words.first().map_or("", |word| word);
    if Command::from_word(first).is_none() {
        let meant = arguments::suggest(first, Command::words());
        let meant = meant.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
        let reason = format!("{} is no command: `rookery help` lists all.{meant}", quote(first));
        Arguments::command().error(ErrorKind::InvalidSubcommand, reason).exit();
    }
    let (mut console, events) = Console::new(output)?;
    match console.line(&words.join(" "), Since::default()) {
        Ok(_) => (),
        Err(Trouble::Refused(reason)) => return Err(Failure::Work(reason)),
        Err(Trouble::Output(error)) => return Err(error.into()),
    }
    console.session.release();
    while console.session.is_running() {
        match events.recv() {
            Ok(Event::Finished(answer)) => drop(console.session.finished(answer)),
            Ok(_) => (),
            Err(_) => break,
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Console {
    fn new(output: Output) -> Result<(Console, Receiver<Event>), Failure> {
        let (session, receiver) = Session::new(output)?;
        let console = Console {
            session,
            position: Position::startpos(),
            history: History::new(),
            style: CastlingStyle::Standard,
            queue: Queue::default(),
        };
        Ok((console, receiver))
    }

    /// Follows events until the end.
    fn attend(&mut self, events: &Receiver<Event>) -> Result<Next, Failure> {
        // The console holds a sender itself: there is always another event.
        while let Ok(event) = events.recv() {
            let outcome = match event {
                Event::Line(bytes) => self.receive(&String::from_utf8_lossy(&bytes)),
                Event::TooLong => {
                    refuse(format!("a line longer than {} bytes was passed over", lines::LONGEST))
                }
                Event::End => break,
                Event::Unreadable(error) => {
                    return Err(Failure::Work(format!("cannot read commands: {error}")));
                }
                Event::Finished(answer) => {
                    self.session.finished(answer);
                    Ok(Next::Go)
                }
            };
            for complaint in self.session.complaints() {
                self.session.output.line(format_args!("info string error {complaint}"))?;
            }
            let next = match self.settle(outcome)? {
                Next::Go => self.follow_waiting()?,
                next => next,
            };
            if next != Next::Go {
                return Ok(next);
            }
        }
        Ok(Next::Quit)
    }

    /// Says what went wrong.
    fn settle(&self, outcome: Result<Next, Trouble>) -> Result<Next, Failure> {
        match outcome {
            Ok(next) => Ok(next),
            Err(Trouble::Refused(reason)) => {
                self.session.output.line(format_args!("info string error {reason}"))?;
                Ok(Next::Go)
            }
            Err(Trouble::Output(error)) => Err(error.into()),
        }
    }

    /// Follows the lines that have waited, until one starts a search.
    fn follow_waiting(&mut self) -> Result<Next, Failure> {
        while !self.session.is_running()
            && let Some(waiting) = self.queue.pop()
        {
            let outcome = self.line(&waiting.text, waiting.since);
            match self.settle(outcome)? {
                Next::Go => (),
                next => return Ok(next),
            }
        }
        Ok(Next::Go)
    }

    /// Follows one line, or lets it wait.
    fn receive(&mut self, line: &str) -> Result<Next, Trouble> {
        let command = line.split_whitespace().find_map(Command::from_word);
        let waits = command.is_some_and(|command| {
            self.session.is_running()
                && !command.is_urgent()
                && (command.needs_engine() || !self.queue.is_empty())
        });
        match waits {
            true => self.queue.push(line).map(|()| Next::Go),
            false => self.line(line, Since::default()),
        }
    }

    /// Follows one line. Unknown words before a command are passed over, as UCI demands.
    fn line(&mut self, line: &str, since: Since) -> Result<Next, Trouble> {
        let mut words = line.split_whitespace();
        let Some(first) = words.clone().next() else { return Ok(Next::Go) };
        let Some(command) = words.find_map(Command::from_word) else {
            return refuse(format!("unknown command {}: help lists all", quote(first)));
        };
        let words: Vec<&str> = words.collect();
        // Written at once at the end: the search may write meanwhile.
        let mut answer = Vec::new();
        let outcome = self.follow(command, &words, since, &mut answer);
        self.session.output.send(&answer)?;
        outcome
    }

    fn follow(
        &mut self,
        command: Command,
        words: &[&str],
        since: Since,
        out: &mut impl Write,
    ) -> Result<Next, Trouble> {
        match command {
            Command::Uci => answer::identify(out)?,
            Command::Debug | Command::Register => (),
            Command::IsReady => writeln!(out, "readyok")?,
            Command::NewGame => self.new_game(out)?,
            Command::SetOption => self.set_option(words, out)?,
            Command::Position => self.set_up(words)?,
            Command::Go => match words {
                ["perft", depth @ ..] => self.divide("go perft", depth, out)?,
                _ => self.go(words, since)?,
            },
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Perft => self.perft(words, out)?,
            Command::Divide => self.divide("divide", words, out)?,
            Command::Moves => self.moves(out)?,
            Command::Display => self.display(out)?,
            Command::Eval => {
                let breakdown = eval::explain(&self.position);
                evaluation::write_table(&self.position, &breakdown, out)?;
            }
            Command::Bench => {
                let profile = self.session.engine().profile();
                bench::in_console(words, profile, out).or_else(refuse)?;
            }
            Command::SaveTable => self.session.save_table(words, out)?,
            Command::LoadTable => self.session.load_table(words, out)?,
            Command::Help => command::write_help(out)?,
            Command::Xboard => return Ok(Next::Xboard),
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Go)
    }

    /// `ucinewgame`: the start position, and nothing is known of earlier games.
    fn new_game(&mut self, out: &mut impl Write) -> Result<(), Trouble> {
        let fault = self.session.new_game();
        self.position = Position::startpos();
        self.history.clear();
        self.style = CastlingStyle::Standard;
        match fault {
            Some(reason) => Ok(writeln!(out, "info string error {reason}")?),
            None => Ok(()),
        }
    }

    /// `go …`: starts a search, for which `stop` or `ponderhit` may have come already.
    fn go(&mut self, words: &[&str], since: Since) -> Result<(), Trouble> {
        let start = Instant::now();
        let order = go::read(words, &self.position)?;
        let wording = Wording {
            style: self.castling_style(),
            show_wdl: self.session.options.show_wdl,
            position: self.position,
        };
        let root = (self.position, self.history.clone());
        self.session.launch(root, order, Box::new(wording), start)?;
        if since.ponder_hit {
            self.session.ponder_hit(None);
        }
        if since.stopped {
            self.session.stop();
        }
        Ok(())
    }

    /// `stop`: ends the search, and every one that waits for it to end.
    fn stop(&mut self) {
        self.session.stop();
        self.queue.stop_all();
    }

    /// `ponderhit`: the predicted move was played. The search that ponders may not have begun.
    fn ponder_hit(&mut self) {
        self.session.ponder_hit(None);
        self.queue.ponder_hit_all();
    }

    fn castling_style(&self) -> CastlingStyle {
        if self.session.options.chess960 { CastlingStyle::Chess960 } else { self.style }
    }
}

#[cfg(test)]
mod tests;
