//! The program: command line and console. What it shows is computed by the library crates.
//!
//! It is a library with one function, so that cargo compiles it beside the crates below: a program would
//! wait until they are finished.

mod analyse;
mod arena;
mod arguments;
mod bench;
mod book;
mod castling;
mod children;
mod counted;
mod data;
mod doctor;
mod durations;
mod endgame;
mod engine;
mod evaluation;
mod failure;
mod hosts;
mod input;
mod interrupt;
mod json;
mod lab;
mod learning;
mod lines;
#[cfg(feature = "manual")]
mod manual;
mod memory;
mod network;
mod numa;
mod perft;
mod picture;
mod plain;
mod progress;
mod regret;
#[cfg(test)]
mod scratch;
#[cfg(feature = "web")]
mod serve;
mod session;
mod signals;
mod sim;
mod speedup;
mod suite;
mod timeline;
mod uci;
mod version;
mod xboard;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use plain::Plain;
use session::Output;
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;

/// Follows the command line; the exit status.
pub fn main() -> ExitCode {
    signals::outlive_full_files();
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    match uci::help_on_command_line(&words, &mut io::stdout()) {
        Ok(false) => (),
        told => {
            return told.map_or_else(|error| Failure::from(error).report(), |_| ExitCode::SUCCESS);
        }
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return tell(&arguments::explain(error, &words)),
    };
    let hosts = match hosts::join() {
        Ok(hosts) if hosts.is_first() => hosts,
        Ok(hosts) => return hosts.follow(arguments.command.as_ref()),
        Err(failure) => return failure.report(),
    };
    let link = hosts.link();
    let spells = !arguments.writes_data() || io::stdout().is_terminal();
    let out = || Plain::new(io::stdout().lock(), spells);
    let output = Output::new(Plain::new(io::stdout(), true));
    let outcome = match arguments.command {
        None => uci::run(output.clone(), link),
        Some(Command::Perft(perft)) => perft::run(&perft, &mut out()),
        Some(Command::Eval(evaluation)) => evaluation::run(&evaluation, &mut out()),
        Some(Command::Bench(bench)) => bench::run(&bench, link, &mut out()),
        Some(Command::Sim(sim)) => sim::run(&sim, &mut out()),
        Some(Command::Speedup(speedup)) => speedup::run(&speedup, link, &mut out()),
        Some(Command::Timeline(arguments)) => timeline::run(&arguments, &mut out()),
        Some(Command::Regret(regret)) => regret::run(&regret.command, link, &mut out()),
        Some(Command::Cluster(arguments)) => hosts::run(&arguments.command, &hosts, &mut out()),
        Some(Command::Suite(suite)) => suite::run(&suite, link, &mut out()),
        Some(Command::Match(arguments)) => arena::run(&arguments, link, &mut out()),
        Some(Command::Analyse(analyse)) => analyse::run(&analyse, link, &mut out()),
        Some(Command::Book(book)) => book::run(&book.command, &mut out()),
        Some(Command::Endgame(endgame)) => endgame::run(&endgame, link, &mut out()),
        Some(Command::Datagen(datagen)) => data::generate(&datagen, link, &mut out()),
        Some(Command::Lab(arguments)) => lab::run(&arguments, link, &mut out()),
        Some(Command::Data(data)) => data::run(&data.command, &mut out()),
        Some(Command::Doctor(arguments)) => doctor::run(&arguments, &mut out()),
        #[cfg(feature = "manual")]
        Some(Command::Completions { shell }) => manual::completions(shell, &mut out()),
        #[cfg(feature = "manual")]
        Some(Command::Man { command }) => manual::page(command.as_deref(), &mut out()),
        #[cfg(feature = "web")]
        Some(Command::Serve(serve)) => serve::run(&serve, &mut out()),
        Some(Command::Console(words)) if words == ["uci"] => uci::run(output.clone(), link),
        Some(Command::Console(words)) if words == ["xboard"] => {
            xboard::talk(BufReader::new(io::stdin()), output.clone(), link)
        }
        Some(Command::Console(words)) => uci::run_once(&words, output.clone()),
    };
    let outcome = outcome.and_then(|status| all_written(&output).map(|()| status));
    let status = outcome.unwrap_or_else(Failure::report);
    hosts.leave(status, "")
}

/// Shows what the parser of the arguments says, which may be the help that was asked for; the exit status.
fn tell(message: &clap::Error) -> ExitCode {
    let told = message.print().and_then(|()| io::stdout().flush());
    match told {
        Err(error) if !message.use_stderr() => Failure::from(error).report(),
        _ => ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(1)),
    }
}

/// An error where something that was to be shown could not be: also what a search has said, and what was
/// left of a line.
fn all_written(output: &Output) -> Result<(), Failure> {
    output.check()?;
    match io::stdout().flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
