//! The xboard protocol, version 2 (also called CECP): the engine keeps the game itself.
//!
//! The interface sends moves and the engine answers with its own. What is not understood is answered
//! as the protocol spells it: `Error (REASON): COMMAND`, `Illegal move (REASON): MOVE`. Nothing that
//! is sent ends the conversation but `quit` and the end of the input.
//!
//! As in [`crate::uci`], one thread reads, one searches, and the one that called [`talk`] follows the
//! commands. A search that is no longer wanted is abandoned, not waited for: nothing is heard of it
//! from then on. Only what the protocol puts behind our move (`ping`, and everything after `?`) waits. Our
//! clock runs from the moment in which the command was read that makes us think.

mod clock;
mod command;
mod features;
mod formatter;
mod game;
mod play;
mod settings;
mod think;

use crate::failure::{Failure, cut};
use crate::lines;
use crate::session::{self, CommandError, Event, Heard, Next, Output, Queue, Session, refuse};
use board::{Color, Move};
use clock::TimeControl;
use cluster::Link;
use command::Command;
use formatter::Monitor;
use game::Game;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Receiver;
use std::time::Instant;
use think::Purpose;

/// A draw is accepted where our last search saw this or less for us, in centipawns.
const DRAW_SCORE: i32 = -50;
/// The longest part of a command that is repeated in an error.
const LONGEST_ECHO: usize = 80;

/// What the commands work on.
struct Xboard {
    session: Session,
    game: Game,
    mode: Mode,
    time: TimeControl,
    /// What the last search was started for.
    purpose: Option<Purpose>,
    /// Think on the opponent's time.
    hard: bool,
    /// Show what is thought.
    posting: Arc<AtomicBool>,
    /// Searches stand still.
    paused: bool,
    /// The last position was refused: no move is legal until another one comes.
    refused: bool,
    /// Moves that are not analysed.
    excluded: Vec<Move>,
    /// The reply that our last search expects.
    expected: Option<Move>,
    /// What our last search saw for us.
    last_score: Option<i32>,
    monitor: Arc<Monitor>,
    queue: Queue,
    /// The input is at its end.
    is_last: bool,
    /// When the line was read that is followed now.
    heard: Instant,
}

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Both sides are moved from outside.
    Force,
    /// We play a side.
    Plays(Color),
    /// We look on.
    Analysis,
}

/// Answers commands until `quit` or the end of the input.
pub fn talk(
    input: impl BufRead + Send + 'static,
    output: Output,
    link: Option<&Arc<Link>>,
) -> Result<ExitCode, Failure> {
    let (mut session, events) = Session::new(output)?;
    link.map_or(Ok(()), |link| session.connect(link))?;
    session::start_reading(input, session.events())?;
    go_on(session, Queue::default(), &events)
}

/// The same for a conversation that began otherwise, with lines that wait already.
pub fn go_on(
    session: Session,
    queue: Queue,
    events: &Receiver<Event>,
) -> Result<ExitCode, Failure> {
    let mut xboard = Xboard { queue, ..Xboard::new(session) };
    let outcome = match xboard.follow_waiting() {
        Ok(Next::Quit) => Ok(()),
        Ok(_) => xboard.attend(events),
        Err(failure) => Err(failure),
    };
    xboard.session.end();
    outcome.map(|()| ExitCode::SUCCESS)
}

impl Xboard {
    fn new(session: Session) -> Xboard {
        Xboard {
            session,
            game: Game::default(),
            mode: Mode::Plays(Color::Black),
            time: TimeControl::default(),
            purpose: None,
            hard: false,
            posting: Arc::default(),
            paused: false,
            refused: false,
            excluded: Vec::new(),
            expected: None,
            last_score: None,
            monitor: Arc::default(),
            queue: Queue::default(),
            is_last: false,
            heard: Instant::now(),
        }
    }

