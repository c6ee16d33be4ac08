//! Which command was meant by a word that is none.

use super::Arguments;
use crate::uci;
use board::fen::quote;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

/// The error of a word that is no command.
pub fn unknown(word: &str) -> Error {
    if word == "serve" && cfg!(not(feature = "web")) {
        let reason =
            "serve: this program was built without it: `cargo build --release --features web`";
        return Arguments::command().error(ErrorKind::InvalidSubcommand, reason);
    }
    let meant = suggest(word, uci::command_words());
    let meant = meant.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
    let reason = format!("{} is no command: `rookery help` lists all.{meant}", quote(word));
    Arguments::command().error(ErrorKind::InvalidSubcommand, reason)
}

/// The same for `rookery help WORD`; other errors stay as they are.
pub fn explain(error: Error) -> Error {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => unknown(word),
        _ => error,
    }
}

/// The command that a word is most like, if it is like any; the console's are given.
fn suggest(word: &str, console: impl Iterator<Item = &'static str>) -> Option<String> {
    let command = Arguments::command();
    let mut names: Vec<String> = console.map(str::to_owned).collect();
    for command in command.get_subcommands() {
        names.push(command.get_name().to_owned());
        names.extend(command.get_all_aliases().map(str::to_owned));
    }
    nearest(&word.to_lowercase(), names)
}

/// The name with the fewest mistakes, one of them for each three letters, or one that begins so.
fn nearest(word: &str, names: Vec<String>) -> Option<String> {
    let close = |name: &String| {
        let mistakes = distance(word, name);
        let begins = word.len() >= 3 && name.starts_with(word);
        (mistakes <= name.len().div_ceil(3).min(2) && name.len() > 1 || begins).then_some(mistakes)
    };
    let rated = names.into_iter().filter_map(|name| Some((close(&name)?, name)));
    rated.min().map(|(_, name)| name)
}

/// Letters that are wrong, missing, too many, or exchanged with their neighbour.
fn distance(one: &str, two: &str) -> usize {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, other) in two.iter().enumerate() {
            let change = last[column] + usize::from(letter != other);
            let mut least = change.min(last[column + 1] + 1).min(next[column] + 1);
            let is_exchanged =
                row > 0 && column > 0 && one[row - 1] == *other && two[column - 1] == *letter;
            if is_exchanged {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted() {
        for (one, two, mistakes) in
            [("suite", "suite", 0), ("siute", "suite", 1), ("anlyse", "analyse", 1), ("", "go", 2)]
        {
            assert_eq!((distance(one, two), distance(two, one)), (mistakes, mistakes));
        }
    }

    #[test]
    fn what_is_like_a_command_is_suggested_and_nothing_else() {
        let console = || ["isready", "d", "position"].into_iter();
        for (word, meant) in [
            ("anlyse", Some("analyse")),
            ("analize", Some("analyze")),
            ("mathc", Some("match")),
            ("Sim", Some("sim")),
            ("endg", Some("endgame")),
            ("isredy", Some("isready")),
            ("castle", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(suggest(word, console()).as_deref(), meant, "{word}");
        }
    }
}
