//! Counting instructions with valgrind's callgrind: the same number on every run, however busy the
//! machine is.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a program did under callgrind.
pub struct Profile {
    /// Instructions in all.
    pub instructions: u64,
    /// Instructions of each function itself, without those it calls.
    pub functions: BTreeMap<String, u64>,
    /// What the program printed.
    pub output: String,
}

/// Runs a program under callgrind. What counts is what happens inside functions whose names contain
/// `only`, where `*` stands for anything; they must not call each other.
pub fn run(program: &Path, arguments: &[String], only: &str) -> Result<Profile, String> {
    let file = std::env::temp_dir().join(format!("rookery-callgrind-{}", std::process::id()));
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
    command.arg("--collect-atstart=no").arg(format!("--toggle-collect=*{only}*"));
    command.arg(program).args(arguments).stdin(Stdio::null());
    let output = command.output().map_err(|error| {
        format!("valgrind cannot be started: {error}; `apt install valgrind` brings it")
    })?;
    let profile = std::fs::read_to_string(&file);
    // It may not be there; it is not needed any more.
    let _ = std::fs::remove_file(&file);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("{} failed under valgrind:\n{said}", program.display()));
    }
    let text = profile.map_err(|error| format!("callgrind wrote no profile: {error}"))?;
    let functions = parse(&text);
    let instructions = functions.values().sum();
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Profile { instructions, functions, output })
}

/// The cost of each function in a profile of callgrind's format: `fn=(12) name` begins a function
/// (later only `fn=(12)`), lines of numbers are positions and costs, and the line after `calls=` is
/// what the called function cost, which counts there.
fn parse(text: &str) -> BTreeMap<String, u64> {
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let mut costs: BTreeMap<String, u64> = BTreeMap::new();
    let (mut current, mut is_call) = ("", false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            current = resolve(name, &mut names);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            resolve(name, &mut names);
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line.split_whitespace().nth(1).and_then(|cost| cost.parse::<u64>().ok());
            if !is_call {
                *costs.entry(plain_name(current).to_owned()).or_default() += cost.unwrap_or(0);
            }
            is_call = false;
        }
    }
    costs
}

fn resolve<'a>(name: &'a str, names: &mut BTreeMap<&'a str, &'a str>) -> &'a str {
    match name.split_once(' ') {
        Some((number, name)) => {
            names.insert(number, name);
            name
        }
        None => names.get(name).copied().unwrap_or(name),
    }
}

/// Without the mark that callgrind puts on functions that call themselves.
fn plain_name(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('\'').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_calls_count_where_they_arise() {
        let text = "events: Ir\n\
                    fn=(1) first\n10 100\n+2 20\ncfn=(2) second'2\ncalls=3 1\n-1 5000\n* 7\n\
                    fn=(2)\n5 4000\n\
                    fn=(3) second\n6 1000\n\
                    fn=(1)\n9 1\n";
        let costs = parse(text);
        assert_eq!(costs.get("first"), Some(&128));
        assert_eq!(costs.get("second"), Some(&5000));
    }
}
