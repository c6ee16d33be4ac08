//! The evaluation of the thesis on DarkSight, with its weights (D47–D60, section 3.4.1).
//!
//! Each term is a small function of a position and a side. The weights are the paper's and are not
//! tuned; [`placement`] and the comments of the terms say where the paper leaves a definition open.
//! The sum of the piece-square tables is kept up to date move by move, and pawn structure is
//! remembered, as the paper does it (D32, D50).

mod king;
mod material;
mod pawns;
mod pieces;
mod placement;

use crate::evaluator::{Evaluator, for_side_to_move};
use crate::modern::cache::CacheCounters;
use crate::{Breakdown, Halves, Row, Tapered};
use board::{Color, Move, Position};

/// What a term gives a side.
type Function = fn(&Position, Color) -> i32;

/// The names of the terms with their functions, as the table of terms shows them.
const TERMS: [(&str, Function); 10] = [
    ("material", material::men),
    ("combinations", material::combinations),
    ("pawn count", material::pawn_count),
    ("development", placement::development),
    ("blocked centre", pawns::blocked_centre),
    ("bishops", pieces::bishops),
    ("knights", pieces::knights),
    ("rooks", pieces::rooks),
    ("king's files", king::files),
    ("castled", king::castled),
];

/// The paper's evaluation, following a walk through the tree.
#[derive(Clone)]
pub struct DarkSight {
    /// D50 along the walk, White's less Black's.
    placement: Vec<Tapered>,
    /// D32: key and White's advantage by pawn structure.
    structures: Vec<(u64, i32)>,
    counters: CacheCounters,
}

/// Pawn structures that a thread remembers.
const STRUCTURES: usize = 1 << 13;

impl DarkSight {
    /// D47, Table 3.3: pawn, knight, bishop, rook, queen; the king has none.
    pub const PIECE_VALUES: [i32; 6] = [100, 250, 300, 500, 900, 0];

    /// At an empty walk: call [`Evaluator::reset`] first.
    pub fn new() -> DarkSight {
        DarkSight {
            placement: vec![Tapered::ZERO],
            // A board without pawns has the key 0 and no structure.
            structures: vec![(0, 0); STRUCTURES],
            counters: CacheCounters::default(),
        }
    }

    /// Exchanges what is remembered.
    pub(crate) fn swap_caches(&mut self, other: &mut DarkSight) {
        std::mem::swap(&mut self.structures, &mut other.structures);
    }

    fn structure(&mut self, position: &Position) -> i32 {
        let key = position.pawn_key();
        self.counters.pawn_probes += 1;
        let entry = &mut self.structures[key as usize % STRUCTURES];
        if entry.0 == key {
            self.counters.pawn_hits += 1;
        } else {
            *entry = (key, both(position, pawns::structure));
        }
        entry.1
    }
}

impl Default for DarkSight {
    fn default() -> DarkSight {
        DarkSight::new()
    }
}

/// A term, White's less Black's.
fn both(position: &Position, term: Function) -> i32 {
    term(position, Color::White) - term(position, Color::Black)
}

impl Evaluator for DarkSight {
    fn reset(&mut self, position: &Position) {
        self.placement.clear();
        self.placement.push(placement::whole(position));
    }

    fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        let now = self.placement.last().copied().unwrap_or_default();
        self.placement.push(now + placement::change(before, mv, after));
    }

    fn push_null(&mut self, _: &Position, _: &Position) {
        self.placement.push(self.placement.last().copied().unwrap_or_default());
    }

    fn pop(&mut self) {
        // The root's own sum stays: there is nothing to take back there.
        if self.placement.len() > 1 {
            self.placement.pop();
        }
    }

    fn evaluate(&mut self, position: &Position) -> i16 {
        let sum = self.placement.last().copied().unwrap_or_default();
        let mut value = placement::by_queens(position, sum) + self.structure(position);
        for (_, term) in TERMS {
            value += both(position, term);
        }
        for_side_to_move(position, value)
    }

    fn counters(&self) -> CacheCounters {
        self.counters
    }

    fn clear(&mut self) {
        self.structures.fill((0, 0));
        self.counters = CacheCounters::default();
    }
}

/// The paper's evaluation of a position, term by term. It knows no phases: both halves are equal.
pub fn explain_darksight(position: &Position) -> Breakdown {
    let same = |value| Halves { middlegame: value, endgame: value };
    let row = |name, white, black| Row { name, white: same(white), black: same(black) };
    let squares = placement::by_queens(position, placement::whole(position));
    let [white, black] = Color::ALL.map(|us| pawns::structure(position, us));
    // The sum over the board is one number: it stands with White.
    let mut rows = vec![row("squares", squares, 0), row("pawns", white, black)];
    for (name, term) in TERMS {
        rows.push(row(name, term(position, Color::White), term(position, Color::Black)));
    }
    let value = rows.iter().map(|row| row.white.middlegame - row.black.middlegame).sum();
    Breakdown {
        rows,
        total: same(value),
        tapered: value,
        white: value,
        score: for_side_to_move(position, value),
        ..Breakdown::plain()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a term gives White.
    pub fn white(fen: &str, term: fn(&Position, Color) -> i32) -> i32 {
        term(&Position::from_fen(fen).expect("a position"), Color::White)
    }

    #[test]
    fn the_start_position_is_equal() {
        let (start, mut evaluator) = (Position::startpos(), DarkSight::new());
        evaluator.reset(&start);
        assert_eq!(evaluator.evaluate(&start), 0);
    }
}
