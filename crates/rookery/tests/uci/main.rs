//! Conversations with the real program in which it searches.

mod attack;
mod book;
mod interruptions;
mod learning;
mod lines;
mod options;
mod search;
#[path = "../support/mod.rs"]
mod support;
mod threads;
mod xboard;

use support::field;

/// The move of the last line.
fn best(lines: &[String]) -> &str {
    lines.last().and_then(|line| field(line, "bestmove")).expect("there is an answer")
}
