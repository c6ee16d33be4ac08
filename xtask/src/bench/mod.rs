//! `cargo xtask bench`: measurements beside other programs, in one run. One file per subject.

mod board;
mod callgrind;
pub mod instructions;
#[path = "../../../benches/board/src/median.rs"]
mod median;
mod numbers;
mod pgn;
mod phases;
mod rivals;

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
    /// Count what the cut of a node into phases costs.
    ///
    /// The recursive and the stepping driver search the same tree as one function that has no phases
    /// (and must find the same values and lines); valgrind counts the instructions of all three.
    Phases(phases::Arguments),
    /// Count the instructions of `rookery bench` and hold them against the recorded number.
    ///
    /// Fails when a node takes half a per cent more than benches/instructions.txt says, or two per cent less. A
    /// change that is worth it is recorded with its reason.
    Instructions(instructions::Arguments),
    /// Run our bench beside another engine's, and let both solve test positions.
    ///
    /// The benches run in turns and the medians of their node rates are compared. With `--suite FILE`
    /// both engines solve the file's positions in the same time for each.
    Rivals(rivals::Arguments),
}

/// Runs a measurement; whether it ended well (a missed target is a result, not a failure).
pub fn run(root: &Path, bench: &Bench) -> bool {
    let result = match bench {
        Bench::Board(arguments) => board::run(root, arguments),
        Bench::Pgn(arguments) => pgn::run(root, arguments),
        Bench::Phases(arguments) => phases::run(root, arguments),
        Bench::Instructions(arguments) => instructions::run(root, arguments),
        Bench::Rivals(arguments) => rivals::run(root, arguments),
    };
    if let Err(error) = &result {
        eprintln!("xtask: {error}");
    }
    result.is_ok()
}

/// Whether code compiled for this CPU may use PEXT.
fn has_pext() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
