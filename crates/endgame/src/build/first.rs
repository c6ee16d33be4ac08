//! The first look at every position: is it legal, mate or stalemate, what do its captures and
//! promotions lead to, and how many quiet moves has it?

use super::memory::{CHUNK, Memory};
use super::passing::{self, Passing};
use super::successor::Successors;
use crate::layout::Layout;
use crate::scene::{Scene, behind};
use crate::value::{Metric, Value, cell};
use board::attacks::{Isa, Kernel};
use board::{Bitboard, Color, PieceKind, Square};

/// Beyond the men: nobody is taken.
pub const NOBODY: usize = usize::MAX;

/// What stays the same for all positions of a build.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    pub layout: &'a Layout,
    pub successors: &'a Successors,
    pub metric: Metric,
}

/// Looks at one chunk of positions with one side to move.
pub struct FirstLook<'a> {
    pub frame: Frame<'a>,
    pub memory: &'a Memory,
    pub side: Color,
    pub chunk: usize,
}

/// What was seen in a chunk.
#[derive(Default)]
pub struct Seen {
    /// Legal positions.
    pub legal: u64,
    /// Positions that may come with a right to capture en passant.
    pub passing: Vec<Passing>,
}

impl Kernel for FirstLook<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Seen {
        let begin = self.chunk * CHUNK;
        let mut seen = Seen::default();
        for index in begin..self.frame.layout.size().min(begin + CHUNK) {
            if let Some(state) = look_at(isa, self.frame, self.side, index, &mut seen.passing) {
                self.memory.set(self.side.index(), index, state);
                seen.legal += 1;
            }
        }
        seen
    }
}

/// The first state of a cell; none if the number stands for no position. Rights to capture en passant
/// are added to a list.
#[inline(always)]
pub fn look_at<I: Isa>(
    isa: I,
    frame: Frame<'_>,
    side: Color,
    index: usize,
    passing: &mut Vec<Passing>,
) -> Option<u16> {
    let layout = frame.layout;
    let squares = layout.squares(index);
    let scene = Scene::new(layout, squares)?;
    let twin = !layout.pawns && layout.index(&squares) != index;
    if twin || scene.is_attacked(isa, scene.king(!side), side, scene.occupied(), NOBODY) {
        return None;
    }
    let mut look = Look::new(frame, &scene, side, isa);
    look.see_all();
    if layout.pawns {
        let stuck = look.is_stuck();
        passing::find(isa, frame, &scene, side, index, stuck, passing);
    }
    Some(look.state())
}

/// The moves of one position, added up.
struct Look<'a, I> {
    frame: Frame<'a>,
    scene: &'a Scene<'a>,
    side: Color,
    isa: I,
    in_check: bool,
    quiet: u16,
    conversions: Best,
}

/// The best of several conversions.
#[derive(Clone, Copy, Default)]
pub struct Best {
    value: Option<Value>,
    draws: bool,
    slowest_loss: u16,
}

impl Best {
    /// One more conversion.
    #[inline(always)]
    pub fn add(&mut self, value: Value) {
        match value {
            Value::Draw => self.draws = true,
            Value::Loss(plies) => self.slowest_loss = self.slowest_loss.max(plies),
            Value::Win(_) => (),
        }
        self.value = Some(self.value.map_or(value, |best| best.better(value)));
    }

    /// The best one; none if there was none.
    pub fn value(&self) -> Option<Value> {
        self.value
    }
}

