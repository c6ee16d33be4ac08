//! A search as it is asked for, in whatever protocol.

use search::Limits;
use search::time::Clock;

/// A search as it is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoRequest {
    /// Depth, nodes, mate and root moves.
    pub limits: Limits,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Exactly so long.
    pub move_time_ms: Option<i64>,
    /// Nodes that count as a second of either; none: as the options say.
    pub nodes_per_second: Option<u64>,
    /// The answer is wanted only after it was asked for.
    pub infinite: bool,
    /// The opponent is still to move.
    pub ponder: bool,
}

impl GoRequest {
    /// Whether it asks what is true rather than for a move in a game: no level and no book holds then.
    pub fn is_analysis(&self) -> bool {
        self.infinite && !self.ponder || self.limits.mate.is_some()
    }

    /// Whether something other than a command is sure to end it.
    pub fn is_bounded(&self) -> bool {
        let GoRequest { limits, clock, move_time_ms, .. } = self;
        clock.is_some()
            || move_time_ms.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
    }
}
