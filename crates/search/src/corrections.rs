//! Correction histories: how far the static evaluation was off the searched value, remembered by
//! what positions have in common: pawns, each side's pieces, and the last two steps.

use crate::histories::Step;
use crate::parameters;
use board::{Color, Position};

const SIZE: usize = 16_384;
/// A learned error of one centipawn is stored as this.
const GRAIN: i32 = 64;
/// The largest learned error, in grains.
const LIMIT: i32 = 100 * GRAIN;

/// The corrections of one worker.
pub struct Corrections {
    pawns: [Vec<i16>; 2],
    pieces: [[Vec<i16>; 2]; 2],
    steps: Vec<i16>,
}

impl Corrections {
    /// Nothing learned yet.
    pub fn new() -> Corrections {
        let table = || vec![0; SIZE];
        Corrections {
            pawns: [table(), table()],
            pieces: [[table(), table()], [table(), table()]],
            steps: vec![0; SIZE],
        }
    }

    /// For a search that learns nothing.
    pub fn none() -> Corrections {
        Corrections { pawns: Default::default(), pieces: Default::default(), steps: Vec::new() }
    }

    fn steps_index(earlier: [Step; 3]) -> usize {
        mix(earlier[0], earlier[1]) % SIZE
    }

    /// The evaluation with what was learned, kept out of the bands of results.
    #[inline]
    pub fn apply(&self, position: &Position, earlier: [Step; 3], evaluation: i32) -> i32 {
        let side = position.side_to_move().index();
        let learned = i32::from(self.pawns[side][position.pawn_key() as usize % SIZE])
            + Color::ALL.into_iter().fold(0, |sum, color| {
                let index = position.non_pawn_key(color) as usize % SIZE;
                sum + i32::from(self.pieces[side][color.index()][index])
            })
            + i32::from(self.steps[Corrections::steps_index(earlier)]);
        let limit = i32::from(eval::score::EVAL_LIMIT);
        let correction = learned * parameters::correction_weight() / (100 * GRAIN);
        (evaluation + correction).clamp(-limit, limit)
    }

    /// A search of `depth` plies found a value that differs from the evaluation.
    pub fn learn(&mut self, position: &Position, earlier: [Step; 3], depth: i32, error: i32) {
        let side = position.side_to_move().index();
        let weight = (depth + 1).min(16);
        let target = (error * GRAIN).clamp(-LIMIT, LIMIT);
        let update = |cell: &mut i16| {
            let value = i32::from(*cell);
            let moved = (value * (256 - weight) + target * weight) / 256;
            *cell = moved.clamp(-LIMIT, LIMIT) as i16;
        };
        update(&mut self.pawns[side][position.pawn_key() as usize % SIZE]);
        for color in Color::ALL {
            let index = position.non_pawn_key(color) as usize % SIZE;
            update(&mut self.pieces[side][color.index()][index]);
        }
        update(&mut self.steps[Corrections::steps_index(earlier)]);
    }
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections::new()
    }
}

/// Two steps mixed into one number.
#[inline(always)]
fn mix(one: Step, two: Step) -> usize {
    (one.index() * 771 + two.index()).wrapping_mul(0x9e37_79b1) >> 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_error_is_learned_with_its_sign_and_bounded() {
        let position = Position::startpos();
        let earlier = [Step::NONE; 3];
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
