//! Other commands of the program, run by the laboratory: the same command line, the same numbers.

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;
use crate::{endgame, regret, speedup};
use clap::Parser;
use cluster::Link;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Reads a command line.
pub fn read<'a>(words: impl Iterator<Item = &'a str>) -> Result<Option<Command>, Failure> {
    let parsed =
        Arguments::try_parse_from(words).map_err(|error| Failure::Work(error.to_string()))?;
    Ok(parsed.command)
}

/// What a command writes.
pub fn output<'a>(
    words: impl Iterator<Item = &'a str>,
    link: Option<&Arc<Link>>,
) -> Result<String, Failure> {
    let mut out = Vec::new();
    match read(words)? {
        Some(Command::Endgame(arguments)) => endgame::run(&arguments, link, &mut out)?,
        Some(Command::Speedup(arguments)) => speedup::run(&arguments, link, &mut out)?,
        Some(Command::Regret(arguments)) => regret::run(&arguments.command, link, &mut out)?,
        _ => return Err(Failure::Work("the laboratory runs no such command".to_owned())),
    };
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The objects of an output: one a line, or a list of them.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, Failure> {
    let mut found = Vec::new();
    for line in text.lines() {
        let wrong =
            |error| Failure::Work(format!("what a command of the laboratory wrote: {error}"));
        match line.starts_with('[') {
            true => found.extend(serde_json::from_str::<Vec<T>>(line).map_err(wrong)?),
            false if line.starts_with('{') => {
                found.push(serde_json::from_str(line).map_err(wrong)?)
            }
            false => (),
        }
    }
    Ok(found)
}
