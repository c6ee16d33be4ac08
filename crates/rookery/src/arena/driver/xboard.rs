//! The xboard protocol (CECP, version 2), from the referee's side.
//!
//! A game begins in force mode, in which the engine only follows: position and opening moves are set
//! up there. Its first own move is asked for by `go`; from then on it answers each move of the
//! opponent by itself.

use super::features::Features;
use super::{
    Connection, Driver, EngineError, Reply, Report, Silence, Thought, Turn, info, time_per_move,
};
use crate::arena::control::{Limits, Time};
use crate::arena::course::Course;
use board::{CastlingStyle, Color, Move, MoveKind, Position};
use std::time::{Duration, Instant};

/// What the protocol gives an engine of version 1 or 2 to begin its list of features.
const FIRST_FEATURE: Duration = Duration::from_secs(2);

/// An engine that speaks the xboard protocol.
pub struct Xboard {
    line: Connection,
    features: Features,
    complaints: Vec<String>,
    pings: u32,
    /// How many moves of the game the engine knows.
    known_moves: usize,
    /// Whether it waits for `go`.
    in_force: bool,
    /// Whether it may think in the opponent's time.
    ponders: bool,
}

impl Xboard {
    /// Greets an engine and sets its options.
    pub fn greet(
        line: Connection,
        options: &[(String, String)],
        ponders: bool,
    ) -> Result<Xboard, EngineError> {
        let mut xboard = Xboard {
            line,
            features: Features::default(),
            complaints: Vec::new(),
            pings: 0,
            known_moves: 0,
            in_force: true,
            ponders,
        };
        xboard.line.send("xboard");
        xboard.line.send("protover 2");
        xboard.read_features()?;
        for (name, value) in options {
            xboard.set_option(name, value);
        }
        xboard.settle(xboard.line.timeouts.start)?;
        Ok(xboard)
    }

    /// Reads features until they are complete. An engine that has none says nothing.
    fn read_features(&mut self) -> Result<(), EngineError> {
        let begun = Instant::now();
        let timeout = self.line.timeouts.start;
        let mut deadline = begun + FIRST_FEATURE.min(timeout);
        while self.features.done != Some(true) {
            match self.line.hear(deadline) {
                Ok(heard) => {
                    let Some(list) = heard.text.strip_prefix("feature ") else { continue };
                    for name in self.features.read(list) {
                        self.line.send(&format!("accepted {name}"));
                    }
                    deadline = begun + timeout;
                }
                Err(Silence::Late) => return Ok(()),
                Err(Silence::CalledOff) => return Err(EngineError::CalledOff),
                Err(Silence::Ended) => {
                    let how = self.line.process.last_words();
                    let why = format!("it ended ({how}) instead of introducing itself");
                    return Err(EngineError::NotStarted(why));
                }
            }
        }
        Ok(())
    }

    /// Sets an option. The names that UCI has for memory and threads are understood too, so that one
    /// setting can serve engines of both kinds.
    fn set_option(&mut self, name: &str, value: &str) {
        let options = &self.features.options;
        let objection = options.objection(name, value, ["1", "0"]);
        match name.to_ascii_lowercase().as_str() {
            _ if options.has(name) => {
                self.complaints.extend(objection);
                self.line.send(&format!("option {name}={value}"));
            }
            "hash" | "memory" if self.features.memory => self.line.send(&format!("memory {value}")),
            "threads" | "cores" if self.features.cores => self.line.send(&format!("cores {value}")),
            _ => self.complaints.extend(objection),
        }
    }

    /// Waits until the engine has followed everything so far, if it can say so.
    fn settle(&mut self, timeout: Duration) -> Result<(), EngineError> {
        if !self.features.ping {
            self.line.process.drain();
            return Ok(());
        }
        self.pings += 1;
        self.line.send(&format!("ping {}", self.pings));
        let pong = format!("pong {}", self.pings);
        self.line.wait_for(&pong, timeout, |text| text == pong)
    }

    /// The clocks of the game, as the protocol sets them once.
    fn set_limits(&mut self, limits: &Limits) {
        match limits.time {
            Time::Game { moves, base, increment } => {
                let base = base.max(Duration::from_secs(1)).as_secs();
                let (minutes, seconds) = (base / 60, base % 60);
                let moves = moves.unwrap_or(0);
                let increment = increment.as_secs_f64();
                self.line.send(&format!("level {moves} {minutes}:{seconds:02} {increment}"));
            }
            Time::Move(_) => {
                let seconds = time_per_move(limits).unwrap_or_default().as_secs_f64();
                self.line.send(&format!("st {seconds}"));
            }
            Time::None => {}
        }
        if let Some(depth) = limits.depth {
            self.line.send(&format!("sd {depth}"));
        }
    }

    /// Tells a move.
    fn send_move(&mut self, position: &Position, mv: Move, style: CastlingStyle) {
        let text = match mv.kind() {
            _ if self.features.san => position.san(mv),
            MoveKind::Castling if style == CastlingStyle::Chess960 => position.san(mv),
            _ => mv.uci(CastlingStyle::Standard),
        };
        match self.features.usermove {
            true => self.line.send(&format!("usermove {text}")),
            false => self.line.send(&text),
        }
    }

