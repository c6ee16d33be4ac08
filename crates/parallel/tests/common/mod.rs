//! What the tests of the laws share.

use board::{History, Position};
use parallel::sim::{Model, Setup};
use parallel::{RootSearch, StrategyKind};
use search::{Limits, Profile};

#[path = "../../../search/tests/minimax/mod.rs"]
mod definition;

pub use definition::minimax;

/// Numbers of processors: one, few, odd, many.
pub const COUNTS: [u32; 6] = [1, 2, 3, 7, 16, 64];

/// The Bratko-Kopec positions.
pub fn positions() -> Vec<Position> {
    let records = board::epd::records(include_str!("../../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position()).collect()
}

/// Positions with trees small enough for minimax, and their depths.
pub fn small_positions() -> Vec<(Position, i32)> {
    [
        ("8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1", 5),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("4k2r/6K1/8/8/8/8/8/8 b k - 0 1", 4),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60", 3),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", 4),
        ("7k/8/8/8/8/8/1q6/3K4 b - - 10 50", 4),
    ]
    .into_iter()
    .map(|(fen, depth)| (Position::from_fen(fen).expect("a sound position"), depth))
    .collect()
}

pub fn setup(strategy: StrategyKind, machine: &str, peers: u32, profile: Profile) -> Setup {
    Setup::new(strategy, Model::named(machine).expect("a built-in model"), peers, profile)
}

pub fn root_search(position: &Position, depth: i32) -> RootSearch {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    RootSearch { position: *position, game: History::new(), limits }
}
