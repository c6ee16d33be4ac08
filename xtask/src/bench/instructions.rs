//! Law 4: the instruction count of the sequential bench, held against a recorded one.
//!
//! The test command does it too, with the program that the tests use: an own build would take as long as all
//! its other ones. What makes a node dearer there makes it dearer in a release.

use super::callgrind;
use super::numbers::number;
use crate::run::{Cargo, target};
use crate::tools;
use std::path::Path;
use std::process::Command;

/// Where the numbers are recorded, newest last.
const RECORD: &str = "benches/instructions.txt";

/// By how much a number may be above the recorded one, in per cent.
const TOLERANCE: f64 = 0.5;

/// By how much a number may be below the recorded one, in per cent: a record far above what is true would let
/// the search get dearer unseen.
const STALE: f64 = 2.0;

/// The benches that are counted: shallow, with a small table, so that they take seconds; by each evaluation,
/// with what it adds to the name of the build.
const BENCHES: [(&str, &str); 2] = [("classical", ""), ("net", ",net")];

/// What is counted of it: the searches, without starting up and emptying tables.
const COUNTED: &str = "search::iterate*::iterate";

/// The arguments of `cargo xtask bench instructions`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Count with the program that the tests use, as the test command does.
    #[arg(long)]
    tests: bool,
    /// Record the number, with the reason why it changed.
    #[arg(long, value_name = "REASON")]
    record: Option<String>,
}

/// One line of the record.
#[derive(Debug, PartialEq)]
struct Count {
    instructions: u64,
    nodes: u64,
    /// Compiler and CPU path: numbers of others cannot be compared.
    build: String,
}

impl Count {
    fn per_node(&self) -> f64 {
        self.instructions as f64 / self.nodes.max(1) as f64
    }
}

/// Counts and compares, or records.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), String> {
    let counts = count(root, arguments.tests)?;
    let path = root.join(RECORD);
    let mut text = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some(reason) = &arguments.record {
        for Count { instructions, nodes, build } in counts {
            text += &format!("{instructions} {nodes} {build} # {}\n", reason.trim());
        }
        return std::fs::write(&path, text).map_err(|error| format!("{RECORD}: {error}"));
    }
    compare_all(&counts, &read(&text)?).map(|why| why.iter().for_each(|why| println!("{why}")))
}

/// The same as a step of the tests. What cannot be compared here is a reason to leave it out, not to fail.
pub fn gate(root: &Path) -> Result<Option<String>, String> {
    if let Err(missing) = tools::valgrind() {
        return Ok(Some(missing));
    }
    let text = std::fs::read_to_string(root.join(RECORD)).map_err(|error| error.to_string())?;
    compare_all(&count(root, true)?, &read(&text)?)
}

/// Counts, with the program that the tests have built or with one like a release.
fn count(root: &Path, tests: bool) -> Result<Vec<Count>, String> {
    let program = match tests {
        true => target(root).join("debug/rookery"),
        false => {
            let build = Cargo::new("build --profile profiling --package rookery");
            eprintln!("{build}");
            if !build.run(root) {
                return Err(format!("the engine cannot be built: `{build}`"));
            }
            target(root).join("profiling/rookery")
        }
    };
    let build = this_build(root) + if tests { ",tests" } else { "" };
    let counted = BENCHES.map(|(evaluation, name)| {
        let arguments = ["bench", "7", "--hash", "1", "--json", "--evaluation", evaluation];
        count_bench(&program, &arguments.map(str::to_owned), format!("{build}{name}"))
    });
    counted.into_iter().collect()
}

fn count_bench(program: &Path, arguments: &[String], build: String) -> Result<Count, String> {
    let profile = callgrind::run(program, arguments, COUNTED)?;
    let nodes = number(&profile.output, "\"nodes\":")
        .ok_or_else(|| format!("the bench printed {:?}", profile.output))?;
    if profile.instructions == 0 {
        return Err(format!("the program has no function {COUNTED}: nothing was counted"));
    }
    let now = Count { instructions: profile.instructions, nodes, build };
    println!(
        "{} instructions, {} nodes, {:.1} a node ({})",
        now.instructions,
        now.nodes,
        now.per_node(),
        now.build
    );
    Ok(now)
}

