//! The table of terms: what each gives White and Black, and how the score comes of it.

use crate::endgame;
use crate::evaluator::for_side_to_move;
use crate::modern::finish::{FULL_PHASE, FULL_SCALE, danger_penalty, tapered, winnable_shift};
use crate::recorder::{Counts, Recorder};
use crate::trace::count;
use crate::weights::{Role, Term, WEIGHTS, group_of};
use board::{Color, Position};

/// A value in the middlegame and in the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Halves {
    /// In the middlegame.
    pub middlegame: i32,
    /// In the endgame.
    pub endgame: i32,
}

/// What one term gives each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The term's name.
    pub name: &'static str,
    /// For White.
    pub white: Halves,
    /// For Black.
    pub black: Halves,
}

/// An evaluation with its reasons. Values are White's, in centipawns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakdown {
    /// The terms; none where the ending is known.
    pub rows: Vec<Row>,
    /// The sum of the rows: White less Black.
    pub total: Halves,
    /// How much of the game is left, of `full_phase`.
    pub phase: i32,
    /// The phase of all pieces.
    pub full_phase: i32,
    /// How much of the endgame's half counts, of 128.
    pub scale: i32,
    /// The halves by phase and scale, before the fifty-move rule and the limits.
    pub tapered: i32,
    /// Where special knowledge gave the value.
    pub known_ending: bool,
    /// White's advantage.
    pub white: i32,
    /// What the evaluator says: the side to move's advantage.
    pub score: i16,
}

impl Breakdown {
    /// No terms, no phases, nothing scaled.
    pub(crate) fn plain() -> Breakdown {
        Breakdown {
            rows: Vec::new(),
            total: Halves::default(),
            phase: FULL_PHASE,
            full_phase: FULL_PHASE,
            scale: FULL_SCALE,
            tapered: 0,
            known_ending: false,
            white: 0,
            score: 0,
        }
    }
}

/// The modern evaluation of a position, term by term.
pub fn explain(position: &Position) -> Breakdown {
    if let Some(value) = endgame::known(position) {
        return Breakdown {
            total: Halves { middlegame: value, endgame: value },
            tapered: value,
            known_ending: true,
            white: value,
            score: for_side_to_move(position, value),
            ..Breakdown::plain()
        };
    }
    let (counts, finished) = count(position);
    let mut rows = rows(&counts);
    let before = total(&rows);
    let shift = winnable_shift(before.endgame, counts.sums().winnable.endgame());
    if let Some(row) = rows.iter_mut().find(|row| row.name == Term::Winnable.name()) {
        let side = if shift >= 0 { &mut row.white } else { &mut row.black };
        side.endgame = shift.abs();
    }
    let total = total(&rows);
    let (phase, scale) = (finished.phase, finished.scale);
    Breakdown {
        rows,
        total,
        phase,
        full_phase: FULL_PHASE,
        scale,
        tapered: tapered(total.middlegame, total.endgame, phase, scale),
        known_ending: false,
        white: finished.value,
        score: for_side_to_move(position, finished.value),
    }
}

/// A row per term; that of [`Term::Winnable`] stays empty, because it depends on the sum.
fn rows(counts: &Counts) -> Vec<Row> {
    let of = |term: Term, color: Color| {
        let mut sum = Halves::default();
        for (weight, &times) in counts.0[color.index()].iter().enumerate() {
            if group_of(weight).is_some_and(|group| group.term == term) {
                sum.middlegame += WEIGHTS[weight].middlegame() * i32::from(times);
                sum.endgame += WEIGHTS[weight].endgame() * i32::from(times);
            }
        }
        match term.role() {
            Role::Score => sum,
            Role::Danger => {
                let (middlegame, endgame) = danger_penalty(sum.middlegame, sum.endgame);
                Halves { middlegame: -middlegame, endgame: -endgame }
            }
            Role::Winnable => Halves::default(),
        }
    };
    Term::ALL
        .into_iter()
        .map(|term| Row {
            name: term.name(),
            white: of(term, Color::White),
            black: of(term, Color::Black),
        })
        .collect()
}

fn total(rows: &[Row]) -> Halves {
    rows.iter().fold(Halves::default(), |sum, row| Halves {
        middlegame: sum.middlegame + row.white.middlegame - row.black.middlegame,
        endgame: sum.endgame + row.white.endgame - row.black.endgame,
    })
}
