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
    let page = match command {
        None => whole,
        Some(name) => {
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| Failure::Usage(format!("there is no command {name:?}")))?
        }
    };
    Man::new(page).render(out)?;
    Ok(ExitCode::SUCCESS)
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
        assert!(page(Some("nonsense"), &mut Vec::new()).is_err());
    }
}
