//! Playing through a collection without keeping it: for counting, checking and measuring.

use super::reader::Reader;
use super::tags::is_known_variant;
use super::visitor::{Text, Visited, Visitor, decode};
use crate::{Position, SanError};
use std::io::Read;

/// What a collection holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games that could be played through.
    pub games: u64,
    /// Games that could not.
    pub broken: u64,
    /// The moves that were played, in the broken games those before the fault.
    pub moves: u64,
}

/// Plays the main lines of all games, every move checked, and counts. This is what the speed of the
/// reader is measured with.
///
/// ```
/// let tally = board::pgn::replay("1. e4 e5 2. Ke2 (2. Nf3 Nc6) 2... Ke7 1/2-1/2".as_bytes());
/// assert_eq!((tally.games, tally.broken, tally.moves), (1, 0, 4));
/// ```
pub fn replay(input: impl Read) -> Tally {
    let mut reader = Reader::new(input);
    let start = Position::startpos();
    let mut player = Player { start, position: start, tally: Tally::default() };
    while let Some(game) = reader.read_game(&mut player) {
        player.tally.broken += u64::from(game.is_err());
    }
    player.tally
}

struct Player {
    /// The usual start, put together once.
    start: Position,
    position: Position,
    tally: Tally,
}

impl Visitor for Player {
    fn begin_game(&mut self) {
        self.position = self.start;
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) -> Visited {
        match name {
            b"FEN" => {
                self.position =
                    Position::from_fen(&decode(value)).map_err(|error| error.to_string())?;
            }
            b"Variant" if !is_known_variant(value) => return Err("unknown rules".into()),
            _ => (),
        }
        Ok(())
    }

    #[inline(always)]
    fn san(&mut self, token: &[u8]) -> Visited {
        match self.position.parse_san(token) {
            Ok(mv) => self.position.play(mv),
            Err(SanError::NullMove) if !self.position.in_check() => {
                self.position = self.position.make_null();
            }
            Err(error) => return Err(error.to_string()),
        }
        self.tally.moves += 1;
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Text, String> {
        Ok(Text::Skip)
    }

    fn end_game(&mut self) {
        self.tally.games += 1;
    }
}
