//! What a walk has learnt about moves, in parts that can be told to others.
//!
//! Processors that search parts of one tree learn the same things many times. Each tells what has changed
//! since it last told: differences, so that what many have learnt adds up, and what was heard is not told
//! back to where it came from.

use super::Walk;
use crate::histories::{Butterfly, LIMIT, pull};
use crate::switches::Rules;
use eval::Evaluator;

/// Changes of the plain history: places and differences.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HistoryDelta {
    pub(super) cells: Vec<(u16, i16)>,
}

impl HistoryDelta {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many bytes it takes in a message.
    pub fn bytes(&self) -> usize {
        4 * self.cells.len()
    }
}

/// Cells that are compared at once.
const BLOCK: usize = 64;

/// What was told to, or heard from, each of several listeners.
pub(super) type Told = Vec<Box<Butterfly>>;

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// Changes of at least `least` that a listener has not been told.
    pub fn tell(&mut self, listener: usize, least: i32) -> HistoryDelta {
        while self.told.len() <= listener {
            self.told.push(Box::new([[0; 4096]; 2]));
        }
        self.scanned += 2 * size_of::<Butterfly>() as u64;
        let own = self.memory.histories.plain();
        let mut cells = Vec::new();
        let told = self.told[listener].as_flattened_mut().chunks_exact_mut(BLOCK);
        let blocks = own.as_flattened().chunks_exact(BLOCK).zip(told);
        for (number, (own, told)) in blocks.enumerate() {
            // Most of it has not changed, which is seen at one look.
            if least > 0 && *own == *told {
                continue;
            }
            for (place, (own, told)) in own.iter().zip(told).enumerate() {
                let change = i32::from(*own) - i32::from(*told);
                if change.abs() >= least {
                    *told = *own;
                    let change = change.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
                    cells.push(((number * BLOCK + place) as u16, change as i16));
                }
            }
        }
        HistoryDelta { cells }
    }

    /// Merges a history delta; the listeners up to `known` already have it.
    pub fn hear(&mut self, history_delta: &HistoryDelta, known: usize) {
        while self.told.len() <= known {
            self.told.push(Box::new([[0; 4096]; 2]));
        }
        let own = self.memory.histories.plain_mut();
        for &(place, change) in &history_delta.cells {
            let (side, place) = (usize::from(place) / 4096 % 2, usize::from(place) % 4096);
            let cell = &mut own[side][place];
            let before = i32::from(*cell);
            // What many have learnt at the same time would add up to more than one would have learnt.
            pull(cell, i32::from(change));
            let moved = i32::from(*cell) - before;
            for told in self.told.iter_mut().take(known + 1) {
                let told = &mut told[side][place];
                *told = (i32::from(*told) + moved).clamp(-LIMIT, LIMIT) as i16;
            }
        }
    }
}
