//! Which command or option was meant by a word that is none.

use super::Arguments;
use crate::failure::cut;
use crate::uci;
use board::fen::quote;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, Error};
use std::ffi::OsString;

/// Commands that not every program has: their features, and whether this one has them.
const LEFT_OUT: [(&str, &str, bool); 3] = [
    ("serve", "web", cfg!(feature = "web")),
    ("completions", "manual", cfg!(feature = "manual")),
    ("man", "manual", cfg!(feature = "manual")),
];

/// The error of a word that is no command.
pub fn unknown(word: &str) -> Error {
    let left_out = LEFT_OUT.into_iter().find(|(name, _, is_there)| *name == word && !is_there);
    if let Some((name, feature, _)) = left_out {
        let build = format!("`cargo build --release --features {feature}`");
        let reason = format!("{name}: this program was built without it: {build}");
        return Arguments::command().error(ErrorKind::InvalidSubcommand, reason);
    }
    let meant = suggest(word, uci::command_words());
    let meant = meant.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
    let reason = format!("{} is no command: `rookery help` lists all.{meant}", quote(word));
    Arguments::command().error(ErrorKind::InvalidSubcommand, reason)
}

/// Longer errors, in characters, are cut: an argument may be of any length.
const LONGEST: usize = 4000;

/// What options are called by those who come from elsewhere, and what they are here.
const ELSEWHERE: [(&str, &str); 4] =
    [("movetime", "time"), ("st", "time"), ("tc", "each"), ("pgnout", "pgn")];

/// An error as people need it: what may have been meant, in few words. The words are those of the command
/// line.
pub fn explain(error: Error, words: &[OsString]) -> Error {
    let error = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => {
            let word = word.clone();
            unknown_inner(&word, words).unwrap_or_else(|| unknown(&word))
        }
        (ErrorKind::UnknownArgument, _) => explain_argument(error, words),
        _ => error,
    };
    let text = error.render().to_string();
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || is_help || text.chars().count() <= LONGEST {
        return error;
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    Error::raw(error.kind(), format!("{}\n", cut(text)))
}

/// The command that the words of the command line lead to, by its names.
fn innermost(words: &[OsString]) -> (Command, Vec<String>) {
    let (mut command, mut path) = (Arguments::command(), Vec::new());
    command.build();
    for word in words {
        let Some(inner) = command.find_subcommand(word).cloned() else { break };
        path.push(inner.get_name().to_owned());
        command = inner;
    }
    (command, path)
}

/// The error of a word that is no command of the command before it; none where there is none before it.
fn unknown_inner(word: &str, words: &[OsString]) -> Option<Error> {
    let (mut command, path) = innermost(words);
    let path = path.join(" ");
    if path.is_empty() || path.starts_with("help") {
        return None;
    }
    let names = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let meant = nearest(&word.to_lowercase(), names);
    let meant = meant.map_or(String::new(), |name| format!(" Did you mean `{path} {name}`?"));
    let word = quote(word);
    let reason = format!("{word} is no command of {path}: `rookery help {path}` lists all.{meant}");
    Some(command.error(ErrorKind::InvalidSubcommand, reason))
}

