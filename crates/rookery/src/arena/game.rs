//! One game between two engines, from the opening to its end.

use super::adjudication::{Adjudicator, Rules};
use super::contestant::{Contestant, Protocol};
use super::control::Clock;
use super::course::Course;
use super::driver::{self, Driver, EngineError, Reply, Report, Thought, Timeouts, Turn};
use super::game_end::{Cause, GameEnd};
use super::openings::Opening;
use super::process::Recall;
use super::tablebase::Tablebase;
use board::{Color, Move};
use std::time::Duration;

/// An engine that plays, and its process while it has one.
pub struct Player<'a> {
    pub contestant: &'a Contestant,
    timeouts: Timeouts,
    recall: Recall,
    driver: Option<Box<dyn Driver>>,
}

impl<'a> Player<'a> {
    /// A player without a process yet.
    pub fn new(contestant: &'a Contestant, timeouts: Timeouts, recall: &Recall) -> Player<'a> {
        Player { contestant, timeouts, recall: recall.clone(), driver: None }
    }

    /// The process, started if there is none.
    pub fn driver(&mut self) -> Result<&mut dyn Driver, EngineError> {
        let driver = match self.driver.take() {
            Some(driver) => driver,
            None => driver::start(self.contestant, self.timeouts, &self.recall)?,
        };
        Ok(self.driver.insert(driver).as_mut())
    }

    /// Ends a process that is of no use any more.
    fn discard(&mut self) {
        self.driver = None;
    }

    /// Ends the process in peace.
    pub fn leave(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit();
        }
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// A move and what the engine said about it.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    pub mv: Move,
    pub report: Report,
    /// `None` for a move of the opening.
    pub elapsed: Option<Duration>,
}

/// Something that no engine should do, though it does not end the game.
#[derive(Clone, Debug)]
pub struct Warning {
    pub side: Color,
    /// How often it happened with this move.
    pub count: u32,
    pub detail: String,
    /// The position, as UCI's `position` takes it.
    pub position: String,
    pub fen: String,
}

/// A finished game.
pub struct Record {
    pub course: Course,
    pub played: Vec<Played>,
    pub end: GameEnd,
    pub warnings: Vec<Warning>,
}

/// Plays a game, White's player first; `None` if it was called off.
pub fn play(
    players: &mut [Player; 2],
    opening: &Opening,
    rules: Rules,
    tablebase: Option<&Tablebase>,
    recall: &Recall,
) -> Option<Record> {
    let course = Course::new(opening);
    let book = |&mv: &Move| Played { mv, report: Report::default(), elapsed: None };
    let played = opening.moves.iter().map(book).collect();
    let clocks = [0, 1].map(|side| Clock::new(&players[side].contestant.limits));
    let mut game = Game {
        clocks,
        adjudicator: Adjudicator::new(rules),
        tablebase,
        draw_offered: false,
        record: Record { course, played, end: GameEnd::draw(Cause::DrawAgreed), warnings: vec![] },
    };
    let end = match game.prepare(players) {
        Err(end) => end,
        Ok(()) => loop {
            if recall.is_called_off() {
                return None;
            }
            if let Some(end) = game.step(players) {
                break end;
            }
        },
    };
    // What looks like a fault may be nothing but that: engines are ended while they think.
    if recall.is_called_off() {
        return None;
    }
    for player in players {
        if let Some(driver) = &mut player.driver {
            driver.game_over(end.result().text());
        }
        let is_reusable = player.driver.as_ref().is_some_and(|driver| driver.is_reusable());
        if player.contestant.restarts || !is_reusable {
            player.leave();
        }
    }
    Some(Record { end, ..game.record })
}

/// A game that is being played.
struct Game<'a> {
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    tablebase: Option<&'a Tablebase>,
    draw_offered: bool,
    record: Record,
}