/// Compares each with its record. The answer says why one was not compared.
fn compare_all(counts: &[Count], record: &[Count]) -> Result<Option<String>, String> {
    counts.iter().try_fold(None, |why, now| Ok(compare(now, record)?.or(why)))
}

/// Compares with the newest number of the same build. The answer says why there was nothing to compare.
fn compare(now: &Count, record: &[Count]) -> Result<Option<String>, String> {
    let Some(before) = record.iter().rev().find(|count| count.build == now.build) else {
        let build = &now.build;
        return Ok(Some(format!("{RECORD} has no number for {build}: record one with --record")));
    };
    let percent = 100.0 * (now.per_node() / before.per_node() - 1.0);
    let tree = if now.nodes == before.nodes { "the same tree" } else { "another tree" };
    println!("recorded: {:.1} a node; now {percent:+.2} % ({tree})", before.per_node());
    if percent > TOLERANCE {
        return Err(format!(
            "the bench takes {percent:.2} % more instructions a node than recorded, more than \
             {TOLERANCE} %: make it cheaper, or say why with --record REASON"
        ));
    }
    if percent < -STALE {
        return Err(format!(
            "the bench takes {:.2} % fewer instructions a node than recorded: keep the gain with \
             --record REASON",
            -percent
        ));
    }
    Ok(None)
}

/// Reads the record; lines that begin with `#` are notes.
fn read(text: &str) -> Result<Vec<Count>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with('#'));
    let counts = lines.filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
        let line = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().collect();
        let [instructions, nodes, build] = words[..] else {
            return Err(format!("{RECORD}:{number}: expected instructions, nodes and build"));
        };
        match (instructions.parse(), nodes.parse()) {
            (Ok(instructions), Ok(nodes)) => {
                Ok(Count { instructions, nodes, build: build.to_owned() })
            }
            _ => Err(format!("{RECORD}:{number}: expected two numbers")),
        }
    });
    counts.collect()
}

/// `rustc-1.95.0,pext`: the compiler, and whether the CPU has what the fast path needs.
fn this_build(root: &Path) -> String {
    let version = Command::new("rustc").arg("--version").current_dir(root).output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.unwrap_or_default();
    let number = version.split_whitespace().nth(1).unwrap_or("unknown");
    let path = if super::has_pext() { "pext" } else { "magic" };
    format!("rustc-{number},{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(instructions: u64, nodes: u64, build: &str) -> Count {
        Count { instructions, nodes, build: build.to_owned() }
    }

    #[test]
    fn the_record_is_read_line_by_line() {
        let text = "# notes\n1000 10 a # the first\n\n2000 10 b # the second\n";
        assert_eq!(read(text), Ok(vec![count(1000, 10, "a"), count(2000, 10, "b")]));
        assert!(read("1000 10\n").is_err_and(|reason| reason.starts_with(RECORD)));
        assert!(read("many 10 a\n").is_err());
    }

    #[test]
    fn a_record_that_is_far_too_high_is_refused() {
        let record = [count(1000, 1, "a")];
        assert_eq!(compare(&count(981, 1, "a"), &record), Ok(None));
        assert!(compare(&count(979, 1, "a"), &record).is_err_and(|why| why.contains("--record")));
    }

    #[test]
    fn half_a_per_cent_more_is_allowed() {
        let record = [count(1000, 1, "a"), count(10_000, 10, "a"), count(1, 1, "b")];
        assert_eq!(compare(&count(2010, 2, "a"), &record), Ok(None));
        assert!(compare(&count(2011, 2, "a"), &record).is_err());
        assert!(compare(&count(9, 1, "c"), &record).is_ok_and(|left_out| left_out.is_some()));
    }
}
