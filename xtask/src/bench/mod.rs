//! `cargo xtask bench`: measurements beside other programs, in one run. One file per subject.

mod board;
mod pgn;

use clap::Subcommand;
use std::path::Path;

/// What can be measured.
#[derive(Subcommand)]
pub enum Bench {
    /// Count trees of legal moves with the board and with the crates cozy-chess, shakmaty and chess.
    ///
    /// Two builds, two tables. `native` is compiled for this CPU, which gives the rivals their best
    /// (cozy-chess then looks sliders up with PEXT); `plain` is compiled for any CPU of this kind, as
    /// the released engine is: there the board decides at run time and the rivals cannot. Leave the
    /// machine alone meanwhile.
    Board(board::Arguments),
    /// Read a collection of games with the board's PGN reader and with pgn-reader and shakmaty.
    ///
    /// Every move of every main line is checked and played by both, in turns.
    Pgn(pgn::Arguments),
}

/// Runs a measurement; whether it ended well (a missed target is a result, not a failure).
pub fn run(root: &Path, bench: &Bench) -> bool {
    let result = match bench {
        Bench::Board(arguments) => board::run(root, arguments),
        Bench::Pgn(arguments) => pgn::run(root, arguments),
    };
    if let Err(error) = &result {
        eprintln!("xtask: {error}");
    }
    result.is_ok()
}
