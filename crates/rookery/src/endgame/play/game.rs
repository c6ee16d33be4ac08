//! One game: the winner searches, the loser plays what resists longest by the tables.

use super::starts::Start;
use crate::engine::Engine;
use crate::failure::Failure;
use ::endgame::{Metric, ProbeError, Tables};
use board::random::SplitMix;
use board::{History, Move, Position};
use search::{Limits, Quiet};

/// How a game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Mate after this number of moves of the winner.
    Mate(u32),
    /// The win was thrown away.
    ThrownAway,
    /// A position occurred for the third time, or fifty moves passed without a capture or pawn move.
    Claimed,
    /// Not mated in the moves that were allowed.
    TooSlow,
}

impl Ended {
    /// In a few words.
    pub const fn word(self) -> &'static str {
        match self {
            Ended::Mate(_) => "mate",
            Ended::ThrownAway => "the win was thrown away",
            Ended::Claimed => "draw by repetition or the 50-move rule",
            Ended::TooSlow => "too slow",
        }
    }
}

/// The two players.
pub struct Players<'a> {
    /// The loser's tables.
    pub tables: &'a Tables,
    /// The winner.
    pub engine: Engine,
    /// Moves of the winner after which a win counts as missed.
    pub most_moves: u32,
}

fn broken(error: ProbeError) -> Failure {
    Failure::Work(error.to_string())
}

impl Players<'_> {
    /// Plays one game from a start, the engine remembering nothing from earlier games.
    pub fn play(&mut self, start: &Start, limits: &Limits) -> Result<Ended, Failure> {
        self.engine.new_game();
        let mut random = SplitMix(start.seed);
        let (mut position, mut history) = (start.position, History::new());
        if position.side_to_move() != start.winner {
            match self.resist(&position, &mut random)? {
                None => return Ok(Ended::Mate(0)),
                Some((reply, _)) => advance(&mut position, &mut history, reply),
            }
        }
        for moves in 1..=self.most_moves {
            let found = self.engine.search(&position, &history, limits, &mut Quiet);
            let Some(best) = found.map_err(Failure::Work)?.best() else {
                return Ok(Ended::ThrownAway);
            };
            advance(&mut position, &mut history, best);
            match self.resist(&position, &mut random)? {
                None if position.in_check() => return Ok(Ended::Mate(moves)),
                None => return Ok(Ended::ThrownAway),
                Some((_, sign)) if sign >= 0 => return Ok(Ended::ThrownAway),
                Some(_) if history.claimable_draw(&position).is_some() => {
                    return Ok(Ended::Claimed);
                }
                Some((reply, _)) => advance(&mut position, &mut history, reply),
            }
        }
        Ok(Ended::TooSlow)
    }

    /// The move that puts mate off longest, any of several; with the sign of its value. None where
    /// there is no move.
    fn resist(
        &self,
        position: &Position,
        random: &mut SplitMix,
    ) -> Result<Option<(Move, i32)>, Failure> {
        let evaluated = self.tables.evaluate_moves(position, Metric::Mate).map_err(broken)?;
        let Some(&(_, best)) = evaluated.first() else { return Ok(None) };
        let equal = evaluated.iter().take_while(|(_, value)| *value == best).count();
        let chosen = random.below(equal as u64) as usize;
        Ok(evaluated.get(chosen).map(|&(mv, value)| (mv, value.sign())))
    }
}

fn advance(position: &mut Position, history: &mut History, mv: Move) {
    history.push(position.key());
    *position = position.make(mv);
}
