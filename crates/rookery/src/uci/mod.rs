//! The console: commands on the standard input, answers on the standard output.
//!
//! The commands are those of the UCI protocol and a few for people. Whatever comes is answered or
//! named in one line `info string error …`; nothing that is sent ends the loop but `quit` and the end
//! of the input, and a command that fails changes nothing.
//!
//! Three threads share the work (D69): one reads lines, one searches while there is a search, and the
//! one that called [`talk`] follows the commands and never waits for the other two. So `stop` and `quit`
//! are heard at once. The clock and the user stay on this side (F4): the search knows neither.
//!
//! **`readyok` overtakes nothing.** Commands that need the engine wait in a queue while a search runs. A
//! search counts as over from the moment in which its `bestmove` is shown ([`Session::catch_up`]), not
//! when its thread has told so: what an interface says after it has read `bestmove` waits for nothing.
//! `isready` waits behind what waits and behind the answer of a search that was stopped, unless the search
//! goes on until it is told to end: the interface may wait for `readyok` before it tells.

mod answer;
mod command;
mod end;
mod go;
mod help;
mod info;
mod once;
mod options;
mod setup;

use crate::evaluation;
use crate::failure::{Failure, cut};
use crate::lines;
use crate::session::{
    self, CommandError, Event, Heard, Next, Output, Queue, Session, Since, refuse,
};
use crate::xboard;
use board::fen::quote;
use board::{CastlingStyle, History, Position};
use cluster::Link;
use command::Command;
use info::InfoFormatter;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

pub use command::command_words;
pub use help::on_command_line as help_on_command_line;
pub use info::{per_second, score_text};
pub use once::run as run_once;
#[cfg(test)]
pub use options::write_list;
pub use options::{Kind, OPTIONS, Options, Setting, Value};

/// What the commands work on.
struct Console {
    session: Session,
    position: Position,
    /// The keys of the game before the position.
    history: History,
    /// How castling is written as far as the position tells.
    style: CastlingStyle,
    /// The last `position` was refused: the one that is here belongs to another game.
    refused: bool,
    queue: Queue,
    /// The input is at its end: what waits is finished, and then the program is.
    is_last: bool,
    /// How long a mate is looked for after the end of the input where nothing else limits the search.
    mate_time: Duration,
    /// When that time is over.
    mate_deadline: Option<Instant>,
}

/// The console on the standard input and output. People get a greeting; programs do not expect one.
pub fn run(output: Output, link: Option<&Arc<Link>>) -> Result<ExitCode, Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        output.line(help::GREETING)?;
    }
    talk(BufReader::new(io::stdin()), output, link)
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
        if console.is_last {
            // The input has ended: there is room for it.
            let _ = console.session.events().try_send(Event::End);
        }
        return xboard::go_on(console.session, console.queue, &events);
    }
    console.session.end();
    console.save_tables()?;
    outcome.map(|_| ExitCode::SUCCESS)
}

impl Console {
    fn new(output: Output) -> Result<(Console, Receiver<Event>), Failure> {
        let (session, receiver) = Session::new(output)?;
        let console = Console {
            session,
            position: Position::startpos(),
            history: History::new(),
            style: CastlingStyle::Standard,
            refused: false,
            queue: Queue::default(),
            is_last: false,
            mate_time: end::MATE_TIME,
            mate_deadline: None,
        };
        Ok((console, receiver))
    }

    /// Follows events until the end.
    fn attend(&mut self, events: &Receiver<Event>) -> Result<Next, Failure> {
        while let Some(event) = self.next_event(events) {
            let next = match event {
                Event::Line(line) => self.hear(&line)?,
                Event::TooLong => {
                    let reason =
                        format!("a line longer than {} bytes was passed over", lines::LONGEST);
                    self.settle(refuse(reason))?
                }
                Event::End => {
                    self.is_last = true;
                    self.end_held();
                    Next::Go
                }
                Event::Unreadable(error) => {
                    return Err(Failure::Work(format!("cannot read commands: {error}")));
                }
                Event::Finished(number) => {
                    self.session.finished(number);
                    Next::Go
                }
            };
            for complaint in self.session.complaints() {
                self.session.output.line(format_args!("info string error {complaint}"))?;
            }
            let next = if next == Next::Go { self.follow_waiting()? } else { next };
            if next != Next::Go {
                return Ok(next);
            }
            if self.is_last && !self.session.is_running() {
                break;
            }
        }
        Ok(Next::Quit)
    }

