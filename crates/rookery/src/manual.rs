//! What is packed beside the program: completions for shells and manual pages, both made from the
//! description of the command line.

use crate::arguments::Arguments;
use crate::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::process::ExitCode;

/// Writes the completions of a shell.
pub fn completions(shell: Shell, out: &mut impl Write) -> Result<ExitCode, Failure> {
    // Into memory first: the crate panics where the reader of a pipe has left.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "rookery", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual page of the program or of a command.
pub fn page(command: Option<&str>, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut whole = Arguments::command();
    whole.build();
    // The page of a command names the program and its version too.
    let source = format!("rookery {}", whole.get_version().unwrap_or_default());
    let page = match command {
        None => Some(whole),
        Some(name) => find(&whole, name),
    };
    let missing =
        || Failure::Usage(format!("there is no command {:?}", command.unwrap_or_default()));
    Man::new(page.ok_or_else(missing)?).source(source).render(out)?;
    Ok(ExitCode::SUCCESS)
}

/// A command by the name that manual pages refer to it by: `match`, `book-build`.
fn find(whole: &clap::Command, name: &str) -> Option<clap::Command> {
    if let Some(found) = whole.find_subcommand(name) {
        return Some(found.clone());
    }
    let inside = |group: &clap::Command| {
        let rest = name.strip_prefix(group.get_name())?.strip_prefix('-')?;
        find(group, rest)
    };
    whole.get_subcommands().find_map(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> Result<ExitCode, Failure>) -> String {
        let mut bytes = Vec::new();
        assert!(write(&mut bytes).is_ok());
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn every_shell_learns_commands_and_options() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = text(|out| completions(shell, out));
            for word in ["analyse", "endgame", "multipv"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let whole = text(|out| page(None, out));
        assert!(whole.contains(".TH") && whole.contains("analyse"), "{whole}");
        let sides = text(|out| page(Some("match"), out));
        assert!(sides.contains("rookery\\-match") && sides.contains("sprt"), "{sides}");
        let title = sides.lines().find(|line| line.starts_with(".TH")).expect("a title");
        assert!(title.contains(concat!("\"rookery ", env!("CARGO_PKG_VERSION"))), "{title}");
        let nested = text(|out| page(Some("book-build"), out));
        assert!(
            nested.contains("rookery\\-book\\-build") && nested.contains("min\\-games"),
            "{nested}"
        );
        for wrong in ["nonsense", "book-nonsense", "book-"] {
            assert!(page(Some(wrong), &mut Vec::new()).is_err(), "{wrong}");
        }
    }
}
