//! Talking to an engine, whatever its language, and never waiting for it without end.

mod features;
mod info;
mod options;
mod uci;
mod xboard;

pub use info::Info;

use super::contestant::{Contestant, Protocol};
use super::control::{Clock, Limits, Time};
use super::course::Course;
use super::process::{Process, Recall};
use super::queue::{Heard, Silence};
use board::Color;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How long an engine is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For the introduction: a large network or table takes its time to load.
    pub start: Duration,
    /// For an answer that takes no thinking, and for a move after the time for it has passed.
    pub answer: Duration,
    /// For a move where there is no clock.
    pub unclocked_move: Duration,
}

/// What an engine thinks of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Score {
    Centipawns(i32),
    /// Moves to mate, negative when it is mated.
    Mate(i32),
}

impl Score {
    /// As UCI writes it: `cp 31`, `mate -3`.
    pub fn uci(self) -> String {
        match self {
            Score::Centipawns(centipawns) => format!("cp {centipawns}"),
            Score::Mate(moves) => format!("mate {moves}"),
        }
    }

    /// In centipawns, with mates beyond all others, the quicker the further.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Score::Centipawns(centipawns) => centipawns.clamp(1 - MATE / 2, MATE / 2 - 1),
            Score::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 2),
            Score::Mate(moves) => -MATE - moves.max(-MATE / 2),
        }
    }
}

/// What an engine last said about its search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Report {
    pub score: Option<Score>,
    pub depth: Option<u32>,
    /// The time by the engine's own clock.
    pub time: Option<Duration>,
}

/// What an engine answers when it is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// A move as it wrote it, legal or not, and whether it offers a draw with it.
    Move {
        text: String,
        offers_draw: bool,
    },
    Resigns,
    /// It says that the game is over; the winner, if there is one, and the line.
    Claims {
        winner: Option<Color>,
        line: String,
    },
}

/// A search that came to an answer.
pub struct Thought {
    pub reply: Reply,
    pub elapsed: Duration,
    pub report: Report,
    /// How many variations were not legal, and what was wrong with the first.
    pub bad_lines: u32,
    pub first_bad_line: Option<String>,
}

/// Why an engine gave no answer that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// The process could not be started or did not introduce itself.
    NotStarted(String),
    /// The process ended; how.
    Crashed(String),
    /// It said nothing any more and has to be killed; what was waited for.
    Hung(String),
    /// It moved, too late: how long it took, how long it had, and what its own clock last said. Where
    /// the latter is much less, the machine was too busy to run it.
    Late { elapsed: Duration, allowed: Duration, own_count: Option<Duration> },
    /// It says that it cannot go on.
    Refused(String),
    /// Nothing is wrong: the game is no longer wanted.
    CalledOff,
}

impl EngineError {
    /// Whether the process is of no use any more.
    pub fn is_fatal(&self) -> bool {
        !matches!(self, EngineError::Late { .. } | EngineError::CalledOff)
    }

    /// The same with what the engine said last about its time.
    fn with_report(mut self, report: &Report) -> EngineError {
        if let EngineError::Late { own_count, .. } = &mut self {
            *own_count = report.time;
        }
        self
    }

    /// What it is.
    pub fn words(&self) -> String {
        match self {
            EngineError::NotStarted(why) | EngineError::Refused(why) => why.clone(),
            EngineError::Crashed(how) => format!("it ended: {how}"),
            EngineError::Hung(what) => what.clone(),
            EngineError::CalledOff => String::from("called off"),
            EngineError::Late { elapsed, allowed, own_count } => {
                let (elapsed, allowed) = (elapsed.as_secs_f64(), allowed.as_secs_f64());
                let own = own_count.map_or(String::new(), |time| {
                    format!(" ({:.3} s by its own clock)", time.as_secs_f64())
                });
                format!("{elapsed:.3} s of {allowed:.3} s{own}")
            }
        }
    }
}

/// What an engine has to know when it is to move.
pub struct Turn<'a> {
    pub course: &'a Course,
    /// White's clock and Black's.
    pub clocks: &'a [Clock; 2],
    pub limits: &'a Limits,
}

impl Turn<'_> {
    fn clock(&self, color: Color) -> &Clock {
        match color {
            Color::White => &self.clocks[0],
            Color::Black => &self.clocks[1],
        }
    }

    /// The time after which a move does not count any more.
    fn allowed(&self) -> Option<Duration> {
        let left = self.clock(self.course.mover()).left()?;
        Some(left + self.limits.margin)
    }
}

