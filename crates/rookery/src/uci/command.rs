//! The words that are commands, and what `help` says about them.

use std::io::{self, Write};

/// A command of the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Uci,
    Debug,
    Register,
    IsReady,
    NewGame,
    SetOption,
    Position,
    Go,
    Stop,
    PonderHit,
    Perft,
    Divide,
    Moves,
    Display,
    Eval,
    Bench,
    SaveTable,
    LoadTable,
    Help,
    Xboard,
    Quit,
}

/// Every word with its command, its arguments and its meaning, in the order of `help`.
const COMMANDS: [(&str, Command, &str, &str); 21] = [
    ("uci", Command::Uci, "", "who I am and what can be set, then uciok"),
    ("debug", Command::Debug, "on|off", "accepted; all there is to tell is always told"),
    ("register", Command::Register, "", "accepted; nobody needs to register"),
    ("isready", Command::IsReady, "", "answers readyok"),
    ("ucinewgame", Command::NewGame, "", "another game: forgets what was learnt"),
    ("setoption", Command::SetOption, "name NAME value VALUE", "sets what uci lists"),
    ("position", Command::Position, "startpos|fen FEN [moves MOVE …]", "sets up a position"),
    ("go", Command::Go, "[LIMIT …] | perft DEPTH", "searches; without limits until stop"),
    ("stop", Command::Stop, "", "ends the search, which answers bestmove"),
    ("ponderhit", Command::PonderHit, "", "the move was played on which the search ponders"),
    ("perft", Command::Perft, "DEPTH", "counts the lines of so many half-moves"),
    ("divide", Command::Divide, "DEPTH", "the same as go perft"),
    ("moves", Command::Moves, "", "the legal moves"),
    ("d", Command::Display, "", "shows the position"),
    ("eval", Command::Eval, "", "what the position is worth, term by term"),
    ("bench", Command::Bench, "[DEPTH]", "searches fixed positions: a signature and the speed"),
    ("savetable", Command::SaveTable, "[FILE]", "writes the table to a file"),
    ("loadtable", Command::LoadTable, "[FILE]", "reads the table from a file"),
    ("xboard", Command::Xboard, "", "goes on in the xboard protocol"),
    ("help", Command::Help, "", "this list"),
    ("quit", Command::Quit, "", "ends the program"),
];

impl Command {
    /// The command of a word.
    pub fn from_word(word: &str) -> Option<Command> {
        COMMANDS.iter().find(|(name, ..)| *name == word).map(|&(_, command, ..)| command)
    }

    /// All words.
    pub fn words() -> impl Iterator<Item = &'static str> {
        COMMANDS.iter().map(|&(name, ..)| name)
    }

    /// Whether it is followed at once, even before commands that wait for the end of a search.
    pub fn is_urgent(self) -> bool {
        use Command::*;
        matches!(self, Uci | Debug | Register | IsReady | Stop | PonderHit | Help | Quit)
    }

    /// Whether it needs the engine for itself: it waits while a search runs.
    pub fn needs_engine(self) -> bool {
        use Command::*;
        matches!(self, NewGame | SetOption | Go | Bench | SaveTable | LoadTable | Xboard)
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
