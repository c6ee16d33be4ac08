//! The order in which moves are tried.
//!
//! `modern` generates in stages, so that a node that is cut off by its first move generates nothing.
//! The papers' programs generate all moves, give each a score by their own rule (`ordering.rs`) and
//! take them by falling score (D14, M7).

mod sorted;

use crate::keys::{self, Greatest, LANES, key};
use crate::ordering_context::OrderingContext;
use board::attacks::dispatch;
use board::{MAX_MOVES, Move, MoveList, PieceKind, Position, Stage, prefetch};
use eval::score::Score;
use std::cmp::Ordering;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Table,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    BadCaptures,
    Sorted,
    Done,
}

/// What an exchange makes of a capture.
enum Worth {
    Good,
    Even,
    Bad,
}

/// Gives out the moves of one node.
#[derive(Clone)]
pub struct Picker {
    moves: MoveList,
    /// A key for each move ([`crate::keys`]); in the papers' orders the bare score.
    scores: [i32; MAX_MOVES + LANES],
    next: usize,
    bad: MoveList,
    next_bad: usize,
    /// Captures that neither win nor lose material: they take their place among the quiet moves.
    even: MoveList,
    phase: Phase,
    table_move: Move,
    captures_only: bool,
    /// Whether quiet checks follow the captures, and pawns that go to the seventh rank.
    with_checks: bool,
    with_pushes: bool,
    /// Exchanges must gain at least this to count as good.
    threshold: Score,
    /// Whether all moves were generated and scored at once, by a paper's rule.
    sorted: bool,
}

impl Picker {
    /// One that has nothing to give.
    pub fn new() -> Picker {
        Picker {
            moves: MoveList::new(),
            scores: [0; MAX_MOVES + LANES],
            next: 0,
            bad: MoveList::new(),
            next_bad: 0,
            even: MoveList::new(),
            phase: Phase::Done,
            table_move: Move::NONE,
            captures_only: false,
            with_checks: false,
            with_pushes: false,
            threshold: 0,
            sorted: false,
        }
    }

    /// Asks the CPU to load what [`Picker::next`] reads.
    pub fn prefetch(&self) {
        prefetch(&self.next);
        prefetch(&self.moves);
        prefetch(&self.scores);
    }

    /// Starts the stages; the table move must be legal, or [`Move::NONE`].
    #[inline(always)]
    pub fn begin(&mut self, table_move: Move) {
        self.restart(table_move, false, 0);
    }

    /// Starts with captures and promotions that win at least `threshold` (all evasions in check).
    #[inline(always)]
    pub fn begin_captures(&mut self, position: &Position, table_move: Move, threshold: Score) {
        self.restart(table_move, !position.in_check(), threshold);
    }

    /// The same, and quiet moves that give check without losing material after them.
    #[inline(always)]
    pub fn begin_captures_and_checks(&mut self, position: &Position, table_move: Move) {
        self.begin_captures(position, table_move, 0);
        self.with_checks = self.captures_only;
    }

    /// Behind the checks, pawns that go to the seventh rank come too (M25).
    pub fn add_pushes(&mut self) {
        self.with_pushes = self.with_checks;
    }

    #[inline(always)]
    fn restart(&mut self, table_move: Move, captures_only: bool, threshold: Score) {
        self.moves.clear();
        self.bad.clear();
        self.even.clear();
        (self.next, self.next_bad) = (0, 0);
        self.phase = if table_move.is_none() { Phase::GenerateCaptures } else { Phase::Table };
        (self.table_move, self.captures_only, self.threshold) =
            (table_move, captures_only, threshold);
        (self.with_checks, self.with_pushes, self.sorted) = (false, false, false);
    }

    /// Whether quiet moves may still be generated.
    #[inline(always)]
    pub fn is_before_quiets(&self) -> bool {
        matches!(self.phase, Phase::GenerateCaptures | Phase::GoodCaptures)
    }