impl Game<'_> {
    /// Gets both engines ready.
    fn prepare(&mut self, players: &mut [Player; 2]) -> Result<(), GameEnd> {
        if let Some(outcome) = self.record.course.outcome() {
            return Err(outcome.into());
        }
        for (side, player) in Color::ALL.into_iter().zip(players) {
            let limits = player.contestant.limits;
            let ready =
                player.driver().and_then(|driver| driver.new_game(&self.record.course, &limits));
            if let Err(error) = ready {
                if error.is_fatal() {
                    player.discard();
                }
                return Err(blame(side, &error));
            }
        }
        Ok(())
    }

    /// One move; how the game ended, if it is over with it.
    fn step(&mut self, players: &mut [Player; 2]) -> Option<GameEnd> {
        let side = self.record.course.mover();
        let index = usize::from(side == Color::Black);
        let player = &mut players[index];
        let limits = &player.contestant.limits;
        let turn = Turn { course: &self.record.course, clocks: &self.clocks, limits };
        let thought = match player.driver().and_then(|driver| driver.think(&turn)) {
            Ok(thought) => thought,
            Err(error) => {
                if error.is_fatal() {
                    player.discard();
                }
                return Some(blame(side, &error));
            }
        };
        self.note_bad_lines(side, &thought);
        let (text, offers_draw) = match thought.reply {
            Reply::Move { text, offers_draw } => (text, offers_draw),
            Reply::Resigns => return Some(GameEnd::win(!side, Cause::Resigned)),
            Reply::Claims { winner, line } => return Some(self.answer_claim(side, winner, &line)),
        };
        let mv = match self.read_move(&text, player.contestant.protocol) {
            Ok(mv) => mv,
            Err(detail) => return Some(GameEnd::fault(side, Cause::IllegalMove, detail)),
        };
        let number = u32::from(self.record.course.position.fullmove_number());
        self.clocks[index].charge(thought.elapsed);
        self.record.course.play(mv);
        self.record.played.push(Played {
            mv,
            report: thought.report,
            elapsed: Some(thought.elapsed),
        });
        if let Some(outcome) = self.record.course.outcome() {
            return Some(outcome.into());
        }
        // An offer stands until the opponent has moved: one of its own is the acceptance.
        if offers_draw && self.draw_offered {
            return Some(GameEnd::draw(Cause::DrawAgreed));
        }
        self.draw_offered = offers_draw;
        let end = self.adjudicator.observe(side, thought.report.score, number);
        let position = &self.record.course.position;
        let end = end.or_else(|| self.tablebase?.adjudicate(position));
        if end.is_none() {
            let turn = Turn { course: &self.record.course, clocks: &self.clocks, limits };
            player.driver.as_mut()?.ponder(&turn);
        }
        end
    }

    /// Reads a move: in coordinates, or as players write it, which the xboard protocol allows.
    fn read_move(&self, text: &str, protocol: Protocol) -> Result<Move, String> {
        let position = &self.record.course.position;
        position.parse_uci(text).or_else(|error| match protocol {
            Protocol::Uci => Err(error.to_string()),
            Protocol::Xboard => position.parse_san(text.as_bytes()).map_err(|_| error.to_string()),
        })
    }

    fn note_bad_lines(&mut self, side: Color, thought: &Thought) {
        if let Some(detail) = &thought.first_bad_line {
            self.record.warnings.push(Warning {
                side,
                count: thought.bad_lines,
                detail: detail.clone(),
                position: self.record.course.uci(),
                fen: self.record.course.position.fen(),
            });
        }
    }

    /// An engine says that the game is over, though by our board it is not. It may give up and it may
    /// claim a draw that is there; any other claim is false and loses.
    fn answer_claim(&self, side: Color, winner: Option<Color>, line: &str) -> GameEnd {
        match winner {
            Some(winner) if winner != side => GameEnd::win(winner, Cause::Resigned),
            None if self.record.course.may_claim_draw() => GameEnd::draw(Cause::DrawAgreed),
            _ => GameEnd::fault(side, Cause::Forfeit, format!("claims wrongly \"{line}\"")),
        }
    }
}

/// The end of a game in which an engine is in error.
fn blame(side: Color, error: &EngineError) -> GameEnd {
    let cause = match error {
        EngineError::NotStarted(_) => Cause::NotStarted,
        EngineError::Crashed(_) => Cause::Crash,
        EngineError::Hung(_) => Cause::Hang,
        EngineError::Refused(_) => Cause::Forfeit,
        EngineError::Late { .. } => Cause::TimeLoss,
        // The game is dropped, whatever its end.
        EngineError::CalledOff => Cause::Hang,
    };
    GameEnd::fault(side, cause, error.words())
}
