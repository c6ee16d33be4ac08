//! What the order of moves depends on in `modern`, and the scores that follow from it.
//!
//! Beside what the histories say, a quiet move has merits of its own: a check that loses nothing, a piece
//! that leaves danger or walks into it (+47.9 ± 19.7 Elo, docs/lab/strength.md).

use crate::histories::{Histories, HistoryContext, Quiets, moved};
use crate::keys::{self, key};
use crate::killers::Killers;
use crate::parameters::{self, PIECE_VALUES};
use board::attacks::{self, Isa, Kernel, dispatch};
use board::{Bitboard, CheckInfo, Move, MoveKind, PieceKind, Position, Square};

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
                self.capture_merit(mv, kind, PIECE_VALUES[kind])
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
        self.capture_merit(mv, kind, victim + promotion)
    }

    /// What a capture wins, in 16ths of a centipawn, and its history.
    #[inline(always)]
    fn capture_merit(&self, mv: Move, captured: usize, gain: i32) -> i32 {
        let history = self.histories.capture(self.position, mv, captured);
        gain * 16 + history / parameters::capture_divisor()
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
        let favourites = self.favourites();
        let marks = favourites.iter().fold(0, |marks, &mv| marks | 1 << trace(mv));
        let mut first = 0;
        for (moves, scores) in moves.chunks(GROUP).zip(scores.chunks_mut(GROUP)) {
            let special = dispatch(Score { context: self, histories, marks, first, moves, scores });
            // What few moves have comes afterwards: the loop over all moves calls nothing and has
            // everything in registers.
            for place in special.map(Square::index) {
                let merit = self.special_merit(moves[place], favourites);
                scores[place] = keys::raised(scores[place], merit);
            }
            first += GROUP;
        }
    }

    /// The killers, and the move that last refuted the move that led here.
    #[inline(always)]
    fn favourites(&self) -> [Move; 3] {
        match self.killers {
            Some(killers) => {
                let [one, two] = killers.moves();
                [one, two, self.histories.counter(self.context.earlier[0])]
            }
            None => [Move::NONE; 3],
        }
    }

    /// What a quiet move is worth more as a killer, as a countermove, and for giving check.
    #[inline(always)]
    fn special_merit(&self, mv: Move, [one, two, counter]: [Move; 3]) -> i32 {
        let mut merit = 0;
        if mv == one || mv == two {
            merit += parameters::killer_merit();
        }
        if mv == counter {
            merit += parameters::counter_merit();
        }
        let kind = moved(self.position, mv) / 2;
        let squares = self.checks.and_then(|checks| checks.squares.get(kind));
        if squares.is_some_and(|squares| squares.has(mv.to())) {
            merit += merit_of_check(self.position, mv);
        }
        merit
    }
}

/// Six bits of a move by which most others can be told from it: also those that go as far in the same direction.
#[inline(always)]
fn trace(mv: Move) -> usize {
    (mv.from().index() + 2 * mv.to().index()) % 64
}

/// Scores the quiet moves of a group, and says which of them give check or have the trace of a favourite.
struct Score<'a> {
    context: &'a OrderingContext<'a>,
    histories: &'a Quiets<'a>,
    /// The traces of the favourites.
    marks: u64,
    /// The place of the first one.
    first: usize,
    moves: &'a [Move],
    scores: &'a mut [i32],
}

impl Kernel for Score<'_> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Bitboard {
        let OrderingContext { position, checks, .. } = *self.context;
        let merits = Merits::new(isa, position, checks);
        let (quiets, marks) = (*self.histories, self.marks);
        let mut special = 0u64;
        let mut place = 0;
        // A plain loop: adapters of iterators may be compiled outside the kernel.
        while place < self.moves.len().min(self.scores.len()) {
            let mv = self.moves[place];
            let piece = moved(position, mv);
            let is_special = merits.checks[piece / 2].0 >> mv.to().index() | marks >> trace(mv);
            special |= (is_special & 1) << (place % GROUP);
            let score = quiets.of(mv, piece) + merits.of(piece, mv);
            self.scores[place] = key(score, self.first + place);
            place += 1;
        }
        Bitboard(special)
    }
}

/// How much a man has to lose, in units, by kind.
const STAKES: ByKind<i32> = [0, 1, 1, 2, 4, 0, 0];

/// By the kind of the man that moves; the last place is for none.
type ByKind<T> = [T; 7];

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

    /// The merit of a quiet move of a piece, by its number, on the scale of the histories, as long as it gives
    /// no check.
    #[inline(always)]
    fn of(&self, piece: usize, mv: Move) -> i32 {
        let kind = piece / 2;
        let danger = self.dangers[kind];
        let escapes = i32::from(danger.has(mv.from())) - i32::from(danger.has(mv.to()));
        escapes * self.prices[kind]
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
    use crate::histories::PieceTo;
    use board::attacks::Portable;
    use board::{MoveList, Stage};

    fn merit(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let checks = position.check_info();
        let merits = Merits::new(Portable::default(), &position, Some(&checks));
        let mv = position.parse_uci(mv).unwrap();
        let piece = moved(&position, mv);
        let check = merits.checks[piece / 2].has(mv.to());
        merits.of(piece, mv) + if check { merit_of_check(&position, mv) } else { 0 }
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

    #[test]
    fn killers_and_the_countermove_have_their_merits_and_no_other_move_has() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let mut moves = MoveList::new();
        position.generate(Stage::Quiets, &mut moves);
        let context = HistoryContext::new(&position, [PieceTo::NONE; 3]);
        let (mut histories, mut favourites) = (Histories::new(), Killers::NONE);
        favourites.remember(moves[3]);
        favourites.remember(moves[20]);
        histories.set_counter(PieceTo::NONE, moves[20]);
        let scores = |killers: Option<&Killers>| {
            let (position, context, histories) = (&position, &context, &histories);
            let checks = position.check_info();
            let checks = Some(&checks);
            let skips_quiets = false;
            let ordering =
                OrderingContext { position, histories, context, killers, checks, skips_quiets };
            let mut scores = vec![0; moves.len()];
            ordering.score_quiets(&histories.quiets(position, context), &moves, &mut scores);
            scores
        };
        let (with, without) = (scores(Some(&favourites)), scores(None));
        for place in 0..moves.len() {
            let killer = if [3, 20].contains(&place) { parameters::killer_merit() } else { 0 };
            let counter = if place == 20 { parameters::counter_merit() } else { 0 };
            assert_eq!(with[place], keys::raised(without[place], killer + counter), "{place}");
        }
    }
}