    /// Passes over the quiet moves that have not come yet.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        if matches!(self.phase, Phase::GenerateQuiets | Phase::Quiets) {
            if !self.even.is_empty() {
                self.keep_even();
            }
            self.phase = Phase::BadCaptures;
        } else if matches!(self.phase, Phase::Table | Phase::GenerateCaptures | Phase::GoodCaptures)
        {
            self.captures_only = true;
        }
    }

    /// Even captures that have not come yet come with the bad ones.
    fn keep_even(&mut self) {
        let pending = match self.phase {
            Phase::Quiets => self.moves.get(self.next..).unwrap_or_default(),
            _ => &self.even,
        };
        for mv in pending.iter().filter(|mv| self.even.contains(mv)) {
            self.bad.push(*mv);
        }
    }

    /// The next move.
    pub fn next(&mut self, context: &OrderingContext<'_>) -> Option<Move> {
        loop {
            match self.phase {
                Phase::Table => {
                    self.phase = Phase::GenerateCaptures;
                    return Some(self.table_move);
                }
                Phase::GenerateCaptures => self.generate_captures(context),
                Phase::GoodCaptures => match self.best() {
                    Some(mv) => match self.worth(context.position, mv) {
                        Worth::Good => return Some(mv),
                        Worth::Even => self.even.push(mv),
                        Worth::Bad => self.bad.push(mv),
                    },
                    None if self.with_checks => self.phase = Phase::GenerateChecks,
                    None if self.captures_only => self.phase = Phase::BadCaptures,
                    None if context.skips_quiets && self.even.is_empty() => {
                        self.phase = Phase::BadCaptures;
                    }
                    None => self.phase = Phase::GenerateQuiets,
                },
                Phase::GenerateQuiets => self.generate_quiets(context),
                Phase::Quiets => match self.best() {
                    Some(mv) => return Some(mv),
                    None => self.phase = Phase::BadCaptures,
                },
                Phase::GenerateChecks => {
                    (self.next, self.phase) = (0, Phase::Checks);
                    self.moves.clear();
                    context.position.generate(Stage::QuietChecks, &mut self.moves);
                    if self.with_pushes {
                        generate_pushes(context.position, &mut self.moves);
                    }
                    for (place, score) in self.scores[..self.moves.len()].iter_mut().enumerate() {
                        *score = key(0, place);
                    }
                    self.close_scores();
                }
                Phase::Checks => match self.best() {
                    Some(mv) if context.position.see_at_least(mv, 0) => return Some(mv),
                    Some(_) => (),
                    None => self.phase = Phase::BadCaptures,
                },
                Phase::BadCaptures => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.phase = Phase::Done,
                },
                Phase::Sorted => match self.moves.get(self.next) {
                    Some(&mv) => {
                        self.next += 1;
                        return Some(mv);
                    }
                    None => self.phase = Phase::Done,
                },
                Phase::Done => return None,
            }
        }
    }

    /// When a capture comes. Where quiet moves follow, one that wins nothing is not better than they are
    /// for being a capture: it waits for them, and its history decides.
    #[inline(always)]
    fn worth(&self, position: &Position, mv: Move) -> Worth {
        let mixes = !self.captures_only && !position.in_check();
        if !mixes {
            let wins = position.see_at_least(mv, self.threshold);
            return if wins { Worth::Good } else { Worth::Bad };
        }
        match position.see_compare(mv, self.threshold) {
            Ordering::Greater => Worth::Good,
            Ordering::Equal => Worth::Even,
            Ordering::Less => Worth::Bad,
        }
    }

    /// Whether the capture that came last is known not to lose material (by [`Picker::begin`]'s order).
    #[inline(always)]
    pub fn knows_exchange(&self) -> bool {
        matches!(self.phase, Phase::GoodCaptures | Phase::Quiets)
    }

    /// Whether the moves that come now are captures that lose material.
    #[inline(always)]
    pub fn is_at_bad_captures(&self) -> bool {
        self.phase == Phase::BadCaptures
    }

    /// The remaining move with the greatest score, the first among equals.
    #[inline(always)]
    fn best(&mut self) -> Option<Move> {
        loop {
            if self.next >= self.moves.len() {
                return None;
            }
            let (keys, from, to) = (&self.scores, self.next, self.moves.len());
            let best = dispatch(Greatest { keys, from, to });
            let place = keys::place(best);
            let mv = *self.moves.get(place)?;
            self.moves.swap(self.next, place);
            self.scores[place] = keys::moved(self.scores[self.next], place);
            self.next += 1;
            if mv != self.table_move {
                return Some(mv);
            }
        }
    }

    fn generate_captures(&mut self, context: &OrderingContext<'_>) {
        context.position.generate(Stage::Captures, &mut self.moves);
        for index in 0..self.moves.len() {
            self.scores[index] = key(context.capture_score(self.moves[index]), index);
        }
        self.close_scores();
        self.phase = Phase::GoodCaptures;
    }

    fn generate_quiets(&mut self, context: &OrderingContext<'_>) {
        (self.next, self.phase) = (0, Phase::Quiets);
        self.moves.clear();
        let histories = context.histories.quiets(context.position, context.context);
        histories.prefetch();
        context.position.generate(Stage::Quiets, &mut self.moves);
        context.score_quiets(&histories, &self.moves, &mut self.scores);
        self.mix_even(context);
        self.close_scores();
    }

    /// Marks the end of the scores for [`Greatest`].
    #[inline(always)]
    fn close_scores(&mut self) {
        let len = self.moves.len();
        if let Some(end) = self.scores.get_mut(len..len + LANES) {
            end.fill(keys::NONE);
        }
    }

    /// Puts the even captures among the quiet moves.
    #[inline(always)]
    fn mix_even(&mut self, context: &OrderingContext<'_>) {
        for index in 0..self.even.len() {
            let mv = self.even[index];
            let place = self.moves.len();
            if let Some(slot) = self.scores.get_mut(place) {
                let score = context.even_score(mv);
                *slot = key(score, place);
                self.moves.push(mv);
            }
        }
    }
}

