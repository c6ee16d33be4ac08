//! The scale of scores, and its bands (D46).
//!
//! Scores are centipawns from the view of the side to move, in 16 bits. Three kinds of knowledge share
//! the scale and never mix: an evaluation is a guess, a recognised result is a fact without a distance,
//! a mate is a fact with one.
//!
//! ```text
//! -MATE … -MATE_LIMIT | … | -RECOGNISED band | … | -EVAL_LIMIT … 0 … EVAL_LIMIT | … | MATE_LIMIT … MATE
//! ```

/// A score in centipawns from the view of the side to move. Where room counts it is kept in 16 bits.
pub type Score = i32;

/// A distance from the root in half-moves.
pub type Ply = i32;

/// The deepest line below the root, in half-moves, that a search may walk.
pub const MAX_PLY: i32 = 246;

/// No evaluation goes beyond this on either side.
pub const EVAL_LIMIT: i16 = 10_000;

/// The middle of the band of recognised wins (endgame tables and recognisers): a won position whose
/// distance to mate is not known. Recognisers may add what shows progress, up to [`RECOGNISED_SPAN`]
/// on either side, and a search takes a ply off per half-move.
pub const RECOGNISED: i16 = 20_000;

/// How far a recognised result may lie from [`RECOGNISED`].
pub const RECOGNISED_SPAN: i16 = 5_000;

/// Mate on the board, seen by the winner. A mate in `n` half-moves is `MATE - n`.
pub const MATE: i16 = 32_000;

/// The longest mate that a search can see. Scores from here on are mates.
pub const MATE_LIMIT: i16 = MATE - MAX_PLY as i16;

/// Beyond every score: the first alpha and beta.
pub const INFINITE: i16 = MATE + 1;

/// Stands for "no score" in tables.
pub const NONE: i16 = MATE + 2;

/// The score of winning by a mate `ply` half-moves below the root.
#[inline(always)]
pub const fn mate_in(ply: i32) -> i16 {
    MATE - ply as i16
}

/// The score of being mated `ply` half-moves below the root.
#[inline(always)]
pub const fn mated_in(ply: i32) -> i16 {
    ply as i16 - MATE
}

/// Whether a score says that one side mates.
#[inline(always)]
pub const fn is_mate(score: i16) -> bool {
    score >= MATE_LIMIT || score <= -MATE_LIMIT
}

/// Whether a score is more than a guess: recognised, or a mate.
#[inline(always)]
pub const fn is_decided(score: i16) -> bool {
    score > EVAL_LIMIT || score < -EVAL_LIMIT
}

/// Puts a sum of terms into the band of evaluations.
#[inline(always)]
pub const fn clamp_eval(value: i32) -> i16 {
    let limit = EVAL_LIMIT as i32;
    if value > limit {
        EVAL_LIMIT
    } else if value < -limit {
        -EVAL_LIMIT
    } else {
        value as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d46_the_bands_never_meet() {
        let (low, high) = (RECOGNISED - RECOGNISED_SPAN, RECOGNISED + RECOGNISED_SPAN);
        let ply = MAX_PLY as i16;
        let bands =
            [0, EVAL_LIMIT, low - ply, low, high, high + ply, MATE_LIMIT, MATE, INFINITE, NONE];
        assert!(bands.is_sorted_by(|a, b| a < b), "{bands:?}");
        assert!(mate_in(MAX_PLY) == MATE_LIMIT && mated_in(MAX_PLY) == -MATE_LIMIT);
    }

    #[test]
    fn d46_each_score_belongs_to_one_band() {
        assert!(!is_decided(EVAL_LIMIT) && !is_decided(-EVAL_LIMIT));
        assert!(is_decided(RECOGNISED) && !is_mate(RECOGNISED));
        assert!(is_mate(mate_in(3)) && is_mate(mated_in(MAX_PLY)));
        assert_eq!(clamp_eval(i32::MAX), EVAL_LIMIT);
        assert_eq!(clamp_eval(i32::MIN), -EVAL_LIMIT);
        assert_eq!(clamp_eval(-17), -17);
    }
}
