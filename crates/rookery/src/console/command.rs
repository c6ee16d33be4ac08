//! The words that are commands, and what `help` says about them.

use std::io::{self, Write};

/// A command of the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption,
    Position,
    Go,
    Stop,
    Perft,
    Divide,
    Moves,
    Display,
    Eval,
    Help,
    Quit,
}

/// Every word with its command, its arguments and its meaning, in the order of `help`.
const COMMANDS: [(&str, Command, &str, &str); 14] = [
    ("uci", Command::Uci, "", "who I am and what can be set, then uciok"),
    ("isready", Command::IsReady, "", "answers readyok"),
    ("ucinewgame", Command::NewGame, "", "back to the start position"),
    ("setoption", Command::SetOption, "name NAME value VALUE", "sets what uci lists"),
    ("position", Command::Position, "startpos|fen FEN [moves MOVE …]", "sets up a position"),
    ("go", Command::Go, "perft DEPTH", "counts the lines behind each move"),
    ("stop", Command::Stop, "", "accepted; nothing runs while commands are read"),
    ("perft", Command::Perft, "DEPTH", "counts the lines of so many half-moves"),
    ("divide", Command::Divide, "DEPTH", "the same as go perft"),
    ("moves", Command::Moves, "", "the legal moves"),
    ("d", Command::Display, "", "shows the position"),
    ("eval", Command::Eval, "", "what the position is worth, term by term"),
    ("help", Command::Help, "", "this list"),
    ("quit", Command::Quit, "", "ends the program"),
];

impl Command {
    /// The command of a word.
    pub fn from_word(word: &str) -> Option<Command> {
        COMMANDS.iter().find(|(name, ..)| *name == word).map(|&(_, command, ..)| command)
    }
}

/// Writes what `help` answers.
pub fn write_help(out: &mut impl Write) -> io::Result<()> {
    for (name, _, arguments, meaning) in COMMANDS {
        let usage = format!("{name} {arguments}");
        writeln!(out, "{usage:<42} {meaning}")?;
    }
    Ok(())
}