/// Adds pawns that go to the seventh rank, if they are not there yet.
#[cold]
fn generate_pushes(position: &Position, moves: &mut MoveList) {
    let mut quiets = MoveList::new();
    position.generate(Stage::Quiets, &mut quiets);
    for &mv in quiets.iter().filter(|&&mv| is_push_to_seventh(position, mv)) {
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
}

/// Whether a pawn goes to its seventh rank, where no other stands in its way any more.
pub fn is_push_to_seventh(position: &Position, mv: Move) -> bool {
    let is_pawn = position.kind(PieceKind::Pawn).has(mv.from());
    is_pawn && mv.to().rank_for(position.side_to_move()) == 6 && !position.is_capture(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histories::{Histories, HistoryContext, PieceTo};

    fn all(position: &Position, table_move: Move) -> Vec<Move> {
        let mut picker = Picker::new();
        picker.begin(table_move);
        rest(picker, position)
    }

    /// All moves that come, where nothing has been learnt.
    pub(super) fn rest(mut picker: Picker, position: &Position) -> Vec<Move> {
        let context = OrderingContext {
            position,
            histories: &Histories::new(),
            context: &HistoryContext::new(position, [PieceTo::NONE; 3]),
            killers: None,
            checks: None,
            skips_quiets: false,
        };
        std::iter::from_fn(|| picker.next(&context)).collect()
    }

    #[test]
    fn every_legal_move_comes_once_and_the_table_move_first() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            "4k3/8/8/8/8/5n2/8/4K2R w K - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut legal: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            let table_move = position.legal_moves()[legal.len() / 2];
            let picked = all(&position, table_move);
            assert_eq!(picked[0], table_move);
            let mut bits: Vec<u16> = picked.iter().map(|mv| mv.bits()).collect();
            legal.sort_unstable();
            bits.sort_unstable();
            assert_eq!(bits, legal, "{fen}");
        }
    }
}
