//! What the results of a match say about the strength of two players.
//!
//! Games are counted in pairs: two games from one opening with colours reversed. An opening that
//! favours a side makes the two results of a pair depend on each other, and the variance of pairs is
//! smaller than that of games alone would be. So everything here is computed from the five results
//! that a pair can have ([`Pentanomial`]), as Michel Van den Bergh proposed for Fishtest.
//!
//! [`Sprt`] decides between two hypotheses as early as the counts allow.

mod normal;
mod pentanomial;
mod sprt;

pub use normal::probability_below;
pub use pentanomial::{Estimate, FEWEST_PAIRS, Pentanomial};
pub use sprt::{Decision, Model, Sprt};

/// Elo points by which a share of the points, between 0 and 1, is better than half of them: infinite at
/// the ends.
pub fn elo_of_share(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of the points that a player gets who is better by `elo` points.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalised Elo for each standard deviation of a game's result that the mean lies above one half:
/// such that near equality, and in a match without draws, it is the same as Elo.
pub const NORMALISED_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_points_are_64_percent() {
        assert!((share_of_elo(100.0) - 0.640_065).abs() < 1e-6);
        assert!((elo_of_share(0.75) - 190.848_5).abs() < 1e-4);
        assert_eq!(elo_of_share(0.5), 0.0);
    }

    #[test]
    fn who_wins_everything_is_infinitely_better() {
        assert_eq!(elo_of_share(1.0), f64::INFINITY);
        assert_eq!(elo_of_share(0.0), f64::NEG_INFINITY);
    }
}
