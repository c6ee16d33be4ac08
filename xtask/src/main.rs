//! The project's chores, as a program: `cargo xtask help` lists them.

#[cfg(unix)]
mod attack;
mod bench;
mod bulk;
mod clients;
mod cluster;
mod dist;
mod endgame;
mod figures;
mod miri;
mod run;
mod test;
mod tidy;
mod tools;
mod trials;
mod tune;
mod web;

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
  cargo xtask test --quick    while you work: formatting, tidiness and the tests
  cargo xtask tidy            only the rules of tidiness, in a moment
  cargo xtask games           ten thousand random games beside another library, minutes
  cargo xtask network         ten thousand random games evaluated by a network in every way
  cargo xtask fuzz            a million damaged inputs in a build that checks everything
  cargo xtask miri            what threads share, under an interpreter of the memory model
  cargo xtask clients         games and analysis with python-chess, over UCI and xboard
  cargo xtask web             the page of `rookery serve`, built and tried in a browser
  cargo xtask dist            archives for Linux and Windows, each tried by its signature
  cargo xtask figures         draw the pictures of the lab reports from their tables
  cargo xtask examples        write the real outputs of the examples into the pages
  cargo xtask resume          500 games analysed, killed three times and resumed
  cargo xtask attack --quick  what a hostile world does to the program, in a minute
  cargo xtask bulk            two gigabytes of games analysed, and the memory it takes
  cargo xtask endgame oracles    endgame tables against Syzygy's and Gaviota's
  cargo xtask endgame kills   a build of tables killed twenty times and resumed
  cargo xtask cluster storm   a thousand searches over MPI, interrupted at any moment
  cargo xtask cluster faults  processes killed and stopped, and the values all the same
  cargo xtask cluster network    two hosts with a long way between them (Linux, root)
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
    /// The steps, in order: cargo fmt --check, tidiness, clippy with warnings denied, one build for all
    /// that follows, the unit, property and integration tests through nextest, the program under mpirun,
    /// and beside that a short conversation with python-chess, the page in a browser, the doc tests, and
    /// the instructions of a node under valgrind. What needs a Python, a Node, a browser, an MPI or valgrind
    /// is left out loudly where there is none. Stops at the first step that fails and names the command
    /// that repeats it. cargo-nextest, python-chess, Open MPI, valgrind and Chromium are installed where they are
    /// missing, or named where that fails.
    Test {
        /// Leave out clippy, MPI, python-chess, the browser, the doc tests and the count of instructions.
        #[arg(long)]
        quick: bool,
        /// Run one step alone, with the build that is there.
        #[arg(long, conflicts_with = "quick")]
        step: Option<test::Step>,
    },
    /// Check the rules that the compiler does not know.
    ///
    /// Lengths of files, module comments, where `unsafe` may stand, marks of unfinished work, white
    /// space, machine paths, manifests, sources of test data, links. Each finding is a line
    /// `path:line: what is wrong`. Clippy checks the rest, lengths of functions among it.
    Tidy,
    /// Play random games and compare every position with another library.
    ///
    /// Legal moves, check, SAN, FEN and outcome must agree with shakmaty at every position of games
    /// of classical chess and Chess960; keys, stages and packed forms are checked as well. The tests
    /// play a few hundred games; this plays as many as you like, in a release build.
    Games {
        /// How many games.
        #[arg(long, default_value_t = 10_000)]
        games: u64,
    },
    /// Play random games and evaluate every position by a network, in every way.
    ///
    /// On each set of instructions that the CPU has, one evaluation follows the game move by move and
    /// another is asked now and then: both must give the integers of a new beginning. The games have null
    /// moves, castling, promotions, en passant and Chess960. The tests play a few hundred.
    Network {
        /// How many games.
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
    /// Run the parts that threads share under Miri.
    ///
    /// Entries of the table, mailboxes and marks between threads, under an interpreter that stops at
    /// undefined behaviour and at data races. Needs the nightly toolchain with the component miri.
    Miri {
        /// How many orders of events are tried for each test.
        #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        seeds: u32,
    },
    /// Play with python-chess as the interface, over UCI and over xboard.
    ///
    /// Games of the two protocols against each other, Chess960, clocks, analysis, options, pondering,
    /// draws. python-chess is installed under target/ where Python does not have it. The tests run a
    /// short form.
    Clients {
        /// Games of each kind.
        #[arg(long, default_value_t = 20)]
        games: u64,
    },
    /// Build the page of `rookery serve` and try it in a browser.
    ///
    /// Needs Node and Chromium, which is installed where it can be (`CHROMIUM` names another one). Without them the tests
    /// leave it out, loudly; the page that was built is part of the repository.
    Web {
        /// Write screenshots to this folder.
        #[arg(long, value_name = "DIR")]
        shots: Option<PathBuf>,
        /// Send this many damaged requests, too.
        #[arg(long, value_name = "N")]
        requests: Option<u64>,
    },
    /// Build archives of the program for each system that can be built for here.
    ///
    /// Linux on x86-64 and on ARM, and Windows: with the page of the browser, completions and manual pages.
    /// Each must show the signature of `rookery bench`, under qemu or wine where it is not at home. What is
    /// missing for a system is named. For macOS it is only compiled.
    Dist(dist::Arguments),
    /// Draw the pictures of the lab reports from their tables.
    Figures,
    /// Run the examples of the pages and write their outputs into them.
    Examples,
    /// Analyse games, kill the analysis three times and resume it.
    ///
    /// The annotated file must be the same byte for byte as that of a run that was left alone. The
    /// tests do it with a few games.
    Resume {
        /// How many games.
        #[arg(long, default_value_t = 500)]
        games: u64,
    },
    /// Analyse a large collection and say how much memory that takes.
    ///
    /// The collection is made of copies of testdata/pgn/twic1599.pgn, and each position is searched
    /// for one node. Files are written under target/ and removed.
    Bulk {
        /// The size of the collection.
        #[arg(long, default_value_t = 2048)]
        megabytes: u64,
        /// Words after each move: more of them, fewer moves in a megabyte to search.
        #[arg(long, default_value_t = 50)]
        words: u64,
    },
    /// Attack the program: garbage, random orders, kills, damaged and special files, floods, clocks.
    ///
    /// Prints a table of what was attacked, how often, and what came of it; the exit status is 1 if
    /// anything failed. Findings are printed with what reproduces them. Clocks are measured: leave the
    /// machine alone meanwhile. docs/design/testing.md says what must hold.
    #[cfg(unix)]
    Attack(attack::Arguments),
    /// An engine that misbehaves, for attacks.
    #[cfg(unix)]
    #[command(hide = true)]
    StandIn { manner: attack::Manner },
    /// Try endgame tables: against those of others, and after interruptions.
    #[command(subcommand, arg_required_else_help = true)]
    Endgame(endgame::Endgame),
    /// Try the program under mpirun: interrupted, and robbed of processes.
    #[command(subcommand, arg_required_else_help = true)]
    Cluster(cluster::Cluster),
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
        Chore::Test { step: Some(step), .. } => test::run_step(&root, step),
        Chore::Test { quick, step: None } => test::run(&root, quick),
        Chore::Tidy => tidy::run(&root),
        Chore::Games { games } => trials::games(&root, games),
        Chore::Network { games } => trials::network(&root, games),
        Chore::Fuzz { inputs, seed } => trials::fuzz(&root, inputs, seed),
        Chore::Miri { seeds } => miri::run(&root, seeds),
        Chore::Clients { games } => clients::run(&root, games),
        Chore::Web { shots, requests } => web::run(&root, shots.as_deref(), requests),
        Chore::Dist(arguments) => dist::run(&root, &arguments),
        Chore::Figures => figures::run(&root),
        Chore::Examples => trials::examples(&root),
        Chore::Resume { games } => trials::resume(&root, games),
        Chore::Bulk { megabytes, words } => bulk::run(&root, megabytes, words),
        #[cfg(unix)]
        Chore::Attack(arguments) => attack::run(&root, &arguments),
        #[cfg(unix)]
        Chore::StandIn { manner } => attack::play_stand_in(manner),
        Chore::Endgame(what) => endgame::run(&root, &what),
        Chore::Cluster(what) => cluster::run(&root, &what),
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
