//! Positions with a right to capture en passant.
//!
//! The tables hold positions without such rights. A double step that allows the capture leads to a
//! position with one more move: these positions are kept in a list beside the tables while a build
//! runs, and stand between the table's position before the step and the one after it.

use super::first::{Best, Frame};
use crate::placement::{Placement, behind};
use crate::value::{Value, cell};
use board::attacks::Isa;
use board::{Color, PieceKind};

/// A position of the table that may have come about by a double step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant {
    /// The position after the step, as if nothing could be taken en passant.
    pub index: u32,
    /// The position before the step.
    pub before: u32,
    /// The side that may take en passant.
    pub side: u8,
    /// A cell as in the tables.
    pub state: u16,
    /// The value of the best en passant capture, as a cell (open for a draw).
    pub capture: u16,
}

/// Finds the rights to capture en passant that a position of the table may have.
#[inline(always)]
pub fn find<I: Isa>(
    isa: I,
    frame: Frame<'_>,
    placement: &Placement<'_>,
    side: Color,
    index: usize,
    stuck: bool,
    found: &mut Vec<EnPassant>,
) {
    for (slot, man) in frame.layout.men().iter().enumerate() {
        if man.kind != PieceKind::Pawn || man.color == side {
            continue;
        }
        let takers = placement.passers_by(slot);
        if takers.is_empty() {
            continue;
        }
        let target = behind(placement.square(slot), man.color);
        let mut best = Best::default();
        for from in takers {
            if placement.may_take_en_passant(isa, from, slot) {
                let mut squares = placement.squares;
                squares[placement.slot_on(from)] = target.index() as u8;
                let value = frame.successors.value(&squares, !side, Some(slot), None);
                best.add(frame.metric.after_conversion(value));
            }
        }
        if let Some(value) = best.value() {
            let mut squares = placement.squares;
            squares[slot] = behind(target, man.color).index() as u8;
            let before = frame.layout.index(&squares) as u32;
            found.push(EnPassant::new(index as u32, before, side, value, stuck));
        }
    }
}

impl EnPassant {
    /// `stuck` says that there is no other legal move.
    fn new(index: u32, before: u32, side: Color, capture: Value, stuck: bool) -> EnPassant {
        let capture = match capture {
            Value::Win(plies) | Value::Loss(plies) => plies,
            Value::Draw => cell::OPEN,
        };
        let wins = capture <= cell::HIGHEST && capture & 1 == 1;
        let state = if wins || stuck { capture } else { cell::OPEN };
        EnPassant { index, before, side: side.index() as u8, state, capture }
    }

    /// Works on one level: takes over what has become known about the position without the right
    /// (`cell`). Whether the position before the step is to hear of it.
    pub fn advance(&mut self, cell: u16, level: u16) -> bool {
        if self.state > level && cell == level {
            let lost_by_capture = self.capture <= cell::HIGHEST && self.capture & 1 == 0;
            if level & 1 == 1 {
                self.state = level;
            } else if lost_by_capture && self.state == cell::OPEN {
                self.state = level.max(self.capture);
            }
        }
        self.state == level
    }

    /// The side that may capture, as an index.
    pub fn side(&self) -> usize {
        usize::from(self.side & 1)
    }

    /// The level that the position has reached or waits for, if any.
    pub fn pending(&self) -> Option<u16> {
        (self.state <= cell::HIGHEST).then_some(self.state)
    }
}
