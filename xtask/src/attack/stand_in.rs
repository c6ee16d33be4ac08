//! An engine that misbehaves: this program, started by a match that is attacked with it.

use clap::ValueEnum;
use std::io::{self, BufRead, Write};

/// What it does.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Manner {
    /// Lines without end in place of a move
    Lines,
    /// Lines without end, each with a long variation that takes time to check
    Variations,
    /// Lines of nearly a megabyte without end
    LongLines,
    /// A legal move, and then such lines while the other one thinks
    Meanwhile,
    /// One line without end in place of a move
    Line,
    /// Lines without end before it has said what it is
    Greeting,
    /// An illegal move, and then lines without end
    Afterwards,
    /// Messages without end on standard error, and no move
    Errors,
    /// Empty lines without end in place of a move
    Blanks,
}

impl Manner {
    /// Whether it cannot even be started.
    pub fn never_starts(self) -> bool {
        self == Manner::Greeting
    }
}

/// Plays, after its manner.
pub fn play(manner: Manner) -> bool {
    if manner == Manner::Greeting {
        flood(io::stdout(), b"id name something else\n");
    }
    let mut has_moves = false;
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("uci") => println!("id name stand-in\nuciok"),
            Some("isready") => println!("readyok"),
            Some("quit") => return true,
            Some("position") => has_moves = line.contains(" moves "),
            Some("go") => match manner {
                Manner::Lines | Manner::Greeting => {
                    flood(io::stdout(), b"info depth 1 score cp 0 nodes 1 pv e2e4\n");
                }
                Manner::Variations => flood(io::stdout(), variation().as_bytes()),
                Manner::LongLines => flood(io::stdout(), long_line().as_bytes()),
                Manner::Meanwhile => {
                    println!("bestmove {}", if has_moves { "a7a6" } else { "a2a3" });
                    flood(io::stdout(), long_line().as_bytes());
                }
                Manner::Line => flood(io::stdout(), b"info string and so on "),
                Manner::Blanks => flood(io::stdout(), b"\n"),
                Manner::Errors => flood(io::stderr(), b"something is wrong\n"),
                Manner::Afterwards => {
                    println!("bestmove a1a1");
                    flood(io::stdout(), b"info string after the move\n");
                }
            },
            _ => {}
        }
    }
    true
}

/// A line with a legal variation of a hundred moves from the start position, for both sides.
fn variation() -> String {
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(50);
    let line = |start: &str| format!("info depth 9 score cp 1 nodes 7 pv{start}{shuffle}\n");
    line("") + &line(" e2e4 e7e5")
}

/// A line that is just short enough not to be passed over.
fn long_line() -> String {
    format!("info string {}\n", "x".repeat(1_000_000))
}

/// Writes until the reader is gone.
fn flood(mut to: impl Write, words: &[u8]) {
    let many = words.repeat((1 << 16) / words.len() + 1);
    while to.write_all(&many).is_ok() {}
    std::process::exit(0);
}
