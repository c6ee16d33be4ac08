//! What the search remembers about moves: which of them were good where (Z18 to Z20, M22).

use crate::parameters;
use crate::shared_number::SharedNumber;
use board::{Move, Piece, PieceKind, Position, Square, prefetch};
use std::sync::Arc;

/// No history leaves this range.
pub const LIMIT: i32 = 16_384;

/// How far a bonus moves a history: the nearer it is to the limit, the less (gravity).
#[inline(always)]
fn pull_of(bonus: i32, value: i32) -> i32 {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    bonus - value * bonus.abs() / LIMIT
}

/// Moves a history towards a bonus.
#[inline(always)]
pub fn pull(cell: &mut i16, bonus: i32) {
    let value = i32::from(*cell);
    *cell = (value + pull_of(bonus, value)) as i16;
}

/// The bonus for a move that was best at a depth.
#[inline(always)]
pub fn bonus(depth: i32) -> i32 {
    (parameters::history_bonus() * depth).min(parameters::history_bonus_max())
}

/// A piece and the square it went to: how a move is remembered by its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Before the root and after a null move.
    pub const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16 - 1);
    /// All pieces on all squares, and none.
    pub const COUNT: usize = 12 * 64 + 1;

    /// A piece that went to a square.
    #[inline(always)]
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * 64 + to.index()) as u16)
    }

    /// The piece that a move moves in a position, and where to.
    #[inline(always)]
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        match position.piece_on(mv.from()) {
            Some(piece) => PieceTo::new(piece, mv.to()),
            None => PieceTo::NONE,
        }
    }

    /// The one with a number.
    pub fn from_index(index: usize) -> Option<PieceTo> {
        (index < PieceTo::COUNT).then_some(PieceTo(index as u16))
    }

    /// Its number, below [`PieceTo::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of the piece that a move moves: without a look whether there is one, as any number that a square can
/// hold is a piece, the last one none.
#[inline(always)]
pub fn moved(position: &Position, mv: Move) -> usize {
    position.piece_on(mv.from()).map_or(12, Piece::index)
}

/// Histories by piece and target: 64 squares for each piece, and for none. Two lines of the CPU's caches hold those
/// of a piece. Several threads may learn in one row.
#[repr(align(64))]
struct Row([SharedNumber; Row::LEN]);

/// Rows that several threads may have in common.
type Rows = Arc<[Row]>;

impl Row {
    const LEN: usize = 13 * 64;

    /// Nothing learned yet.
    const fn empty() -> Row {
        Row([const { SharedNumber::new() }; Row::LEN])
    }

    fn many(count: usize) -> Rows {
        (0..count).map(|_| Row::empty()).collect()
    }

    /// Forgets rows that no other worker has, and leaves shared ones to the others.
    fn clear(rows: &mut Rows) {
        match Arc::get_mut(rows) {
            Some(rows) => rows.iter_mut().for_each(|row| *row = Row::empty()),
            None => *rows = Row::many(rows.len()),
        }
    }

    #[inline(always)]
    fn pull(&self, place: usize, bonus: i32) {
        self.0[place].change(|value| pull_of(bonus, value));
    }

    #[inline(always)]
    fn place(position: &Position, mv: Move) -> usize {
        moved(position, mv) * 64 + mv.to().index()
    }
}

/// What is known where nothing is remembered.
static NOTHING: Row = Row::empty();

const PAWN_STRUCTURES: usize = 512;

/// What speaks for quiet moves by side, origin and target.
pub type Butterfly = [[i16; 4096]; 2];

/// The histories of one worker.
pub struct Histories {
    /// By side, origin and target.
    butterfly: Box<Butterfly>,
    /// By piece, target and captured kind.
    captures: Box<[[i16; 6]; Row::LEN]>,
    /// By an earlier move's piece and target and this one's.
    continuations: Rows,
    /// By pawn structure, piece and target.
    pawns: Rows,
    /// The reply that refuted a move (Z20).
    counters: Box<[Move; PieceTo::COUNT]>,
}

