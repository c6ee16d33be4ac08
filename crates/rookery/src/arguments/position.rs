//! How a position is given to a command: the same way everywhere.
//!
//! A FEN stands at the end, in quotes or as its words, or behind `--fen`. Commands that make sense
//! without one take [`PositionArguments`], the others [`RequiredPosition`].

use crate::failure::Failure;
use board::Position;
use clap::Args;

/// A position, or none.
#[derive(Args)]
pub struct PositionArguments {
    /// The position: a FEN (also X-FEN and Shredder-FEN), in quotes or as its words [default: the start
    /// position]
    #[arg(value_name = "FEN")]
    position: Vec<String>,

    /// The position, as an option
    #[arg(long, value_name = "FEN", conflicts_with = "position")]
    fen: Option<String>,
}

/// A position that must be given.
#[derive(Args)]
#[group(required = true)]
pub struct RequiredPosition {
    /// The position: a FEN (also X-FEN and Shredder-FEN), in quotes or as its words
    #[arg(value_name = "FEN")]
    position: Vec<String>,

    /// The position, as an option
    #[arg(long, value_name = "FEN", conflicts_with = "position")]
    fen: Option<String>,
}

/// A position and how it was written.
#[derive(Clone, Debug)]
pub struct Fen {
    pub text: String,
    pub position: Position,
}

impl PositionArguments {
    /// The position, if one was given.
    pub fn read(&self) -> Result<Option<Fen>, Failure> {
        match text(&self.position, &self.fen) {
            text if text.is_empty() => Ok(None),
            text => read(text).map(Some),
        }
    }
}

impl RequiredPosition {
    /// The position.
    pub fn read(&self) -> Result<Fen, Failure> {
        read(text(&self.position, &self.fen))
    }

    /// Whether it is `-`: positions are to be read from the standard input.
    pub fn is_standard_input(&self) -> bool {
        text(&self.position, &self.fen) == "-"
    }
}

fn text(words: &[String], option: &Option<String>) -> String {
    option.clone().unwrap_or_else(|| words.join(" "))
}

fn read(text: String) -> Result<Fen, Failure> {
    read_fen(&text).map_err(Failure::Usage)
}

/// Reads a position for an option that takes one.
pub fn read_fen(text: &str) -> Result<Fen, String> {
    let (position, repairs) =
        Position::from_fen_repaired(text).map_err(|error| error.to_string())?;
    for repair in repairs {
        eprintln!("rookery: FEN: {repair}");
    }
    Ok(Fen { text: text.to_owned(), position })
}