impl<'a, I: Isa> Look<'a, I> {
    #[inline(always)]
    fn new(frame: Frame<'a>, scene: &'a Scene<'a>, side: Color, isa: I) -> Look<'a, I> {
        let in_check = scene.is_attacked(isa, scene.king(side), !side, scene.occupied(), NOBODY);
        Look { frame, scene, side, isa, in_check, quiet: 0, conversions: Best::default() }
    }

    #[inline(always)]
    fn see_all(&mut self) {
        for (slot, man) in self.frame.layout.men().iter().enumerate() {
            if man.color == self.side {
                match man.kind {
                    PieceKind::King => self.see_king(slot),
                    PieceKind::Pawn => self.see_pawn(slot),
                    _ => self.see_piece(slot),
                }
            }
        }
    }

    #[inline(always)]
    fn is_stuck(&self) -> bool {
        self.quiet == 0 && self.conversions.value.is_none()
    }

    /// The first state of the cell.
    #[inline(always)]
    fn state(&self) -> u16 {
        if self.is_stuck() {
            return if self.in_check { 0 } else { cell::OPEN | cell::SAFE };
        }
        match self.conversions.value {
            Some(Value::Win(plies)) => plies,
            _ if self.conversions.draws => cell::OPEN | cell::SAFE,
            Some(_) if self.quiet == 0 => self.conversions.slowest_loss,
            _ => cell::OPEN | (self.conversions.slowest_loss / 2) << 8 | self.quiet,
        }
    }

    #[inline(always)]
    fn see_king(&mut self, slot: usize) {
        let scene = self.scene;
        let from = scene.square(slot);
        let others = scene.occupied() ^ from.bb();
        let targets = scene.attacks(self.isa, slot).without(scene.sides[self.side.index()]);
        for to in targets {
            let capture = others.has(to);
            let taken = if capture { scene.slot_on(to) } else { NOBODY };
            if !scene.is_attacked(self.isa, to, !self.side, others, taken) {
                self.note(slot, to, capture.then_some(taken), None);
            }
        }
    }

    /// Whether the man may go to any square without leaving his king in check.
    #[inline(always)]
    fn is_free(&self, from: Square) -> bool {
        let scene = self.scene;
        let king = scene.king(self.side);
        let without = scene.occupied() ^ from.bb();
        !self.in_check && !scene.is_attacked(self.isa, king, !self.side, without, NOBODY)
    }

    #[inline(always)]
    fn is_legal(&self, from: Square, to: Square, taken: usize) -> bool {
        let scene = self.scene;
        let occupied = (scene.occupied() ^ from.bb()) | to.bb();
        !scene.is_attacked(self.isa, scene.king(self.side), !self.side, occupied, taken)
    }

    #[inline(always)]
    fn see_piece(&mut self, slot: usize) {
        let scene = self.scene;
        let from = scene.square(slot);
        let targets = scene.attacks(self.isa, slot);
        let quiet = targets.without(scene.occupied());
        let free = self.is_free(from);
        if free {
            self.quiet += quiet.count() as u16;
        } else {
            for to in quiet {
                self.quiet += u16::from(self.is_legal(from, to, NOBODY));
            }
        }
        for to in targets & scene.sides[(!self.side).index()] {
            let taken = scene.slot_on(to);
            if free || self.is_legal(from, to, taken) {
                self.note(slot, to, Some(taken), None);
            }
        }
    }

    #[inline(always)]
    fn see_pawn(&mut self, slot: usize) {
        let scene = self.scene;
        let from = scene.square(slot);
        let free = self.is_free(from);
        let promotes = from.rank_for(self.side) == 6;
        let step = behind(from, !self.side);
        if !scene.occupied().has(step) {
            if free || self.is_legal(from, step, NOBODY) {
                self.note_pawn(slot, step, None, promotes);
            }
            let double = behind(step, !self.side);
            if from.rank_for(self.side) == 1
                && !scene.occupied().has(double)
                && (free || self.is_legal(from, double, NOBODY))
            {
                self.quiet += 1;
            }
        }
        let targets: Bitboard = scene.attacks(self.isa, slot) & scene.sides[(!self.side).index()];
        for to in targets {
            let taken = scene.slot_on(to);
            if free || self.is_legal(from, to, taken) {
                self.note_pawn(slot, to, Some(taken), promotes);
            }
        }
    }

    #[inline(always)]
    fn note_pawn(&mut self, slot: usize, to: Square, taken: Option<usize>, promotes: bool) {
        if promotes {
            for kind in PieceKind::PROMOTIONS {
                self.note(slot, to, taken, Some((slot, kind)));
            }
        } else {
            self.note(slot, to, taken, None);
        }
    }

    /// A legal move: a quiet one is counted, a conversion is looked up.
    #[inline(always)]
    fn note(
        &mut self,
        slot: usize,
        to: Square,
        taken: Option<usize>,
        promoted: Option<(usize, PieceKind)>,
    ) {
        if taken.is_none() && promoted.is_none() {
            self.quiet += 1;
            return;
        }
        let mut squares = self.scene.squares;
        squares[slot] = to.index() as u8;
        let value = self.frame.successors.value(&squares, !self.side, taken, promoted);
        self.conversions.add(self.frame.metric.after_conversion(value));
    }
}
