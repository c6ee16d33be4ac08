//! The words of the xboard protocol (version 2).

/// A command of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Known, and nothing to do: who plays, where, and what was accepted.
    Nothing,
    Xboard,
    ProtocolVersion,
    New,
    Variant,
    Quit,
    Force,
    Go,
    PlayOther,
    White,
    Black,
    Level,
    MoveTime,
    Depth,
    NodeRate,
    Time,
    OpponentTime,
    UserMove,
    MoveNow,
    Ping,
    Draw,
    Result,
    SetBoard,
    Hint,
    Book,
    Undo,
    Remove,
    Hard,
    Easy,
    Post,
    NoPost,
    Analyze,
    Exit,
    Progress,
    Pause,
    Resume,
    Memory,
    Cores,
    EndgamePath,
    Option,
    Exclude,
    Include,
}

/// Every word with its command. `edit` and `setscore` are not here: the features say so, and they are
/// refused like any other word that is not known.
const COMMANDS: [(&str, Command); 49] = [
    ("xboard", Command::Xboard),
    ("protover", Command::ProtocolVersion),
    ("accepted", Command::Nothing),
    ("rejected", Command::Nothing),
    ("new", Command::New),
    ("variant", Command::Variant),
    ("quit", Command::Quit),
    ("random", Command::Nothing),
    ("force", Command::Force),
    ("go", Command::Go),
    ("playother", Command::PlayOther),
    ("white", Command::White),
    ("black", Command::Black),
    ("level", Command::Level),
    ("st", Command::MoveTime),
    ("sd", Command::Depth),
    ("nps", Command::NodeRate),
    ("time", Command::Time),
    ("otim", Command::OpponentTime),
    ("usermove", Command::UserMove),
    ("?", Command::MoveNow),
    ("ping", Command::Ping),
    ("draw", Command::Draw),
    ("result", Command::Result),
    ("setboard", Command::SetBoard),
    ("hint", Command::Hint),
    ("bk", Command::Book),
    ("undo", Command::Undo),
    ("remove", Command::Remove),
    ("hard", Command::Hard),
    ("easy", Command::Easy),
    ("post", Command::Post),
    ("nopost", Command::NoPost),
    ("analyze", Command::Analyze),
    ("analyse", Command::Analyze),
    ("exit", Command::Exit),
    (".", Command::Progress),
    ("name", Command::Nothing),
    ("rating", Command::Nothing),
    ("ics", Command::Nothing),
    ("computer", Command::Nothing),
    ("pause", Command::Pause),
    ("resume", Command::Resume),
    ("memory", Command::Memory),
    ("cores", Command::Cores),
    ("egtpath", Command::EndgamePath),
    ("option", Command::Option),
    ("exclude", Command::Exclude),
    ("include", Command::Include),
];

impl Command {
    /// The command of a word. A move may stand for itself, as in version 1.
    pub fn from_word(word: &str) -> Option<Command> {
        let known = COMMANDS.iter().find(|(name, _)| *name == word);
        known.map(|&(_, command)| command).or(looks_like_move(word).then_some(Command::UserMove))
    }

    /// Whether it waits until the engine has moved, where that is the engine's turn.
    pub fn waits_for_move(self) -> bool {
        use Command::*;
        matches!(self, Ping | Memory | Cores | EndgamePath | Option)
    }

    /// Whether it needs the engine for itself: an analysis is ended before it and begun anew after it.
    pub fn needs_engine(self) -> bool {
        use Command::*;
        matches!(self, Memory | Cores | EndgamePath | Option | Exclude | Include)
    }
}

/// `e2e4`, `e7e8q`, `O-O`: a move that nothing announces. Whether it is legal is another question.
fn looks_like_move(word: &str) -> bool {
    let is_castling = matches!(word, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "o-o" | "o-o-o");
    let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
    let (squares, promotion) = word.as_bytes().split_at(word.len().min(4));
    is_castling
        || squares.chunks(2).map(is_square).eq([true, true])
            && matches!(promotion, [] | [b'a'..=b'z' | b'A'..=b'Z'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_need_no_word_before_them() {
        for word in ["e2e4", "e7e8q", "e7e8Q", "O-O", "0-0-0"] {
            assert_eq!(Command::from_word(word), Some(Command::UserMove), "{word}");
        }
        for word in ["e2", "e2e9", "i2e4", "e2e4qq", "Nf3", "edit", "setscore", "", "é2e4"] {
            assert_eq!(Command::from_word(word), None, "{word}");
        }
    }
}
