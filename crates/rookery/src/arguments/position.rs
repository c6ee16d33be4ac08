//! How a position is given to a command: the same way everywhere.
//!
//! It stands at the end, in quotes or as its words, or behind `--fen`: a FEN, or as UCI has it
//! (`startpos`, `fen FEN`), and then perhaps `moves MOVE …`. Commands that make sense without one take
//! [`PositionArguments`], the others [`RequiredPosition`].

use crate::castling;
use crate::failure::Failure;
use crate::input;
use board::fen::quote;
use board::{CastlingStyle, History, Position};
use clap::Args;
use std::path::Path;

/// A position, or none.
#[derive(Args)]
pub struct PositionArguments {
    /// The position: a FEN (also X-FEN and Shredder-FEN) or `startpos`, in quotes or as its words, then
    /// perhaps `moves e2e4 …` [default: the start position]
    #[arg(value_name = "FEN")]
    position: Vec<String>,

    /// The position, as an option
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// A position that must be given.
#[derive(Args)]
#[group(required = true)]
pub struct RequiredPosition {
    /// The position: a FEN (also X-FEN and Shredder-FEN) or `startpos`, in quotes or as its words, then
    /// perhaps `moves e2e4 …`
    #[arg(value_name = "FEN")]
    position: Vec<String>,

    /// The position, as an option
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// A position that was given.
#[derive(Clone, Debug)]
pub struct Fen {
    pub position: Position,
    /// The keys of the positions before it, where moves led to it.
    pub history: History,
    /// How castling is written as far as the position tells.
    pub style: CastlingStyle,
}

impl PositionArguments {
    /// The position, if one was given.
    pub fn read(&self) -> Result<Option<Fen>, Failure> {
        match text(&self.position, self.fen.as_deref())? {
            text if text.is_empty() => Ok(None),
            text => read(text).map(Some),
        }
    }
}

impl RequiredPosition {
    /// The position.
    pub fn read(&self) -> Result<Fen, Failure> {
        read(text(&self.position, self.fen.as_deref())?)
    }

    /// Whether it is `-`: positions are to be read from the standard input.
    pub fn is_standard_input(&self) -> bool {
        text(&self.position, self.fen.as_deref()).is_ok_and(|text| text == "-")
    }
}

/// What was given at the end, or behind `--fen`. A FEN that stands there without quotation marks is one
/// word of the option, and the others are those at the end.
pub fn text(words: &[String], option: Option<&str>) -> Result<String, Failure> {
    let at_end = words.join(" ");
    match option {
        None => Ok(at_end),
        Some(text) if at_end.is_empty() => Ok(text.to_owned()),
        Some(word) if !is_whole(word) => Ok(format!("{word} {at_end}")),
        Some(_) => {
            let found = quote(&words[0]);
            Err(Failure::Usage(format!("--fen gives the position already, found {found}")))
        }
    }
}

/// Whether a word is a whole position, not the first field of a FEN.
pub fn is_whole(word: &str) -> bool {
    word.contains(char::is_whitespace) || matches!(word, "startpos" | "-")
}

/// Reads a position as a command gets it.
pub fn read(text: String) -> Result<Fen, Failure> {
    read_fen(&text).map_err(|reason| match Path::new(&text).is_file() {
        true => Failure::Usage(format!(
            "{} is a file; a position stands here: a FEN, or startpos",
            quote(&text)
        )),
        false => Failure::Usage(reason),
    })
}

/// Reads a position for an option that takes one.
pub fn read_fen(text: &str) -> Result<Fen, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (start, moves) = split_moves(&words);
    let (start, style) = match start {
        ["startpos"] => (Position::startpos(), CastlingStyle::Standard),
        ["fen", fields @ ..] | fields => {
            let fen = fields.join(" ");
            let (position, repairs) =
                Position::from_fen_repaired(&fen).map_err(|error| error.to_string())?;
            input::tell_repairs("FEN", &repairs);
            (position, castling::style(&fen, &position))
        }
    };
    let (position, history) = play(start, moves)?;
    Ok(Fen { position, history, style })
}

/// What stands before the word `moves`, and what behind it.
pub fn split_moves<'a>(words: &'a [&'a str]) -> (&'a [&'a str], &'a [&'a str]) {
    let mut parts = words.splitn(2, |word| *word == "moves");
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// The position after the moves, and the keys before it, for repetitions.
pub fn play(mut position: Position, moves: &[&str]) -> Result<(Position, History), String> {
    let mut history = History::new();
    for (text, number) in moves.iter().zip(1..) {
        let mv = position.parse_uci(text).map_err(|error| format!("move {number}: {error}"))?;
        history.push(position.key());
        position.play(mv);
    }
    Ok((position, history))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_give_a_position_are_understood() {
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let start = Position::startpos().fen();
        for (text, fen, plies) in [
            ("startpos", start.clone(), 0),
            ("startpos moves e2e4 e7e5", after.to_owned(), 2),
            (&format!("fen {start} moves e2e4 e7e5"), after.to_owned(), 2),
            (&format!("{start}  moves e2e4 e7e5"), after.to_owned(), 2),
            (&format!("fen {after} moves"), after.to_owned(), 0),
            (after, after.to_owned(), 0),
        ] {
            let given = read_fen(text).expect(text);
            assert_eq!((given.position.fen(), given.history.len()), (fen, plies), "{text}");
        }
        for (text, part) in [
            ("startpos e2e4", "FEN"),
            ("startpos moves e2e4 e2e4", "move 2: "),
            ("fen", "missing"),
            ("moves e2e4", "missing"),
        ] {
            let error = read_fen(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
