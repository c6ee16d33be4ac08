//! Thinking output: `ply score time nodes pv`, and `stat01:` as the answer to a point.

use super::game::Notation;
use crate::session::Formatter;
use board::Move;
use eval::score;
use search::{Bound, Progress, Report};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// From here on scores are mates: the moves to mate are added (or taken away, for the mated).
const MATE: i32 = 100_000;

/// What is seen of a search while it runs.
#[derive(Default)]
pub struct Monitor(Mutex<Option<(Progress, Duration)>>);

/// How a search speaks.
pub struct Thoughts {
    /// How moves are written.
    pub notation: Notation,
    /// Whether lines are wanted; may change while the search runs.
    pub posting: Arc<AtomicBool>,
    /// The move on which it ponders: shown in brackets before every line.
    pub pondered: Option<Move>,
    /// Nodes that count as a second, where the clock is counted in nodes.
    pub nodes_per_second: Option<u64>,
    /// Where the search is looked at from outside.
    pub monitor: Arc<Monitor>,
}

impl Monitor {
    /// The line `stat01: time nodes ply mvleft mvtot mvname`, for a root of `moves` moves.
    pub fn line(&self, moves: usize, notation: Notation) -> String {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((Progress { depth, nodes, root_move, .. }, time)) = last else {
            return format!("stat01: 0 0 0 {moves} {moves}");
        };
        let time = time.as_millis() / 10;
        match root_move {
            Some((mv, number)) => {
                let (left, mv) = (moves.saturating_sub(number), notation.write(mv));
                format!("stat01: {time} {nodes} {depth} {left} {moves} {mv}")
            }
            None => format!("stat01: {time} {nodes} {depth} {moves} {moves}"),
        }
    }
}

impl Formatter for Thoughts {
    fn report(&self, report: &Report<'_>, elapsed: Duration) -> Option<String> {
        if !self.posting.load(Relaxed) {
            return None;
        }
        let Report { depth, line, nodes, .. } = *report;
        let time = match self.nodes_per_second {
            Some(rate) => u128::from(nodes) * 100 / u128::from(rate.max(1)),
            None => elapsed.as_millis() / 10,
        };
        let mut text = format!("{depth} {} {time} {nodes}", value(line.score));
        if let Some(mv) = self.pondered {
            let _ = write!(text, " ({})", self.notation.write(mv));
        }
        for &mv in &line.moves {
            let _ = write!(text, " {}", self.notation.write(mv));
        }
        text += match line.bound {
            Bound::Lower => " !",
            Bound::Upper => " ?",
            Bound::Exact => "",
        };
        Some(text)
    }

    /// No signs of life: xboard asks for them with a point.
    fn progress(&self, _: &Progress, _: Duration) -> Option<String> {
        None
    }

    fn observe(&self, progress: &Progress, elapsed: Duration) {
        let mut last = self.monitor.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((*progress, elapsed));
    }

    /// The console tells results.
    fn no_move(&self, _: bool) -> Option<String> {
        None
    }

    /// Ply 0: nothing was searched.
    fn book_move(&self, mv: Move, share: f64) -> Option<String> {
        let mv = self.notation.write(mv);
        self.posting.load(Relaxed).then(|| format!("0 0 0 0 {mv} (book, {share:.1} %)"))
    }

    fn failure(&self, reason: &str) -> String {
        format!("# {reason}")
    }

    /// The console plays the move and tells it.
    fn answer(&self, _: Option<Move>, _: Option<Move>) -> Option<String> {
        None
    }
}

/// Centipawns, or a mate as 100000 and its moves.
fn value(value: i32) -> i32 {
    let (mate, limit) = (i32::from(score::MATE), i32::from(score::MATE_LIMIT));
    match value {
        value if value >= limit => MATE + (mate - value + 1) / 2,
        value if value <= -limit => -MATE - (mate + value + 1) / 2,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_from_a_hundred_thousand() {
        for (score, expected) in [
            (31_999, 100_001),
            (31_997, 100_002),
            (31_996, 100_002),
            (-31_998, -100_001),
            (-31_996, -100_002),
            (-7, -7),
            (20_000, 20_000),
        ] {
            assert_eq!(value(score), expected, "{score}");
        }
    }
}
