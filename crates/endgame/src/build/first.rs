//! The first look at every position: is it legal, mate or stalemate, what do its captures and
//! promotions lead to, and how many quiet moves has it?

use super::en_passant::{self, EnPassant};
use super::memory::{CHUNK, Memory};
use super::successor::Successors;
use crate::layout::Layout;
use crate::placement::{Placement, behind};
use crate::value::{Metric, Value, cell};
use board::attacks::{Isa, Kernel};
use board::{Bitboard, Color, PieceKind, Square};

/// In place of a man's number: none is taken.
pub const NONE_TAKEN: usize = usize::MAX;

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
    pub en_passant: Vec<EnPassant>,
}

impl Kernel for FirstLook<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Seen {
        let begin = self.chunk * CHUNK;
        let mut seen = Seen::default();
        for index in begin..self.frame.layout.size().min(begin + CHUNK) {
            let (frame, side, en_passant) = (self.frame, self.side, &mut seen.en_passant);
            if let Some(state) = isa.call(LookAt { frame, side, index, en_passant }) {
                self.memory.set(self.side.index(), index, state);
                seen.legal += 1;
            }
        }
        seen
    }
}

/// The first state of a cell; none if the number stands for no position. Rights to capture en passant
/// are added to a list. Called and not inlined: building alone and with others share it.
pub struct LookAt<'a, 'b> {
    pub frame: Frame<'a>,
    pub side: Color,
    pub index: usize,
    pub en_passant: &'b mut Vec<EnPassant>,
}

impl Kernel for LookAt<'_, '_> {
    type Output = Option<u16>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<u16> {
        let LookAt { frame, side, index, en_passant } = self;
        let layout = frame.layout;
        let squares = layout.squares(index);
        let placement = Placement::new(layout, squares)?;
        let twin = !layout.pawns && layout.index(&squares) != index;
        if twin
            || placement.is_attacked(
                isa,
                placement.king(!side),
                side,
                placement.occupied(),
                NONE_TAKEN,
            )
        {
            return None;
        }
        let mut look = Look::new(frame, &placement, side, isa);
        look.see_all();
        if layout.pawns {
            let stuck = look.is_stuck();
            en_passant::find(isa, frame, &placement, side, index, stuck, en_passant);
        }
        Some(look.state())
    }
}

/// The moves of one position, added up.
struct Look<'a, I> {
    frame: Frame<'a>,
    placement: &'a Placement<'a>,
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
    fn new(frame: Frame<'a>, placement: &'a Placement<'a>, side: Color, isa: I) -> Look<'a, I> {
        let in_check = placement.is_attacked(
            isa,
            placement.king(side),
            !side,
            placement.occupied(),
            NONE_TAKEN,
        );
        Look { frame, placement, side, isa, in_check, quiet: 0, conversions: Best::default() }
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
        let placement = self.placement;
        let from = placement.square(slot);
        let others = placement.occupied() ^ from.bb();
        let targets = placement.attacks(self.isa, slot).without(placement.sides[self.side.index()]);
        for to in targets {
            let capture = others.has(to);
            let taken = if capture { placement.slot_on(to) } else { NONE_TAKEN };
            if !placement.is_attacked(self.isa, to, !self.side, others, taken) {
                self.note(slot, to, capture.then_some(taken), None);
            }
        }
    }

    /// Whether the man may go to any square without leaving its king in check.
    #[inline(always)]
    fn is_free(&self, from: Square) -> bool {
        let placement = self.placement;
        let king = placement.king(self.side);
        let without = placement.occupied() ^ from.bb();
        !self.in_check && !placement.is_attacked(self.isa, king, !self.side, without, NONE_TAKEN)
    }

    #[inline(always)]
    fn is_legal(&self, from: Square, to: Square, taken: usize) -> bool {
        let placement = self.placement;
        let occupied = (placement.occupied() ^ from.bb()) | to.bb();
        !placement.is_attacked(self.isa, placement.king(self.side), !self.side, occupied, taken)
    }

    #[inline(always)]
    fn see_piece(&mut self, slot: usize) {
        let placement = self.placement;
        let from = placement.square(slot);
        let targets = placement.attacks(self.isa, slot);
        let quiet = targets.without(placement.occupied());
        let free = self.is_free(from);
        if free {
            self.quiet += quiet.count() as u16;
        } else {
            for to in quiet {
                self.quiet += u16::from(self.is_legal(from, to, NONE_TAKEN));
            }
        }
        for to in targets & placement.sides[(!self.side).index()] {
            let taken = placement.slot_on(to);
            if free || self.is_legal(from, to, taken) {
                self.note(slot, to, Some(taken), None);
            }
        }
    }

    #[inline(always)]
    fn see_pawn(&mut self, slot: usize) {
        let placement = self.placement;
        let from = placement.square(slot);
        let free = self.is_free(from);
        let promotes = from.rank_for(self.side) == 6;
        let step = behind(from, !self.side);
        if !placement.occupied().has(step) {
            if free || self.is_legal(from, step, NONE_TAKEN) {
                self.note_pawn(slot, step, None, promotes);
            }
            let double = behind(step, !self.side);
            if from.rank_for(self.side) == 1
                && !placement.occupied().has(double)
                && (free || self.is_legal(from, double, NONE_TAKEN))
            {
                self.quiet += 1;
            }
        }
        let targets: Bitboard =
            placement.attacks(self.isa, slot) & placement.sides[(!self.side).index()];
        for to in targets {
            let taken = placement.slot_on(to);
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
        let mut squares = self.placement.squares;
        squares[slot] = to.index() as u8;
        let value = self.frame.successors.value(&squares, !self.side, taken, promoted);
        self.conversions.add(self.frame.metric.after_conversion(value));
    }
}
