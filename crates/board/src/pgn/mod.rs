//! Portable game notation, read as a stream and written back.
//!
//! Two readers: [`Reader`] tells a [`Visitor`] about the tokens, as fast as they can be found;
//! [`Games`] makes a [`Game`] of each, a tree of moves with notes. Both need little memory however
//! large the input is ([`Limits`]), take pipes, and go on behind a broken game after a [`PgnError`]
//! that says where and why. [`PgnWriter`] and `Display` write.
//!
//! Read are: comments in braces and to the end of the line, `%` lines, annotations as numbers and as
//! signs, variations in variations, move numbers of any form or none, tags and moves in one line, games
//! without tags, without a result or without an empty line between them, byte order marks, any line
//! ends, tags and comments in any encoding, `FEN` and Chess960 starts, null moves.

mod game;
mod games;
mod movetext;
mod parser;
mod reader;
mod replay;
mod source;
mod symbols;
mod tags;
mod visitor;
mod writer;

use crate::fen::quote;
pub use game::{Game, NodeId, Notes};
pub use games::{Fragment, Games};
pub use reader::{Limits, Reader};
pub use replay::{Tally, replay};
use std::io;
pub use tags::{Tags, is_known_variant};
pub use visitor::{Outcome, Text, Visited, Visitor, decode};
pub use writer::PgnWriter;

/// Why a game was skipped, or why reading ended.
#[derive(Debug)]
pub struct PgnError {
    game: u64,
    line: u64,
    token: String,
    reason: String,
    io: Option<io::Error>,
}

impl PgnError {
    /// How many bytes of a token an error keeps.
    const LONGEST_TOKEN: usize = 256;

    fn new(game: u64, line: u64, token: &[u8], reason: String) -> PgnError {
        let token = decode(&token[..token.len().min(PgnError::LONGEST_TOKEN)]);
        PgnError { game, line, token, reason, io: None }
    }

    fn from_io(game: u64, line: u64, error: io::Error) -> PgnError {
        let reason = format!("the input cannot be read: {error}");
        PgnError { game, line, token: String::new(), reason, io: Some(error) }
    }

    /// The number of the game in the input, from 1.
    pub fn game(&self) -> u64 {
        self.game
    }

    /// The number of the line in the input, from 1 (line feeds are counted).
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The token that is wrong (its beginning, where it is very long); empty at the end of the input.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// What is wrong with it.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The error of the input, if it was that. There are no more games then.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.io.as_ref()
    }
}

impl std::fmt::Display for PgnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PGN, game {}, line {}", self.game, self.line)?;
        if !self.token.is_empty() {
            write!(f, ", {}", quote(&self.token))?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io.as_ref().map(|error| error as _)
    }
}
