//! Correction histories: how far the static evaluation was off the searched value, remembered by
//! what positions have in common: pawns, each side's pieces, and the last two moves.

use crate::Depth;
use crate::histories::PieceTo;
use crate::parameters;
use crate::shared_number::SharedNumber;
use board::{Color, Key, Position, prefetch};
use eval::score::Score;
use std::sync::Arc;

const SIZE: usize = 16_384;
/// A learned error of one centipawn is stored as this.
const GRAIN: i32 = 64;

/// By the side to move: one table for pawns and two for pieces; and one for the last two moves.
const TABLES: usize = 7;
const LAST_MOVES: usize = 6;

/// One block: the tables begin at fixed distances from each other.
type Tables = [[SharedNumber; SIZE]; TABLES];

/// The corrections of one worker, or of several.
pub struct Corrections {
    /// One block, or none.
    tables: Option<Arc<Tables>>,
}

/// Where the corrections of a position stand: table and place.
type Places = [(usize, usize); 4];

impl Corrections {
    /// Nothing learned yet.
    pub fn new() -> Corrections {
        let empty = [const { [const { SharedNumber::new() }; SIZE] }; TABLES];
        Corrections { tables: Some(Arc::new(empty)) }
    }

    /// For a search that learns nothing.
    pub fn none() -> Corrections {
        Corrections { tables: None }
    }

    /// Bytes of those that learn.
    pub const BYTES: usize = size_of::<Tables>();

    /// The same corrections for another worker: what one learns from now on both know.
    pub fn sharing(&self) -> Corrections {
        Corrections { tables: self.tables.clone() }
    }

    /// Forgets everything; what others have too is left to them.
    pub fn clear(&mut self) {
        match self.tables.as_mut().map(Arc::get_mut) {
            Some(Some(tables)) => {
                tables.as_flattened_mut().fill_with(SharedNumber::new);
            }
            Some(None) => *self = Corrections::new(),
            None => (),
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
        if let Some(tables) = &self.tables {
            for (table, place) in Corrections::places(position, earlier) {
                prefetch(&tables[table][place]);
            }
        }
    }

    /// The evaluation with what was learned, kept out of the bands of results.
    #[inline]
    pub fn apply(&self, position: &Position, earlier: [PieceTo; 3], evaluation: Score) -> i32 {
        let mut learned = 0;
        if let Some(tables) = &self.tables {
            for (table, place) in Corrections::places(position, earlier) {
                learned += tables[table][place].get();
            }
        }
        let limit = i32::from(eval::score::EVAL_LIMIT);
        let correction = learned * parameters::correction_weight() / (100 * GRAIN);
        (evaluation + correction).clamp(-limit, limit)
    }

    /// A search of `depth` plies found a value that differs from the evaluation.
    pub fn learn(&mut self, position: &Position, earlier: [PieceTo; 3], depth: Depth, error: i32) {
        let Some(tables) = &self.tables else { return };
        let weight = (depth + 1).min(parameters::correction_rate());
        let limit = parameters::correction_limit() * GRAIN;
        let target = (error * GRAIN).clamp(-limit, limit);
        for (table, place) in Corrections::places(position, earlier) {
            let number = &tables[table][place];
            let value = number.get();
            let moved = (value * (256 - weight) + target * weight) / 256;
            number.set(moved.clamp(-limit, limit) as i16);
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

    #[test]
    fn what_one_learns_in_shared_tables_the_other_knows() {
        let (position, earlier) = (Position::startpos(), [PieceTo::NONE; 3]);
        let mut one = Corrections::new();
        let mut two = one.sharing();
        one.learn(&position, earlier, 10, 300);
        let learnt = one.apply(&position, earlier, 0);
        assert!(learnt > 0 && two.apply(&position, earlier, 0) == learnt);
        two.clear();
        assert_eq!(
            (one.apply(&position, earlier, 0), two.apply(&position, earlier, 0)),
            (learnt, 0)
        );
    }
}
