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
mod control;
mod files;
mod go;
mod info;
mod launch;
mod options;
mod output;
mod queue;
mod setup;
mod strength;
mod watch;
mod wdl;

use crate::arguments::Arguments;
use crate::bench;
use crate::engine::{self, Engine};
use crate::evaluation;
use crate::failure::Failure;
use crate::lines::{self, Line};
use board::fen::quote;
use board::{CastlingStyle, History, Position};
use clap::CommandFactory;
use clap::error::ErrorKind;
use command::Command;
use launch::Running;
use options::Options;
use queue::Queue;
use search::Profile;
use search::time::NodeClock;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use strength::Random;

pub use info::{per_second, score_text};
pub use output::Output;

/// Lines that are read ahead.
const READ_AHEAD: usize = 64;
/// The beginning of the random numbers for playing below strength.
const SEED: u64 = 0x0052_6f6f_6b65_7279;

/// What the commands work on.
struct Console {
    position: Position,
    /// The keys of the game before the position.
    history: History,
    /// How castling is written as far as the position tells.
    style: CastlingStyle,
    options: Options,
    /// Locked by a search while it runs, and by nobody else then.
    engine: Arc<Mutex<Engine>>,
    running: Option<Running>,
    queue: Queue,
    node_clock: NodeClock,
    random: Arc<Mutex<Random>>,
    output: Output,
    events: SyncSender<Event>,
}

/// What happens to the console.
enum Event {
    /// A line came.
    Line(Vec<u8>),
    /// A line came that was too long to be looked at.
    TooLong,
    /// The input is at its end.
    End,
    /// The input cannot be read.
    Unreadable(io::Error),
    /// The search has answered, after so many nodes.
    Finished { nodes: u64 },
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
pub fn talk(input: impl BufRead + Send + 'static, output: Output) -> Result<ExitCode, Failure> {
    let (mut console, events) = Console::new(output)?;
    let sender = console.events.clone();
    // Never joined: it may wait for a line that does not come when `quit` has been read.
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &sender))
        .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))?;
    let outcome = console.attend(&events);
    console.abandon();
    outcome.map(|()| ExitCode::SUCCESS)
}

fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let mut buffer = Vec::new();
        let event = match lines::read(&mut input, &mut buffer) {
            Ok(Line::Whole) => Event::Line(buffer),
            Ok(Line::TooLong) => Event::TooLong,
            Ok(Line::End) => Event::End,
            Err(error) => Event::Unreadable(error),
        };
        let is_last = matches!(event, Event::End | Event::Unreadable(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Follows the one command that the arguments are; a search is waited for.
pub fn run_once(words: &[OsString], output: Output) -> Result<ExitCode, Failure> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let first = words.first().map_or("", |word| word);
    if Command::from_word(first).is_none() {
        let reason = format!("{} is no command: `rookery help` tells more", quote(first));
        Arguments::command().error(ErrorKind::InvalidSubcommand, reason).exit();
    }
    let (mut console, events) = Console::new(output)?;
    match console.line(&words.join(" "), false) {
        Ok(_) => (),
        Err(Trouble::Refused(reason)) => return Err(Failure::Work(reason)),
        Err(Trouble::Output(error)) => return Err(error.into()),
    }
    console.release();
    while console.running.is_some() {
        match events.recv() {
            Ok(Event::Finished { nodes }) => console.finished(nodes),
            Ok(_) => (),
            Err(_) => break,
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Console {
    fn new(output: Output) -> Result<(Console, Receiver<Event>), Failure> {
        let engine = Engine::new(Profile::Modern, engine::DEFAULT_HASH_MB);
        let mut engine = engine.map_err(Failure::Work)?;
        let options = Options::default();
        engine.set_oracle(options.first_oracle());
        let (events, receiver) = mpsc::sync_channel(READ_AHEAD);
        let console = Console {
            position: Position::startpos(),
            history: History::new(),
            style: CastlingStyle::Standard,
            options,
            engine: Arc::new(Mutex::new(engine)),
            running: None,
            queue: Queue::default(),
            node_clock: NodeClock::default(),
            random: Arc::new(Mutex::new(Random::new(SEED))),
            output,
            events,
        };
        Ok((console, receiver))
    }

    /// Follows events until the end.
    fn attend(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        // The console holds a sender itself: there is always another event.
        while let Ok(event) = events.recv() {
            let outcome = match event {
                Event::Line(bytes) => self.receive(&String::from_utf8_lossy(&bytes)),
                Event::TooLong => {
                    refuse(format!("a line longer than {} bytes was passed over", lines::LONGEST))
                }
                Event::End => return Ok(()),
                Event::Unreadable(error) => {
                    return Err(Failure::Work(format!("cannot read commands: {error}")));
                }
                Event::Finished { nodes } => {
                    self.finished(nodes);
                    Ok(Next::Go)
                }
            };
            if self.settle(outcome)? == Next::Quit || self.follow_waiting()? == Next::Quit {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Says what went wrong.
    fn settle(&self, outcome: Result<Next, Trouble>) -> Result<Next, Failure> {
        match outcome {
            Ok(next) => Ok(next),
            Err(Trouble::Refused(reason)) => {
                self.output.line(format_args!("info string error {reason}"))?;
                Ok(Next::Go)
            }
            Err(Trouble::Output(error)) => Err(error.into()),
        }
    }

    /// Follows the lines that have waited, until one starts a search.
    fn follow_waiting(&mut self) -> Result<Next, Failure> {
        while self.running.is_none()
            && let Some(waiting) = self.queue.pop()
        {
            let outcome = self.line(&waiting.text, waiting.stopped);
            if self.settle(outcome)? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::Go)
    }

    /// Follows one line, or lets it wait.
    fn receive(&mut self, line: &str) -> Result<Next, Trouble> {
        let command = line.split_whitespace().find_map(Command::from_word);
        let waits = command.is_some_and(|command| {
            self.running.is_some()
                && !command.is_urgent()
                && (command.needs_engine() || !self.queue.is_empty())
        });
        match waits {
            true => self.queue.push(line).map(|()| Next::Go),
            false => self.line(line, false),
        }
    }

    /// Follows one line. Unknown words before a command are passed over, as UCI demands.
    fn line(&mut self, line: &str, stopped: bool) -> Result<Next, Trouble> {
        let mut words = line.split_whitespace();
        let Some(first) = words.clone().next() else { return Ok(Next::Go) };
        let Some(command) = words.find_map(Command::from_word) else {
            return refuse(format!("unknown command {}: help lists all", quote(first)));
        };
        let words: Vec<&str> = words.collect();
        // Written at once at the end: the search may write meanwhile.
        let mut answer = Vec::new();
        let outcome = self.follow(command, &words, stopped, &mut answer);
        self.output.send(&answer)?;
        outcome
    }

    fn follow(
        &mut self,
        command: Command,
        words: &[&str],
        stopped: bool,
        out: &mut impl Write,
    ) -> Result<Next, Trouble> {
        match command {
            Command::Uci => answer::identify(out)?,
            Command::Debug | Command::Register => (),
            Command::IsReady => writeln!(out, "readyok")?,
            Command::NewGame => self.new_game(),
            Command::SetOption => self.set_option(words, out)?,
            Command::Position => self.set_up(words)?,
            Command::Go => match words {
                ["perft", depth @ ..] => self.divide("go perft", depth, out)?,
                _ => self.go(words, stopped)?,
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
                let profile = self.engine().profile();
                bench::in_console(words, profile, out).or_else(refuse)?;
            }
            Command::SaveTable => self.save_table(words, out)?,
            Command::LoadTable => self.load_table(words, out)?,
            Command::Help => command::write_help(out)?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Go)
    }

    /// `ucinewgame`: the start position, and nothing is known of earlier games.
    fn new_game(&mut self) {
        self.engine().new_game();
        self.node_clock = NodeClock::default();
        self.position = Position::startpos();
        self.history.clear();
        self.style = CastlingStyle::Standard;
    }

    /// The engine; only when no search runs, as it would be waited for.
    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn castling_style(&self) -> CastlingStyle {
        if self.options.chess960 { CastlingStyle::Chess960 } else { self.style }
    }
}

#[cfg(test)]
mod tests;