    /// Says what went wrong.
    fn settle(&self, outcome: Result<Next, CommandError>) -> Result<Next, Failure> {
        match outcome {
            Ok(next) => Ok(next),
            Err(CommandError::Refused(reason)) => {
                self.session.output.line(format_args!("info string error {}", cut(&reason)))?;
                Ok(Next::Go)
            }
            Err(CommandError::Output(error)) => Err(error.into()),
        }
    }

    /// Follows the lines that have waited, until one starts a search.
    fn follow_waiting(&mut self) -> Result<Next, Failure> {
        while !self.session.is_running()
            && let Some(waiting) = self.queue.pop()
        {
            let outcome = self.line(&waiting.line, waiting.since);
            match self.settle(outcome)? {
                Next::Go => (),
                next => return Ok(next),
            }
        }
        if self.session.is_running() && !self.session.ends_by_itself() {
            for _ in 0..self.queue.take_out(Command::asks_ready) {
                self.session.output.line("readyok")?;
            }
        }
        Ok(Next::Go)
    }

    /// Follows a line that came, or lets it wait.
    fn hear(&mut self, line: &Heard) -> Result<Next, Failure> {
        self.session.output.heard(&line.text);
        let command = line.text.split_whitespace().find_map(Command::from_word);
        let is_urgent = command.is_some_and(Command::is_urgent);
        if !is_urgent && self.session.catch_up().is_some() {
            match self.follow_waiting()? {
                Next::Go => (),
                next => {
                    // The other protocol takes it over.
                    let outcome = self.queue.push(line).map(|()| next);
                    return self.settle(outcome);
                }
            }
        }
        let outcome = match self.waits(command) {
            true => self.queue.push(line).map(|()| Next::Go),
            false => self.line(line, Since::default()),
        };
        self.settle(outcome)
    }

    /// Whether a command waits for the end of the search. Nothing waits where none runs.
    fn waits(&self, command: Option<Command>) -> bool {
        if !self.session.is_running() {
            return false;
        }
        match command {
            Some(command) if command.is_urgent() => false,
            Some(command) if command.needs_engine() => true,
            Some(Command::IsReady) => {
                self.session.is_stopping()
                    || !self.queue.is_empty() && self.session.ends_by_itself()
            }
            _ => !self.queue.is_empty(),
        }
    }

    /// Follows one line. Unknown words before a command are passed over, as UCI demands.
    fn line(&mut self, line: &Heard, since: Since) -> Result<Next, CommandError> {
        let mut words = line.text.split_whitespace();
        let Some(first) = words.clone().next() else { return Ok(Next::Go) };
        let Some(command) = words.find_map(Command::from_word) else {
            return refuse(format!("unknown command {}: help lists all", quote(first)));
        };
        let words: Vec<&str> = words.collect();
        // Written at once at the end: the search may write meanwhile.
        let mut answer = Vec::new();
        let outcome = match (command, words.as_slice()) {
            (Command::Go, ["perft", depth @ ..]) => self.divide("go perft", depth),
            (Command::Go, words) => self.go(words, line.at, since, &mut answer),
            (command, words) => self.follow(command, words, &mut answer),
        };
        self.session.output.send(&answer)?;
        outcome
    }

