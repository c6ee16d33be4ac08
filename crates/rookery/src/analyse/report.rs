//! What is said about a run of many tasks: a line for each game, and the sums at the end.

use super::quality::Performance;
use super::queue::Finished;
use super::study::Study;
use crate::counted::counted;
use board::pgn::Game;
use std::time::Duration;

/// `12: Carlsen, Magnus – Caruana, Fabiano 1-0, 41 moves; accuracy 97.1 and 91.3 %, …`
pub fn game_line(number: u64, game: &Game, study: &Study) -> String {
    let name = |tag| game.tags.get(tag).unwrap_or("?");
    let (white, black, result) = (name("White"), name("Black"), game.result);
    let moves = counted(study.stages.len() / 2, "move");
    let [first, second] = &study.players;
    let accuracy = |player: &Performance| {
        player.accuracy().map_or("-".to_owned(), |accuracy| format!("{accuracy:.1}"))
    };
    let loss =
        |player: &Performance| player.mean_loss().map_or("-".to_owned(), |loss| loss.to_string());
    let [inaccuracies, mistakes, blunders] =
        [0, 1, 2].map(|kind| format!("{}/{}", first.marks()[kind], second.marks()[kind]));
    format!(
        "{number}: {white} – {black} {result}, {moves}; accuracy {}/{} %, mean loss {}/{} cp, \
         inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}",
        accuracy(first),
        accuracy(second),
        loss(first),
        loss(second)
    )
}

/// The sums of a run.
#[derive(Default)]
pub struct Totals {
    done: u64,
    positions: u64,
    nodes: u64,
    /// What was done as far as it is good.
    cut_short: u64,
    /// What was passed over.
    broken: u64,
}

impl Totals {
    /// A task was done, or could not be.
    pub fn add(&mut self, done: Option<&Finished>) {
        match done {
            Some(finished) => {
                self.done += 1;
                self.positions += finished.positions;
                self.nodes += finished.nodes;
                self.cut_short += u64::from(finished.flaw.is_some());
            }
            None => self.broken += 1,
        }
    }

    /// How many tasks there were.
    pub fn tasks(&self) -> u64 {
        self.done + self.broken
    }

    /// Whether nothing was broken.
    pub fn is_clean(&self) -> bool {
        self.cut_short + self.broken == 0
    }

    /// The last line.
    pub fn line(&self, unit: &str, elapsed: Duration) -> String {
        let Totals { done, positions, nodes, cut_short, broken } = self;
        let mut line = counted(done, unit);
        if unit != "position" {
            line += &format!(", {}", counted(positions, "position"));
        }
        line += &format!(", {}, {:.1} s", counted(nodes, "node"), elapsed.as_secs_f64());
        if *cut_short > 0 {
            line += &format!("; {cut_short} broken and kept as far as good");
        }
        if *broken > 0 {
            line += &format!("; {broken} broken and passed over");
        }
        line
    }
}
