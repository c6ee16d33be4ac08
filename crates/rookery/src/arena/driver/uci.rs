//! The universal chess interface, from the referee's side.

use super::options::Options;
use super::{
    Connection, Driver, EngineError, Reply, Report, Thought, Turn, info, milliseconds,
    time_per_move,
};
use crate::arena::control::Limits;
use crate::arena::course::Course;
use crate::failure::cut;
use board::{CastlingStyle, Color, Move};
use std::time::{Duration, Instant};

/// How lines begin by which engines refuse an option; the protocol has no words for it.
const REFUSALS: [&str; 2] = ["info string error", "No such option"];
/// Refusals that are told; more would say nothing new.
const MOST_REFUSALS: usize = 5;

/// An engine that speaks UCI.
pub struct Uci {
    line: Connection,
    title: Option<String>,
    complaints: Vec<String>,
    has_chess960: bool,
    plays_chess960: bool,
    /// Whether it thinks in the opponent's time.
    ponders: bool,
    /// The opponent's reply that it said to expect.
    expected: Option<String>,
    pondering: Pondering,
}

/// What an engine does in the opponent's time.
enum Pondering {
    No,
    /// It thinks as if this move had been played.
    On(Move),
    /// It was told to stop and owes the move that goes with it.
    Stopped,
}

impl Uci {
    /// Greets an engine and sets its options.
    pub fn greet(
        mut line: Connection,
        options: &[(String, String)],
        ponders: bool,
    ) -> Result<Uci, EngineError> {
        let (mut title, mut known) = (None, Options::default());
        line.send("uci");
        let timeout = line.timeouts.start;
        line.wait_for("uciok", timeout, |text| {
            if let Some(name) = text.strip_prefix("id name ") {
                title = Some(name.trim().to_owned());
            } else if let Some(option) = text.strip_prefix("option name ") {
                known.declare_uci(option);
            }
            text == "uciok"
        })
        .map_err(not_started)?;
        let mut complaints = Vec::new();
        for (name, value) in options {
            complaints.extend(known.objection(name, value, ["true", "false"]));
            match value.is_empty() {
                true => line.send(&format!("setoption name {name}")),
                false => line.send(&format!("setoption name {name} value {value}")),
            }
        }
        let can_ponder = known.has("Ponder");
        match ponders {
            true if can_ponder => line.send("setoption name Ponder value true"),
            true => complaints.push(String::from("cannot ponder: it has no option \"Ponder\"")),
            false => {}
        }
        let mut uci = Uci {
            has_chess960: known.has("UCI_Chess960"),
            line,
            title,
            complaints,
            plays_chess960: false,
            ponders: ponders && can_ponder,
            expected: None,
            pondering: Pondering::No,
        };
        let refusals = uci.settle_options(timeout).map_err(not_started)?;
        // What we have seen ourselves need not be said twice.
        if uci.complaints.is_empty() {
            uci.complaints = refusals;
        }
        Ok(uci)
    }

    /// Waits until the engine has followed everything so far; what it said meanwhile is of no
    /// interest, a late `bestmove` of an earlier search included.
    fn settle(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.line.send("isready");
        self.line.wait_for("readyok", timeout, |text| text == "readyok")
    }

    /// The same after options were set: what the engine said against them.
    fn settle_options(&mut self, timeout: Duration) -> Result<Vec<String>, EngineError> {
        let mut refusals = Vec::new();
        self.line.send("isready");
        self.line.wait_for("readyok", timeout, |text| {
            let is_refusal = REFUSALS.iter().any(|words| text.starts_with(words));
            if is_refusal && refusals.len() < MOST_REFUSALS {
                refusals.push(format!("says {}", cut(text)));
            }
            text == "readyok"
        })?;
        Ok(refusals)
    }

    /// Ends a search in the opponent's time; its move is of no interest.
    fn end_pondering(&mut self) -> Result<(), EngineError> {
        match std::mem::replace(&mut self.pondering, Pondering::No) {
            Pondering::No => return Ok(()),
            Pondering::On(_) => self.line.send("stop"),
            Pondering::Stopped => {}
        }
        let timeout = self.line.timeouts.answer;
        self.line.wait_for("move after stop", timeout, |text| first_word(text).0 == "bestmove")
    }

    /// Gives the order to search, and when that was.
    fn begin(&mut self, turn: &Turn) -> Result<Instant, EngineError> {
        let guessed = match self.pondering {
            Pondering::On(mv) => turn.course.moves.last() == Some(&mv),
            _ => false,
        };
        if guessed {
            self.pondering = Pondering::No;
            self.line.send("ponderhit");
        } else {
            self.end_pondering()?;
            // Parsing a long game is not thinking, and a loaded machine may take its time with it.
            self.line.send(&format!("position {}", turn.course.uci()));
            self.settle(self.line.timeouts.answer)?;
            self.line.send(&go("go", turn, turn.course.mover()));
        }
        Ok(Instant::now())
    }
}