    fn follow(
        &mut self,
        command: Command,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<Next, CommandError> {
        match command {
            Command::Uci => answer::identify(out)?,
            // `go` is followed elsewhere: it alone has to know when it was read.
            Command::Debug | Command::Register | Command::Go => (),
            Command::IsReady => self.say_ready(out)?,
            Command::NewGame => self.new_game(out)?,
            Command::SetOption => self.set_option(words, out)?,
            Command::Position => self.set_up(words, out)?,
            Command::Flip => self.flip(),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Perft => return self.perft(words),
            Command::Divide => return self.divide("divide", words),
            Command::Moves => self.moves(out)?,
            Command::Display => self.display(out)?,
            Command::Eval => {
                self.check_position("eval")?;
                let breakdown = eval::explain(&self.position);
                let network = self.session.options.network();
                evaluation::write(&self.position, &breakdown, Some(&network), out)?;
            }
            Command::Bench => self.bench(words)?,
            Command::SaveTable => self.session.save_table(words, out)?,
            Command::LoadTable => self.session.load_table(words, out)?,
            Command::ExportNet => answer::export_net(words, out)?,
            Command::Compiler => answer::write_build(out)?,
            Command::Help => help::write(words, out)?,
            Command::Xboard => return Ok(Next::Xboard),
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Go)
    }

    /// `isready`: what was said before is done, but for what waits for a search that goes on.
    fn say_ready(&self, out: &mut impl Write) -> io::Result<()> {
        // Where no search runs, what is in the queue was said later.
        if self.session.is_running() && !self.queue.is_empty() {
            let count = self.queue.len();
            writeln!(out, "info string commands that wait for the end of the search: {count}")?;
        }
        writeln!(out, "readyok")
    }

    /// `ucinewgame`: the start position, and nothing is known of earlier games.
    fn new_game(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        let fault = self.session.new_game();
        self.position = Position::startpos();
        self.history.clear();
        (self.style, self.refused) = (CastlingStyle::Standard, false);
        match fault {
            Some(reason) => Ok(writeln!(out, "info string error {reason}")?),
            None => Ok(()),
        }
    }

    /// `go …`: starts a search, for which `stop` or `ponderhit` may have come already. Its time counts
    /// from the moment in which the line was read; after the end of the input no clock runs, and it
    /// counts from now.
    fn go(
        &mut self,
        words: &[&str],
        read: Instant,
        since: Since,
        out: &mut impl Write,
    ) -> Result<Next, CommandError> {
        if self.refused {
            // Every `go` is answered, but no move is right in a game that we do not know.
            writeln!(out, "info string error go: {REFUSED}\nbestmove 0000")?;
            return Ok(Next::Go);
        }
        let (request, fault) = go::read(words, &self.position);
        if let Some(fault) = fault {
            // At once: the search may answer before this is over.
            self.session.output.line(format_args!("info string error {}", cut(&fault)))?;
        }
        let style = self.castling_style();
        let (show_wdl, position) = (self.session.options.show_wdl, self.position);
        let formatter = Box::new(InfoFormatter { style, show_wdl, position });
        let root = (position, self.history.clone());
        let start = if self.is_last { Instant::now() } else { read };
        match self.session.launch(root, request, formatter, start) {
            Err(CommandError::Refused(reason)) => {
                let first = position.legal_moves().first().map(|mv| mv.uci(style));
                let first = first.unwrap_or_else(|| "(none)".to_owned());
                writeln!(out, "info string error {reason}\nbestmove {first}")?;
                return Ok(Next::Go);
            }
            launched => launched?,
        }
        if since.ponder_hit {
            self.session.ponder_hit(None);
        }
        if since.stopped {
            self.session.stop();
        }
        self.end_held();
        Ok(Next::Go)
    }

    /// An error where the position is not the one that was asked for.
    fn check_position(&self, command: &str) -> Result<(), CommandError> {
        if self.refused { refuse(format!("{command}: {REFUSED}")) } else { Ok(()) }
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

/// Why nothing is computed about a position.
const REFUSED: &str = "the last position was refused";

#[cfg(test)]
mod tests;
