//! The program: command line and console. What it shows is computed by the library crates.

mod arguments;
mod castling;
mod console;
mod evaluation;
mod failure;
mod lines;
mod memory;
mod perft;
mod progress;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    let outcome = match arguments.command {
        None => console::talk(&mut io::stdin().lock(), &mut out),
        Some(Command::Perft(perft)) => perft::run(&perft, &mut out),
        Some(Command::Eval(evaluation)) => evaluation::run(&evaluation, &mut out),
        Some(Command::Console(words)) => console::run_once(&words, &mut out),
    };
    outcome.unwrap_or_else(Failure::report)
}