impl Driver for Uci {
    fn new_game(&mut self, course: &Course, _limits: &Limits) -> Result<(), EngineError> {
        let is_chess960 = course.style == CastlingStyle::Chess960;
        if is_chess960 && !self.has_chess960 {
            return Err(EngineError::Refused(String::from("does not play Chess960")));
        }
        self.end_pondering()?;
        self.expected = None;
        if is_chess960 != self.plays_chess960 {
            self.line.send(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            self.plays_chess960 = is_chess960;
        }
        self.line.send("ucinewgame");
        // Clearing a large table takes its time.
        self.settle(self.line.timeouts.start)
    }

    fn think(&mut self, turn: &Turn) -> Result<Thought, EngineError> {
        let begun = self.begin(turn)?;
        let mut report = Report::default();
        let (mut bad_lines, mut first_bad_line, mut expected) = (0, None, None);
        let position = &turn.course.position;
        let listen = |text: &str| {
            let (word, rest) = first_word(text);
            if word == "info" {
                let info = info::Info::read(rest);
                let is_bound = info.is_lower_bound || info.is_upper_bound;
                let is_first = info.rank.is_none_or(|rank| rank == 1);
                if is_first && info.report.score.is_some() && !is_bound {
                    report = info.report;
                }
                if let Some(wrong) = info::check_variation(position, &info.variation) {
                    bad_lines += 1;
                    first_bad_line.get_or_insert(wrong);
                }
            }
            (word == "bestmove").then(|| {
                let mut words = rest.split_ascii_whitespace();
                let text = words.next().unwrap_or_default().to_owned();
                expected = words.skip_while(|&word| word != "ponder").nth(1).map(str::to_owned);
                Ok(Reply::Move { text, offers_draw: false })
            })
        };
        let answer = self.line.search(begun, turn.allowed(), "stop", listen);
        let (reply, elapsed) = answer.map_err(|error| error.with_report(&report))?;
        self.expected = expected;
        Ok(Thought { reply, elapsed, report, bad_lines, first_bad_line })
    }

    fn ponder(&mut self, turn: &Turn) {
        let Some(text) = self.expected.take().filter(|_| self.ponders) else { return };
        let position = &turn.course.position;
        // An engine that expects what cannot be played has nothing to think about.
        let Ok(mv) = position.parse_uci(&text) else { return };
        if position.make(mv).outcome().is_some() {
            return;
        }
        let text = mv.uci(turn.course.style);
        self.line.send(&format!("position {} {text}", turn.course.uci()));
        self.line.send(&go("go ponder", turn, !turn.course.mover()));
        self.pondering = Pondering::On(mv);
    }

    fn game_over(&mut self, _result: &str) {
        if let Pondering::On(_) = self.pondering {
            self.line.send("stop");
            self.pondering = Pondering::Stopped;
        }
    }

    fn is_reusable(&self) -> bool {
        true
    }

    fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    fn complaints(&self) -> &[String] {
        &self.complaints
    }

    fn quit(self: Box<Self>) {
        let timeout = self.line.timeouts.answer;
        self.line.process.part("quit", timeout);
    }
}

/// The first word of a line, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// The command to search, for an engine that has a colour.
fn go(command: &str, turn: &Turn, us: Color) -> String {
    let mut command = command.to_owned();
    let mut add = |name: &str, value: u128| command.push_str(&format!(" {name} {value}"));
    if let Some(time) = time_per_move(turn.limits) {
        add("movetime", milliseconds(time));
    } else if turn.clock(us).left().is_some() {
        for (color, time, increment) in
            [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")]
        {
            // Where the opponent has no clock, it is told the engine's own.
            let clock = turn.clock(color);
            let left = clock.left().or_else(|| turn.clock(!color).left()).unwrap_or_default();
            add(time, milliseconds(left));
            add(increment, clock.increment().as_millis());
        }
        if let Some(moves) = turn.clock(us).moves_to_go() {
            add("movestogo", u128::from(moves));
        }
    }
    if let Some(nodes) = turn.limits.nodes {
        add("nodes", u128::from(nodes));
    }
    if let Some(depth) = turn.limits.depth {
        add("depth", u128::from(depth));
    }
    command
}

/// What goes wrong in the introduction.
fn not_started(error: EngineError) -> EngineError {
    let why = match error {
        EngineError::Crashed(how) => format!("it ended ({how}) instead of introducing itself"),
        EngineError::Hung(what) => format!("{what}: is it a UCI engine?"),
        other => return other,
    };
    EngineError::NotStarted(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::control::{Clock, Time, read_time_control};
    use crate::arena::openings::Opening;

    fn command(time: Time, nodes: Option<u64>, depth: Option<u32>) -> String {
        let limits = Limits { time, nodes, depth, margin: Duration::ZERO };
        let course = Course::new(&Opening::default());
        let clocks = &[Clock::new(&limits); 2];
        go("go", &Turn { course: &course, clocks, limits: &limits }, Color::White)
    }

    #[test]
    fn every_limit_is_part_of_the_command() {
        let time = |text| read_time_control(text).expect("a time control");
        assert_eq!(
            command(time("10+0.1"), None, None),
            "go wtime 10100 winc 100 btime 10100 binc 100"
        );
        assert_eq!(
            command(time("40/60"), None, Some(9)),
            "go wtime 60000 winc 0 btime 60000 binc 0 movestogo 40 depth 9"
        );
        assert_eq!(command(Time::Move(Duration::from_millis(50)), None, None), "go movetime 50");
        assert_eq!(command(Time::None, Some(1000), None), "go nodes 1000");
    }
}