    /// Tells the moves that the engine does not know yet.
    fn catch_up(&mut self, course: &Course) {
        let mut position = course.start;
        for (number, &mv) in course.moves.iter().enumerate() {
            if number >= self.known_moves {
                self.send_move(&position, mv, course.style);
            }
            position.play(mv);
        }
        self.known_moves = course.moves.len();
    }

    fn send_clocks(&mut self, turn: &Turn) {
        let us = turn.course.mover();
        for (name, color) in [("time", us), ("otim", !us)] {
            let clock = turn.clock(color);
            if let Some(left) = clock.left().or_else(|| turn.clock(!color).left()) {
                self.line.send(&format!("{name} {}", left.as_millis() / 10));
            }
        }
    }
}

impl Driver for Xboard {
    fn new_game(&mut self, course: &Course, limits: &Limits) -> Result<(), EngineError> {
        let refuse = |why: &str| Err(EngineError::Refused(why.to_owned()));
        // Clearing a large table takes its time.
        let timeout = self.line.timeouts.start;
        self.settle(timeout)?;
        self.line.send("new");
        if course.style == CastlingStyle::Chess960 {
            if !self.features.variants.iter().any(|name| name == "fischerandom") {
                return refuse("does not play Chess960");
            }
            self.line.send("variant fischerandom");
        }
        self.line.send("force");
        self.set_limits(limits);
        let pondering = if self.ponders { "hard" } else { "easy" };
        ["post", pondering, "computer"].iter().for_each(|line| self.line.send(line));
        if let Some(fen) = &course.start_fen {
            if !self.features.setboard {
                return refuse("cannot set up a position (no feature setboard)");
            }
            self.line.send(&format!("setboard {fen}"));
        }
        self.in_force = true;
        self.known_moves = 0;
        self.catch_up(course);
        self.settle(timeout)
    }

    fn think(&mut self, turn: &Turn) -> Result<Thought, EngineError> {
        let timeout = self.line.timeouts.answer;
        self.settle(timeout)?;
        if self.in_force {
            self.catch_up(turn.course);
            self.settle(timeout)?;
            self.send_clocks(turn);
            self.line.send("go");
            self.in_force = false;
        } else {
            self.send_clocks(turn);
            self.catch_up(turn.course);
        }
        let begun = Instant::now();
        let (mut report, mut offers_draw) = (Report::default(), false);
        let answer = self.line.search(begun, turn.allowed(), "?", |text| {
            if let Some(said) = info::read_xboard(text) {
                report = said;
            }
            offers_draw |= text == "offer draw";
            read_reply(text, offers_draw)
        });
        let (reply, elapsed) = answer.map_err(|error| error.with_report(&report))?;
        // The engine's own move is known to it.
        self.known_moves = turn.course.moves.len() + 1;
        Ok(Thought { reply, elapsed, report, bad_lines: 0, first_bad_line: None })
    }

    /// An xboard engine ponders by itself, if it may.
    fn ponder(&mut self, _turn: &Turn) {}

    fn game_over(&mut self, result: &str) {
        self.line.send(&format!("result {result}"));
        self.line.send("force");
        self.in_force = true;
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
    }

    fn title(&self) -> Option<&str> {
        self.features.name.as_deref()
    }

    fn complaints(&self) -> &[String] {
        &self.complaints
    }

    fn quit(self: Box<Self>) {
        let timeout = self.line.timeouts.answer;
        self.line.process.part("quit", timeout);
    }
}

/// What a line answers, if it answers anything.
fn read_reply(text: &str, offers_draw: bool) -> Option<Result<Reply, EngineError>> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let claim = |winner| Some(Ok(Reply::Claims { winner, line: text.to_owned() }));
    match word {
        "move" => Some(Ok(Reply::Move { text: rest.trim().to_owned(), offers_draw })),
        "resign" => Some(Ok(Reply::Resigns)),
        "tellics" if rest.trim() == "resign" => Some(Ok(Reply::Resigns)),
        "1-0" => claim(Some(Color::White)),
        "0-1" => claim(Some(Color::Black)),
        "1/2-1/2" => claim(None),
        "Illegal" if rest.starts_with("move") => {
            Some(Err(EngineError::Refused(format!("rejects a legal move: \"{text}\""))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_chatter() {
        let reply = |text| read_reply(text, false).map(|reply| reply.expect("no refusal"));
        let moved = Reply::Move { text: "e7e8q".into(), offers_draw: false };
        assert_eq!(reply("move e7e8q"), Some(moved));
        assert_eq!(reply("tellics resign"), Some(Reply::Resigns));
        let line = "1/2-1/2 {Draw by repetition}";
        assert_eq!(reply(line), Some(Reply::Claims { winner: None, line: line.into() }));
        for text in ["", "9 10 11 12 e4", "# move e2e4", "Error (unknown command): computer"] {
            assert_eq!(reply(text), None, "{text}");
        }
        assert!(read_reply("Illegal move: e2e4", false).expect("an answer").is_err());
    }
}
