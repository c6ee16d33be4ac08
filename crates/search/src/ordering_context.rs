//! What the order of moves depends on in `modern`, and the scores that follow from it.
//!
//! Beside what the histories say, a quiet move has merits of its own: a check that loses nothing, a piece
//! that leaves danger or walks into it (+47.9 ± 19.7 Elo, docs/lab/strength.md).

use crate::histories::{Histories, HistoryContext, Quiets};
use crate::keys::{self, key};
use crate::killers::Killers;
use crate::parameters::{self, PIECE_VALUES};
use board::attacks::{self, Isa, Kernel, dispatch};
use board::{Bitboard, CheckInfo, Move, MoveKind, Piece, PieceKind, Position, Square};

/// Quiet moves are scored in groups of as many as a set can hold.
const GROUP: usize = 64;

/// What the order depends on.
pub struct OrderingContext<'a> {
    /// Where the moves are made.
    pub position: &'a Position,
    /// What was good before.
    pub histories: &'a Histories,
    /// How to look that up.
    pub context: &'a HistoryContext,
    /// Quiet moves that cut off siblings of this node. Without them the move that last refuted the move
    /// that led here does not count either.
    pub killers: Option<&'a Killers>,
    /// Which moves give check, where that matters.
    pub checks: Option<&'a CheckInfo>,
    /// Whether no quiet move would be searched: then none is generated.
    pub skips_quiets: bool,
}

impl OrderingContext<'_> {
    /// What speaks for a capture: the captured man, and the history.
    #[inline(always)]
    pub fn capture_score(&self, mv: Move) -> i32 {
        match (mv.kind(), self.position.piece_on(mv.to())) {
            (MoveKind::Normal, Some(captured)) => {
                let kind = captured.kind_index();
                PIECE_VALUES[kind] * 16 + self.histories.capture(self.position, mv, kind) / 4
            }
            _ => self.special_score(mv),
        }
    }

    /// The same for promotions and en passant.
    #[cold]
    #[inline(never)]
    fn special_score(&self, mv: Move) -> i32 {
        let captured = self.position.captured(mv);
        let victim = captured.map_or(0, |kind| PIECE_VALUES[kind.index()]);
        let promotion = match mv.promoted() {
            Some(PieceKind::Queen) => parameters::queening_merit(),
            Some(_) => -parameters::underpromotion_merit(),
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
            let checking = dispatch(Score { context: self, histories, first, moves, scores });
            // The exchanges come afterwards: the loop over all moves calls nothing and has everything
            // in registers.
            for place in checking.map(Square::index) {
                let merit = merit_of_check(self.position, moves[place]);
                scores[place] = keys::raised(scores[place], merit);
            }
            first += GROUP;
        }
    }
}

/// Scores the quiet moves of a group, and says which of them give check.
struct Score<'a> {
    context: &'a OrderingContext<'a>,
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
        let OrderingContext { position, histories, context, killers, checks, .. } = *self.context;
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

/// How much a man has to lose, in units, by kind.
const STAKES: ByKind<i32> = [0, 1, 1, 2, 4, 0, 0];

/// By the kind of the man that moves; the last place is for none.
type ByKind<T> = [T; 7];

/// The kind of the man that a move moves, as a place.
#[inline(always)]
fn kind_of(position: &Position, mv: Move) -> usize {
    position.piece_on(mv.from()).map_or(6, Piece::kind_index)
}

/// Where quiet moves of a position win or lose merit.
struct Merits {
    /// From where a man gives check.
    checks: ByKind<Bitboard>,
    /// Where a man is attacked by men of less value.
    dangers: ByKind<Bitboard>,
    /// What leaving such a square is worth, on the scale of the histories.
    prices: ByKind<i32>,
}

impl Merits {
    /// Looks at a position; without `checks` they have no merit.
    #[inline(always)]
    fn new<I: Isa>(isa: I, position: &Position, checks: Option<&CheckInfo>) -> Merits {
        let mut by_kind = [Bitboard::EMPTY; 7];
        if let Some(checks) = checks {
            by_kind[..6].copy_from_slice(&checks.squares);
        }
        let mut prices = STAKES;
        for price in &mut prices {
            *price *= parameters::danger_merit();
        }
        Merits { checks: by_kind, dangers: dangers(isa, position), prices }
    }

    /// The merit of a quiet move, on the scale of the histories, as long as it gives no check.
    #[inline(always)]
    fn of(&self, position: &Position, mv: Move) -> i32 {
        let kind = kind_of(position, mv);
        let danger = self.dangers[kind];
        let escapes = i32::from(danger.has(mv.from())) - i32::from(danger.has(mv.to()));
        escapes * self.prices[kind]
    }

    /// Whether a quiet move gives check with the man that it moves.
    #[inline(always)]
    fn gives_check(&self, position: &Position, mv: Move) -> bool {
        self.checks[kind_of(position, mv)].has(mv.to())
    }
}

/// What a quiet move that gives check is worth more for it: nothing if it loses too much.
#[inline(always)]
fn merit_of_check(position: &Position, mv: Move) -> i32 {
    let safe = position.see_at_least(mv, -parameters::check_loss());
    if safe { parameters::check_merit() } else { 0 }
}

/// Finds the squares that men of less value attack.
#[inline(always)]
fn dangers<I: Isa>(isa: I, position: &Position) -> ByKind<Bitboard> {
    let (them, occupied) = (!position.side_to_move(), position.occupied());
    let by_pawns = attacks::pawn_attacks_of(them, position.men(them, PieceKind::Pawn));
    let mut by_minors = by_pawns;
    for square in position.men(them, PieceKind::Knight) {
        by_minors |= attacks::knight(square);
    }
    for square in position.men(them, PieceKind::Bishop) {
        by_minors |= isa.bishop(square, occupied);
    }
    let mut by_rooks = by_minors;
    for square in position.men(them, PieceKind::Rook) {
        by_rooks |= isa.rook(square, occupied);
    }
    let none = Bitboard::EMPTY;
    [none, by_pawns, by_pawns, by_minors, by_rooks, none, none]
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::attacks::Portable;

    fn merit(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let checks = position.check_info();
        let merits = Merits::new(Portable::default(), &position, Some(&checks));
        let mv = position.parse_uci(mv).unwrap();
        let check = merits.gives_check(&position, mv);
        merits.of(&position, mv) + if check { merit_of_check(&position, mv) } else { 0 }
    }

    #[test]
    fn a_safe_check_has_merit_and_a_careless_one_has_not() {
        let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
        assert_eq!(merit(fen, "a2a8"), parameters::check_merit());
        assert_eq!(merit(fen, "a2a7"), 0);
        assert_eq!(merit("1r2k3/8/8/8/8/8/R7/4K3 w - - 0 1", "a2a8"), 0);
    }

    #[test]
    fn a_piece_that_leaves_danger_gains_what_it_loses_by_walking_into_it() {
        let fen = "4k3/8/8/1p3p2/2N5/8/8/4K3 w - - 0 1";
        assert_eq!(merit(fen, "c4a3"), parameters::danger_merit());
        let fen = "4k3/8/8/1p3p2/8/4N3/8/4K3 w - - 0 1";
        assert_eq!(merit(fen, "e3c4"), -parameters::danger_merit());
        assert_eq!(merit(fen, "e3d5"), 0);
    }
}
