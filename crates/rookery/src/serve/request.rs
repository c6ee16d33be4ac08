//! Requests: JSON that names a position and limits, checked before anything is searched.

use super::guard::{self, refusal};
use crate::session::{GoRequest, strength::FULL_LEVEL};
use axum::body::Bytes;
use axum::response::Response;
use board::{History, Position};
use search::Limits;
use search::time::Clock;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The most lines of play.
pub const MOST_LINES: usize = 8;
/// Moves that a game may have had: longer ones end by the rules.
const MOST_MOVES: usize = 12_000;
/// The longest name of a game.
const LONGEST_NAME: usize = 64;
/// The time of a move where nothing limits it.
const USUAL_TIME: Duration = Duration::from_secs(2);

/// A position: a start and the moves from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The start position unless another is given.
    fen: Option<String>,
    /// Moves in coordinates.
    #[serde(default)]
    moves: Vec<String>,
}

/// What is asked of a search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SearchRequest {
    place: Place,
    /// What the search is for.
    pub purpose: Purpose,
    /// The game, so that its table is found again.
    #[serde(default)]
    pub game: String,
    /// From 0 to 20, where it plays.
    level: Option<u8>,
    lines: Option<usize>,
    depth: Option<i32>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    clock: Option<ClockRequest>,
}

/// What a search is for.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// A move in a game.
    Play,
    /// The truth.
    Analyse,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ClockRequest {
    remaining_ms: u32,
    increment_ms: u32,
}

/// Reads a request; or says what is wrong with it.
pub fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

impl Place {
    /// The position, and the keys before it, for repetitions.
    pub fn read(&self) -> Result<(Position, History), String> {
        let mut position = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen_repaired(fen).map_err(|error| error.to_string())?.0,
        };
        if self.moves.len() > MOST_MOVES {
            return Err(format!("more than {MOST_MOVES} moves"));
        }
        let mut history = History::new();
        for (number, text) in (1..).zip(&self.moves) {
            let mv = position.parse_uci(text).map_err(|error| format!("move {number}: {error}"))?;
            history.push(position.key());
            position.play(mv);
        }
        Ok((position, history))
    }
}

impl SearchRequest {
    /// The position to search.
    pub fn position(&self) -> Result<(Position, History), String> {
        self.place.read()
    }

    /// The level to play at.
    pub fn level(&self) -> u8 {
        let full = FULL_LEVEL as u8;
        match self.purpose {
            Purpose::Play => self.level.unwrap_or(full).min(full),
            Purpose::Analyse => full,
        }
    }

    /// Lines of play that are wanted.
    pub fn lines(&self) -> usize {
        self.lines.unwrap_or(1).clamp(1, MOST_LINES)
    }

    /// The request to the engine. Whatever is asked for, it ends by itself.
    pub fn go_request(&self, most_time: Duration) -> Result<GoRequest, String> {
        if self.game.len() > LONGEST_NAME {
            return Err(format!("game: longer than {LONGEST_NAME} bytes"));
        }
        if self.depth.is_some_and(|depth| !(1..=240).contains(&depth)) || self.nodes == Some(0) {
            return Err("depth: 1 to 240; nodes: at least 1".to_owned());
        }
        let limits = Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() };
        let most_ms = most_time.as_millis() as u64;
        let clock = self.clock.map(|clock| Clock {
            // No move takes more than this share of what is left, so none takes longer than it may.
            remaining_ms: u64::from(clock.remaining_ms).min(most_ms) as i64,
            increment_ms: i64::from(clock.increment_ms).min(most_ms as i64 / 10),
            moves_to_go: None,
        });
        let is_limited = self.depth.is_some() || self.nodes.is_some();
        let usual = if is_limited { most_time } else { USUAL_TIME };
        let time_ms = self.time_ms.unwrap_or(usual.as_millis() as u64).clamp(1, most_ms);
        let move_time_ms = clock.is_none().then_some(time_ms as i64);
        Ok(GoRequest { limits, clock, move_time_ms, ..GoRequest::default() })
    }
}

/// `POST /api/evaluate`: what the evaluation sees in a position, term by term.
pub async fn evaluate(body: Bytes) -> Response {
    match read(&body).and_then(|place: Place| place.read()) {
        Ok((position, _)) => guard::answer(crate::evaluation::json(&position)),
        Err(reason) => refusal(400, &reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn go_request(text: &str) -> Result<GoRequest, String> {
        let request: SearchRequest =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        request.position()?;
        request.go_request(MINUTE)
    }

    #[test]
    fn every_search_ends_by_itself_and_in_time() {
        for limits in [
            "",
            r#","timeMs":99999999999999"#,
            r#","timeMs":0"#,
            r#","depth":240"#,
            r#","nodes":18446744073709551615"#,
            r#","clock":{"remainingMs":4294967295,"incrementMs":4294967295}"#,
            r#","clock":{"remainingMs":0,"incrementMs":0},"level":255"#,
        ] {
            let go =
                go_request(&format!(r#"{{"place":{{}},"purpose":"play"{limits}}}"#)).expect(limits);
            assert!(go.is_bounded() && !go.infinite, "{limits}");
            let time = go.move_time_ms.or(go.clock.map(|clock| clock.remaining_ms));
            assert!(time.is_some_and(|time| (0..=60_000).contains(&time)), "{limits}: {time:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, reason) in [
            ("", "EOF"),
            ("{}", "missing field"),
            (r#"{"place":{},"purpose":"win"}"#, "unknown variant"),
            (r#"{"place":{},"purpose":"play","path":"/etc/passwd"}"#, "unknown field"),
            (r#"{"place":{"fen":"8/8"},"purpose":"play"}"#, "FEN"),
            (r#"{"place":{"moves":["e2e4","e2e4"]},"purpose":"play"}"#, "move 2"),
            (r#"{"place":{"moves":["e2e5"]},"purpose":"play"}"#, "move 1"),
            (r#"{"place":{},"purpose":"play","depth":0}"#, "depth"),
            (r#"{"place":{},"purpose":"play","lines":-1}"#, "invalid value"),
        ] {
            let found = go_request(text).expect_err(text);
            assert!(found.contains(reason), "{text}: {found}");
        }
    }
}
