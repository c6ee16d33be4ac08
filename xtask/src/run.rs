//! Starting other programs, and saying which.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A call of cargo that can be printed and repeated.
pub struct Cargo {
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Cargo {
    /// `cargo` with these arguments, separated by spaces.
    pub fn new(arguments: &str) -> Cargo {
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        Cargo { arguments, environment: Vec::new() }
    }

    /// One argument more, which may hold spaces.
    pub fn argument(mut self, argument: impl Into<String>) -> Cargo {
        self.arguments.push(argument.into());
        self
    }

    /// A variable of the environment.
    pub fn variable(mut self, name: &'static str, value: String) -> Cargo {
        self.environment.push((name, value));
        self
    }

    fn command(&self, root: &Path) -> Command {
        // Cargo tells its children where it is; otherwise the one in the search path will do.
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(&self.arguments).current_dir(root);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs it with the terminal's output; whether it ended well.
    pub fn run(&self, root: &Path) -> bool {
        match self.command(root).status() {
            Ok(status) => status.success(),
            Err(error) => {
                eprintln!("xtask: `{self}` cannot be started: {error}");
                false
            }
        }
    }

    /// Runs it without any output; whether it ended well.
    pub fn probe(&self, root: &Path) -> bool {
        let mut command = self.command(root);
        command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Runs it and returns what it prints on standard output.
    pub fn output(&self, root: &Path) -> Result<String, String> {
        let output = self
            .command(root)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("`{self}` cannot be started: {error}"))?;
        if !output.status.success() {
            return Err(format!("`{self}` failed ({})", output.status));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// As it would be typed into a shell.
impl std::fmt::Display for Cargo {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.environment {
            write!(out, "{name}={} ", quoted(value))?;
        }
        write!(out, "cargo")?;
        for argument in &self.arguments {
            write!(out, " {}", quoted(argument))?;
        }
        Ok(())
    }
}

/// Where cargo puts what it builds. A relative `CARGO_TARGET_DIR` counts from the root, where cargo is started.
pub fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()))
}

/// Runs a program without input; whether it ended well.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A word as a shell takes it.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_printed_as_it_would_be_typed() {
        let call =
            Cargo::new("run --release").argument("a b").variable("RUSTFLAGS", "-C x=y".into());
        assert_eq!(call.to_string(), "RUSTFLAGS='-C x=y' cargo run --release 'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_call_that_fails_is_told_from_one_that_succeeds() {
        let root = crate::root();
        assert!(Cargo::new("--version").probe(&root));
        assert!(!Cargo::new("no-such-subcommand").probe(&root));
        assert!(Cargo::new("--version").output(&root).is_ok_and(|text| text.starts_with("cargo ")));
    }
}
