//! One game: the rules end it, or a score that both players agree on.

use super::settings::Settings;
use board::{Color, History, Position};
use eval::nnue::embedded;
use search::score::MATE_LIMIT;
use search::time::{Budget, Clock};
use search::{Iteration, Limits, Observer, Profile, Progress, Quiet, Report, Worker};
use std::time::Instant;
use table::AnyTable;

/// Centipawns at which a game counts as won, if both players see them for long enough.
const WIN_SCORE: i32 = 600;
/// For how many half-moves in a row.
const WIN_PLIES: u32 = 6;
/// Centipawns up to which a game counts as level.
const DRAW_SCORE: i32 = 8;
/// For how many half-moves in a row.
const DRAW_PLIES: u32 = 12;
/// Before that many half-moves no game is called drawn by its score.
const DRAW_FROM: u32 = 60;
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

/// What the scores of a game have said so far.
#[derive(Default)]
struct Adjudicator {
    /// Half-moves in a row with a clear score for one side, and White's sign of it.
    clear: u32,
    sign: i32,
    /// Half-moves in a row with a level score.
    level: u32,
}

impl Adjudicator {
    /// Takes White's score after a half-move; White's points if the game is over by it.
    fn see(&mut self, score: i32, plies: u32) -> Option<f64> {
        self.level = if score.abs() <= DRAW_SCORE { self.level + 1 } else { 0 };
        let sign = if score.abs() >= WIN_SCORE { score.signum() } else { 0 };
        self.clear = if sign != 0 && sign == self.sign { self.clear + 1 } else { 1 };
        self.sign = sign;
        if score.abs() >= i32::from(MATE_LIMIT) || sign != 0 && self.clear >= WIN_PLIES {
            Some(if sign > 0 { 1.0 } else { 0.0 })
        } else if plies >= DRAW_FROM && self.level >= DRAW_PLIES {
            Some(0.5)
        } else {
            None
        }
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
    let mut adjudicator = Adjudicator::default();
    for plies in 1..=LONGEST {
        if let Some(outcome) = history.outcome(&position) {
            return points(outcome.winner());
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
        if let Some(points) = adjudicator.see(score, plies) {
            return points;
        }
        history.push(position.key());
        position.play(mv);
    }
    0.5
}

fn points(winner: Option<Color>) -> f64 {
    match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
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
    fn a_score_decides_only_if_it_holds() {
        let mut adjudicator = Adjudicator::default();
        assert!((1..6).all(|plies| adjudicator.see(-700, plies).is_none()));
        assert_eq!(adjudicator.see(100, 6), None);
        assert!((7..12).all(|plies| adjudicator.see(-700, plies).is_none()));
        assert_eq!(adjudicator.see(-700, 12), Some(0.0));
        let mut level = Adjudicator::default();
        assert!((1..60).all(|plies| level.see(3, plies).is_none()));
        assert_eq!(level.see(3, 60), Some(0.5));
    }

    #[test]
    fn a_game_by_the_clock_ends_too() {
        let opening = Position::from_fen("4k3/8/8/8/8/8/4P3/QR2K3 w - - 0 1").expect("legal");
        let player = || Player::new(1).expect("a megabyte is there");
        let time_control = TimeControl::Clock { base_ms: 50, increment_ms: 1 };
        assert_eq!(play(&opening, &mut player(), &mut player(), time_control), 1.0);
    }
}
