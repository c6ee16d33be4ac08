//! What the order of moves depends on in `modern`, and the scores that follow from it.

use crate::histories::{Context, Histories, Quiets};
use crate::keys::{self, key};
use crate::killers::Killers;
use crate::merits::{self, Merits};
use crate::parameters;
use board::attacks::{Isa, Kernel, dispatch};
use board::{Bitboard, CheckInfo, Move, MoveKind, PieceKind, Position, Square};

/// Quiet moves are scored in groups of as many as a set can hold.
const GROUP: usize = 64;

const VICTIM: [i32; 6] = [100, 300, 320, 500, 950, 0];

/// What the order depends on.
pub struct Source<'a> {
    /// Where the moves are made.
    pub position: &'a Position,
    /// What was good before.
    pub histories: &'a Histories,
    /// How to look that up.
    pub context: &'a Context,
    /// Quiet moves that cut off brothers of this node. Without them the move that last refuted the step
    /// that led here does not count either.
    pub killers: Option<&'a Killers>,
    /// Which moves give check, where that matters.
    pub checks: Option<&'a CheckInfo>,
    /// Whether no quiet move would be searched: then none is generated.
    pub skips_quiets: bool,
}

impl Source<'_> {
    /// What speaks for a capture: the captured man, and the history.
    #[inline(always)]
    pub fn capture_score(&self, mv: Move) -> i32 {
        match (mv.kind(), self.position.piece_on(mv.to())) {
            (MoveKind::Normal, Some(captured)) => {
                let kind = captured.kind_index();
                VICTIM[kind] * 16 + self.histories.capture(self.position, mv, kind) / 4
            }
            _ => self.special_score(mv),
        }
    }

    /// The same for promotions and captures in passing.
    #[cold]
    #[inline(never)]
    fn special_score(&self, mv: Move) -> i32 {
        let captured = self.position.captured(mv);
        let victim = captured.map_or(0, |kind| VICTIM[kind.index()]);
        let promotion = match mv.promoted() {
            Some(PieceKind::Queen) => 900,
            Some(_) => -600,
            None => 0,
        };
        let kind = captured.unwrap_or(PieceKind::Pawn).index();
        (victim + promotion) * 16 + self.histories.capture(self.position, mv, kind) / 4
    }

    /// What speaks for a capture that wins nothing, among the quiet moves.
    #[inline(always)]
    pub fn even_score(&self, mv: Move) -> i32 {
        let captured = self.position.captured(mv).unwrap_or(PieceKind::Pawn).index();
        let history = self.histories.capture(self.position, mv, captured);
        history * parameters::even_scale() / 16 + parameters::even_merit()
    }

    /// Gives each quiet move the key of its score.
    #[inline(always)]
    pub fn score_quiets(&self, histories: &Quiets<'_>, moves: &[Move], scores: &mut [i32]) {
        let mut first = 0;
        for (moves, scores) in moves.chunks(GROUP).zip(scores.chunks_mut(GROUP)) {
            let checking = dispatch(Score { source: self, histories, first, moves, scores });
            // The exchanges come afterwards: the loop over all moves calls nobody and has everything
            // in registers.
            for place in checking.map(Square::index) {
                let merit = merits::of_check(self.position, moves[place]);
                scores[place] = keys::raised(scores[place], merit);
            }
            first += GROUP;
        }
    }
}

/// Scores the quiet moves of a group, and says which of them give check.
struct Score<'a> {
    source: &'a Source<'a>,
    histories: &'a Quiets<'a>,
    /// The place of the first one.
    first: usize,
    moves: &'a [Move],
    scores: &'a mut [i32],
}

impl Kernel for Score<'_> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Bitboard {
        let Source { position, histories, context, killers, checks, .. } = *self.source;
        let ([one, two], counter) = match killers {
            Some(killers) => (killers.moves(), histories.counter(context.earlier[0])),
            None => ([Move::NONE; 2], Move::NONE),
        };
        let merits = Merits::new(isa, position, checks);
        let mut checking = 0u64;
        let mut place = 0;
        // A plain loop: adapters of iterators may be compiled outside the kernel.
        while place < self.moves.len().min(self.scores.len()) {
            let mv = self.moves[place];
            let mut score = self.histories.of(mv) + merits.of(position, mv);
            if mv == one || mv == two {
                score += parameters::killer_merit();
            }
            if mv == counter {
                score += parameters::counter_merit();
            }
            self.scores[place] = key(score, self.first + place);
            checking |= u64::from(merits.gives_check(position, mv)) << (place % GROUP);
            place += 1;
        }
        Bitboard(checking)
    }
}
