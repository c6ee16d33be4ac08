//! The lines `info …` and `bestmove …`.

use crate::session::Formatter;
use board::{CastlingStyle, Move, Position};
use eval::chances::chances;
use eval::score;
use search::{Bound, Progress, Report};
use std::fmt::Write;
use std::time::Duration;

/// How lines are written for one search.
pub struct InfoFormatter {
    /// How castling is written.
    pub style: CastlingStyle,
    /// Whether chances are shown.
    pub show_wdl: bool,
    /// The root position, for the chances.
    pub position: Position,
}

impl Formatter for InfoFormatter {
    fn report(&self, report: &Report<'_>, elapsed: Duration) -> Option<String> {
        let Report { depth, selective_depth, rank, line, nodes, hashfull, tbhits } = *report;
        let mut text = format!(
            "info depth {depth} seldepth {selective_depth} multipv {rank} score {}",
            score_text(line.score)
        );
        text += match line.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            Bound::Exact => "",
        };
        if self.show_wdl {
            let [win, draw, loss] = chances(line.score, &self.position);
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        let (nps, time) = (per_second(nodes, elapsed), elapsed.as_millis());
        let _ = write!(text, " nodes {nodes} nps {nps} hashfull {hashfull}");
        let _ = write!(text, " tbhits {tbhits} time {time} pv");
        for mv in &line.moves {
            let _ = write!(text, " {}", mv.uci(self.style));
        }
        Some(text)
    }

    fn progress(&self, progress: &Progress, elapsed: Duration) -> Option<String> {
        let Progress { depth, selective_depth, nodes, root_move } = *progress;
        let (nps, time) = (per_second(nodes, elapsed), elapsed.as_millis());
        let mut text = format!(
            "info depth {depth} seldepth {selective_depth} nodes {nodes} nps {nps} time {time}"
        );
        if let Some((mv, number)) = root_move {
            let mv = mv.uci(self.style);
            let _ = write!(text, " currmove {mv} currmovenumber {number}");
        }
        Some(text)
    }

    fn no_move(&self, in_check: bool) -> Option<String> {
        let score = if in_check { "mate 0" } else { "cp 0" };
        Some(format!("info depth 0 score {score}"))
    }

    fn book_move(&self, mv: Move, share: f64) -> Option<String> {
        Some(format!("info string book move {}, {share:.1} %", mv.uci(self.style)))
    }

    fn failure(&self, reason: &str) -> String {
        format!("info string error {reason}")
    }

    fn answer(&self, best: Option<Move>, ponder: Option<Move>) -> Option<String> {
        let Some(best) = best else { return Some("bestmove (none)".to_owned()) };
        let mut text = format!("bestmove {}", best.uci(self.style));
        if let Some(ponder) = ponder {
            let _ = write!(text, " ponder {}", ponder.uci(self.style));
        }
        Some(text)
    }
}

/// `cp 31`, or `mate -4` in moves.
pub fn score_text(score: i32) -> String {
    let (mate, limit) = (i32::from(score::MATE), i32::from(score::MATE_LIMIT));
    match score {
        score if score >= limit => format!("mate {}", (mate - score + 1) / 2),
        score if score <= -limit => format!("mate {}", -((mate + score + 1) / 2)),
        score => format!("cp {score}"),
    }
}

/// Nodes per second; a search that the clock did not see counts as a millisecond.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-3)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for (score, expected) in [
            (31_999, "mate 1"),
            (31_997, "mate 2"),
            (31_996, "mate 2"),
            (-32_000, "mate 0"),
            (-31_998, "mate -1"),
            (-31_996, "mate -2"),
            (20_000, "cp 20000"),
            (-7, "cp -7"),
        ] {
            assert_eq!(score_text(score), expected, "{score}");
        }
    }
}