/// A language.
pub trait Driver: Send {
    /// Prepares for a new game, of which the opening has been played.
    fn new_game(&mut self, course: &Course, limits: &Limits) -> Result<(), EngineError>;
    /// Asks for a move.
    fn think(&mut self, turn: &Turn) -> Result<Thought, EngineError>;
    /// The engine's move has been played and charged: it may go on thinking in the opponent's time.
    fn ponder(&mut self, turn: &Turn);
    /// Tells that the game is over; the result as PGN writes it.
    fn game_over(&mut self, result: &str);
    /// Whether the process can play another game.
    fn is_reusable(&self) -> bool;
    /// What the engine calls itself.
    fn title(&self) -> Option<&str>;
    /// What was odd about its introduction, such as options it does not have.
    fn complaints(&self) -> &[String];
    /// Says good-bye.
    fn quit(self: Box<Self>);
}

/// Starts an engine and greets it.
pub fn start(
    contestant: &Contestant,
    timeouts: Timeouts,
    recall: &Recall,
) -> Result<Box<dyn Driver>, EngineError> {
    let Contestant { program, arguments, options, ponders, .. } = contestant;
    let directory = contestant.directory.as_deref();
    let process =
        Process::start(program, arguments, directory, recall).map_err(EngineError::NotStarted)?;
    let line = Connection { process, timeouts };
    Ok(match contestant.protocol {
        Protocol::Uci => Box::new(uci::Uci::greet(line, options, *ponders)?),
        Protocol::Xboard => Box::new(xboard::Xboard::greet(line, options, *ponders)?),
    })
}

/// A process and how long it is waited for: what both languages share.
struct Connection {
    process: Process,
    timeouts: Timeouts,
}

impl Connection {
    fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    fn hear(&mut self, deadline: Instant) -> Result<Heard, Silence> {
        self.process.hear(deadline)
    }

    /// Listens until a line is the one waited for; the others are shown too.
    fn wait_for(
        &mut self,
        what: &str,
        timeout: Duration,
        mut is_it: impl FnMut(&str) -> bool,
    ) -> Result<(), EngineError> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.hear(deadline) {
                Ok(heard) if is_it(&heard.text) => return Ok(()),
                Ok(_) => {}
                Err(silence) => return Err(self.error(silence, what)),
            }
        }
    }

    fn error(&mut self, silence: Silence, what: &str) -> EngineError {
        match silence {
            Silence::Late => EngineError::Hung(format!("no {what}")),
            Silence::Ended => EngineError::Crashed(self.process.last_words()),
            Silence::CalledOff => EngineError::CalledOff,
        }
    }

    /// Listens to a search until it is over, or until long after it should have been.
    ///
    /// When the time has passed, `hurry` is sent and the answer waited for a little longer: an engine
    /// that still gives one has lost the game but not its process.
    fn search(
        &mut self,
        begun: Instant,
        allowed: Option<Duration>,
        hurry: &str,
        mut listen: impl FnMut(&str) -> Option<Result<Reply, EngineError>>,
    ) -> Result<(Reply, Duration), EngineError> {
        let limit = allowed.unwrap_or(self.timeouts.unclocked_move);
        let mut deadline = begun + limit;
        let mut is_late = false;
        loop {
            let heard = match self.hear(deadline) {
                Ok(heard) => heard,
                Err(Silence::Late) if !is_late => {
                    is_late = true;
                    self.send(hurry);
                    deadline = Instant::now() + self.timeouts.answer;
                    continue;
                }
                Err(Silence::Late) => {
                    let waited = begun.elapsed().as_secs_f64();
                    return Err(EngineError::Hung(format!("no move after {waited:.1} s")));
                }
                Err(silence) => return Err(self.error(silence, "move")),
            };
            if let Some(reply) = listen(&heard.text) {
                let elapsed = heard.at.saturating_duration_since(begun);
                return match elapsed > limit {
                    true => Err(EngineError::Late { elapsed, allowed: limit, own_count: None }),
                    false => Ok((reply?, elapsed)),
                };
            }
        }
    }
}

/// Time to think for a protocol that knows no fractions of milliseconds: a clock that shows none means
/// "no clock" to some engines.
fn milliseconds(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// The time for each move, where the limits say one.
fn time_per_move(limits: &Limits) -> Option<Duration> {
    match limits.time {
        Time::Move(time) => Some(time),
        _ => None,
    }
}
