//! The words that are commands, and what `help` says about them.

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
    Flip,
    Eval,
    Bench,
    SaveTable,
    LoadTable,
    ExportNet,
    Compiler,
    Help,
    Xboard,
    Quit,
}

/// Every word with its command, its arguments and its meaning, in the order of `help`.
pub const COMMANDS: [(&str, Command, &str, &str); 24] = [
    ("uci", Command::Uci, "", "who I am and what can be set, then uciok"),
    ("debug", Command::Debug, "on|off", "accepted; all there is to tell is always told"),
    ("register", Command::Register, "", "accepted; there is nothing to register"),
    ("isready", Command::IsReady, "", "answers readyok when all before it is done"),
    ("ucinewgame", Command::NewGame, "", "another game: forgets what was learnt"),
    ("setoption", Command::SetOption, "name NAME value VALUE", "sets what uci lists"),
    ("position", Command::Position, "startpos|fen FEN [moves MOVE …]", "sets up a position"),
    ("go", Command::Go, "[LIMIT …] | perft DEPTH", "searches; without limits until stop"),
    ("stop", Command::Stop, "", "ends the search, which answers bestmove"),
    ("ponderhit", Command::PonderHit, "", "the move was played on which the search ponders"),
    ("perft", Command::Perft, "DEPTH", "counts the lines of that many half-moves"),
    ("divide", Command::Divide, "DEPTH", "the same as go perft"),
    ("moves", Command::Moves, "", "the legal moves"),
    ("d", Command::Display, "", "shows the position"),
    ("flip", Command::Flip, "", "exchanges the colours"),
    ("eval", Command::Eval, "", "what the position is worth, term by term"),
    ("bench", Command::Bench, "[DEPTH]", "searches fixed positions: a signature and the speed"),
    (
        "savetable",
        Command::SaveTable,
        "[FILE]",
        "writes the table to a file, in place of an older one",
    ),
    ("loadtable", Command::LoadTable, "[FILE]", "reads the table from a file"),
    ("export_net", Command::ExportNet, "FILE", "writes the embedded network to a new file"),
    ("compiler", Command::Compiler, "", "how this program was built"),
    ("xboard", Command::Xboard, "", "goes on in the xboard protocol"),
    ("help", Command::Help, "[COMMAND]", "this list, or more about a command"),
    ("quit", Command::Quit, "", "ends the program"),
];

impl Command {
    /// The command of a word.
    pub fn from_word(word: &str) -> Option<Command> {
        COMMANDS.iter().find(|(name, ..)| *name == word).map(|&(_, command, ..)| command)
    }

    /// Whether a line asks whether we are ready.
    pub fn asks_ready(line: &str) -> bool {
        line.split_whitespace().find_map(Command::from_word) == Some(Command::IsReady)
    }

    /// Whether it is followed at once, even before commands that wait for the end of a search.
    pub fn is_urgent(self) -> bool {
        use Command::*;
        matches!(self, Uci | Debug | Register | Stop | PonderHit | Help | Quit)
    }

    /// Whether nothing belongs behind it.
    pub fn stands_alone(self) -> bool {
        COMMANDS.iter().any(|&(_, command, arguments, _)| command == self && arguments.is_empty())
    }

    /// Whether it waits while a search runs: it needs the engine for itself, or takes long.
    pub fn needs_engine(self) -> bool {
        use Command::*;
        matches!(self, NewGame | SetOption | Go | Perft | Divide | Bench)
            || matches!(self, SaveTable | LoadTable | Xboard)
    }
}

/// The words that are commands.
pub fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|&(name, ..)| name)
}