/// The error of an argument that is not expected. What the parser suggests is only alike by letters.
fn explain_argument(mut error: Error, words: &[OsString]) -> Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let argument = argument.clone();
    let (mut command, _) = innermost(words);
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Suggested);
    error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    if let Some(tip) = tip(&command, &argument, &words) {
        let tip = StyledStr::from(tip);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// What may have been meant by an argument.
fn tip(command: &Command, argument: &str, words: &[String]) -> Option<String> {
    let options = || command.get_arguments().filter_map(Arg::get_long);
    let has = |name: &str| options().any(|option| option == name);
    if let Some(name) = argument.strip_prefix("--") {
        let elsewhere = ELSEWHERE.into_iter().find(|(other, _)| *other == name);
        let meant = elsewhere.map(|(_, ours)| ours.to_owned()).filter(|ours| has(ours));
        let meant = meant.or_else(|| nearest(name, options().map(str::to_owned).collect()));
        return meant.map(|option| format!("a similar option is --{option}"));
    }
    if let Some(name) = words.iter().find_map(|word| {
        let name =
            word.strip_prefix('-').filter(|name| name.len() > 1 && word.starts_with(argument));
        name.filter(|name| argument.starts_with('-') && has(name))
    }) {
        return Some(format!("options of several letters have two dashes: --{name}"));
    }
    // `--processors 4 8`
    let place = words.iter().position(|word| word == argument)?;
    let (option, first) = (words.get(place.checked_sub(2)?)?, words.get(place - 1)?);
    let name = option.strip_prefix("--")?;
    let is_list =
        |arg: &Arg| arg.get_long() == Some(name) && arg.get_value_delimiter() == Some(',');
    let tip = || format!("several values stand together, with commas: {option} {first},{argument}");
    command.get_arguments().any(is_list).then(tip)
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

/// The name with the fewest mistakes, or one that begins so. Words of two to four characters may have one
/// mistake, longer ones two.
fn nearest(word: &str, names: Vec<String>) -> Option<String> {
    let close = |name: &String| {
        let mistakes = distance(word, name);
        let begins = word.len() >= 3 && name.starts_with(word);
        let most = (word.len().min(name.len()) + 1) / 3;
        (mistakes <= most.min(2) || begins).then_some(mistakes)
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
    use clap::Parser;

    #[test]
    fn mistakes_are_counted() {
        for (one, two, mistakes) in
            [("suite", "suite", 0), ("siute", "suite", 1), ("anlyse", "analyse", 1), ("", "go", 2)]
        {
            assert_eq!((distance(one, two), distance(two, one)), (mistakes, mistakes));
        }
    }

    #[test]
    fn commands_that_were_left_out_name_their_feature() {
        for (name, feature, is_there) in LEFT_OUT {
            let said = unknown(name).to_string();
            assert_eq!(said.contains(&format!("--features {feature}`")), !is_there, "{said}");
        }
    }

    #[test]
    fn arguments_get_the_right_tips() {
        for (line, tip, not) in [
            ("analyse --movetime 5", "a similar option is --time\n", "overwrite"),
            ("analyse --multpv 5", "a similar option is --multipv\n", "overwrite"),
            (
                "endgame list",
                "\"list\" is no command of endgame: `rookery help endgame` lists",
                "[COMMAND]",
            ),
            ("book bild x.pgn", "Did you mean `book build`?", "tip"),
            ("analyse --castle 5", "For more information", "tip"),
            ("match -engine cmd=x -each tc=1", "have two dashes: --engine\n", "--each"),
            ("match --engine cmd=x -games 4", "have two dashes: --games\n", "--each"),
            ("sim --processors 4 8", "with commas: --processors 4,8\n", "-- 8"),
            ("sim 8", "For more information", "tip"),
            ("endgame build KQK --metric dtm", "a similar option is --metrics\n", "--memory"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let parsed =
                Arguments::try_parse_from([&[OsString::from("rookery")], &words[..]].concat());
            let Err(error) = parsed else { panic!("{line} is no error") };
            let text = explain(error, &words).render().to_string();
            assert!(text.contains(tip) && !text.contains(not), "{line}: {text}");
            assert!(text.contains("Usage: rookery "), "{line}: {text}");
        }
    }

    #[test]
    fn a_long_argument_is_not_told_whole() {
        let long = OsString::from(format!("--depth={}", "9".repeat(100_000)));
        let Err(error) = Arguments::try_parse_from(["rookery".into(), "sim".into(), long]) else {
            panic!("it is no number")
        };
        let text = explain(error, &[]).render().to_string();
        assert!(text.starts_with("error: ") && text.len() < LONGEST, "{}", text.len());
        assert!(text.matches("error: ").count() == 1 && text.ends_with('\n'));
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
            ("foo", None),
            ("bok", Some("book")),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(suggest(word, console()).as_deref(), meant, "{word}");
        }
    }
}
