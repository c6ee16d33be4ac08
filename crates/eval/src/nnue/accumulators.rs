//! The sums of the hidden layer along a walk: one for each side and half-move, worked out when they are
//! asked for.
//!
//! Many positions are never evaluated (the table knows them, or they are in check), so a push only notes
//! what changes. A sum is then worked out from the nearest one above it that is there, as long as the
//! side's king has stayed on its half of the board; else from the board itself.

use super::inputs::{Changes, INPUTS, Man, View};
use super::network::Network;
use super::simd::{Block, Path};
use board::{Color, Position};

/// Half-moves for which there is room from the beginning; more make room.
const USUAL_DEPTH: usize = 260;

/// What is known about a half-move.
#[derive(Clone, Copy)]
struct Level {
    changes: Changes,
    views: [View; 2],
    /// Whether the sums of a side are there.
    ready: [bool; 2],
}

impl Level {
    #[inline(always)]
    fn new(changes: Changes, position: &Position) -> Level {
        let views = Color::ALL.map(|side| View::new(side, position.king(side)));
        Level { changes, views, ready: [false; 2] }
    }
}

/// The sums along a walk.
#[derive(Clone)]
pub struct Accumulators {
    /// Blocks of a side's sums.
    blocks: usize,
    /// White's sums on each level, and Black's.
    sums: [Vec<Block>; 2],
    levels: Vec<Level>,
    /// The level of the position at hand.
    now: usize,
}

impl Accumulators {
    /// At a position, with room for a usual walk.
    pub fn new(blocks: usize, position: &Position) -> Accumulators {
        let levels = vec![Level::new(Changes::None, position); USUAL_DEPTH];
        let sums = [0, 1].map(|_| vec![Block::ZERO; blocks * USUAL_DEPTH]);
        Accumulators { blocks, sums, levels, now: 0 }
    }

    /// Begins anew at a position.
    pub fn reset(&mut self, position: &Position) {
        self.now = 0;
        self.levels[0] = Level::new(Changes::None, position);
    }

    /// Goes on to a position.
    #[inline(always)]
    pub fn push(&mut self, changes: Changes, after: &Position) {
        self.now += 1;
        if self.now == self.levels.len() {
            self.grow(after);
        }
        self.levels[self.now] = Level::new(changes, after);
    }

    #[cold]
    fn grow(&mut self, position: &Position) {
        let levels = 2 * self.levels.len();
        self.levels.resize(levels, Level::new(Changes::None, position));
        self.sums.iter_mut().for_each(|it| it.resize(self.blocks * levels, Block::ZERO));
    }

    /// Goes back. There is nothing above the root.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.now = self.now.saturating_sub(1);
    }

    /// The sums of a side, which are there.
    #[inline(always)]
    pub fn of(&self, side: Color) -> &[Block] {
        &self.sums[side.index()][self.now * self.blocks..][..self.blocks]
    }

    /// Sees to it that the sums of a side are there.
    #[inline(always)]
    pub fn bring(&mut self, side: Color, position: &Position, network: &Network, path: Path) {
        let index = side.index();
        if self.levels[self.now].ready[index] {
            return;
        }
        let view = self.levels[self.now].views[index];
        let mut from = self.now;
        while from > 0
            && !self.levels[from].ready[index]
            && self.levels[from - 1].views[index] == view
        {
            from -= 1;
        }
        if !self.levels[from].ready[index] {
            self.refresh(side, view, position, network, path);
            return;
        }
        for level in from..self.now {
            self.update(level, side, view, network, path);
        }
    }

    /// Works the sums of the level after `level` out from those of `level`.
    #[inline(never)]
    fn update(&mut self, level: usize, side: Color, view: View, network: &Network, path: Path) {
        let (index, blocks, weights) = (side.index(), self.blocks, network.weights());
        let sums = &mut self.sums[index][level * blocks..][..2 * blocks];
        let next = &mut self.levels[level + 1];
        let row = |man: Man| view.input(man) * blocks;
        match next.changes {
            Changes::None => sums.copy_within(..blocks, blocks),
            Changes::Move { on, off } => path.change(sums, weights, row(on), row(off), None),
            Changes::Capture { on, off: [off, captured] } => {
                path.change(sums, weights, row(on), row(off), Some(row(captured)));
            }
            Changes::Castling { on: [king, rook], off: [off, rook_off] } => {
                path.change(sums, weights, row(king), row(off), Some(row(rook_off)));
                path.add(&mut sums[blocks..], network.row(view.input(rook)));
            }
        }
        next.ready[index] = true;
    }

    /// Works the sums of the position at hand out from the board.
    #[inline(never)]
    fn refresh(
        &mut self,
        side: Color,
        view: View,
        position: &Position,
        network: &Network,
        path: Path,
    ) {
        let sums = &mut self.sums[side.index()][self.now * self.blocks..][..self.blocks];
        sums.copy_from_slice(network.biases());
        let mut inputs = [0; 32];
        let mut count = 0;
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square)
                && count < inputs.len()
            {
                inputs[count] = view.input(Man::new(piece, square)) % INPUTS;
                count += 1;
            }
        }
        for &input in &inputs[..count] {
            path.add(sums, network.row(input));
        }
        self.levels[self.now].ready[side.index()] = true;
    }
}
