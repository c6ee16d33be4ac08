//! One game: the rules end it, or a score that both players agree on.

use super::settings::Settings;
use crate::adjudication::{Adjudicator, ScoreLimits};
use crate::data::Outcome;
use board::{Color, History, Position};
use eval::nnue::embedded;
use search::score::MATE_LIMIT;
use search::time::{Budget, Clock};
use search::{Iteration, Limits, Observer, Profile, Progress, Quiet, Report, Worker};
use std::time::Instant;
use table::AnyTable;

/// The scores that end a game.
const SCORES: ScoreLimits =
    ScoreLimits { win_score: 600, win_plies: 6, draw_score: 8, draw_plies: 12 };
/// Before that many half-moves no score counts as level: no game is called drawn before the sixtieth.
const LEVEL_FROM: u32 = 60 - SCORES.draw_plies + 1;
/// No game is longer; what goes on here is a draw that is not claimed.
const LONGEST: u32 = 500;

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeControl {
    /// Nodes.
    Nodes(u64),
    /// A clock for the game, in milliseconds: the beginning and what each move adds. No player loses on
    /// time: the machine's delays are not the players'.
    Clock {
        /// What the clock shows at first.
        base_ms: i64,
        /// What is added after each move.
        increment_ms: i64,
    },
}

/// A searcher, its table and its setting.
pub struct Player {
    worker: Worker,
    table: AnyTable,
    /// What it plays with.
    pub settings: Settings,
}

impl Player {
    /// A player with the usual setting, which evaluates by the embedded network as the engine does.
    pub fn new(hash_mb: u64) -> Result<Player, String> {
        let table = AnyTable::new(Profile::Modern.policy(), hash_mb);
        let table = table.map_err(|error| error.to_string())?;
        let mut worker = Worker::new(Profile::Modern);
        worker.set_network(Some(embedded()));
        Ok(Player { worker, table, settings: Settings::usual() })
    }

    fn new_game(&mut self) {
        self.worker.new_game();
        self.table.clear(1);
    }
}

/// The time of one search.
struct Timer {
    begun: Instant,
    budget: Budget,
}

impl Timer {
    fn elapsed_ms(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * 1e3
    }
}

impl Observer for Timer {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.elapsed_ms() >= self.budget.hard_ms() as f64
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        self.budget.learn(iteration);
        self.elapsed_ms() < self.budget.soft_ms()
    }
}

/// Plays a game; White's points.
pub fn play(
    opening: &Position,
    white: &mut Player,
    black: &mut Player,
    time_control: TimeControl,
) -> f64 {
    let mut players = [white, black];
    players.iter_mut().for_each(|player| player.new_game());
    let mut clocks = [0; 2];
    if let TimeControl::Clock { base_ms, .. } = time_control {
        clocks = [base_ms; 2];
    }
    let (mut position, mut history) = (*opening, History::new());
    let mut adjudicator = Adjudicator::new(SCORES);
    for plies in 1..=LONGEST {
        if let Some(outcome) = history.outcome(&position) {
            return points(Outcome::of_winner(outcome.winner()));
        }
        if history.claimable_draw(&position).is_some() {
            return 0.5;
        }
        let side = position.side_to_move();
        let mover = usize::from(side == Color::Black);
        let player = &mut *players[mover];
        let Some((mv, score)) =
            choose(player, &position, &history, time_control, &mut clocks[mover])
        else {
            return 0.5;
        };
        let score = if side == Color::White { score } else { -score };
        if score.abs() >= i32::from(MATE_LIMIT) {
            return if score > 0 { 1.0 } else { 0.0 };
        }
        if let Some(outcome) = adjudicator.see(score, plies >= LEVEL_FROM) {
            return points(outcome);
        }
        history.push(position.key());
        position.play(mv);
    }
    0.5
}

/// White's.
fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::White => 1.0,
        Outcome::Black => 0.0,
        Outcome::Draw | Outcome::Unknown => 0.5,
    }
}

/// The move of a player, and what it is worth to him.
fn choose(
    player: &mut Player,
    position: &Position,
    history: &History,
    time_control: TimeControl,
    clock_ms: &mut i64,
) -> Option<(board::Move, i32)> {
    player.settings.adopt();
    let Player { worker, table, .. } = player;
    let outcome = match time_control {
        TimeControl::Nodes(nodes) => {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            worker.search(table, position, history, &limits, &mut Quiet)
        }
        TimeControl::Clock { increment_ms, .. } => {
            let clock = Clock { remaining_ms: *clock_ms, increment_ms, moves_to_go: None };
            let mut timer = Timer { begun: Instant::now(), budget: Budget::of_clock(&clock, 0) };
            let limits = Limits::default();
            let outcome = worker.search(table, position, history, &limits, &mut timer);
            *clock_ms = (*clock_ms + increment_ms - timer.elapsed_ms() as i64).max(1);
            outcome
        }
    };
    let line = outcome.lines.first()?;
    Some((*line.moves.first()?, line.score))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(fen: &str) -> f64 {
        let opening = Position::from_fen(fen).expect(fen);
        let player = || Player::new(1).expect("a megabyte is there");
        play(&opening, &mut player(), &mut player(), TimeControl::Nodes(500))
    }

    #[test]
    fn the_rules_and_the_scores_end_a_game() {
        assert_eq!(result("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"), 1.0);
        assert_eq!(result("qq2k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0.0);
        assert_eq!(result("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), 0.5);
        assert_eq!(result("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1"), 0.5);
    }

    #[test]
    fn a_level_game_is_drawn_at_its_sixtieth_half_move() {
        let mut level = Adjudicator::new(SCORES);
        let mut see = |plies| level.see(3, plies >= LEVEL_FROM);
        assert!((1..60).all(|plies| see(plies).is_none()));
        assert_eq!(see(60), Some(Outcome::Draw));
    }

    #[test]
    fn a_game_by_the_clock_ends_too() {
        let opening = Position::from_fen("4k3/8/8/8/8/8/4P3/QR2K3 w - - 0 1").expect("legal");
        let player = || Player::new(1).expect("a megabyte is there");
        let time_control = TimeControl::Clock { base_ms: 50, increment_ms: 1 };
        assert_eq!(play(&opening, &mut player(), &mut player(), time_control), 1.0);
    }
}
