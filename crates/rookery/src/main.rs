//! The program: command line and console. What it shows is computed by the library crates.

mod analyse;
mod arena;
mod arguments;
mod bench;
mod book;
mod castling;
mod endgame;
mod engine;
mod evaluation;
mod failure;
mod json;
mod learning;
mod lines;
mod memory;
mod perft;
mod progress;
mod session;
mod sim;
mod speedup;
mod suite;
mod uci;
mod xboard;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use std::io::{self, BufReader};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let out = || io::stdout().lock();
    let output = || session::Output::new(io::stdout());
    let outcome = match arguments.command {
        None => uci::talk(BufReader::new(io::stdin()), output()),
        Some(Command::Perft(perft)) => perft::run(&perft, &mut out()),
        Some(Command::Eval(evaluation)) => evaluation::run(&evaluation, &mut out()),
        Some(Command::Bench(bench)) => bench::run(&bench, &mut out()),
        Some(Command::Sim(sim)) => sim::run(&sim, &mut out()),
        Some(Command::Speedup(speedup)) => speedup::run(&speedup, &mut out()),
        Some(Command::Suite(suite)) => suite::run(&suite, &mut out()),
        Some(Command::Match(arguments)) => arena::run(&arguments, &mut out()),
        Some(Command::Analyse(analyse)) => analyse::run(&analyse, &mut out()),
        Some(Command::Book(book)) => book::run(&book.command, &mut out()),
        Some(Command::Endgame(endgame)) => endgame::run(&endgame, &mut out()),
        Some(Command::Console(words)) if words == ["uci"] => {
            uci::talk(BufReader::new(io::stdin()), output())
        }
        Some(Command::Console(words)) if words == ["xboard"] => {
            xboard::talk(BufReader::new(io::stdin()), output())
        }
        Some(Command::Console(words)) => uci::run_once(&words, output()),
    };
    outcome.unwrap_or_else(Failure::report)
}
