//! Games between two settings of the search's parameters, inside one process.
//!
//! Each thread plays whole pairs: one opening, both colours. Parameters belong to a thread (feature
//! `tune` of `search`), and the thread takes those of the side to move before each search; so there are
//! no pipes, no protocol and no second program, and a pair at fixed nodes is the same on every machine.

mod game;
mod openings;
mod settings;
mod tally;

pub use game::{Player, TimeControl};
pub use openings::Openings;
pub use settings::{Settings, can_be_set, read_settings};
pub use tally::Tally;

use crate::workers::STACK;
use board::Position;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

/// Pairs of games to be played by one thread.
pub struct PairBatch<T> {
    /// What the one who asked needs to know it by.
    pub tag: T,
    /// Who the scores are counted for.
    pub first: Settings,
    /// The other.
    pub second: Settings,
    /// One pair from each.
    pub openings: Vec<Position>,
}

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub struct DuelConfig {
    /// Threads, each with its own games.
    pub threads: usize,
    /// Megabytes of each player's table.
    pub hash_mb: u64,
    /// How long a move may take.
    pub time_control: TimeControl,
}

/// Plays what `next` gives until it gives no more. `finished` gets the tag and, for each pair, the
/// points of the first player (0 to 2); both are called from all threads, one at a time.
pub fn play_all<T: Send>(
    config: &DuelConfig,
    next: impl FnMut() -> Option<PairBatch<T>> + Send,
    finished: impl FnMut(T, &[f64]) -> Result<(), String> + Send,
) -> Result<(), String> {
    let next = Mutex::new(next);
    let finished = Mutex::new(finished);
    let (next, finished) = (&next, &finished);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for _ in 0..config.threads.max(1) {
            let work = move || -> Result<(), String> {
                let mut players = [Player::new(config.hash_mb)?, Player::new(config.hash_mb)?];
                loop {
                    let batch = {
                        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                        next()
                    };
                    let Some(batch) = batch else { return Ok(()) };
                    players[0].settings = batch.first;
                    players[1].settings = batch.second;
                    let scores: Vec<f64> = batch
                        .openings
                        .iter()
                        .map(|opening| play_pair(&mut players, opening, config.time_control))
                        .collect();
                    let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
                    finished(batch.tag, &scores)?;
                }
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            threads.push(thread.map_err(|error| format!("the system gives no thread: {error}"))?);
        }
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err("a game failed: please report it".to_owned()))
        })
    })
}

/// The points of the first player from two games with reversed colours.
fn play_pair(players: &mut [Player; 2], opening: &Position, time_control: TimeControl) -> f64 {
    let [first, second] = players;
    let as_white = game::play(opening, first, second, time_control);
    let as_black = 1.0 - game::play(opening, second, first, time_control);
    as_white + as_black
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_against_itself_draws_every_pair() {
        let opening = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        let opening = Position::from_fen(opening).expect("a legal position");
        let config = DuelConfig { threads: 2, hash_mb: 1, time_control: TimeControl::Nodes(300) };
        let mut left = 3;
        let next = || {
            left -= 1;
            let settings = Settings::usual();
            let batch = || PairBatch {
                tag: left,
                first: settings.clone(),
                second: settings.clone(),
                openings: vec![opening],
            };
            (left >= 0).then(batch)
        };
        let mut scores = Vec::new();
        let finished = |tag, points: &[f64]| {
            scores.push((tag, points.to_vec()));
            Ok(())
        };
        assert_eq!(play_all(&config, next, finished), Ok(()));
        scores.sort_by_key(|(tag, _)| *tag);
        assert_eq!(scores, [(0, vec![1.0]), (1, vec![1.0]), (2, vec![1.0])]);
    }

    #[test]
    fn an_error_at_the_end_of_a_pair_ends_the_run() {
        let config = DuelConfig { threads: 1, hash_mb: 1, time_control: TimeControl::Nodes(50) };
        let batch = || {
            let (first, second) = (Settings::usual(), Settings::usual());
            Some(PairBatch { tag: (), first, second, openings: vec![] })
        };
        let ended = play_all(&config, batch, |(), _| Err("no room".to_owned()));
        assert_eq!(ended, Err("no room".to_owned()));
    }
}