    /// Follows events until the end.
    fn attend(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        // The session holds a sender itself: there is always another event.
        while let Ok(event) = events.recv() {
            let next = match event {
                Event::Line(line) => {
                    self.session.output.heard(&line.text);
                    self.receive(&line)?
                }
                Event::TooLong => {
                    let reason = format!("a line longer than {} bytes", lines::LONGEST);
                    self.settle(refuse(reason), "")?
                }
                Event::End => {
                    // A move that we think about is made, but at once: the interface may be gone.
                    self.is_last = true;
                    self.session.stop();
                    self.queue.stop_all();
                    Next::Go
                }
                Event::Unreadable(error) => {
                    return Err(Failure::Work(format!("cannot read commands: {error}")));
                }
                Event::Finished(number) => {
                    let outcome = self.finished(number).map(|()| Next::Go);
                    self.settle(outcome, "")?
                }
            };
            for complaint in self.session.complaints() {
                self.session.output.line(format_args!("# {complaint}"))?;
            }
            if next == Next::Quit || self.follow_waiting()? == Next::Quit {
                return Ok(());
            }
            if self.is_last && !self.is_thinking() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Says what went wrong with a command.
    fn settle(&self, outcome: Result<Next, CommandError>, line: &str) -> Result<Next, Failure> {
        match outcome {
            Ok(next) => Ok(next),
            Err(CommandError::Refused(reason)) => {
                let (reason, line) = (without_brackets(&cut(&reason)), echo(line));
                self.session.output.line(format_args!("Error ({reason}): {line}"))?;
                Ok(Next::Go)
            }
            Err(CommandError::Output(error)) => Err(error.into()),
        }
    }

    /// Follows the lines that have waited for our move.
    fn follow_waiting(&mut self) -> Result<Next, Failure> {
        while !self.is_thinking()
            && let Some(waiting) = self.queue.pop()
        {
            if self.receive(&waiting.line)? == Next::Quit {
                return Ok(Next::Quit);
            }
            if waiting.since.stopped && self.is_thinking() {
                self.session.stop();
            }
        }
        Ok(Next::Go)
    }

    /// Follows one line, or lets it wait for our move.
    fn receive(&mut self, heard: &Heard) -> Result<Next, Failure> {
        self.heard = heard.at;
        let line = heard.text.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if word.is_empty() {
            return Ok(Next::Go);
        }
        let outcome = match Command::from_word(word) {
            None => refuse("unknown command"),
            Some(Command::MoveNow) if self.is_thinking() => {
                // For the move that is under way, and for every one that was asked for since.
                self.session.stop();
                self.queue.stop_all();
                Ok(Next::Go)
            }
            Some(command) if self.waits(command) => self.queue.push(heard).map(|()| Next::Go),
            Some(command) => {
                // A move that stands for itself is its own argument.
                let is_bare = command == Command::UserMove && word != "usermove";
                self.answer(command, if is_bare { line } else { rest.trim() })
            }
        };
        self.settle(outcome, line)
    }

    fn waits(&self, command: Command) -> bool {
        let is_late = self.session.is_stopping() || command.waits_for_move();
        self.is_thinking() && is_late && command != Command::Quit
    }

    fn answer(&mut self, command: Command, rest: &str) -> Result<Next, CommandError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        // Written at once at the end: the search may write meanwhile.
        let mut out = Vec::new();
        if command.needs_engine() && !self.is_thinking() {
            self.abort();
        }
        let outcome = self.follow(command, &words, rest, &mut out);
        self.session.output.send(&out)?;
        if command.needs_engine() && self.mode == Mode::Analysis {
            self.analyse()?;
        }
        outcome
    }

    fn follow(
        &mut self,
        command: Command,
        words: &[&str],
        rest: &str,
        out: &mut impl Write,
    ) -> Result<Next, CommandError> {
        match command {
            Command::Nothing | Command::Xboard => (),
            Command::ProtocolVersion => match clock::one("the version", words)?.parse::<u32>() {
                Ok(2..) => features::write(out)?,
                Ok(_) => (),
                Err(_) => return refuse("not a number"),
            },
            Command::New => self.new_game()?,
            Command::Variant => self.variant(words)?,
            Command::Quit => return Ok(Next::Quit),
            Command::Force => self.force(),
            Command::Go => self.go(out)?,
            Command::PlayOther => self.play_other(out)?,
            Command::White => self.give_turn(Color::White)?,
            Command::Black => self.give_turn(Color::Black)?,
            Command::Level => self.time.level(words)?,
            Command::MoveTime => self.time.move_time(words)?,
            Command::Depth => self.time.depth(words)?,
            Command::NodeRate => self.time.node_rate(words)?,
            Command::Time => self.time.time(words)?,
            Command::OpponentTime => drop(clock::centiseconds(words)?),
            Command::UserMove => self.user_move(rest, out)?,
            // Where we think, it was followed already.
            Command::MoveNow => (),
            Command::Ping => match clock::one("the number", words)?.parse::<i64>() {
                Ok(number) => writeln!(out, "pong {number}")?,
                Err(_) => return refuse("not a number"),
            },
            Command::Draw => self.draw(out)?,
            Command::Result if self.mode == Mode::Analysis => (),
            Command::Result => self.force(),
            Command::SetBoard => self.set_board(rest, out)?,
            Command::Hint => {
                if let Some(expected) = self.expected {
                    writeln!(out, "Hint: {}", self.game.notation().write(expected))?;
                }
            }
            Command::Book => self.show_book(out)?,
            Command::Undo => self.take_back(1)?,
            Command::Remove => self.take_back(2)?,
            Command::Hard => self.hard = true,
            Command::Easy => self.easy(),
            Command::Post => self.posting.store(true, Relaxed),
            Command::NoPost => self.posting.store(false, Relaxed),
            Command::Analyze => self.analyze()?,
            Command::Exit if self.mode == Mode::Analysis => self.force(),
            Command::Exit => return refuse("command not legal now"),
            Command::Progress if self.purpose().is_some() => self.progress(out)?,
            Command::Progress => return refuse("command not legal now"),
            Command::Pause => self.pause(true),
            Command::Resume => self.pause(false),
            Command::Memory => self.memory(words, out)?,
            Command::Cores => self.cores(words, out)?,
            Command::EndgamePath => self.endgame_path(rest, out)?,
            Command::Option => self.option(rest, out)?,
            Command::Exclude => self.exclude(words, true)?,
            Command::Include => self.exclude(words, false)?,
        }
        Ok(Next::Go)
    }
}

/// A reason that can stand in brackets.
fn without_brackets(reason: &str) -> String {
    reason.replace('(', "[").replace(')', "]")
}

/// A line as it can be repeated in an error: not too long, and in one line.
fn echo(line: &str) -> String {
    let clean = |letter: char| if letter.is_control() { '?' } else { letter };
    let mut text: String = line.chars().take(LONGEST_ECHO).map(clean).collect();
    if line.chars().nth(LONGEST_ECHO).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests;
