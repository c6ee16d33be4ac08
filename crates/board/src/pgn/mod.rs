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

mod error;
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

pub use error::PgnError;
pub use game::{Game, NodeId, Notes};
pub use games::{Fragment, Games};
pub use reader::{Limits, Reader};
pub use replay::{Tally, replay};
pub use tags::{Tags, is_known_variant};
pub use visitor::{Outcome, Text, Visited, Visitor, decode};
pub use writer::PgnWriter;
