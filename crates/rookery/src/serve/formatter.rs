//! What a search says, as events. Scores and chances are White's.

use crate::analyse::Score;
use crate::session::Formatter;
use crate::uci::per_second;
use board::{CastlingStyle, Color, Move, Position};
use eval::chances::chances;
use search::{Bound, Progress, Report};
use serde_json::json;
use std::time::Duration;

/// Words the events of a search of this position.
pub struct EventFormatter {
    /// The root.
    pub position: Position,
}

/// The king takes its rook: clear in Chess960, and understood by the page everywhere.
fn uci(mv: Move) -> String {
    mv.uci(CastlingStyle::Chess960)
}

impl Formatter for EventFormatter {
    fn report(&self, report: &Report<'_>, elapsed: Duration) -> Option<String> {
        let Report { depth, selective_depth, rank, line, nodes, hashfull, tbhits } = *report;
        let side = self.position.side_to_move();
        let mut chances = chances(line.score, &self.position);
        if side == Color::Black {
            chances.reverse();
        }
        let event = json!({
            "kind": "line",
            "rank": rank,
            "depth": depth,
            "selectiveDepth": selective_depth,
            "score": Score::new(line.score, side).plain(),
            "exact": line.bound == Bound::Exact,
            "chances": chances,
            "nodes": nodes,
            "nps": per_second(nodes, elapsed),
            "hashfull": hashfull,
            "tbhits": tbhits,
            "ms": elapsed.as_millis() as u64,
            "moves": line.moves.iter().map(|&mv| uci(mv)).collect::<Vec<_>>(),
        });
        Some(event.to_string())
    }

    fn progress(&self, progress: &Progress, elapsed: Duration) -> Option<String> {
        let Progress { depth, nodes, .. } = *progress;
        let (nps, ms) = (per_second(nodes, elapsed), elapsed.as_millis() as u64);
        let event =
            json!({ "kind": "progress", "depth": depth, "nodes": nodes, "nps": nps, "ms": ms });
        Some(event.to_string())
    }

    fn no_move(&self, _in_check: bool) -> Option<String> {
        None
    }

    fn failure(&self, reason: &str) -> String {
        json!({ "kind": "error", "reason": reason }).to_string()
    }

    fn book_move(&self, mv: Move, share: f64) -> Option<String> {
        Some(json!({ "kind": "book", "move": uci(mv), "share": share }).to_string())
    }

    fn answer(&self, best: Option<Move>, ponder: Option<Move>) -> Option<String> {
        let event = json!({ "kind": "best", "move": best.map(uci), "reply": ponder.map(uci) });
        Some(event.to_string())
    }
}
