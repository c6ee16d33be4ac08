//! How a search speaks in a protocol.

use board::Move;
use search::{Progress, Report};
use std::time::Duration;

/// Words what a search has to say. What is not worth a line in a protocol is `None`.
pub trait Formatter: Send {
    /// A line of play.
    fn report(&self, report: &Report<'_>, elapsed: Duration) -> Option<String>;

    /// A sign of life in a long iteration.
    fn progress(&self, progress: &Progress, elapsed: Duration) -> Option<String>;

    /// Where the search stands: told every half millisecond, to answer questions.
    fn observe(&self, _progress: &Progress, _elapsed: Duration) {}

    /// There is no legal move; whether it is mate.
    fn no_move(&self, in_check: bool) -> Option<String>;

    /// The search failed in itself.
    fn failure(&self, reason: &str) -> String;

    /// The book's move is played, which has this share of the position's weight.
    fn book_move(&self, mv: Move, share: f64) -> Option<String>;

    /// The answer: the move to play, if there is one, and the reply that is expected.
    fn answer(&self, best: Option<Move>, ponder: Option<Move>) -> Option<String>;
}
