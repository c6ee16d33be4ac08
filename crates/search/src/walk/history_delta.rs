//! History deltas: what a walk has learnt about moves, as changes that are sent to other processors.
//!
//! Processors that search parts of one tree learn the same things many times. Each sends what has changed
//! since it last sent: differences, so that what many have learnt adds up, and what was received is not sent
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
    /// Whether nothing has changed.
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

/// What each of several receivers has by now: sent by us, or received from them.
pub(super) type Sent = Vec<Box<Butterfly>>;

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// Changes of at least `least` that a receiver does not have yet.
    pub fn history_delta(&mut self, receiver: usize, least: i32) -> HistoryDelta {
        while self.sent.len() <= receiver {
            self.sent.push(Box::new([[0; 4096]; 2]));
        }
        self.scanned += 2 * size_of::<Butterfly>() as u64;
        let own = self.memory.histories.plain();
        let mut cells = Vec::new();
        let sent = self.sent[receiver].as_flattened_mut().chunks_exact_mut(BLOCK);
        let blocks = own.as_flattened().chunks_exact(BLOCK).zip(sent);
        for (number, (own, sent)) in blocks.enumerate() {
            // Most of it has not changed, which is seen at one look.
            if least > 0 && *own == *sent {
                continue;
            }
            for (place, (own, sent)) in own.iter().zip(sent).enumerate() {
                let change = i32::from(*own) - i32::from(*sent);
                if change.abs() >= least {
                    *sent = *own;
                    let change = change.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
                    cells.push(((number * BLOCK + place) as u16, change as i16));
                }
            }
        }
        HistoryDelta { cells }
    }

    /// Merges a history delta; receivers up to `known` already have it.
    pub fn merge_history_delta(&mut self, history_delta: &HistoryDelta, known: usize) {
        while self.sent.len() <= known {
            self.sent.push(Box::new([[0; 4096]; 2]));
        }
        let own = self.memory.histories.plain_mut();
        for &(place, change) in &history_delta.cells {
            let (side, place) = (usize::from(place) / 4096 % 2, usize::from(place) % 4096);
            let cell = &mut own[side][place];
            let before = i32::from(*cell);
            // What many have learnt at the same time would add up to more than one would have learnt.
            pull(cell, i32::from(change));
            let moved = i32::from(*cell) - before;
            for sent in self.sent.iter_mut().take(known + 1) {
                let sent = &mut sent[side][place];
                *sent = (i32::from(*sent) + moved).clamp(-LIMIT, LIMIT) as i16;
            }
        }
    }
}