/// Where a quiet move is made: what its history is looked up by.
#[derive(Clone, Copy, Debug)]
pub struct HistoryContext {
    /// The moves one, two and four plies before.
    pub earlier: [PieceTo; 3],
    /// The pawn structure.
    pub pawns: usize,
}

impl HistoryContext {
    /// In a position, after some moves.
    #[inline(always)]
    pub fn new(position: &Position, earlier: [PieceTo; 3]) -> HistoryContext {
        HistoryContext { earlier, pawns: position.pawn_key() as usize % PAWN_STRUCTURES }
    }
}

/// The rows of the histories that belong to one position, for many moves.
#[derive(Clone, Copy)]
pub struct Quiets<'a> {
    position: &'a Position,
    butterfly: &'a [i16; 4096],
    pawns: &'a Row,
    continuations: [&'a Row; 3],
}

impl Quiets<'_> {
    /// Asks for the memory of the moves that this side's men may make. The rows of many nodes do not fit
    /// into the near caches: they come while the moves are being generated.
    #[inline(always)]
    pub fn prefetch(&self) {
        let first = Piece::new(self.position.side_to_move(), PieceKind::Pawn).index() * 64;
        let [one, two, four] = self.continuations;
        for Row(row) in [one, two, four, self.pawns] {
            // The squares of a man are two lines; those of the other side's men lie in between.
            for kind in 0..PieceKind::ALL.len() {
                let place = (first + kind * 128) % Row::LEN;
                prefetch(&row[place]);
                prefetch(&row[(place + 32) % Row::LEN]);
            }
        }
    }

    /// All that speaks for a move of a piece, by its number (12 for none).
    #[inline(always)]
    pub fn of(&self, mv: Move, piece: usize) -> i32 {
        let place = piece * 64 + mv.to().index();
        let [one, two, four] = self.continuations;
        i32::from(self.butterfly[Histories::from_to(mv)])
            + self.pawns.0[place].get()
            + one.0[place].get()
            + two.0[place].get()
            + four.0[place].half()
    }
}

impl Histories {
    /// Empty ones.
    pub fn new() -> Histories {
        Histories::with_rows(Row::many(PieceTo::COUNT), Row::many(PAWN_STRUCTURES))
    }

    /// Without continuations and pawn structures, which the papers' programs do not have.
    pub fn small() -> Histories {
        Histories::with_rows(Row::many(0), Row::many(0))
    }

    /// Empty ones but for continuations and pawn structures, which are those of another worker from now on.
    pub fn sharing(&self) -> Histories {
        Histories::with_rows(Arc::clone(&self.continuations), Arc::clone(&self.pawns))
    }

    fn with_rows(continuations: Rows, pawns: Rows) -> Histories {
        Histories {
            butterfly: Box::new([[0; 4096]; 2]),
            captures: Box::new([[0; 6]; Row::LEN]),
            continuations,
            pawns,
            counters: Box::new([Move::NONE; PieceTo::COUNT]),
        }
    }

    /// Bytes of those of a profile, small or not.
    pub fn bytes(small: bool) -> usize {
        let rows = if small { 0 } else { PieceTo::COUNT + PAWN_STRUCTURES };
        let counters = size_of::<[Move; PieceTo::COUNT]>();
        size_of::<Butterfly>() + 6 * size_of::<Row>() + rows * size_of::<Row>() + counters
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
        Row::clear(&mut self.continuations);
        Row::clear(&mut self.pawns);
        self.counters.fill(Move::NONE);
    }

    /// A copy of the plain history, for a helper.
    pub fn copy(&self) -> Box<Butterfly> {
        self.butterfly.clone()
    }

    /// Goes on with another worker's plain history.
    pub fn adopt(&mut self, butterfly: &Butterfly) {
        self.butterfly.copy_from_slice(butterfly);
    }

    /// The plain history.
    pub fn plain(&self) -> &Butterfly {
        &self.butterfly
    }

    /// The plain history, to be changed by what others have learnt.
    pub fn plain_mut(&mut self) -> &mut Butterfly {
        &mut self.butterfly
    }

    #[inline(always)]
    fn from_to(mv: Move) -> usize {
        mv.to().index() << 6 | mv.from().index()
    }

