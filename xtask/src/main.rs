//! The project's chores, as a program: `cargo xtask help` lists them.

mod bench;
mod run;
mod test;
mod tidy;
mod tools;
mod trials;
mod tune;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The chores of the Rookery project.
///
/// Before you send a change in, `cargo xtask test` must pass: it is what `.ci/run` calls.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
#[command(after_help = "Examples:
  cargo xtask test            everything, as the project's own checks run it
  cargo xtask test --quick    while you work: no clippy, no doc tests
  cargo xtask tidy            only the rules of tidiness, in a moment
  cargo xtask games           ten thousand random games beside another library, minutes
  cargo xtask fuzz            a million damaged inputs in a build that checks everything
  cargo xtask bench board     the board's speed beside other libraries, several minutes
  cargo xtask bench pgn       the PGN reader's speed beside another one
  cargo xtask bench phases    what the cut of a node into phases costs, in instructions
  cargo xtask bench instructions    whether the search got more expensive
  cargo xtask bench rivals    node rate and solved positions beside other engines
  cargo xtask tune eval --data positions.epd --epochs 40
  cargo xtask tune search --openings book.epd --iterations 20000 --concurrency 4")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check formatting, lints and tidiness, and run all tests.
    ///
    /// The steps, in order: cargo fmt --check, clippy with warnings denied, tidiness, the unit,
    /// property and integration tests through nextest, the doc tests. Stops at the first step that
    /// fails and names the command that repeats it. Tools that are missing are installed, or named
    /// where that fails.
    Test {
        /// Leave out clippy and the doc tests.
        #[arg(long)]
        quick: bool,
    },
    /// Check the rules that the compiler does not know.
    ///
    /// Lengths of files and functions, module comments, where `unsafe` may stand, marks of
    /// unfinished work, white space, machine paths, manifests, sources of test data, links.
    /// Each finding is a line `path:line: what is wrong`. Exceptions are listed in
    /// xtask/src/tidy/exceptions.rs.
    Tidy,
    /// Play random games and compare every position with another library.
    ///
    /// Legal moves, check, SAN, FEN and outcome must agree with shakmaty at every position of games
    /// of classical chess and Chess960; keys, stages and packed forms are checked as well. The tests
    /// play a few hundred games; this plays as many as you like, in a release build.
    Games {
        /// How many.
        #[arg(long, default_value_t = 10_000)]
        games: u64,
    },
    /// Feed damaged FEN, EPD, PGN and moves to the readers.
    ///
    /// The build has debug assertions and overflow checks. An input that makes a reader panic or
    /// hang is printed with its seed. The tests feed some thousands.
    Fuzz {
        /// How many inputs.
        #[arg(long, default_value_t = 1_000_000)]
        inputs: u64,
        /// Where the random numbers begin: another seed, other inputs.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure, beside others, in one run.
    #[command(subcommand, arg_required_else_help = true)]
    Bench(bench::Bench),
    /// Fit weights to data, and parameters to games.
    #[command(subcommand, arg_required_else_help = true)]
    Tune(tune::Tune),
}

fn main() -> ExitCode {
    let root = root();
    let good = match Arguments::parse().chore {
        Chore::Test { quick } => test::run(&root, quick),
        Chore::Tidy => tidy::run(&root),
        Chore::Games { games } => trials::games(&root, games),
        Chore::Fuzz { inputs, seed } => trials::fuzz(&root, inputs, seed),
        Chore::Bench(bench) => bench::run(&root, &bench),
        Chore::Tune(tune) => tune::run(&root, &tune),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The root of the repository: the folder above this crate.
fn root() -> PathBuf {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(manifest);
    root.pop();
    root
}
