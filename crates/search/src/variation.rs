//! Principal variations: the best line below each node of the stack.

use board::Move;
use eval::score::MAX_PLY;

const LONGEST: usize = MAX_PLY as usize + 1;

/// A line of moves.
#[derive(Clone)]
pub struct Variation {
    moves: [Move; LONGEST],
    len: usize,
}

impl Variation {
    /// No moves.
    pub fn new() -> Variation {
        Variation { moves: [Move::NONE; LONGEST], len: 0 }
    }

    /// The moves.
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// Forgets them.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Becomes a line that was found elsewhere.
    pub fn assign(&mut self, line: &[Move]) {
        self.len = line.len().min(LONGEST);
        self.moves[..self.len].copy_from_slice(&line[..self.len]);
    }

    /// Becomes a move and the line that follows it.
    #[inline(always)]
    pub fn set(&mut self, first: Move, rest: &Variation) {
        let len = rest.len.min(LONGEST - 1);
        self.moves[0] = first;
        self.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        self.len = len + 1;
    }
}
