//! Correction histories: how far the static evaluation was off the searched value, remembered by
//! what positions have in common: pawns, each side's pieces, and the last two moves.

use crate::Depth;
use crate::histories::PieceTo;
use crate::parameters;
use board::{Color, Key, Position, prefetch};
use eval::score::Score;

const SIZE: usize = 16_384;
/// A learned error of one centipawn is stored as this.
const GRAIN: i32 = 64;

/// By the side to move: one table for pawns and two for pieces; and one for the last two moves.
const TABLES: usize = 7;
const LAST_MOVES: usize = 6;

/// The corrections of one worker, in one block: the tables begin at fixed distances from each other.
pub struct Corrections {
    /// One block, or none.
    tables: Vec<[[i16; SIZE]; TABLES]>,
}

/// Where the corrections of a position stand: table and place.
type Places = [(usize, usize); 4];

impl Corrections {
    /// Nothing learned yet.
    pub fn new() -> Corrections {
        Corrections { tables: vec![[[0; SIZE]; TABLES]; 1] }
    }

    /// For a search that learns nothing.
    pub fn none() -> Corrections {
        Corrections { tables: Vec::new() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for tables in &mut self.tables {
            tables.as_flattened_mut().fill(0);
        }
    }

    #[inline(always)]
    fn places(position: &Position, earlier: [PieceTo; 3]) -> Places {
        let first = 3 * position.side_to_move().index();
        let place = |key: Key| key as usize % SIZE;
        [
            (first, place(position.pawn_key())),
            (first + 1, place(position.non_pawn_key(Color::White))),
            (first + 2, place(position.non_pawn_key(Color::Black))),
            (LAST_MOVES, mix(earlier[0], earlier[1]) % SIZE),
        ]
    }

    /// Asks for the memory that [`Corrections::apply`] will read.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position, earlier: [PieceTo; 3]) {
        if let Some(tables) = self.tables.first() {
            for (table, place) in Corrections::places(position, earlier) {
                prefetch(&tables[table][place]);
            }
        }
    }

    /// The evaluation with what was learned, kept out of the bands of results.
    #[inline]
    pub fn apply(&self, position: &Position, earlier: [PieceTo; 3], evaluation: Score) -> i32 {
        let mut learned = 0;
        if let Some(tables) = self.tables.first() {
            for (table, place) in Corrections::places(position, earlier) {
                learned += i32::from(tables[table][place]);
            }
        }
        let limit = i32::from(eval::score::EVAL_LIMIT);
        let correction = learned * parameters::correction_weight() / (100 * GRAIN);
        (evaluation + correction).clamp(-limit, limit)
    }

    /// A search of `depth` plies found a value that differs from the evaluation.
    pub fn learn(&mut self, position: &Position, earlier: [PieceTo; 3], depth: Depth, error: i32) {
        let Some(tables) = self.tables.first_mut() else { return };
        let weight = (depth + 1).min(parameters::correction_rate());
        let limit = parameters::correction_limit() * GRAIN;
        let target = (error * GRAIN).clamp(-limit, limit);
        for (table, place) in Corrections::places(position, earlier) {
            let cell = &mut tables[table][place];
            let value = i32::from(*cell);
            let moved = (value * (256 - weight) + target * weight) / 256;
            *cell = moved.clamp(-limit, limit) as i16;
        }
    }
}

/// Two moves mixed into one number.
#[inline(always)]
fn mix(one: PieceTo, two: PieceTo) -> usize {
    (one.index() * 771 + two.index()).wrapping_mul(0x9e37_79b1) >> 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_error_is_learned_with_its_sign_and_bounded() {
        let position = Position::startpos();
        let earlier = [PieceTo::NONE; 3];
        let mut corrections = Corrections::new();
        assert_eq!(corrections.apply(&position, earlier, 17), 17);
        for _ in 0..200 {
            corrections.learn(&position, earlier, 10, 60);
        }
        let corrected = corrections.apply(&position, earlier, 0);
        assert!(corrected > 20 && corrected <= 400, "{corrected}");
        for _ in 0..400 {
            corrections.learn(&position, earlier, 10, -60);
        }
        assert!(corrections.apply(&position, earlier, 0) < 0);
    }
}
