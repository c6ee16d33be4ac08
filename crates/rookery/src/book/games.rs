//! The moves of games that count for a book.

use super::counts::Count;
use board::fen::quote;
use board::pgn::{Outcome, Text, Visited, Visitor, decode, is_known_variant};
use board::polyglot::{self, Entry};
use board::{Color, Position, SanError};

/// Which moves count.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Half-moves from the beginning of a game.
    pub depth: u32,
    /// The moves of one side alone.
    pub side: Option<Color>,
}

/// Plays games through and keeps the moves of the last one.
pub struct Openings {
    wanted: Wanted,
    /// The usual start, put together once.
    usual_start: Position,
    position: Position,
    ply: u32,
    /// The game cannot be followed any further: a null move.
    is_over: bool,
    outcome: Outcome,
    /// Key, move and player.
    moves: Vec<(u64, u16, Color)>,
}

impl Openings {
    /// Ready for the first game.
    pub fn new(wanted: Wanted) -> Openings {
        let usual_start = Position::startpos();
        Openings {
            wanted,
            usual_start,
            position: usual_start,
            ply: 0,
            is_over: false,
            outcome: Outcome::Unknown,
            moves: Vec::new(),
        }
    }

    /// Whether the result of the last game is known.
    pub fn has_result(&self) -> bool {
        self.outcome != Outcome::Unknown
    }

    /// What the last game counts: two points for a win, one for a draw or an unknown result.
    pub fn counts(&self) -> impl Iterator<Item = Count> {
        self.moves.iter().map(|&(key, bits, player)| {
            let points = match (self.outcome, player) {
                (Outcome::Draw | Outcome::Unknown, _) => 1,
                (Outcome::White, Color::White) | (Outcome::Black, Color::Black) => 2,
                _ => 0,
            };
            Count { key, games: 1, points, bits }
        })
    }
}

impl Visitor for Openings {
    fn begin_game(&mut self) {
        self.position = self.usual_start;
        (self.ply, self.is_over, self.outcome) = (0, false, Outcome::Unknown);
        self.moves.clear();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) -> Visited {
        match name {
            b"FEN" => {
                self.position =
                    Position::from_fen(&decode(value)).map_err(|error| error.to_string())?;
            }
            b"Variant" if !is_known_variant(value) => {
                return Err(format!("the rules of {} are not known", quote(&decode(value))));
            }
            b"Result" => self.outcome = Outcome::parse(value).unwrap_or_default(),
            _ => (),
        }
        Ok(())
    }

    fn san(&mut self, token: &[u8]) -> Visited {
        if self.is_over || self.ply >= self.wanted.depth {
            return Ok(());
        }
        let mv = match self.position.parse_san(token) {
            Ok(mv) => mv,
            Err(SanError::NullMove) => {
                self.is_over = true;
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        let player = self.position.side_to_move();
        if self.wanted.side.is_none_or(|side| side == player) {
            self.moves.push((polyglot::key(&self.position), Entry::bits_of(mv), player));
        }
        self.position.play(mv);
        self.ply += 1;
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Text, String> {
        Ok(Text::Skip)
    }

    fn result(&mut self, outcome: Outcome) {
        if outcome != Outcome::Unknown {
            self.outcome = outcome;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::pgn::Reader;

    fn points(wanted: Wanted, text: &str) -> Vec<u32> {
        let mut openings = Openings::new(wanted);
        let mut reader = Reader::new(text.as_bytes());
        reader.read_game(&mut openings).expect("a game").expect("a good one");
        openings.counts().map(|count| count.points).collect()
    }

    #[test]
    fn a_move_counts_for_who_played_it() {
        let all = Wanted { depth: 3, side: None };
        assert_eq!(points(all, "1. e4 e5 2. Nf3 Nc6 1-0"), [2, 0, 2]);
        assert_eq!(points(all, "1. e4 e5 2. Nf3 Nc6 0-1"), [0, 2, 0]);
        assert_eq!(points(all, "1. e4 (1. d4 d5) e5 1/2-1/2"), [1, 1]);
        assert_eq!(points(all, "[Result \"1-0\"]\n\n1. e4 e5 *"), [2, 0]);
        assert_eq!(points(all, "1. e4 -- 2. d4 *"), [1]);
        let black = Wanted { depth: 40, side: Some(Color::Black) };
        assert_eq!(points(black, "1. e4 e5 2. Nf3 Nc6 0-1"), [2, 2]);
    }
}
