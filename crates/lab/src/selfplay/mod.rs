//! Self-play for training data: games at few nodes a move, and positions from inside their searches.
//!
//! A game depends on the settings and its number alone, so that a file of games is the same whatever the
//! number of threads and interruptions. Recipe: random openings that are not decided yet, soft node
//! limits (an iteration is finished), and adjudication of what is clear.

mod game;
mod statics;

pub use game::{Player, play};
pub use statics::Statics;

/// Games that a thread plays before it hands them on: a block of a file.
pub const GAMES_PER_TASK: u64 = crate::data::file::BLOCK_GAMES as u64;

/// How games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The games of different seeds have nothing to do with each other.
    pub seed: u64,
    /// Nodes after which no further iteration is begun.
    pub nodes: u64,
    /// Random half-moves at the beginning, and one more in every second game.
    pub random_plies: u32,
    /// An opening is played if its score is at most this, in centipawns.
    pub largest_opening_score: i32,
    /// Megabytes of the transposition table.
    pub hash_mb: u64,
    /// What positions are evaluated by, in words.
    pub evaluation: String,
}

impl Settings {
    /// The settings in one line; games of the same line and number are the same.
    pub fn origin(&self) -> String {
        format!(
            "self-play, {}, seed {}, {} soft nodes, {} random plies, openings within {} cp, {} MB, {}",
            env!("CARGO_PKG_VERSION"),
            self.seed,
            self.nodes,
            self.random_plies,
            self.largest_opening_score,
            self.hash_mb,
            self.evaluation
        )
    }
}
