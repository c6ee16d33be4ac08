//! Which weights made a score, and how often: the input of the tuner and of the table of terms.

use crate::endgame;
use crate::modern::Record;
use crate::modern::finish::Finished;
use crate::recorder::Counts;
use crate::weights::{COUNT, WEIGHTS};
use board::Position;
use board::attacks::dispatch;

pub use crate::modern::finish::{DANGER_LINE, DANGER_SQUARE, FULL_PHASE, FULL_SCALE, MOST_DANGER};

/// The evaluation of a position as counts of weights.
///
/// White's advantage follows from the counts so: sum the weights of [`crate::weights::Role::Score`]
/// per side and take the difference; from each half take the side's danger `d`, clamped to 0 …
/// [`MOST_DANGER`], as `d² / DANGER_SQUARE` in the middlegame and `d / DANGER_LINE` in the endgame;
/// move the endgame's half by the winnable sum towards the better side; scale it by `scale` of
/// [`FULL_SCALE`]; and weigh the halves by `phase` of [`FULL_PHASE`].
pub struct Trace {
    /// How often each weight counted, for White and for Black.
    pub counts: Box<[[i16; COUNT]; 2]>,
    /// How much of the game is left.
    pub phase: i32,
    /// How much of the endgame's half counts.
    pub scale: i32,
    /// White's advantage.
    pub value: i32,
}

/// Traces a position; `None` where the ending is known and no weight counts.
pub fn trace(position: &Position) -> Option<Trace> {
    if endgame::known(position).is_some() {
        return None;
    }
    let (counts, finished) = count(position);
    let Finished { phase, scale, value, .. } = finished;
    Some(Trace { counts: Box::new(counts.0), phase, scale, value })
}

/// The counts and what they come to.
pub(crate) fn count(position: &Position) -> (Counts, Finished) {
    let mut counts = Counts::default();
    let finished = dispatch(Record { position, recorder: &mut counts });
    (counts, finished)
}

/// The weights as pairs for the middlegame and the endgame, in the order of the table.
pub fn current_weights() -> Vec<(i16, i16)> {
    WEIGHTS.iter().map(|weight| (weight.middlegame() as i16, weight.endgame() as i16)).collect()
}
