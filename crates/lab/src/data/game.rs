//! A game in few bytes: its start, and for each half-move the move and what the player thought of it.

use board::{Color, Move, Packed, Position};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Outcome {
    /// Black won.
    Black = 0,
    /// A draw.
    Draw = 1,
    /// White won.
    White = 2,
    /// Not known.
    Unknown = 3,
}

impl Outcome {
    const ALL: [Outcome; 4] = [Outcome::Black, Outcome::Draw, Outcome::White, Outcome::Unknown];

    /// Of a side that won, or of none.
    pub fn of_winner(winner: Option<Color>) -> Outcome {
        match winner {
            Some(Color::White) => Outcome::White,
            Some(Color::Black) => Outcome::Black,
            None => Outcome::Draw,
        }
    }

    /// As one side sees it: 0 lost, 1 drawn, 2 won, 3 unknown.
    pub fn for_side(self, side: Color) -> u8 {
        match (self, side) {
            (Outcome::White, Color::Black) => 0,
            (Outcome::Black, Color::Black) => 2,
            _ => self as u8,
        }
    }
}

/// A half-move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// What was played.
    pub mv: Move,
    /// What the player thought the position before it was worth to him, in the bands of
    /// [`eval::score`].
    pub score: Option<i16>,
}

/// A game.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Where it began.
    pub start: Position,
    /// How it ended.
    pub outcome: Outcome,
    /// What was played.
    pub plies: Vec<Ply>,
}

/// No game has more half-moves: the count has 16 bits.
pub const MOST_PLIES: usize = u16::MAX as usize;

impl Game {
    /// Appends the game: 32 bytes for the start, a byte for the outcome, two for the number of
    /// half-moves, and for each two of the move and one to three for its score. A score is stored as
    /// its difference from what the other player thought, so that one byte is mostly enough.
    pub fn pack(&self, bytes: &mut Vec<u8>) {
        let count = self.plies.len().min(MOST_PLIES);
        bytes.extend(self.start.pack().to_bytes());
        bytes.push(self.outcome as u8);
        bytes.extend((count as u16).to_le_bytes());
        let mut expected = 0;
        for ply in &self.plies[..count] {
            bytes.extend(ply.mv.bits().to_le_bytes());
            let code = ply.score.map_or(0, |score| {
                let difference = i32::from(score) - expected;
                expected = i32::from(score);
                // 0 says that there is no score; small numbers of either sign come first.
                1 + (difference << 1 ^ difference >> 31) as u32
            });
            put_number(code, bytes);
            expected = -expected;
        }
    }

    /// Takes a game from the beginning of the bytes. Every move is played: what comes back is legal.
    pub fn unpack(bytes: &mut &[u8]) -> Result<Game, String> {
        let start = Packed::from_bytes(take(bytes)?);
        let start = start.unpack().map_err(|error| format!("the start of a game: {error}"))?;
        let [outcome] = take(bytes)?;
        let outcome = *Outcome::ALL
            .get(usize::from(outcome))
            .ok_or_else(|| format!("{outcome} is no outcome of a game"))?;
        let count = u16::from_le_bytes(take(bytes)?);
        let mut plies = Vec::with_capacity(usize::from(count));
        let (mut position, mut expected) = (start, 0i32);
        for number in 1..=count {
            let mv = Move::from_bits(u16::from_le_bytes(take(bytes)?));
            if !position.is_legal(mv) {
                return Err(format!("half-move {number} of a game is illegal"));
            }
            let code = take_number(bytes)?;
            let score = match code.checked_sub(1) {
                None => None,
                Some(code) => {
                    let difference = (code >> 1) as i32 ^ -((code & 1) as i32);
                    let score = i16::try_from(expected.wrapping_add(difference));
                    Some(score.map_err(|_| format!("half-move {number} has no possible score"))?)
                }
            };
            expected = -score.map_or(expected, i32::from);
            plies.push(Ply { mv, score });
            position.play(mv);
        }
        Ok(Game { start, outcome, plies })
    }
}

/// Seven bits a byte, the low ones first; the eighth says that more follow.
fn put_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Result<u32, String> {
    let mut number = 0;
    for shift in [0, 7, 14] {
        let [byte] = take(bytes)?;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a score has too many bytes".to_owned())
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], String> {
    let (taken, rest) = bytes.split_first_chunk().ok_or("a game ends too early")?;
    *bytes = rest;
    Ok(*taken)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use board::random::SplitMix;

    /// A game of random moves with scores of all kinds.
    pub fn random_game(seed: u64) -> Game {
        let mut random = SplitMix::stream(seed, 1);
        let start = match seed % 3 {
            0 => "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            _ => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        };
        let start = Position::from_fen(start).expect("a legal position");
        let (mut position, mut plies) = (start, Vec::new());
        while plies.len() < 200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            let score = match random.below(5) {
                0 => None,
                1 => Some(random.next() as i16),
                _ => Some(random.below(400) as i16 - 200),
            };
            plies.push(Ply { mv, score });
            position.play(mv);
        }
        let outcome = Outcome::ALL[random.below(4) as usize];
        Game { start, outcome, plies }
    }

    #[test]
    fn a_packed_game_is_the_game() {
        for seed in 0..50 {
            let game = random_game(seed);
            let mut bytes = Vec::new();
            game.pack(&mut bytes);
            bytes.push(77);
            let mut rest = &bytes[..];
            assert_eq!(Game::unpack(&mut rest), Ok(game));
            assert_eq!(rest, [77]);
        }
    }

    #[test]
    fn a_ply_takes_three_or_four_bytes() {
        let mut game = random_game(1);
        for (number, ply) in game.plies.iter_mut().enumerate() {
            let advantage = 30 + number as i16;
            ply.score = Some(if number % 2 == 0 { advantage } else { -advantage });
        }
        let mut bytes = Vec::new();
        game.pack(&mut bytes);
        assert_eq!(bytes.len(), 35 + 3 * game.plies.len());
    }

    #[test]
    fn damaged_games_are_errors() {
        let mut bytes = Vec::new();
        random_game(4).pack(&mut bytes);
        for cut in 0..bytes.len() {
            assert!(Game::unpack(&mut &bytes[..cut]).is_err(), "{cut}");
        }
        let mut random = SplitMix(5);
        for _ in 0..2_000 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len() as u64) as usize;
            damaged[at] = random.next() as u8;
            // Any bytes are a game or an error.
            let _ = Game::unpack(&mut &damaged[..]);
        }
        bytes[32] = 4;
        assert_eq!(Game::unpack(&mut &bytes[..]), Err("4 is no outcome of a game".to_owned()));
    }
}