    /// The plain from–to history of a move (M22).
    #[inline(always)]
    pub fn butterfly(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.butterfly[position.side_to_move().index()][Histories::from_to(mv)])
    }

    /// The histories of the quiet moves of a position.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, position: &'a Position, context: &HistoryContext) -> Quiets<'a> {
        let [one, two, four] = context.earlier;
        let after = |earlier: PieceTo| self.continuations.get(earlier.index()).unwrap_or(&NOTHING);
        Quiets {
            position,
            butterfly: &self.butterfly[position.side_to_move().index()],
            pawns: self.pawns.get(context.pawns).unwrap_or(&NOTHING),
            // Not by `map`, which the compiler does not always inline.
            continuations: [after(one), after(two), after(four)],
        }
    }

    /// All that speaks for a quiet move.
    #[inline(always)]
    pub fn quiet(&self, position: &Position, context: &HistoryContext, mv: Move) -> i32 {
        self.quiets(position, context).of(mv, moved(position, mv))
    }

    /// What speaks for a capture of a kind, by its number.
    #[inline(always)]
    pub fn capture(&self, position: &Position, mv: Move, captured: usize) -> i32 {
        i32::from(self.captures[Row::place(position, mv)][captured])
    }

    /// A quiet move was good (positive bonus) or was tried in vain.
    pub fn update_quiet(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        mv: Move,
        bonus: i32,
    ) {
        self.update_plain(position, mv, bonus);
        let place = Row::place(position, mv);
        if let Some(row) = self.pawns.get(context.pawns) {
            row.pull(place, bonus);
        }
        for earlier in context.earlier {
            if let Some(row) = self.continuations.get(earlier.index()) {
                row.pull(place, bonus);
            }
        }
    }

    /// The same for the plain history alone.
    #[inline(always)]
    pub fn update_plain(&mut self, position: &Position, mv: Move, bonus: i32) {
        let side = position.side_to_move().index();
        pull(&mut self.butterfly[side][Histories::from_to(mv)], bonus);
    }

    /// A capture was good or was tried in vain.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let captured = position.captured(mv).unwrap_or(PieceKind::Pawn);
        pull(&mut self.captures[Row::place(position, mv)][captured.index()], bonus);
    }

    /// The reply that last refuted a move.
    #[inline(always)]
    pub fn counter(&self, piece_to: PieceTo) -> Move {
        self.counters[piece_to.index()]
    }

    /// A reply refuted a move.
    #[inline(always)]
    pub fn set_counter(&mut self, piece_to: PieceTo, reply: Move) {
        self.counters[piece_to.index()] = reply;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_in_their_range() {
        let mut cell = 0;
        for _ in 0..1000 {
            pull(&mut cell, LIMIT * 3);
            assert!((0..=LIMIT as i16).contains(&cell));
        }
        for _ in 0..1000 {
            pull(&mut cell, -1234);
            assert!(i32::from(cell).abs() <= LIMIT);
        }
        assert!(cell < -(LIMIT as i16) / 2);
    }

    #[test]
    fn z20_a_refutation_is_found_by_the_move_it_refutes() {
        let mut histories = Histories::new();
        let position = Position::startpos();
        let mv = position.legal_moves()[3];
        let piece_to = PieceTo::of(&position, mv);
        assert!(histories.counter(piece_to).is_none());
        histories.set_counter(piece_to, mv);
        assert_eq!(histories.counter(piece_to), mv);
    }

    #[test]
    fn what_one_learns_in_shared_rows_the_other_knows() {
        let mut one = Histories::new();
        let mut two = one.sharing();
        let position = Position::startpos();
        let mv = position.legal_moves()[3];
        let context = HistoryContext::new(&position, [PieceTo::NONE; 3]);
        one.update_quiet(&position, &context, mv, 800);
        let plain = one.butterfly(&position, mv);
        let known = two.quiet(&position, &context, mv);
        assert_eq!(
            (two.butterfly(&position, mv), known),
            (0, one.quiet(&position, &context, mv) - plain)
        );
        assert!(known > 0);
        two.clear();
        assert_eq!(two.quiet(&position, &context, mv), 0);
        assert_eq!(one.quiet(&position, &context, mv), plain + known);
    }
}
