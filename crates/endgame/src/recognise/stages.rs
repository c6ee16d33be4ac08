//! Stages: how far a win has come, for endings in which no formula shows it (D67, D68).
//!
//! The formulas of Table 3.6 speak of edges, corners and distances. With bishop and knight, and with a
//! queen against a rook, the way to mate is not straight: the losing king must be let out of the wrong
//! corner, and the rook must be driven from its king by a zugzwang that lies beyond the horizon of a
//! small search. For these endings the win/draw/loss table inside the program also tells the stage of
//! the win: the distance to mate in steps of some half-moves. From every won position the next stage
//! can be forced within one step, which a small search sees; so the winner never goes round in circles.
//!
//! A stage file is a file of distances to mate in which every distance is rounded up to its stage.

use crate::file::{Cells, Codes, TableFile, encode};
use crate::layout::Layout;
use crate::value::{Metric, Value, cell};
use board::Color;

/// Half-moves of a stage.
pub const STEP: u16 = 8;
/// A win this far away shows no progress yet.
const FAR: i32 = 128;
/// Centipawns for a half-move less.
const PER_PLY: i32 = 6;
/// What the formula adds within a stage: less than the next stage is worth.
const FORMULA_SHARE: i32 = 16;

/// The score of a winner whose win is at a stage, with what the formula says.
pub fn progress(plies: u16, formula: i32) -> i32 {
    let within = (formula / FORMULA_SHARE).clamp(0, i32::from(STEP) * PER_PLY - 1);
    (FAR - i32::from(plies)).max(0) * PER_PLY + within
}

/// The distances of a table, rounded up.
struct Stages<'a> {
    layout: &'a Layout,
    sides: [Codes; 2],
}

impl Cells for Stages<'_> {
    fn size(&self) -> usize {
        self.layout.size()
    }

    fn cell(&self, side: usize, index: usize) -> u16 {
        let color = Color::from_white(side == 0);
        let legal = self.layout.index(&self.layout.squares(index)) == index;
        if !legal || self.layout.position(index, color).is_none() {
            return cell::ILLEGAL;
        }
        match self.sides[side].value(index) {
            Value::Draw => cell::OPEN,
            Value::Win(plies) => plies.div_ceil(STEP) * STEP - 1,
            Value::Loss(plies) => plies.div_ceil(STEP) * STEP,
        }
    }

    fn weight(&self, index: usize) -> u64 {
        self.layout.weight(index)
    }
}

/// The stage file of an ending, made from its distances to mate.
pub fn compute(file: &TableFile, threads: usize) -> Result<Vec<u8>, String> {
    let stages = Stages { layout: &file.layout, sides: file.load(threads)? };
    let (header, blocks) = encode(&file.header.ending, Metric::Mate, &stages, threads, &|| true);
    Ok([header.to_bytes(), blocks.concat()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d67_the_next_stage_is_worth_more_than_anything_a_formula_adds() {
        for plies in (STEP..FAR as u16).step_by(usize::from(STEP)) {
            assert!(progress(plies - STEP, 0) > progress(plies, i32::MAX), "{plies}");
        }
        assert_eq!(progress(200, -5), 0);
    }
}
